/** Servers that end the stream of an answer before it comes, to be asked for it later (2025-11-25). */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, json, open, post, upstream } from '../test/tools.ts';

afterEach(cleanUp);

/** A server whose answer to `pay` has to be fetched. */
async function polling() {
  const server = await upstream((said, response, request) => {
    if (request.method === 'GET') {
      const from = request.headers['last-event-id'];
      if (from === undefined) response.writeHead(405).end();
      else {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const answer = { jsonrpc: '2.0', id: JSON.parse(String(from)), result: { content: ['paid'] } };
        response.end(`id: next\ndata: ${JSON.stringify(answer)}\n\n`);
      }
    } else if (said.includes('"initialize"')) {
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
      json(response, 200, { jsonrpc: '2.0', id: 1, result }, { 'mcp-session-id': 's1' });
    } else if (said.includes('tools/call')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`id: ${JSON.stringify(JSON.parse(said).id)}\nretry: 100\ndata: \n\n`);
      response.end();
    } else response.writeHead(202).end();
  });
  const { url } = await open({ upstreams: { a: { url: server.url } } });
  const calls = () => server.seen.filter(({ body }) => body.includes('tools/call')).length;
  return { url, calls };
}

it('the joined endpoint fetches the answer', async () => {
  const { url, calls } = await polling();
  const { headers } = await post(`${url}/mcp`, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const paid = await post(`${url}/mcp`, call('tools/call', { name: 'a_pay' }, 'mine'), session);
  expect([paid.message.id, paid.message.result, calls()]).toEqual(['mine', { content: ['paid'] }, 1]);
});

it('an endpoint of its own leaves it to the client to fetch the answer', async () => {
  const { url } = await polling();
  const paid = await post(`${url}/a/mcp`, call('tools/call', { name: 'pay' }), { 'mcp-session-id': 's1' });
  expect([paid.status, paid.text]).toEqual([200, expect.stringContaining('id: 1\n')]);
  expect(paid.text).not.toContain('paid');
});

it('the answer to a call with a key is there for whoever comes for it', async () => {
  const { url, calls } = await polling();
  const params = { name: 'pay', _meta: { 'dev.mayday/idempotency-key': 'k1' } };
  const first = await post(`${url}/a/mcp`, call('tools/call', params, 7), { 'mcp-session-id': 's1' });
  const again = await post(`${url}/a/mcp`, call('tools/call', params, 8), { 'mcp-session-id': 's1' });
  expect([first.message.id, first.message.result]).toEqual([7, { content: ['paid'] }]);
  expect([again.message.id, again.message.result]).toEqual([8, { content: ['paid'] }]);
  expect(calls()).toBe(1);
});
