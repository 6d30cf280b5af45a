/** Servers that end the stream of an answer before it comes, to be asked for it later (2025-11-25). */
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { spokenTo } from '../spoken-to.ts';
import { call, callTool, cleanUp, faultIn, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

/** Refuses to say how it ended. */
type Refuse = (response: ServerResponse) => void;

/** A server whose answer to `pay` has to be fetched; the stream of one to `break` is cut. */
async function polling(refuse?: Refuse) {
  const server = await upstream((said, response, request) => {
    if (request.method === 'GET') {
      const from = request.headers['last-event-id'];
      if (from === undefined) response.writeHead(405).end();
      else if (refuse !== undefined) refuse(response);
      else {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const answer = { jsonrpc: '2.0', id: JSON.parse(String(from)), result: { content: ['paid'] } };
        response.end(`id: next\ndata: ${JSON.stringify(answer)}\n\n`);
      }
    } else if (said.includes('"initialize"')) {
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
      json(response, 200, { jsonrpc: '2.0', id: JSON.parse(said).id, result }, { 'mcp-session-id': 's1' });
    } else if (said.includes('tools/call')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`id: ${JSON.stringify(JSON.parse(said).id)}\nretry: 100\ndata: \n\n`);
      if (said.includes('"break"')) setTimeout(() => response.destroy(), 50);
      else response.end();
    } else response.writeHead(202).end();
  });
  const upstreams = { a: { url: server.url } };
  const { url } = await open({ upstreams });
  const calls = () => server.seen.filter(({ body }) => body.includes('tools/call')).length;
  const fetches = () => server.seen.filter(({ headers }) => headers['last-event-id'] !== undefined).length;
  return { url, calls, fetches, upstreams };
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

it.each(['pay', 'break'])(
  'a client over standard input cannot: the answer to %s is fetched for it',
  async (name) => {
    const { upstreams, calls, fetches } = await polling();
    const { ask } = await spokenTo(upstreams, { root: 'a' });
    expect(await ask(call('tools/call', { name }, 5))).toMatchObject({
      id: 5,
      result: { content: ['paid'] },
    });
    expect([calls(), fetches()]).toEqual([1, 1]);
  },
);

it.each([
  ['in a session', 'pay', { 'mcp-session-id': 's1' }],
  ['without one', 'pay', {}],
  ['when its stream is cut', 'break', { 'mcp-session-id': 's1' }],
])('the answer to a call with a key is there for whoever comes for it, %s', async (_how, name, session) => {
  const { url, calls } = await polling();
  const params = { name, _meta: { 'dev.mayday/idempotency-key': 'k1' } };
  const first = await post(`${url}/a/mcp`, call('tools/call', params, 7), { ...session });
  const again = await post(`${url}/a/mcp`, call('tools/call', params, 8), { ...session });
  expect([first.message.id, first.message.result]).toEqual([7, { content: ['paid'] }]);
  expect([again.message.id, again.message.result]).toEqual([8, { content: ['paid'] }]);
  expect(calls()).toBe(1);
});

it.each(['/a/mcp', '/mcp'])('nobody asks for more when the answer is there, at %s', async (path) => {
  const { url, fetches } = await polling();
  const params = { name: path === '/mcp' ? 'a_pay' : 'pay', _meta: { 'dev.mayday/idempotency-key': 'k1' } };
  expect((await post(url + path, call('tools/call', params, 7))).message.result).toEqual({
    content: ['paid'],
  });
  await new Promise((resolve) => setTimeout(resolve, 300)); // three times the pause that the server asks for
  expect(fetches()).toBe(1);
});

it.each([
  [
    'that wants a login',
    (response) => {
      const headers = { 'www-authenticate': 'Bearer realm="x"' };
      json(response, 401, { message: 'Log in to see it, password=hunter2secret' }, headers);
    },
    { kind: 'unauthenticated' },
    'Log in to see it',
  ],
  ['that forbids it', (response) => json(response, 403, { message: 'Not for you' }), {}, 'Not for you'],
  [
    'that has lost it',
    (response) => json(response, 404, { message: 'The answer was thrown away' }),
    { kind: 'disconnected' },
    'The stream ended before the answer came, and the rest of it was refused: The answer was thrown away',
  ],
] satisfies [string, Refuse, object, string][])(
  'whoever waits hears the words of a server %s',
  async (_who, refuse, fault, words) => {
    const { url, calls } = await polling(refuse);
    const keyed = { name: 'pay', _meta: { 'dev.mayday/idempotency-key': 'k1' } };
    for (const told of [
      await post(`${url}/mcp`, callTool('a_pay')),
      await post(`${url}/a/mcp`, call('tools/call', keyed), { 'mcp-session-id': 's1' }),
    ]) {
      expect([told.status, faultIn(told)]).toEqual([
        200,
        expect.objectContaining({ ...fault, executed: 'maybe' }),
      ]);
      expect(faultIn(told)?.['message']).toContain(words);
      expect(told.text).not.toContain('hunter2');
    }
    expect(calls()).toBe(2); // once each
  },
);
