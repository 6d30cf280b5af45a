import { listen } from '@mayday/reference-shared';
import {
  CLIENTS,
  callTool,
  command,
  connect,
  expectLawful,
  expectRecognised,
  memoryLogger,
  serveHere,
  tempFolder,
} from '@mayday/reference-shared/testing';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { disableKey, mintKey } from './api/keys.ts';
import { openStore } from './api/store.ts';
import { TOOLS } from './bridge/tools.ts';
import { createPlatica } from './service.ts';

const data = tempFolder();
const store = openStore(data);
const north = mintKey(store, ['ws_norte']);
const both = mintKey(store, ['ws_norte', 'ws_sur']);
const disabled = mintKey(store, ['ws_norte']);
disableKey(store, disabled);
const as = (key: string) => ({ authorization: `Bearer ${key}` });

let url: string;

beforeAll(async () => {
  ({ url } = await serveHere(await createPlatica({ data, perSecond: 1000, logger: memoryLogger() })));
});

const call = (tool: string, args: unknown, key = north) => callTool(url, tool, args, as(key));
const made = async (tool: string, args: object) => (await call(tool, args)).result.structuredContent.id;

describe('the tools', () => {
  it('make, find, change and delete clients', async () => {
    const { result } = await call('create_client', { name: 'Ana', email: 'ana@example.com' });
    expect(result.structuredContent).toMatchObject({ workspace: 'ws_norte', name: 'Ana' });
    const { id } = result.structuredContent;
    expect((await call('update_client', { id, phone: '+52 999' })).result.structuredContent).toMatchObject({
      name: 'Ana',
      phone: '+52 999',
    });
    expect((await call('list_clients', {})).result.structuredContent.data).toHaveLength(1);
    expect((await call('delete_client', { id })).result).toEqual({
      content: [{ type: 'text', text: 'Done.' }],
    });
    expect((await call('list_clients', {})).result.structuredContent.data).toEqual([]);
  });

  it('pass the answer on as it came, as text and parsed', async () => {
    const { result } = await call('get_agent', { id: 'agt_ventas' });
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    expect(result.isError).toBeUndefined();
  });
});

describe('an execution error', () => {
  const failures: readonly [
    string,
    number,
    string,
    () => Promise<{ tool: string; args: object; key?: string }>,
  ][] = [
    [
      'PL-6',
      400,
      'invalid_arguments',
      async () => ({ tool: 'create_webhook', args: { url: 'http://a.example', events: [] } }),
    ],
    ['PL-7', 400, 'invalid_arguments', async () => ({ tool: 'list_clients', args: {}, key: both })],
    ['PL-8', 401, 'unauthenticated', async () => ({ tool: 'list_clients', args: {}, key: disabled })],
    [
      'PL-8',
      401,
      'unauthenticated',
      async () => ({ tool: 'list_clients', args: {}, key: `${north.slice(0, -4)}0000` }),
    ],
    ['PL-9', 403, 'forbidden', async () => ({ tool: 'list_clients', args: { workspace: 'ws_sur' } })],
    ['PL-10', 404, 'not_found', async () => ({ tool: 'get_client', args: { id: 'cli_0' } })],
    [
      'PL-10',
      404,
      'not_found',
      async () => ({ tool: 'get_agent', args: { id: 'agt_ventas', workspace: 'ws_sur' }, key: both }),
    ],
    ['PL-11', 422, 'conflict', async () => ({ tool: 'get_agent', args: { id: 'agt_suelto' } })],
    [
      'PL-4',
      409,
      'conflict',
      async () => {
        const [id, subagent] = [
          await made('create_agent', { name: 'A' }),
          await made('create_agent', { name: 'B' }),
        ];
        await call('connect_agent_subagent', { id, subagent_id: subagent });
        return { tool: 'connect_agent_subagent', args: { id, subagent_id: subagent } };
      },
    ],
    [
      'PL-11',
      422,
      'conflict',
      async () => {
        const id = await made('create_campaign', { name: 'Mayo', agent_id: 'agt_ventas' });
        await call('launch_campaign', { id });
        return { tool: 'launch_campaign', args: { id } };
      },
    ],
  ];

  it.each(failures)(
    '%s PL-2 PL-5 PL-14 %i is %s: the body, raw and parsed',
    async (_id, status, kind, arrange) => {
      const { tool, args, key } = await arrange();
      const response = await call(tool, args, key);
      expect(response).not.toHaveProperty('error');
      const { isError, content, structuredContent } = response.result;
      expect([isError, structuredContent.code]).toEqual([true, status]);
      expect(JSON.parse(content[0].text)).toEqual(structuredContent);
      expect(expectLawful(response, 'platica').kind).toBe(kind);
      expectRecognised(response, 'platica');
    },
  );

  it('PL-22 says everything that is wrong with an id', async () => {
    const { structuredContent } = (await call('get_client', { id: '' })).result;
    expect(structuredContent.issues.map(({ code }: { code: string }) => code)).toEqual([
      'too_small',
      'invalid_format',
    ]);
  });

  it('PL-6 names every flagged field in errors[]', async () => {
    const { structuredContent } = (await call('create_webhook', { url: 'ftp://x', events: [] })).result;
    expect(structuredContent.errors).toEqual([
      { field: 'url', message: 'must be an https address' },
      { field: 'events', message: 'names no event' },
    ]);
  });

  it('PL-7 PL-10 a multi-workspace key is told to pass workspace, and then succeeds', async () => {
    const refused = await call('list_clients', {}, both);
    expect(refused.result.structuredContent.error).toMatch(/^Must specify a valid workspace/);
    expect(expectLawful(refused, 'platica').advice).toBe('Pass workspace: "<id>" in the arguments.');
    expect((await call('list_clients', { workspace: 'ws_sur' }, both)).result.structuredContent).toEqual({
      data: [],
    });
    expect(
      (await call('create_client', { name: 'Eva', workspace: 'ws_sur' }, both)).result.structuredContent
        .workspace,
    ).toBe('ws_sur');
  });

  it('PL-4 429 beyond the limit of a key, the others go on', async () => {
    const { url: bridge } = await serveHere(
      await createPlatica({ data, perSecond: 1, logger: memoryLogger() }),
    );
    const asking = (key: string) => callTool(bridge, 'list_agents', {}, as(key));
    const many = await Promise.all(Array.from({ length: 20 }, () => asking(north)));
    const refused = many.find(({ result }) => result.isError === true);
    expect(refused?.result.structuredContent).toEqual({
      code: 429,
      error: 'Too many requests',
      details: 'At most 1 requests a second.',
    });
    expect((await asking(mintKey(store, ['ws_norte']))).result.isError).toBeUndefined();
  });
});

