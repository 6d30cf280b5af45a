import type { Counts } from '@mayday/reference-shared';
import { describe, expect, it } from 'vitest';
import { localClient } from '../test/app.ts';

/** Lets everything but logins through, so that a test sees their limit alone. */
function countOnlyLogins(take: Counts['takeAll']): Counts['takeAll'] {
  return (key, allowances, now) => (key.startsWith('login ') ? take(key, allowances, now) : 0);
}

describe('what works, works', () => {
  it('ER-59 ER-60 pages through a list, until the cursor is five minutes old', async () => {
    const { call, clock } = await localClient({ pageSize: 4 });
    const seen: unknown[] = [];
    let cursor: unknown;
    do {
      const { result = {} } = await call('tools/list', cursor === undefined ? {} : { cursor });
      seen.push(...(result['tools'] as unknown[]));
      cursor = result['nextCursor'];
    } while (cursor !== undefined);
    expect(seen).toHaveLength(10);

    const first = (await call('tools/list')).result?.['nextCursor'] as string;
    expect((await call('prompts/list', { cursor: first })).error?.code).toBe(-32071);
    expect((await call('tools/list', { cursor: first.replace(/.$/, 'x') })).error?.code).toBe(-32071);
    clock.advance(299_999);
    expect((await call('tools/list', { cursor: first })).result).toBeDefined();
    clock.advance(1);
    expect((await call('tools/list', { cursor: first })).error).toEqual({
      code: -32072,
      message: 'Cursor expired',
      data: { cursor: first, ttl_seconds: 300 },
    });
  });

  it('ER-51 ER-52 ER-54 signs in, acts, and is signed out when the token ends', async () => {
    const { app, call, clock } = await localClient();
    app.store.users.add('ada', 'admin', 'correct horse');
    expect((await call('auth/login', { user: 'nobody', password: 'correct horse' })).error?.code).toBe(
      -32053,
    );
    const { result } = await call('auth/login', { user: 'ada', password: 'correct horse' });
    await call('auth/authenticate', { token: result?.['token'] });
    expect((await call('resources/read', { uri: 'audit://logins' })).result).toBeDefined();
    expect((await call('tools/call', { name: 'delete_tool', arguments: { name: 'x' } })).error?.code).toBe(
      -32002,
    );
    clock.advance(3_600_000);
    expect((await call('tools/list')).error).toEqual({
      code: -32054,
      message: 'Token expired',
      data: { expired_at: result?.['expires_at'] },
    });
  });

  it('ER-33 ER-53 a password cannot be guessed by trying: attempts count for the account', async () => {
    const { call, app } = await localClient({ rateLimit: 5 });
    app.counts.takeAll = countOnlyLogins(app.counts.takeAll);
    const attempt = async () => (await call('auth/login', { user: 'ada', password: 'x' })).error?.code;
    const codes = [];
    for (let at = 0; at < 6; at++) codes.push(await attempt());
    expect(codes).toEqual([-32053, -32053, -32053, -32053, -32053, -32010]);
  });

  it('ER-29 ER-67 tells subscribers, and only them', async () => {
    const { call, events } = await localClient();
    const save = (text: string) => call('tools/call', { name: 'save_note', arguments: { name: 'a', text } });
    await save('one');
    await call('resources/subscribe', { uri: 'note://a' });
    await save('two');
    await call('tools/call', { name: 'announce', arguments: { uri: 'note://a' } });
    await call('resources/unsubscribe', { uri: 'note://a' });
    await save('three');
    expect((await call('resources/unsubscribe', { uri: 'note://a' })).error?.data).toEqual({
      uri: 'note://a',
      reason: 'not_subscribed',
    });
    const updates = events.filter(
      ({ value }) => (value as { method?: string }).method === 'notifications/resources/updated',
    );
    expect(updates).toHaveLength(2);
    expect((await call('resources/read', { uri: 'note://a' })).result).toEqual({
      contents: [{ uri: 'note://a', mimeType: 'text/plain', text: 'three' }],
    });
  });

  it('ER-65 ER-66 reports progress, keeps it for a while, and refuses a token that is in use', async () => {
    const { call, clock, events } = await localClient();
    const meta = { _meta: { progressToken: 'p' } };
    const running = call('tools/call', { name: 'wait', arguments: { ms: 400 }, ...meta });
    expect((await call('ping', meta)).error).toMatchObject({ code: -32091, data: { progressToken: 'p' } });
    for (let step = 0; step < 4; step++) await clock.advanceWhenDue(100);
    expect((await running).result).toBeDefined();
    const sent = events.filter(({ kind }) => kind === 'sent').map(({ value }) => value);
    expect(sent).toContainEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 4, total: 4 },
    });
    const progress = () => call('experimental/progress/get', { progressToken: 'p' });
    expect((await progress()).result).toEqual({ progress: 4, total: 4, done: true });
    clock.advance(60_000);
    expect((await progress()).error?.code).toBe(-32092);
  });

  it('ER-61 ER-62 ER-63 ER-64 tasks end once, in one of four ways', async () => {
    const { call, clock } = await localClient({ taskTimeoutMs: 5000 });
    const start = async (name: string, args: object) => {
      const { result } = await call('tools/call', { name, arguments: args, task: { ttl: 60_000 } });
      return (result as { task: { taskId: string } }).task.taskId;
    };
    const done = await start('calculate', { a: 6, b: 7, operation: 'multiply' });
    expect((await call('tasks/result', { taskId: done })).result).toEqual({
      content: [{ type: 'text', text: '42' }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId: done } },
    });
    expect((await call('tasks/cancel', { taskId: done })).error?.data).toEqual({
      details: 'Task is already completed',
    });
    const slow = await start('wait', { ms: 600_000 });
    await clock.advanceWhenDue(5000);
    expect((await call('experimental/tasks/watch', { taskId: slow })).result).toMatchObject({
      status: 'failed',
      statusMessage: 'timeout',
    });
    const late = await call('tasks/result', { taskId: slow });
    expect(late.error).toMatchObject({ code: -32085, data: { taskId: slow, timeoutMs: 5000 } });
    expect((await call('tasks/list')).result).toMatchObject({ tasks: [{ taskId: done }, { taskId: slow }] });
    clock.advance(60_001);
    expect((await call('tasks/get', { taskId: done })).error?.data).toEqual({ taskId: done });
  });

  it.each([
    ['not-a-uri', -32022, 'missing_scheme'],
    ['', -32022, 'empty'],
    ['1x:y', -32022, 'missing_scheme'],
    [`note:${'x'.repeat(3000)}`, -32022, 'too_long'],
    ['note://a<b>', -32023, 'illegal_character'],
    ['note://%zz', -32023, 'bad_percent_encoding'],
    ['http://[::1', -32023, 'malformed'],
    ['note://ü', -32023, 'illegal_character'],
  ])('ER-40 ER-41 refuses the URI %j with %i', async (uri, code, reason) => {
    const { call } = await localClient();
    expect((await call('resources/read', { uri })).error).toMatchObject({ code, data: { reason } });
  });

  it('ER-38 ER-43 content and templates are checked where they are read', async () => {
    const { app, call } = await localClient();
    app.store.notes.save(
      { name: 'bad', mimeType: 'text/plain', bytes: Buffer.from([0x61, 0xff]) },
      'user ada',
    );
    expect((await call('resources/read', { uri: 'note://bad' })).error).toMatchObject({
      code: -32015,
      data: { encoding: 'utf-8', position: 1 },
    });
    expect((await call('resources/read', { uri: 'log://yesterday' })).error).toMatchObject({
      code: -32029,
      data: { uri_template: 'log://{date}', reason: 'invalid_variable: date' },
    });
  });

  it('completes arguments of prompts and variables of templates', async () => {
    const { app, call } = await localClient();
    app.store.notes.save({ name: 'apple', mimeType: 'text/plain', bytes: Buffer.from('x') }, 'user ada');
    const complete = async (ref: object, name: string, value: string) =>
      (await call('completion/complete', { ref, argument: { name, value } })).result?.['completion'];
    const prompt = { type: 'ref/prompt', name: 'write_essay' };
    expect(await complete(prompt, 'tone', 'f')).toMatchObject({ values: ['formal', 'friendly', 'funny'] });
    expect(await complete({ type: 'ref/resource', uri: 'note://{name}' }, 'name', 'ap')).toEqual({
      values: ['apple'],
      total: 1,
      hasMore: false,
    });
  });
});
