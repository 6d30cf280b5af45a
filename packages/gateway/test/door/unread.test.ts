/** What is no request, or none that can be met, is told in words what it was, and its connection ends. */
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { cleanUp, idIn, json, open, STDIO_SERVER, upstream } from '../tools.ts';

afterEach(cleanUp);

/** All that comes back until the connection ends. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(5000, () => socket.destroy(new Error(`still open after: ${seen}`)));
    socket.on('data', (chunk) => {
      seen += chunk.toString('utf8');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(seen));
  });
}

const HOST = 'Host: localhost\r\n';
const LENGTH = 'Content-Length: 2\r\n';

it.each([
  [
    'a tunnel',
    'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n',
    405,
    'unsupported',
    /no proxy.*use POST/,
  ],
  [
    'another expectation',
    `POST /mcp HTTP/1.1\r\n${HOST}Expect: banana\r\n${LENGTH}\r\n{}`,
    417,
    'invalid_request',
    /without Expect/,
  ],
  [
    'long headers',
    `POST /mcp HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'too_large',
    /send fewer/,
  ],
  ['no HTTP', 'BLA\r\n\r\n', 400, 'invalid_request', /no request of HTTP/],
  ['no host', `POST /mcp HTTP/1.1\r\n${LENGTH}\r\n{}`, 400, 'invalid_request', /names its Host/],
  [
    'no host, of what would be read plainly',
    `POST /a/mcp HTTP/1.1\r\nContent-Type: application/json\r\n${LENGTH}\r\n{}`,
    400,
    'invalid_request',
    /names its Host/,
  ],
  [
    'two hosts',
    `POST /mcp HTTP/1.1\r\n${HOST}Host: elsewhere.example\r\n${LENGTH}\r\n{}`,
    400,
    'invalid_request',
    /names one Host/,
  ],
  [
    'an expectation beside the usual one',
    `POST /mcp HTTP/1.1\r\n${HOST}Expect: 100-continue, banana\r\n${LENGTH}\r\n{}`,
    417,
    'invalid_request',
    /without Expect/,
  ],
  [
    'an expectation with a parameter',
    `POST /mcp HTTP/1.1\r\n${HOST}Expect: 100-continue;x=1\r\n${LENGTH}\r\n{}`,
    417,
    'invalid_request',
    /without Expect/,
  ],
])('%s', async (_what, bytes, status, kind, words) => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const seen = await exchange(Number(new URL(gateway.url).port), bytes);
  const [head = '', body = ''] = seen.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/^connection: close$/im);
  expect(head).toMatch(/^content-type: application\/json$/im);
  if (status === 405) expect(head).toMatch(/^allow: POST/im);
  const { jsonrpc, error } = JSON.parse(body);
  expect(jsonrpc).toBe('2.0');
  expect(error.message).toMatch(words);
  expect(error.data).toMatchObject({ kind, origin: 'gateway', executed: 'no' });
});

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const asked = (headers: string): string =>
  `POST /a/mcp HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${PING.length}\r\n\r\n${PING}`;

it.each([
  ['no host', asked('')],
  ['two hosts', asked(`${HOST}${HOST}`)],
  ['another expectation', asked(`${HOST}Expect: 100-continue, banana\r\n`)],
])('serves nothing behind %s', async (_what, first) => {
  const { url, seen } = await upstream((body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: idIn(body), result: {} }),
  );
  const gateway = await open({ upstreams: { a: { url } } });
  const told = await exchange(Number(new URL(gateway.url).port), first + asked(HOST));
  expect(told.match(/^HTTP\/1\.1 \d+/gm)).toHaveLength(1);
  expect(seen.filter(({ body }) => body.includes('ping'))).toEqual([]);
});

it('takes the usual expectation, in whatever capitals', async () => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const first = asked(`${HOST}Connection: close\r\nExpect: 100-Continue\r\n`);
  const told = await exchange(Number(new URL(gateway.url).port), first);
  expect(told.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200']);
});