describe('a backend’s answer', () => {
  async function bridgeTo(answer: () => Response) {
    const backend = await listen(
      async () => answer(),
      0,
      () => {},
    );
    onTestFinished(() => backend.close());
    const logger = memoryLogger();
    return {
      logger,
      backend,
      ...(await serveHere(await createPlatica({ data, apiUrl: backend.url, logger }))),
    };
  }
  const answering = (status: number, body: string | null) => () => new Response(body, { status });

  it.each([300, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503, 504])(
    'PL-4 PL-5 %i becomes an execution error with the body to the letter',
    async (status) => {
      const body = status === 304 ? '' : `{ "code": ${status},\n\t"error": "No se encontró" }`;
      const { url: bridge } = await bridgeTo(answering(status, body === '' ? null : body));
      const { result } = await callTool(bridge, 'list_agents', {}, as(north));
      expect(result.isError).toBe(true);
      expect(result.content).toEqual([{ type: 'text', text: body }]);
    },
  );

  it('PL-4 a redirect is shown, not followed', async () => {
    const moved = () =>
      new Response('{"code":302,"error":"Moved"}', { status: 302, headers: { location: '/' } });
    const { url: bridge } = await bridgeTo(moved);
    const { result } = await callTool(bridge, 'list_agents', {}, as(north));
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 302, error: 'Moved' } });
  });

  it.each([200, 201])('PL-4 %i is a success', async (status) => {
    const { url: bridge } = await bridgeTo(answering(status, '{"ok":true}'));
    expect((await callTool(bridge, 'list_agents', {}, as(north))).result).toEqual({
      content: [{ type: 'text', text: '{"ok":true}' }],
      structuredContent: { ok: true },
    });
  });

  it.each(['<html>Bad gateway</html>', '["a"]', 'plain words'])(
    'PL-5 PL-14 %s has no structuredContent',
    async (body) => {
      const { url: bridge } = await bridgeTo(answering(502, body));
      expect((await callTool(bridge, 'list_agents', {}, as(north))).result).toEqual({
        isError: true,
        content: [{ type: 'text', text: body }],
      });
    },
  );

  it('PL-19 PL-3 -32603 for an exception of the bridge itself, whose message stays in the log', async () => {
    const { url: bridge, logger } = await bridgeTo(answering(200, '{"secret":"hunter2"'));
    const response = await callTool(bridge, 'list_agents', {}, as(north));
    expect(response).not.toHaveProperty('result');
    expect(Object.keys(response.error)).toEqual(['code', 'message']);
    expect(response.error.code).toBe(-32603);
    expect(JSON.stringify(response)).not.toMatch(/hunter2|JSON|position/);
    expect(logger.lines.map(({ fields }) => String((fields as { err?: Error }).err))).toContainEqual(
      expect.stringContaining('SyntaxError'),
    );
    expect(expectLawful(response, 'platica')).toMatchObject({ kind: 'internal', retryable: true });
  });

  it('PL-12 a 500 of the REST interface says nothing of its exception', async () => {
    const folder = tempFolder();
    const logger = memoryLogger();
    const { url: bridge } = await serveHere(await createPlatica({ data: folder, logger }));
    const other = openStore(folder);
    const key = mintKey(other, ['ws_norte']);
    other.exec('DROP TABLE things');
    const response = await callTool(bridge, 'list_agents', {}, as(key));
    expect(response.result.structuredContent).toEqual({ code: 500, error: 'Internal server error' });
    expect(expectLawful(response, 'platica')).toMatchObject({ kind: 'internal', retryable: true });
    expect(logger.lines.map(({ fields }) => String((fields as { err?: Error }).err))).toContainEqual(
      expect.stringContaining('no such table'),
    );
  });

  it('PL-5 PL-14 a byte order mark stays where it is, and the rest is parsed all the same', async () => {
    const body = '\uFEFF{"code":404,"error":"Client not found"}';
    const { url: bridge } = await bridgeTo(answering(404, body));
    const { result } = await callTool(bridge, 'list_agents', {}, as(north));
    expect(result).toEqual({
      isError: true,
      content: [{ type: 'text', text: body }],
      structuredContent: { code: 404, error: 'Client not found' },
    });
    const { url: fine } = await bridgeTo(answering(200, '\uFEFF{"data":[]}'));
    expect((await callTool(fine, 'list_agents', {}, as(north))).result).toEqual({
      content: [{ type: 'text', text: '\uFEFF{"data":[]}' }],
      structuredContent: { data: [] },
    });
  });

  it('PL-19 a REST interface that cannot be reached is -32603, and the bridge goes on', async () => {
    const { url: bridge, backend } = await bridgeTo(answering(200, '{}'));
    await backend.close();
    const response = await callTool(bridge, 'list_agents', {}, as(north));
    expect(response.error).toEqual({ code: -32603, message: 'Internal MCP server error' });
    expect(expectLawful(response, 'platica').retryable).toBe(true);
    expect(JSON.stringify(response)).not.toMatch(/127\.0\.0\.1|fetch failed/);
  });

  it.each([
    ['create_client', { name: 'Ana', email: 'ana@example.com' }],
    ['delete_client', { id: 'cli_1' }],
  ])('PL-12 PL-19 %s whose answer was lost is -32603, and says what nobody knows', async (tool, args) => {
    const { url: bridge } = await bridgeTo(answering(200, '{"half'));
    expect((await callTool(bridge, tool, args, as(north))).error).toEqual({
      code: -32603,
      message: 'Internal MCP server error. It may have happened; check before you repeat a change.',
    });
  });
});

describe.each(CLIENTS)('the official client %s', (name) => {
  it.each(['http', 'stdio'])('PL-1 sees both classes over %s', async (transport) => {
    const to =
      transport === 'http'
        ? { url, headers: as(north) }
        : { ...command('platica', ['--data', data]), env: { PLATICA_API_KEY: north } };
    const client = await connect(name, to);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(Object.keys(TOOLS));
    const missing = await client.callTool({ name: 'get_client', arguments: { id: 'cli_0' } });
    expect(missing).toMatchObject({
      isError: true,
      structuredContent: { code: 404, error: 'Client not found' },
    });
    const wrong = await client.callTool({ name: 'get_client', arguments: {} });
    expect(wrong).toMatchObject({ isError: true, structuredContent: { issues: [{ path: ['id'] }] } });
    const found = await client.callTool({ name: 'get_agent', arguments: { id: 'agt_ventas' } });
    expect(found['structuredContent']).toMatchObject({ name: 'Ventas' });
  });
});
