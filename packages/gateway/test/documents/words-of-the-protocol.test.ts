/** A tool that ran, and whose words are those of the protocol: it has failed, and the request has not been refused. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

async function told(dialect: string, answer: object) {
  const server = await upstream((body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, ...answer }),
  );
  const gateway = await open({ upstreams: { a: { url: server.url } } });
  return (await post(`${gateway.url}/a/mcp`, callTool('work'), { 'mayday-dialect': dialect })).message;
}

describe.each([
  'Parse error: bad CSV in line 3',
  'Invalid Request: the order was saved, but the mail failed',
  'MCP error -32601: Method not found',
  'MCP error -32600: Invalid Request',
  '{"code":-32700,"message":"Parse error"}',
])('%s', (text) => {
  const answer = { result: { isError: true, content: [{ type: 'text', text }] } };

  it.each([
    ['onx', 'EM-3 EM-25'],
    ['closient', 'CL-3'],
    ['platica', 'PL-17'],
    ['qaqnuz', 'QA-1'],
  ])('%s: in a result (%s)', async (dialect) => {
    const message = await told(dialect, answer);
    expect(message.error).toBeUndefined();
    expect(message.result?.['isError']).toBe(true);
  });

  it('ER-44 erlmcp: the tool has failed', async () => {
    expect((await told('erlmcp', answer)).error).toMatchObject({ code: -32031, data: { tool: 'work' } });
  });
});

it.each([
  ['onx', 'Method not found'],
  ['platica', 'Not supported'],
  ['closient', 'Method not found'],
  ['erlmcp', 'Method not found'],
])('PL-17 %s: a server that does not know the method has refused it', async (dialect, message) => {
  const answer = { error: { code: -32601, message: 'Method not found' } };
  expect((await told(dialect, answer)).error).toMatchObject({ code: -32601, message });
});

it.each(['onx', 'qaqnuz', 'platica', 'erlmcp', 'closient'])(
  'QA-6 ER-88 a name that is a secret does not come back: %s',
  async (dialect) => {
    const server = await upstream((body, response) => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      const tool = {
        isError: true,
        content: [{ type: 'text', text: 'Unknown tool: sk_live_4eC39HqLyjWDarjtT1zdp7dc' }],
      };
      const error = { code: -32601, message: 'Method not found' };
      json(response, 200, {
        jsonrpc: '2.0',
        id,
        ...(method === 'tools/call' ? { result: tool } : { error }),
      });
    });
    const gateway = await open({ upstreams: { a: { url: server.url } } });
    const headers = { 'mayday-dialect': dialect };
    for (const request of [
      callTool('sk_live_4eC39HqLyjWDarjtT1zdp7dc'),
      call('Bearer sk_live_4eC39HqLyjWDarjtT1zdp7dc'),
      call('a\u001b[2Jb'),
    ]) {
      const { text } = await post(`${gateway.url}/a/mcp`, request, headers);
      expect(text).not.toMatch(/sk_live_4eC39|u001b/);
    }
  },
);
