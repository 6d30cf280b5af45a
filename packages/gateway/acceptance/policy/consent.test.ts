/** Consent, from docs/policy.md: a person decides, and a consent is good for exactly one call. */
import { rmSync } from 'node:fs';
import { createServer, connect as dial } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../../scripts/free-port.ts';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, type Message, post, words } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize, modern } from '../support/messages.ts';
import { fate, mayday, named, pause, times, together, tried, use } from '../support/policy.ts';
import { executions, type Step } from '../support/puppet.ts';
import { API_PATHS, failing, openapiFile, stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789';
const BOB = 'bob-key-0123456789';
const DAN = 'dan-key-0123456789';
const KEYS = [
  { name: 'ann', key: ANN },
  { name: 'bob', key: BOB },
  { name: 'dan', key: DAN, scopes: ['open:it'] },
];
const ASK = 'approval_required/no';
const TTL = 8000;
const RULES = [
  { approve: ['*/pay', 'u/hello', 'u/test://one'] },
  { approve: ['*/lookup'], ttl_ms: TTL },
  { approve: ['u/open'], scopes: ['open:it'] },
  { approve: ['u/changing'], ttl_ms: 600_000 },
];
const TOOLS = named('echo', 'pay', 'lookup', 'open', 'changing');

const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
let late: number;
beforeAll(async () => {
  http = await startHttpPuppet({ ledger, tools: TOOLS });
  late = await freePort();
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});

function settings(rules: readonly object[] = RULES, more: object = {}): object {
  return {
    store: `file:${join(folder, 'mayday.db')}`,
    keys: KEYS,
    access: { rules },
    limits: { concurrency: [{ calls: 8, by: ['caller', 'upstream'] }] },
    upstreams: {
      u: { url: http.url, retry: { attempts: 1 }, breaker: false },
      s: stdio({ ledger, tools: TOOLS }, { retry: { attempts: 1 }, breaker: false }),
      o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin },
      late: { url: `http://127.0.0.1:${late}/mcp`, retry: { attempts: 1 }, breaker: false },
      ...more,
    },
  };
}
const gateway = keepGateway(() => startGateway(settings()), [ledger, join(folder, 'mayday.db')]);

/** Makes a call that needs consent, and tells the id of its request. */
async function requested(endpoint: string, tool: string, args: unknown = {}, key = ANN): Promise<string> {
  const { message } = await use(gateway(), endpoint, tool, args, { key });
  expect(fate(message)).toBe(ASK);
  const id: unknown = faultOf(message)['details']?.approval_id;
  expect(id).toEqual(expect.stringMatching(/\S/));
  return String(id);
}

async function decide(decision: 'approve' | 'reject', id: string): Promise<void> {
  const { code, all } = await mayday(gateway().folder, 'approvals', decision, id);
  expect([code, all]).toEqual([0, all]);
}

/** Makes the call, and has a person approve it. */
async function consented(endpoint: string, tool: string, args: unknown = {}, key = ANN): Promise<string> {
  const id = await requested(endpoint, tool, args, key);
  await decide('approve', id);
  return id;
}

/** What was asked and decided first of all, and is over at the end of this file. */
const old = { forgotten: '', rejected: '', unused: '' };
let decided = 0;

describe('a call that was rejected', () => {
  it('is forbidden, for this caller', async () => {
    [old.forgotten, old.rejected, old.unused] = await Promise.all([
      requested('u', 'lookup', { n: 'forgotten' }),
      requested('u', 'lookup', { n: 'rejected' }),
      requested('s', 'lookup', { n: 'unused' }),
    ]);
    await Promise.all([decide('reject', old.rejected), decide('approve', old.unused)]);
    decided = Date.now();
    const fates = await Promise.all([
      tried(gateway(), 'u', 'lookup', { n: 'rejected' }, { key: ANN }),
      tried(gateway(), '', 'u_lookup', { n: 'rejected' }, { key: ANN }),
      tried(gateway(), 'u', 'lookup', { n: 'rejected' }, { key: BOB }),
    ]);
    expect(fates).toEqual(['forbidden/no', 'forbidden/no', ASK]);
  });
});

