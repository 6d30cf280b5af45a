import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localClient } from '../test/app.ts';
import type { Said } from '../test/provoke/raw-client.ts';
import { connect } from './connection.ts';
import { Reason, reasonFor } from './refusal.ts';

const NAME = { type: 'string', pattern: expect.any(String) };

/** Every tool and what it takes. */
const TOOLS: readonly (readonly [
  name: string,
  properties: object,
  required: readonly string[] | undefined,
])[] = [
  [
    'calculate',
    {
      a: { type: 'integer' },
      b: { type: 'integer' },
      operation: { enum: ['add', 'subtract', 'multiply', 'divide'], default: 'add' },
    },
    ['a', 'b'],
  ],
  ['wait', { ms: { type: 'integer', minimum: 0, maximum: 600_000 } }, ['ms']],
  [
    'save_note',
    {
      name: NAME,
      text: { type: 'string' },
      blob: { type: 'string', contentEncoding: 'base64' },
      mimeType: { default: 'text/plain' },
    },
    ['name'],
  ],
  ['delete_note', { name: NAME }, ['name']],
  ['import_note', { name: NAME, path: { type: 'string' } }, ['name', 'path']],
  ['announce', { uri: { type: 'string' } }, ['uri']],
  ['define_tool', { name: NAME, description: {}, text: {} }, ['name', 'description', 'text']],
  ['delete_tool', { name: NAME }, ['name']],
  ['summarize_note', { name: { type: 'string' } }, ['name']],
  ['link_account', {}, undefined],
];

describe('a list', () => {
  it('of tools says what each takes', async () => {
    const { call, app } = await localClient();
    app.store.tools.save({ name: 'greet', description: 'Greets.', text: 'Hi' });
    app.store.tools.save({ name: 'wait', description: 'Not this one.', text: '' });
    const tools = (await call('tools/list')).result?.['tools'] as { description: string }[];
    expect(tools).toMatchObject([
      ...TOOLS.map(([name, properties]) => ({
        name,
        inputSchema: { type: 'object', properties, additionalProperties: false },
        execution: { taskSupport: 'optional' },
      })),
      { name: 'greet', description: 'Greets.' },
    ]);
    const required = tools.map(
      (tool) => (tool as { inputSchema?: { required?: string[] } }).inputSchema?.required,
    );
    expect(required).toEqual([...TOOLS.map(([, , names]) => names), undefined]);
    for (const { description } of tools) expect(description).toMatch(/^[A-Z]\w+.*\.$/);
  });

  it('of resources and templates names all of them', async () => {
    const { call, app } = await localClient();
    app.store.notes.save({ name: 'b', mimeType: 'text/plain', bytes: Buffer.from('x') }, 'user ada');
    app.store.notes.save({ name: 'a', mimeType: 'image/png', bytes: Buffer.from('x') }, 'user ada');
    expect((await call('resources/list')).result).toEqual({
      resources: [
        { uri: 'config://server', name: 'Limits of this server', mimeType: 'application/json' },
        { uri: 'audit://logins', name: 'Who signed in when', mimeType: 'application/json' },
        { uri: 'note://a', name: 'a' },
        { uri: 'note://b', name: 'b' },
      ],
    });
    expect((await call('resources/templates/list')).result).toEqual({
      resourceTemplates: [
        { uriTemplate: 'note://{name}', name: 'A note' },
        { uriTemplate: 'log://{date}', name: 'The errors of a day' },
        { uriTemplate: 'mirror://{path}', name: 'A page of the mirrored server' },
      ],
    });
    expect((await call('resources/read', { uri: 'note://a' })).result).toEqual({
      contents: [{ uri: 'note://a', mimeType: 'image/png', blob: 'eA==' }],
    });
    const config = (await call('resources/read', { uri: 'config://server' })).result?.['contents'];
    expect(config).toMatchObject([
      { mimeType: 'application/json', text: expect.stringContaining('\n  "pageSize": 50\n') },
    ]);
  });

  it('of prompts says what each needs, and each is filled in', async () => {
    const { call, app } = await localClient();
    app.store.notes.save({ name: 'a', mimeType: 'text/markdown', bytes: Buffer.from('# A') }, 'user ada');
    app.store.notes.save({ name: 'p', mimeType: 'image/png', bytes: Buffer.from('x') }, 'user ada');
    expect((await call('prompts/list')).result).toEqual({
      prompts: [
        {
          name: 'write_essay',
          description: 'Writes an essay about a topic.',
          arguments: [
            { name: 'topic', description: 'What it is about.', required: true },
            { name: 'tone', description: 'How it sounds.', required: false },
          ],
        },
        {
          name: 'review_note',
          description: 'Reviews a note.',
          arguments: [{ name: 'note', description: 'The name of the note.', required: true }],
        },
      ],
    });
    const get = (name: string, args: object) => call('prompts/get', { name, arguments: args });
    expect((await get('write_essay', { topic: 'tea' })).result).toEqual({
      description: 'Writes an essay about a topic.',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Write an essay about tea in a formal tone.' } },
      ],
    });
    expect((await get('review_note', { note: 'a' })).result).toMatchObject({
      messages: [{ content: { text: 'Review this note:\n\n# A' } }],
    });
    expect((await get('review_note', { note: 'p' })).error).toMatchObject({
      code: -32044,
      data: { reason: 'note_is_not_text' },
    });
  });

  it('of completions has a hundred values, and says how many there are', async () => {
    const { call, app } = await localClient();
    const complete = async (ref: object, name: string, value = '') =>
      (await call('completion/complete', { ref, argument: { name, value } })).result?.['completion'];
    const note = { type: 'ref/prompt', name: 'review_note' };
    for (let n = 0; n < 101; n++)
      app.store.notes.save({ name: `n${n}`, mimeType: 'text/plain', bytes: Buffer.from('x') }, 'user ada');
    expect(await complete(note, 'note')).toMatchObject({
      values: { length: 100 },
      total: 101,
      hasMore: true,
    });
    app.store.notes.delete('n0');
    expect(await complete(note, 'note')).toMatchObject({ total: 100, hasMore: false });
    expect(await complete({ type: 'ref/prompt', name: 'write_essay' }, 'topic')).toMatchObject({
      values: [],
    });
    expect(await complete({ type: 'ref/resource', uri: 'log://{date}' }, 'date')).toMatchObject({
      values: [],
    });
    expect(await complete({ type: 'ref/resource', uri: 'mirror://{path}' }, 'path')).toMatchObject({
      values: [],
    });
  });
});

