/** Which headers of a server reach the caller. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, JSON_TYPES, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const DEBUG = {
  'x-debug': 'password=hunter2secret',
  'set-cookie': ['a=hunter2secret', 'b=hunter2secret'],
  'www-authenticate': 'Bearer realm="mcp", token=hunter2secret',
  'retry-after': '7',
};

const FAILED = { error: { code: -32603, message: 'no' } };

function dump(headers: Headers): string {
  return JSON.stringify([...headers]);
}

async function house(answer: Parameters<typeof upstream>[0]): Promise<string> {
  const server = await upstream(answer);
  return `${(await open({ upstreams: { a: { url: server.url, retry: { attempts: 1 } } } })).url}/a/mcp`;
}

it.each([200, 400, 401, 403, 429, 500])(
  'of a failing answer under %i none that could tell a secret',
  async (status) => {
    const url = await house((body, response) =>
      json(response, status, { jsonrpc: '2.0', id: JSON.parse(body).id, ...FAILED }, DEBUG),
    );
    const { headers } = await post(url, call('resources/read', { uri: 'a://b' }));
    expect(dump(headers)).not.toContain('hunter2secret');
    expect(headers.get('x-debug')).toBeNull();
    const isChallenge = status === 401 || status === 403;
    expect(headers.get('www-authenticate')).toBe(
      isChallenge ? 'Bearer realm="mcp", token="[token:1]"' : null,
    );
  },
);

it.each([
  ['at once', 0],
  ['late', 400],
])('of a stream whose answer fails %s none either', async (_when, ms) => {
  const url = await house((body, response) => {
    response.writeHead(200, { ...DEBUG, 'content-type': 'text/event-stream', 'mcp-session-id': 's1' });
    response.flushHeaders();
    const answer = JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, ...FAILED });
    setTimeout(() => response.end(`data: ${answer}\n\n`), ms);
  });
  const { headers, text } = await post(url, callTool('x'));
  expect(text).toContain('internal');
  expect(dump(headers)).not.toContain('hunter2secret');
  expect([headers.get('x-debug'), headers.get('mcp-session-id')]).toEqual([null, 's1']);
});

it.each(['GET', 'DELETE', 'POST'])('of a refused %s that is no call none either', async (method) => {
  const url = await house((_body, response) => json(response, 401, {}, DEBUG));
  const body = method === 'POST' ? '{"jsonrpc":"2.0","method":"notifications/x"}' : null;
  const { status, headers } = await fetch(url, { method, headers: JSON_TYPES, body });
  expect([status, headers.get('www-authenticate'), headers.get('retry-after')]).toEqual([
    401,
    'Bearer realm="mcp", token="[token:1]"',
    '7',
  ]);
  expect(dump(headers)).not.toContain('hunter2secret');
});

it('of a success all that are not for one connection, and no cookies', async () => {
  const url = await house((body, response) => {
    json(
      response,
      200,
      { jsonrpc: '2.0', id: JSON.parse(body).id, result: {} },
      {
        'x-trace': 'abc',
        'x-hop': 'here',
        connection: 'keep-alive, X-Hop',
        'set-cookie': ['a=1', 'b=2'],
      },
    );
  });
  const { headers } = await post(url, callTool('x'));
  expect([headers.get('x-trace'), headers.get('x-hop'), headers.getSetCookie()]).toEqual(['abc', null, []]);
});
