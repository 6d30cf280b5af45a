/** A request that says in its `_meta` which revision it follows, and says it as nobody may: no revision takes it. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, STDIO_SERVER, upstream } from '../test/tools.ts';

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
