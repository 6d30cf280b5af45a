/** Each way the SDK fails badly: shown on the plain server, mended on the guarded one. */
import { read } from '@mayday/core';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guardHandler } from '../src/http.ts';
import { failingServer, LEAK, SECRET } from './fixture.ts';
import { type Answer, ask, type Era, faultIn, textOf } from './wire.ts';

const ERAS: readonly Era[] = ['2025-11-25', '2026-07-28'];

describe.each(ERAS)('in the era of %s', (era) => {
  const plain = (method: string, params?: object): Promise<Answer | undefined> =>
    ask(() => failingServer(false), era, method, params);
  const guarded = (method: string, params?: object): Promise<Answer | undefined> =>
    ask(() => failingServer({ deadlineMs: 200 }), era, method, params);

  it.each([
    ['tools/call', { name: 'error' }],
    ['resources/read', { uri: 'fails://error' }],
    ['prompts/get', { name: 'error' }],
    ['acme/error', {}],
  ])('keeps the message of an exception in %s to the log', async (method, params) => {
    expect((await plain(method, params))?.text).toContain(LEAK);
    const answer = await guarded(method, params);
    expect(answer?.text).not.toContain(SECRET);
    expect(faultIn(answer?.message)).toMatchObject({ kind: 'internal', message: 'Internal error' });
  });

  it('keeps the code and data of a protocol error that a tool throws', async () => {
    expect((await plain('tools/call', { name: 'protocol' }))?.text).not.toMatch(/1429|retryAfterMs/);
    const answer = await guarded('tools/call', { name: 'protocol' });
    expect(textOf(answer)).toMatch(/^Monthly plan limit reached\. /);
    expect(faultIn(answer?.message)['details']).toEqual({ code: 1429, data: { retryAfterMs: 1500 } });
  });

  it('sends a protocol error of the author outside tools under its own code', async () => {
    const answer = await guarded('prompts/get', { name: 'protocol' });
    expect(answer?.message.error).toMatchObject({ code: 1429, message: 'Monthly plan limit reached' });
  });

  it('never sends a code that is reserved for the specification', async () => {
    expect((await plain('prompts/get', { name: 'reserved' }))?.message.error?.code).toBe(-32050);
    expect((await guarded('prompts/get', { name: 'reserved' }))?.message.error?.code).toBe(-32603);
  });

  it('never copies the integer code and data of a foreign exception', async () => {
    expect((await plain('resources/read', { uri: 'fails://mongo' }))?.message.error).toMatchObject({
      code: 11000,
      data: { secret: SECRET },
    });
    const answer = await guarded('resources/read', { uri: 'fails://mongo' });
    expect(answer?.message.error?.code).toBe(-32603);
    expect(answer?.text).not.toMatch(/11000|hunter2/);
  });

  it('keeps the path in an operating system error to the log', async () => {
    expect((await plain('resources/read', { uri: 'fails://enoent' }))?.text).toContain('/home/svc');
    expect((await guarded('resources/read', { uri: 'fails://enoent' }))?.text).not.toContain('/home/svc');
  });

  it.each(['resources/read', 'prompts/get', 'acme/null'])('answers when %s throws null', async (method) => {
    const params = method === 'resources/read' ? { uri: 'fails://null' } : { name: 'null' };
    expect((await plain(method, params))?.message.error).toBeUndefined();
    expect(faultIn((await guarded(method, params))?.message)).toMatchObject({ kind: 'internal' });
  });

  it.each(['bigint', 'cyclic'])('answers when a result is %s', async (name) => {
    expect((await plain('tools/call', { name }))?.message.result).toBeUndefined();
    const answer = await guarded('tools/call', { name });
    expect(faultIn(answer?.message)).toMatchObject({
      kind: 'invalid_output',
      executed: 'yes',
      origin: 'server',
    });
  });

  it('answers in the place of a handler that never returns', async () => {
    expect(await plain('tools/call', { name: 'forever' })).toBeUndefined();
    const answer = await guarded('tools/call', { name: 'forever' });
    expect(textOf(answer)).toMatch(/^No answer within 200 ms\. /);
    expect(faultIn(answer?.message)).toMatchObject({ kind: 'timeout', executed: 'maybe', retryable: true });
  });

  it('calls a missing or misshapen result the server’s fault', async () => {
    expect((await plain('tools/call', { name: 'shape' }))?.message.error?.code).toBe(-32602);
    for (const name of ['nothing', 'shape'])
      expect(faultIn((await guarded('tools/call', { name }))?.message)).toMatchObject({
        kind: 'invalid_output',
      });
    expect((await plain('resources/read', { uri: 'fails://fine' }))?.message.result).toBeDefined();
    expect(faultIn((await guarded('resources/read', { uri: 'fails://fine' }))?.message)).toMatchObject({
      kind: 'invalid_output',
    });
  });

  it('calls a result that breaks the output schema the server’s fault', async () => {
    const params = { name: 'typed', arguments: { how: 'wrong' } };
    expect(textOf(await plain('tools/call', params))).toContain('Output validation error');
    const answer = await guarded('tools/call', params);
    expect(faultIn(answer?.message)).toMatchObject({ kind: 'invalid_output', origin: 'server' });
  });

  it.each([
    ['resources/read', {}, 'params.uri'],
    ['tools/list', { cursor: 42 }, 'params.cursor'],
  ])('says what is wrong with the parameters of %s, as -32602', async (method, params, path) => {
    const before = (await plain(method, params))?.message.error;
    expect(before).toMatchObject({ code: -32603 });
    expect(before?.message).toMatch(/^\[\s*\{/);
    const error = (await guarded(method, params))?.message.error;
    expect(error?.code).toBe(-32602);
    expect(error?.message).not.toContain('{');
    const issues = faultIn({ error } as never)['issues'] as { path: string[] }[] | undefined;
    expect([
      (issues ?? []).map((issue) => issue.path.join('.')),
      faultIn({ error } as never)['subject'],
    ]).toSatisfy(([paths, subject]) => paths.includes(path) || subject?.type === 'cursor');
  });

  it('says what is wrong with a malformed tool call without a dump', async () => {
    const params = { name: 'args', arguments: 'a string' };
    expect((await plain('tools/call', params))?.message.error?.message).toContain('[\n');
    const error = (await guarded('tools/call', params))?.message.error;
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Invalid parameters for tools\/call: params\.arguments: expected /),
    });
  });

  it('refuses a cursor that it never gave out', async () => {
    expect((await plain('tools/list', { cursor: 'page-2' }))?.message.result?.['tools']).toBeDefined();
    const answer = await guarded('tools/list', { cursor: 'page-2' });
    expect(answer?.message.error).toMatchObject({
      code: -32602,
      message: 'Invalid cursor. List again from the start, without a cursor.',
    });
  });

  it.each(['constructor', 'toString', 'nope'])('does not know a tool called %s', async (name) => {
    const answer = await guarded('tools/call', { name });
    expect(answer?.message.error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(`^Unknown tool: ${name}`),
    });
    expect(faultIn(answer?.message)).toMatchObject({
      kind: 'not_found',
      subject: { type: 'tool', id: name },
    });
  });

  it('says of a prototype’s member that it is disabled, unguarded', async () => {
    expect((await plain('tools/call', { name: 'constructor' }))?.text).toContain('Tool constructor disabled');
  });

  it('proposes the tool that was probably meant', async () => {
    const answer = await guarded('tools/call', { name: 'strickt' });
    expect(faultIn(answer?.message)['advice']).toMatch(/^Did you mean strict\?/);
    expect(answer?.message.error?.message).toMatch(/^Unknown tool: strickt\. Did you mean strict\?/);
  });

  it('says the same of a disabled tool as of one that does not exist', async () => {
    expect((await plain('tools/call', { name: 'off' }))?.text).toContain('disabled');
    expect((await guarded('tools/call', { name: 'off' }))?.message.error?.message).toBe(
      'Unknown tool: off. List the tools and call one of them.',
    );
  });

  it('redacts an error result that the author wrote, and keeps its words', async () => {
    const answer = await guarded('tools/call', { name: 'returned' });
    expect(textOf(answer)).toMatch(/^Lookup failed: connect ECONNREFUSED /);
    expect(answer?.text).not.toContain(SECRET);
    expect(faultIn(answer?.message)).toMatchObject({ kind: 'unavailable', reaction: 'dependency' });
  });

  it('lets a thrown fault through as it is', async () => {
    const answer = await guarded('tools/call', { name: 'fault' });
    expect(textOf(answer)).toBe('No order 4711. Check the identifier; do not repeat the same call.');
    expect(faultIn(answer?.message)).toMatchObject({
      kind: 'not_found',
      subject: { type: 'order', id: '4711' },
    });
  });

  it('names the unknown resource in `data.uri`', async () => {
    const answer = await guarded('resources/read', { uri: 'nowhere://x' });
    expect(answer?.message.error?.data).toMatchObject({ uri: 'nowhere://x', kind: 'not_found' });
  });

  it('tells server.onerror what the SDK keeps from it', async () => {
    const seen = { plain: [] as Error[], guarded: [] as Error[] };
    const make = (options: false | object, errors: Error[]) => () => {
      const server = failingServer(options);
      server.server.onerror = (error) => void errors.push(error);
      return server;
    };
    await ask(make(false, seen.plain), era, 'tools/call', { name: 'error' });
    await ask(make({}, seen.guarded), era, 'tools/call', { name: 'error' });
    expect(seen.plain).toEqual([]);
    expect(seen.guarded.map((error) => error.message)).toEqual(['Internal error']);
  });

  it('leaves successes and lists as they are, to the byte, but for the keys that tools take', async () => {
    const DECLARED = ',"_meta":{"dev.mayday/idempotency-key":true}';
    expect((await guarded('tools/list', {}))?.text).toContain(DECLARED);
    for (const [method, params] of [
      ['tools/list', {}],
      ['prompts/list', {}],
      ['resources/list', {}],
      ['tools/call', { name: 'fine' }],
      ['tools/call', { name: 'args', arguments: { city: 'Bern', days: 2 } }],
      ['tools/call', { name: 'typed', arguments: { how: 'right' } }],
      ['prompts/get', { name: 'greet', arguments: { name: 'Ada' } }],
      ['resources/read', { uri: 'orders://1' }],
    ] as const)
      expect((await guarded(method, params))?.text.replaceAll(DECLARED, '')).toBe(
        (await plain(method, params))?.text,
      );
  });
});