describe('a call that needs consent', () => {
  it('is refused, reaches nobody, and waits for a person who sees what it is about', async () => {
    const args = { key: 'waits', note: 'for the rent', password: 'hunter2-correct-horse' };
    const id = await requested('u', 'pay', args);
    expect(executions(ledger, 'waits')).toBe(0);
    const { code, out, all } = await mayday(gateway().folder, 'approvals');
    expect(code).toBe(0);
    expect(out).toContain(id);
    expect(out).toContain('ann');
    expect(out).toContain('pay');
    expect(out).toContain('for the rent');
    expect(all).not.toContain('hunter2');
  });

  it.each([
    ['u', 'pay', 'u', 'pay'],
    ['s', 'pay', 's', 'pay'],
    ['', 's_pay', '', 's_pay'],
    ['', 'u_pay', 'u', 'pay'],
    ['s', 'pay', '', 's_pay'],
  ])('at /%s (%s) goes through at /%s (%s), once', async (first, tool, second, again) => {
    const key = `once:${first}:${second}:${tool}`;
    await consented(first, tool, { key, amount: 5, to: { name: 'x', iban: [1, 2] } });
    const reordered = { to: { iban: [1, 2], name: 'x' }, amount: 5, key };
    expect(await tried(gateway(), second, again, reordered, { key: ANN })).toBe('fine');
    expect(executions(ledger, key)).toBe(1);
    expect(await tried(gateway(), second, again, reordered, { key: ANN })).toBe(ASK);
    expect(await tried(gateway(), first, tool, reordered, { key: ANN })).toBe(ASK);
    expect(executions(ledger, key)).toBe(1);
  });

  it('of an API', async () => {
    const paid = (): number => http.arrivals.filter(({ path }) => path.startsWith('/pay')).length;
    const before = paid();
    await consented('o', 'pay');
    expect(paid()).toBe(before);
    expect(await tried(gateway(), 'o', 'pay', {}, { key: ANN })).toBe('fine');
    expect(paid()).toBe(before + 1);
    expect(await tried(gateway(), '', 'o_pay', {}, { key: ANN })).toBe(ASK);
  });

  it('in 2026-07-28, and in a session', async () => {
    const body = modern(call('pay', { key: 'modern' }));
    const first = await post(at(gateway(), 'u'), body, { key: ANN, era: '2026' });
    expect(fate(first.message)).toBe(ASK);
    await decide('approve', faultOf(first.message)['details'].approval_id);
    const opened = await post(at(gateway(), 's'), initialize(), { key: ANN });
    const session = String(opened.headers['mcp-session-id']);
    expect(await tried(gateway(), 's', 'pay', { key: 'modern' }, { key: ANN, session })).toBe(ASK);
    const second = await post(at(gateway(), 'u'), body, { key: ANN, era: '2026' });
    expect([fate(second.message), executions(ledger, 'modern')]).toEqual(['fine', 1]);
  });

  it.each([
    ['prompts/get', { name: 'hello' }],
    ['resources/read', { uri: 'test://one' }],
  ])('%s', async (method, params) => {
    const sent = async (): Promise<Message> =>
      (await post(at(gateway(), 'u'), ask(method, params), { key: ANN })).message;
    const refused = await sent();
    expect(fate(refused)).toBe(ASK);
    await decide('approve', faultOf(refused)['details'].approval_id);
    expect([fate(await sent()), fate(await sent())]).toEqual(['fine', ASK]);
  });

  it('needs its scopes first', async () => {
    const { message } = await use(gateway(), 'u', 'open', { note: 'without-scope' }, { key: BOB });
    expect(fate(message)).toBe('forbidden/no');
    expect(words(message)).toContain('open:it');
    const id = await requested('u', 'open', { note: 'with-scope' }, DAN);
    const { out } = await mayday(gateway().folder, 'approvals');
    expect(out).toContain(id);
    expect(out).not.toContain('without-scope');
  });
});

