/** A refusal that names a session in which nobody has asked: somebody may have made something of the call. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, INITIALIZE, idIn, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const SESSION = { 'mcp-session-id': 'pay_991' };
const OPENED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'till', version: '1' },
};

/** A server without sessions, which refuses what is called, or its opening. */
async function till(status: number, body: string, refused = 'tools/call') {
  const { url, seen } = await upstream((said, response, request) => {
    const { id, method } = JSON.parse(said || '{}') as { id?: number; method?: string };
    if (request.method !== 'POST') response.writeHead(405).end();
    else if (id === undefined) response.writeHead(202).end();
    else if (method === refused) response.writeHead(status, SESSION).end(body);
    else {
      const listed = { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] };
      const result = method === 'initialize' ? OPENED : listed;
      json(response, 200, { jsonrpc: '2.0', id: idIn(said), result });
    }
  });
  const gateway = await open({ upstreams: { a: { url, breaker: false } } });
  const asked = (): number => seen.filter((one) => one.body.includes(`"${refused}"`)).length;
  return { at: (path: string) => `${gateway.url}${path}`, asked };
}

describe.each([
  ['/a/mcp', 'pay'],
  ['/mcp', 'a_pay'],
])('at %s', (path, name) => {
  it.each([
    [404, ''],
    [404, '404 page not found'],
    [404, 'Session not found'],
    [405, ''],
    [400, 'Bad Request'],
    [429, ''],
  ])('a payment that is refused with %i %j is made once', async (status, body) => {
    const { at, asked } = await till(status, body);
    await post(at(path), call('tools/list'));
    expect(faultIn(await post(at(path), callTool(name)))).toMatchObject({ executed: 'maybe' });
    expect(asked()).toBe(1);
  });
});

it('who opens a session is told its name, also where that is refused', async () => {
  const { at } = await till(429, '', 'initialize');
  const { message } = await post(at('/a/mcp'), INITIALIZE);
  expect(message.error?.data).toMatchObject({ kind: 'rate_limited', executed: 'no' });
});
