import { type AddressInfo, createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localClient, openTestCounts, rawClient } from '../test/app.ts';
import { createApp } from './app.ts';
import { onLines } from './serving.ts';
import { DEFAULTS } from './settings.ts';
import { openStore } from './store/index.ts';

const SECRET = 'hunter2-s3cr3t';

/** An address where nobody listens. */
async function nobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

describe('safety', () => {
  it('ER-87 an error is logged before it is sent', async () => {
    const store = openStore(tempFolder());
    onTestFinished(() => store.close());
    const order: string[] = [];
    const app = createApp({
      settings: DEFAULTS,
      store,
      counts: openTestCounts(),
      log: () => order.push('logged'),
    });
    const [input, output] = [new PassThrough(), new PassThrough()];
    const sent = new Promise((resolve) => {
      output.on('data', () => resolve(order.push('sent')));
    });
    onLines(app, input, output);
    input.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    await sent;
    expect(order).toEqual(['logged', 'sent']);
  });

  it('ER-88 ER-89 no secret leaves: not from an exception, not from a URL, not echoed', async () => {
    const client = rawClient('--data', tempFolder(), '--mirror', `http://admin:${SECRET}@${await nobody()}/`);
    await client.initialize();
    const answers = await Promise.all([
      client.call('resources/read', { uri: 'mirror://x' }),
      client.call('completion/complete', {
        ref: { type: 'ref/resource', uri: 'mirror://{path}' },
        argument: { name: 'path', value: '' },
      }),
      client.call('resources/read', { uri: `note://x?password=${SECRET}` }),
      client.call('auth/login', { user: 'ada', password: SECRET }),
      client.call('auth/authenticate', { token: SECRET }),
      client.call('tools/call', { name: 'calculate', arguments: { a: SECRET, b: 1 } }),
    ]);
    expect(answers.map((answer) => answer.error?.code)).toEqual([
      -32008, -32113, -32001, -32053, -32051, -32034,
    ]);
    expect(JSON.stringify(answers)).not.toContain(SECRET);
    expect(answers[0]?.error).toEqual({
      code: -32008,
      message: 'Transport error',
      data: { reason: 'connection_refused' },
    });
    expect(answers.map((answer) => answer.id)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it('ER-23 ER-44 ER-49 ER-88 an exception is a word, or nothing, on the wire, and whole in the log', async () => {
    const { app, call, events } = await localClient();
    Object.assign(app.store.notes, {
      get: () => {
        throw new Error(SECRET);
      },
    });
    const reason = 'unexpected_exception';
    const tool = await call('tools/call', { name: 'summarize_note', arguments: { name: 'n' } });
    expect(tool.error).toMatchObject({ code: -32031, data: { tool: 'summarize_note', reason } });
    const prompt = await call('prompts/get', { name: 'review_note', arguments: { note: 'n' } });
    expect(prompt.error).toMatchObject({ code: -32044, data: { prompt: 'review_note', reason } });
    const resource = await call('resources/read', { uri: 'note://n' });
    expect(resource.error).toEqual({ code: -32603, message: 'Internal error' });
    const causes = events.map(({ value }) => String((value as { cause?: unknown }).cause));
    expect(causes.map((cause) => cause.includes(SECRET))).toEqual([true, true, true]);
  });

  it('bad input of every kind, all at once, gets an answer each and leaves the server serving', async () => {
    const { call, receive } = await localClient({ rateLimit: 10_000 });
    const nested: unknown = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
    const odd: unknown[] = [
      null,
      5,
      'x',
      true,
      [],
      {},
      nested,
      Number.MAX_SAFE_INTEGER,
      '__proto__',
      '\u0000',
    ];
    const methods = [
      'tools/call',
      'resources/read',
      'prompts/get',
      'tasks/get',
      'completion/complete',
      'initialize',
    ];
    const keys = ['name', 'arguments', 'uri', 'taskId', 'ref', 'argument', '_meta', 'cursor', 'task'];
    const calls = methods.flatMap((method) =>
      keys.flatMap((key) => odd.map((value) => call(method, { name: 'calculate', [key]: value }))),
    );
    const answers = await Promise.all(calls);
    expect(answers).toHaveLength(540);
    expect(answers.filter((answer) => answer.error === undefined)).toEqual([]);
    expect(answers.filter((answer) => answer.error?.code === -32603)).toEqual([]);
    const params = await Promise.all(
      odd.map((value) => receive({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: value })),
    );
    expect(params).toHaveLength(10);
    expect((await call('tools/call', { name: 'calculate', arguments: { a: 1, b: 1 } })).result).toBeDefined();
  });

  it('a request whose id is in use is refused; the first one goes on', async () => {
    const { receive, clock } = await localClient();
    const message = {
      jsonrpc: '2.0',
      id: 'same',
      method: 'tools/call',
      params: { name: 'wait', arguments: { ms: 0 } },
    };
    const [first, second] = [receive(message), receive(message)];
    expect(await second).toMatchObject({
      error: { code: -32600, data: 'Request id is already in use' },
    });
    for (let step = 0; step < 4; step++) await clock.advanceWhenDue(1);
    expect(await first).toMatchObject({ id: 'same', result: {} });
  });
});