describe('the first answer', () => {
  it('names the server, its version and what it can do; then nothing runs until the client is ready', async () => {
    const { app } = await localClient();
    const { receive, isOpen } = connect(app, 'stranger', () => true);
    const call = async (method: string, params: object = {}) =>
      (await receive({ jsonrpc: '2.0', id: 1, method, params })) as Said;
    expect([isOpen(), (await call('ping')).result]).toEqual([false, {}]);
    const clientInfo = { name: 'x', version: '1' };
    expect(
      (await call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })).result,
    ).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: {},
        completions: {},
        tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
        experimental: { 'erlmcp/task-watch': {}, 'erlmcp/progress': {}, 'erlmcp/auth': {} },
      },
      serverInfo: { name: 'erlmcp-reference', version: '0.1.0' },
    });
    expect([isOpen(), (await call('tools/list')).error]).toMatchObject([
      true,
      { code: -32005, data: { phase: 'awaiting_initialized' } },
    ]);
    await receive({ jsonrpc: '2.0', method: 'notifications/other' });
    expect((await call('tools/list')).error?.code).toBe(-32005);
    await receive({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect((await call('tools/list')).result).toBeDefined();
    const claimed = (version: unknown) =>
      call('ping', { _meta: { 'io.modelcontextprotocol/protocolVersion': version } });
    expect((await claimed('2025-06-18')).result).toEqual({});
    expect((await claimed(`2025-11-25${'x'.repeat(99)}`)).error).toMatchObject({
      code: -32062,
      data: { clientVersion: `2025-11-25${'x'.repeat(30)}`, serverVersion: '2025-06-18' },
    });
  });
});

