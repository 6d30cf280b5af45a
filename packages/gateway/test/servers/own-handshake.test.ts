/** What a server has against a conversation that the gateway itself began with it is no mistake of whoever calls. */
import { afterEach, describe, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, INITIALIZE, json, open, type Posted, post, upstream } from '../tools.ts';

afterEach(cleanUp);

/** What a caller is told whose own handshake was fine, of a server that has no sessions and refuses the call so. */
async function told(message: string, dialect: string): Promise<Posted> {
  const { url } = await upstream((body, response) => {
    const { id, method = '' } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const results: { readonly [method: string]: object } = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      },
      'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
    };
    const result = results[method];
    if (id === undefined) response.writeHead(body === '' ? 405 : 202).end();
    else if (result !== undefined) json(response, 200, { jsonrpc: '2.0', id, result });
    else json(response, 400, { jsonrpc: '2.0', error: { code: -32000, message }, id: null });
  });
  const gateway = await open({ upstreams: { a: { url, dialect } } });
  const { headers } = await post(`${gateway.url}/mcp`, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '', 'mayday-dialect': dialect };
  return post(`${gateway.url}/mcp`, callTool('a_pay'), session);
}

describe.each([
  'Bad Request: Server not initialized',
  'Bad Request: Mcp-Session-Id header is required',
  'Bad Request: No valid session ID provided',
  'Bad Request: Unsupported protocol version: 2025-11-25 (supported versions: 2025-06-18)',
])('%s', (words) => {
  it('is a failure of the server, and nothing was done', async () => {
    const posted = await told(words, 'mayday');
    expect(posted.status).toBe(200);
    expect(faultIn(posted)).toMatchObject({
      kind: 'internal',
      origin: 'server',
      executed: 'no',
      message: words,
    });
  });

  it('is a failed call in each document', async () => {
    const [closient, erlmcp, onx, platica] = await Promise.all(
      ['closient', 'erlmcp', 'onx', 'platica'].map((dialect) => told(words, dialect)),
    );
    expect([closient, erlmcp, onx, platica].map((posted) => posted?.status)).toEqual([200, 200, 200, 200]);
    expect(closient?.message.result).toMatchObject({ error: { code: -32300 } });
    expect(erlmcp?.message.error).toMatchObject({ code: -32031, data: { tool: 'a_pay', reason: words } });
    expect(onx?.message.result).toMatchObject({ error: { code: 4001, retryable: false } });
    expect(platica?.message.result).toMatchObject({ structuredContent: { code: 500 } });
  });
});
