import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from './index.ts';

function open(folder = tempFolder()) {
  const store = openStore(folder);
  onTestFinished(() => store.close());
  return store;
}

describe('users', () => {
  it('are recognised by their password, suspended, and listed without it', () => {
    const { users } = open();
    users.add('bob', 'member', 'b');
    users.add('ada', 'admin', 'a');
    expect(users.verify('ada', 'a')).toEqual({ name: 'ada', role: 'admin', suspended: false });
    expect([users.verify('ada', 'b'), users.verify('eve', 'a'), users.verify('eve', '')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([users.suspend('ada', true), users.suspend('eve', true)]).toEqual([true, false]);
    expect(users.verify('ada', 'a')?.suspended).toBe(true);
    expect(users.list()).toEqual([
      { name: 'ada', role: 'admin', suspended: true },
      { name: 'bob', role: 'member', suspended: false },
    ]);
  });

  it('have tokens that end, of which a hundred logins are shown, the newest first; none is on the disk', () => {
    const folder = tempFolder();
    const { users } = open(folder);
    users.add('ada', 'member', 'correct horse');
    const ada = users.verify('ada', 'correct horse');
    const { token, expiresAt } = users.issue(ada as never, 1000, 50);
    expect([token, expiresAt]).toEqual([expect.stringMatching(/^erl_[\w-]{32}$/), 1050]);
    const id = createHash('sha256').update(token).digest('hex');
    expect(users.find(token)).toEqual({ id, user: ada, expiresAt: 1050 });
    expect([users.look(id), users.look(token)]).toEqual([users.find(token), undefined]);
    expect(users.find(`${token}x`)).toBeUndefined();
    for (let n = 1; n <= 100; n++) users.issue(ada as never, 1000 + n, 50);
    const logins = users.logins();
    expect([logins.length, logins[0], logins.at(-1)?.at]).toEqual([100, { user: 'ada', at: 1100 }, 1001]);
    const rows = new DatabaseSync(join(folder, 'erlmcp.sqlite')).prepare('SELECT * FROM tokens').all();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0]?.['digest']).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the tokens of a user', () => {
  it('end, all at once, at the time that is given, and those of others go on', () => {
    const { users } = open();
    for (const name of ['ada', 'bob']) users.add(name, 'member', name);
    const tokenOf = (name: string, ttlMs: number) =>
      users.issue(users.verify(name, name) as never, 1000, ttlMs).token;
    const [short, long, other] = [tokenOf('ada', 10), tokenOf('ada', 500), tokenOf('bob', 500)];
    expect([users.endTokens('ada', 1100), users.endTokens('eve', 1100)]).toEqual([true, false]);
    const ends = [short, long, other].map((token) => users.find(token)?.expiresAt);
    expect(ends).toEqual([1010, 1100, 1500]);
    expect(users.verify('ada', 'ada')?.name).toBe('ada');
    expect(users.endTokens('ada', 1200, 'new')).toBe(true);
    expect([users.verify('ada', 'ada'), users.verify('ada', 'new')?.name]).toEqual([undefined, 'ada']);
  });
});

describe('tasks', () => {
  const task = (id: string, ttl = 100) => ({ id, owner: 'o', tool: 't', ttl });

  it('end once, and fail with the process that worked on them', () => {
    const folder = tempFolder();
    const { tasks } = open(folder);
    const other = openStore(folder);
    for (const id of ['a', 'b']) tasks.create(task(id), 10);
    other.tasks.create({ ...task('c'), owner: 'p' }, 10);
    expect(tasks.end('a', { status: 'completed', result: '{}' }, 20)).toBe(true);
    expect(tasks.end('a', { status: 'failed', reason: 'x' }, 30)).toBe(false);
    const row = { owner: 'o', tool: 't', ttl: 100, createdAt: 10 };
    const ended = { ...row, id: 'a', status: 'completed', reason: null, result: '{}', updatedAt: 20 };
    expect(tasks.get('a')).toEqual(ended);
    tasks.failAbandoned('gone', 40, (id) => id === 'b');
    const working = { ...row, id: 'b', status: 'working', reason: null, result: null, updatedAt: 10 };
    expect(tasks.of('o')).toEqual([ended, working]);
    expect(tasks.of('p')).toMatchObject([{ id: 'c', status: 'working' }]);
    other.close();
    tasks.failAbandoned('gone', 50, () => false);
    expect(tasks.of('p')).toMatchObject([{ id: 'c', status: 'failed', reason: 'gone', updatedAt: 50 }]);
    expect(tasks.of('o')[1]).toMatchObject({ id: 'b', status: 'failed' });
  });

  it('that have ended are forgotten when they were kept long enough', () => {
    const { tasks } = open();
    for (const id of ['a', 'b']) tasks.create(task(id), 10);
    tasks.end('a', { status: 'cancelled' }, 20);
    tasks.forgetOld(110);
    expect(tasks.get('a')?.status).toBe('cancelled');
    tasks.forgetOld(111);
    expect([tasks.get('a'), tasks.get('b')?.status]).toEqual([undefined, 'working']);
  });
});

describe('notes and tools', () => {
  it('are kept by name, replaced and deleted', () => {
    const { notes, tools } = open();
    const note = { name: 'b', mimeType: 'text/plain', bytes: Buffer.from('x') };
    notes.save({ ...note, bytes: Buffer.from('y') }, 'user ada');
    notes.save(note, 'user ada');
    notes.save({ ...note, name: 'a' }, 'user ada');
    expect([notes.get('b'), notes.get('c'), notes.names()]).toEqual([note, undefined, ['a', 'b']]);
    expect([notes.delete('b'), notes.delete('b')]).toEqual([true, false]);
    const tool = { name: 'b', description: 'd', text: 't' };
    tools.save({ ...tool, text: 'u' });
    tools.save(tool);
    tools.save({ ...tool, name: 'a' });
    expect(tools.get('b')).toEqual(tool);
    expect(tools.all()).toEqual([{ ...tool, name: 'a' }, tool]);
    expect([tools.delete('b'), tools.delete('b'), tools.get('b')]).toEqual([true, false, undefined]);
  });
});