describe('the reason of a failure', () => {
  it.each([
    ['ECONNREFUSED', 'connection_refused'],
    ['ECONNRESET', 'connection_reset'],
    ['EPIPE', 'connection_reset'],
    ['UND_ERR_SOCKET', 'connection_closed'],
    ['ENOTFOUND', 'host_not_found'],
    ['EAI_AGAIN', 'host_not_found'],
    ['ETIMEDOUT', 'connection_timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connection_timeout'],
    ['EXYZ', 'unexpected_exception'],
  ])('%s is %s', (code, reason) => {
    const cause = Object.assign(new Error('10.1.2.3'), { code });
    expect(reasonFor(cause)).toBe(reason);
    expect(reasonFor(new Error('fetch failed', { cause }))).toBe(reason);
  });

  it('is a handler’s own word where it has one, and nothing of what else was thrown', () => {
    expect(reasonFor(new Error('x', { cause: new Reason('page_not_found') }))).toBe('page_not_found');
    for (const thrown of [new Error('password'), 'password', undefined]) {
      expect(reasonFor(thrown)).toBe('unexpected_exception');
    }
  });
});

describe('the mirrored server', () => {
  it('is asked with its own password, and nobody else is', async () => {
    const asked: unknown[] = [];
    const server = createServer(({ url, headers }, response) => {
      asked.push([url, headers.authorization]);
      if (url === '/gone') response.writeHead(404).end();
      else if (url === '/broken') response.writeHead(500).end();
      else if (url === '/plain') response.end('x');
      else response.setHeader('content-type', 'text/markdown; charset=utf-8').end('a\nab\nb');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const { call, app } = await localClient();
    const port = (server.address() as AddressInfo).port;
    Object.assign(app, { mirror: new URL(`http://ada:p%40ss@127.0.0.1:${port}/`) });
    const read = async (path: string) => {
      const { result, error } = await call('resources/read', { uri: `mirror://${path}` });
      return result?.['contents'] ?? [error?.code, error?.data];
    };
    expect(await read('page')).toEqual([
      { uri: 'mirror://page', mimeType: 'text/markdown', text: 'a\nab\nb' },
    ]);
    expect(await read('gone')).toEqual([-32001, { uri: 'mirror://gone' }]);
    expect(await read('broken')).toEqual([-32008, { reason: 'http_500' }]);
    expect(await read('http://localhost:1/x')).toEqual([-32001, { uri: 'mirror://http://localhost:1/x' }]);
    expect(await read('plain')).toMatchObject([{ text: 'x', mimeType: 'text/plain' }]);
    const ref = { type: 'ref/resource', uri: 'mirror://{path}' };
    const { result } = await call('completion/complete', { ref, argument: { name: 'path', value: 'a' } });
    expect(result?.['completion']).toMatchObject({ values: ['a', 'ab'] });
    const basic = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`;
    expect(asked).toEqual(['/page', '/gone', '/broken', '/plain', '/'].map((path) => [path, basic]));
    Object.assign(app, { mirror: new URL(`http://127.0.0.1:${port}/`) });
    await read('page');
    expect(asked.at(-1)).toEqual(['/page', undefined]);
  });

  it('leads nowhere else, and has pages of a bounded size', async () => {
    const listen = async (listener: RequestListener) => {
      const server = createServer(listener);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => {
        server.close();
        server.closeAllConnections();
      });
      return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    };
    const other = await listen((_request, response) => response.end('metadata'));
    const mirror = await listen(({ url }, response) => {
      if (url === '/moved') response.writeHead(301, { location: '/page' }).end();
      else if (url === '/away') response.writeHead(302, { location: other.href }).end();
      else response.end('x'.repeat(url === '/page' ? 1000 : 1001));
    });
    const { call, app } = await localClient({ maxContentBytes: 1000 });
    Object.assign(app, { mirror });
    const read = async (path: string) => {
      const { result, error } = await call('resources/read', { uri: `mirror://${path}` });
      return result?.['contents'] ?? [error?.code, error?.data];
    };
    expect(await read('moved')).toMatchObject([{ text: 'x'.repeat(1000) }]);
    expect(await read('away')).toEqual([-32001, { uri: 'mirror://away' }]);
    expect(await read('large')).toEqual([-32008, { reason: 'page_too_large' }]);
  });
});