describe('HTTP statuses that the specification fixes', () => {
  it('keeps 404 for an unknown method, and names it', async () => {
    const answer = await ask(() => failingServer(), '2026-07-28', 'no/such');
    expect(answer?.status).toBe(404);
    expect(answer?.message.error).toMatchObject({ code: -32601, message: 'Unknown method: no/such' });
  });

  it('keeps 404 in a dialect that would say it otherwise', async () => {
    const answer = await ask(() => failingServer({ dialect: 'closient' }), '2026-07-28', 'no/such');
    expect([answer?.status, answer?.message.error?.code]).toEqual([404, -32601]);
  });

  it('keeps 400 for an unsupported version, with the versions that are', async () => {
    const handler = createMcpHandler(() => failingServer());
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const response = await handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'mcp-protocol-version': '2099-01-01',
          'mcp-method': 'tools/list',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }),
      }),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: -32022, data: { requested: '2099-01-01' } },
    });
  });
});

it.each(['closient', 'onx', 'qaqnuz', 'platica'] as const)(
  'headers that contradict the body have the specification’s name in %s, not the words of the SDK',
  async (dialect) => {
    const handler = guardHandler(
      createMcpHandler(() => failingServer({ dialect })),
      { dialect },
    );
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    };
    const params = { name: 'fine', arguments: {}, _meta: meta };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const response = await handler.fetch(
      new Request('http://localhost/mcp', { method: 'POST', headers, body }),
    );
    const { error } = (await response.json()) as { readonly error: { readonly data?: object } };
    expect(error).toMatchObject({ code: -32020, message: 'Header mismatch' });
    expect(error.data ?? {}).not.toHaveProperty('mismatch');
  },
);

describe('URL elicitation of the 2025 era', () => {
  it('reaches the client untouched', async () => {
    const plain = await ask(() => failingServer(false), '2025-11-25', 'tools/call', { name: 'elicit' });
    const guarded = await ask(() => failingServer(), '2025-11-25', 'tools/call', { name: 'elicit' });
    expect(plain?.message.error?.code).toBe(-32042);
    expect(guarded?.text).toBe(plain?.text);
  });

  // qaqnuz has no more than a sentence.
  it.each([
    ['mayday', 'internal'],
    ['closient', 'internal'],
    ['onx', 'internal'],
    ['erlmcp', 'internal'],
    ['platica', 'internal'],
    ['qaqnuz', 'unknown'],
  ] as const)(
    'is the server’s mistake in 2026-07-28, in %s too, and not the caller’s',
    async (dialect, kind) => {
      const answer = await ask(() => failingServer({ dialect }), '2026-07-28', 'tools/call', {
        name: 'elicit',
      });
      expect(answer?.text).not.toMatch(/argument|inputRequired|UrlElicitation|throw/i);
      expect(read(answer?.message)).toMatchObject({ failure: true, fault: { kind } });
    },
  );
});
