/** A request that says in its `_meta` which revision it follows, and says it as nobody may: no revision takes it. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, STDIO_SERVER, upstream } from '../tools.ts';

afterEach(cleanUp);

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

async function house() {
  const server = await upstream((body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, result: { content: [], tools: [] } }),
  );
  const gateway = await open({ upstreams: { far: { url: server.url }, near: STDIO_SERVER } });
  return { gateway, server };
}

// biome-ignore format: a table
describe.each([
  { [VERSION]: 7, [CAPABILITIES]: {} },
  { [VERSION]: null, [CAPABILITIES]: {} },
  { [VERSION]: { major: 2026 } },
  { [VERSION]: '2026-07-28', [CAPABILITIES]: 7 },
])('%j', (_meta) => {
  it.each(['/far/mcp', '/near/mcp', '/mcp'])('is refused at %s, and no server is asked', async (path) => {
    const { gateway, server } = await house();
    for (const [method, params] of [['tools/call', { name: 'echo', arguments: {} }], ['tools/list', {}]] as const) {
      const { status, message } = await post(gateway.url + path, call(method, { ...params, _meta }));
      expect([status, message.id, message.error?.code]).toEqual([400, 1, -32602]);
    }
    expect(server.seen.map(({ body }) => JSON.parse(body).method)).not.toContain('tools/call');
  });

  it.each([
    ['closient', { code: -32100, message: 'Bad Request' }],
    ['onx', { code: -32602, message: 'Invalid params' }],
    ['erlmcp', { code: -32602, message: 'Invalid params' }],
    ['qaqnuz', { code: -32602 }],
    ['platica', { code: -32602 }],
  ])('in %s', async (dialect, error) => {
    const { gateway } = await house();
    const asked = call('tools/call', { name: 'echo', arguments: {}, _meta });
    const { status, message } = await post(`${gateway.url}/far/mcp`, asked, { 'mayday-dialect': dialect });
    expect([status, message.error]).toMatchObject([400, error]);
  });
});

describe('what is in it of another form than 2026-07-28 has', () => {
  const INFO = 'io.modelcontextprotocol/clientInfo';
  const LEVEL = 'io.modelcontextprotocol/logLevel';
  const REFUSED = {
    error: {
      code: -32602,
      message: 'Invalid _meta envelope for protocol revision 2026-07-28: Invalid input: expected object',
    },
  };
  const WITH_HEADERS = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'pay',
  };
  const IN_ALL = { closient: -32100, onx: -32602, erlmcp: -32602, qaqnuz: -32602, platica: -32602 };

  /** What is told of a server that answers like this. */
  async function told(answer: object, more: object, dialect: string) {
    const { url } = await upstream((body, response) =>
      json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, ...answer }),
    );
    const gateway = await open({ upstreams: { far: { url } } });
    const _meta = { [VERSION]: '2026-07-28', [CAPABILITIES]: {}, ...more };
    const asked = call('tools/call', { name: 'pay', arguments: { amount: 5 }, _meta });
    const headers = { ...WITH_HEADERS, 'mayday-dialect': dialect };
    return (await post(`${gateway.url}/far/mcp`, asked, headers)).message;
  }

  it.each([
    [{ [INFO]: 7 }, INFO],
    [{ [INFO]: {} }, INFO],
    [{ [INFO]: { name: 7, version: null } }, INFO],
    [{ [CAPABILITIES]: { sampling: 7 } }, 'sampling'],
    [{ [LEVEL]: 'loud' }, LEVEL],
    [{ [LEVEL]: 7 }, LEVEL],
  ])('%j is no argument of a tool where a server refuses it', async (more, where) => {
    for (const [dialect, code] of Object.entries(IN_ALL)) {
      const { error } = await told(REFUSED, more, dialect);
      expect([dialect, error?.code]).toEqual([dialect, code]);
    }
    expect(JSON.stringify(await told(REFUSED, more, 'erlmcp'))).toContain(where);
  });

  it.each([
    ['a server that takes it has taken it', { result: { content: [] } }, { result: { content: [] } }],
    [
      'what a tool says of its arguments stays its own',
      { result: { isError: true, content: [{ type: 'text', text: 'amount must be positive' }] } },
      { error: { code: -32031 } },
    ],
    [
      'what a schema has against the arguments stays about them',
      { error: { code: -32602, message: 'Invalid arguments for tool pay: amount: Required' } },
      { error: { code: -32034 } },
    ],
  ])('%s', async (_what, answer, expected) => {
    expect(await told(answer, { [LEVEL]: 'loud' }, 'erlmcp')).toMatchObject(expected);
  });

  it('wrong arguments beside a right envelope are wrong arguments', async () => {
    const right = { [INFO]: { name: 'c', version: '1' }, [LEVEL]: 'debug', [CAPABILITIES]: { sampling: {} } };
    expect((await told(REFUSED, right, 'erlmcp')).error?.code).toBe(-32034);
  });
});