describe('a consent is for', () => {
  it('this caller, this upstream, this tool and exactly these arguments', async () => {
    const args = { key: 'exact', list: [1, 2], amount: 5 };
    await consented('u', 'pay', args);
    const others = await Promise.all([
      tried(gateway(), 'u', 'pay', args, { key: BOB }),
      tried(gateway(), 's', 'pay', args, { key: ANN }),
      tried(gateway(), 'u', 'lookup', args, { key: ANN }),
      tried(gateway(), 'u', 'pay', { ...args, amount: 6 }, { key: ANN }),
      tried(gateway(), 'u', 'pay', { ...args, amount: '5' }, { key: ANN }),
      tried(gateway(), 'u', 'pay', { ...args, list: [2, 1] }, { key: ANN }),
      tried(gateway(), 'u', 'pay', { ...args, more: null }, { key: ANN }),
      tried(gateway(), 'u', 'pay', { key: 'exact', list: [1, 2] }, { key: ANN }),
      tried(gateway(), 'u', 'pay', {}, { key: ANN }),
    ]);
    expect(others).toEqual(times(9, ASK));
    expect(executions(ledger, 'exact')).toBe(0);
    expect(await tried(gateway(), 'u', 'pay', args, { key: ANN })).toBe('fine');
  });

  it('one call of those at the same time; the others are told conflict', async () => {
    const script: Step[] = [{ wait: 1200 }, { answer: { result: { content: [] } } }];
    const args = { key: 'race', script };
    await consented('u', 'pay', args);
    const fates = await together(5, (index) =>
      tried(gateway(), index % 2 === 0 ? 'u' : '', index % 2 === 0 ? 'pay' : 'u_pay', args, { key: ANN }),
    );
    expect(fates).toEqual([...times(4, 'conflict/no'), 'fine']);
    expect(executions(ledger, 'race')).toBe(1);
  });

  it('this rule, and for nothing when that has changed', async () => {
    await consented('u', 'changing', { n: 1 });
    await consented('u', 'changing', { n: 2 });
    const reloads = (): number => gateway().log().split('reloaded').length;
    const reload = async (rules: readonly object[]): Promise<void> => {
      const before = reloads();
      gateway().rewrite(settings(rules, { another: { url: http.url } }));
      await expect.poll(reloads, { timeout: 8000 }).toBeGreaterThan(before);
    };
    await reload([{ deny: ['x/*'] }, ...RULES]);
    expect(await tried(gateway(), 'u', 'changing', { n: 1 }, { key: ANN })).toBe('fine');
    await reload([...RULES.slice(0, 3), { approve: ['u/changing'], ttl_ms: 700_000 }]);
    expect(await tried(gateway(), 'u', 'changing', { n: 2 }, { key: ANN })).toBe(ASK);
    await reload(RULES);
  });
});

describe('a consent is used up', () => {
  it.each([
    ['when the tool fails', [failing('Order 17 was not found')]],
    ['when the connection breaks', [{ reset: true }]],
  ] as [string, Step[]][])('%s', async (what, script) => {
    const args = { key: what, script };
    await consented('u', 'pay', args);
    const { message } = await use(gateway(), 'u', 'pay', args, { key: ANN });
    expect(faultOf(message)['executed']).toBe('maybe');
    expect(await tried(gateway(), 'u', 'pay', args, { key: ANN })).toBe(ASK);
    expect(executions(ledger, what)).toBe(1);
  });

  it('when the caller goes away in the middle', async () => {
    const args = { key: 'gone', script: [{ hang: true }] };
    await consented('s', 'pay', args);
    const stop = new AbortController();
    const away = use(gateway(), 's', 'pay', args, { key: ANN, signal: stop.signal });
    away.catch(() => undefined);
    await expect.poll(() => executions(ledger, 'gone'), { timeout: 5000 }).toBe(1);
    stop.abort();
    await expect.poll(() => tried(gateway(), 's', 'pay', args, { key: ANN }), { timeout: 5000 }).toBe(ASK);
    expect(executions(ledger, 'gone')).toBe(1);
  });

  it('and approving its request again gives no second one', async () => {
    const id = await consented('u', 'pay', { n: 'twice' });
    expect(await tried(gateway(), 'u', 'pay', { n: 'twice' }, { key: ANN })).toBe('fine');
    await mayday(gateway().folder, 'approvals', 'approve', id);
    expect(await tried(gateway(), 'u', 'pay', { n: 'twice' }, { key: ANN })).toBe(ASK);
  });
});

describe('a consent is given back', () => {
  it('by a call that reached no server', async () => {
    const args = { key: 'late' };
    await consented('late', 'pay', args);
    const { message } = await use(gateway(), 'late', 'pay', args, { key: ANN });
    expect(faultOf(message)).toMatchObject({ kind: 'unavailable', executed: 'no' });
    const { port } = new URL(http.url);
    const server = createServer((socket) => {
      const other = dial(Number(port), '127.0.0.1');
      for (const each of [socket, other]) each.on('error', () => undefined);
      socket.pipe(other).pipe(socket);
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(late, '127.0.0.1', resolve));
    expect(await tried(gateway(), 'late', 'pay', args, { key: ANN })).toBe('fine');
    expect(await tried(gateway(), 'late', 'pay', args, { key: ANN })).toBe(ASK);
    expect(executions(ledger, 'late')).toBe(1);
  });

  it('by a call that is too many', async () => {
    const args = { key: 'crowded' };
    await consented('u', 'pay', args);
    const script: Step[] = [{ wait: 1500 }, { answer: { result: { content: [] } } }];
    const crowd = together(8, () => tried(gateway(), 'u', 'echo', { key: 'crowd', script }, { key: ANN }));
    await expect.poll(() => executions(ledger, 'crowd'), { timeout: 5000 }).toBe(8);
    expect(await tried(gateway(), 'u', 'pay', args, { key: ANN })).toBe('overloaded/no');
    expect(await crowd).toEqual(times(8, 'fine'));
    expect(await tried(gateway(), 'u', 'pay', args, { key: ANN })).toBe('fine');
  });
});

describe('a decision', () => {
  it('about nothing is refused', async () => {
    const said = await Promise.all([
      mayday(gateway().folder, 'approvals', 'approve', 'nonesuch'),
      mayday(gateway().folder, 'approvals', 'reject', '../../x'),
      mayday(gateway().folder, 'approvals', 'approve'),
    ]);
    expect(said.map(({ code }) => code === 1 || code === 2)).toEqual([true, true, true]);
  });

  it('and every use is in the audit log, which is whole', async () => {
    const id = await consented('u', 'pay', { n: 'audited' }, BOB);
    expect(await tried(gateway(), 'u', 'pay', { n: 'audited' }, { key: BOB })).toBe('fine');
    const no = await requested('u', 'pay', { n: 'audited, and refused' }, BOB);
    await decide('reject', no);
    const { out } = await mayday(gateway().folder, 'audit');
    const rows = (of: string): string[] => out.split('\n').filter((line) => line.includes(of));
    expect(rows(id)).toHaveLength(2);
    expect(rows(no)).toHaveLength(1);
    for (const row of [...rows(id), ...rows(no)]) {
      expect(row).toContain('bob');
      expect(row).toContain('pay');
    }
    expect((await mayday(gateway().folder, 'audit', 'verify')).code).toBe(0);
  });

  it('is over after ttl_ms, and so is a request that nobody decided', async () => {
    expect(old).toEqual({
      forgotten: expect.stringMatching(/\S/),
      rejected: expect.stringMatching(/\S/),
      unused: expect.stringMatching(/\S/),
    });
    await pause(Math.max(0, decided + TTL + 200 - Date.now()));
    const [waiting, late] = await Promise.all([
      mayday(gateway().folder, 'approvals'),
      mayday(gateway().folder, 'approvals', 'approve', old.forgotten),
    ]);
    expect(waiting.out).not.toContain(old.forgotten);
    expect([1, 2]).toContain(late.code);
    const again = await Promise.all([
      requested('u', 'lookup', { n: 'forgotten' }),
      requested('u', 'lookup', { n: 'rejected' }),
      requested('s', 'lookup', { n: 'unused' }),
    ]);
    expect(again.filter((id) => Object.values(old).includes(id))).toEqual([]);
  });
});
