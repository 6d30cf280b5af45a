import { createServer, type IncomingMessage } from 'node:http';
import { duplexPair } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.ts';
import { PlainHeads, readPlainHead } from './plain-head.ts';

const HEAD = [
  'POST /raw/mcp HTTP/1.1',
  'Host: 127.0.0.1:8080',
  'content-type: application/json',
  'Accept: application/json, text/event-stream',
  'Content-Length: 2',
];
const plain = (lines: readonly string[]): ReturnType<typeof readPlainHead> =>
  readPlainHead(lines.join('\r\n'));

it('reads a head as it came', () => {
  expect(plain(HEAD)).toEqual({
    method: 'POST',
    url: '/raw/mcp',
    headers: {
      host: '127.0.0.1:8080',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': '2',
    },
    rawHeaders: [
      'Host',
      '127.0.0.1:8080',
      'content-type',
      'application/json',
      'Accept',
      'application/json, text/event-stream',
      'Content-Length',
      '2',
    ],
    bodyBytes: 2,
    alike: {},
  });
});

it.each([
  ['another method', ['GET /raw/mcp HTTP/1.1', ...HEAD.slice(1)]],
  ['another version', ['POST /raw/mcp HTTP/1.0', ...HEAD.slice(1)]],
  ['a whole URL', ['POST http://x/raw/mcp HTTP/1.1', ...HEAD.slice(1)]],
  ['two spaces', ['POST  /raw/mcp HTTP/1.1', ...HEAD.slice(1)]],
  ['no host', HEAD.filter((line) => !line.startsWith('Host'))],
  ['no length', HEAD.slice(0, -1)],
  ['two hosts', [...HEAD, 'host: other']],
  ['two lengths', [...HEAD, 'content-length: 2']],
  ['a header twice', [...HEAD, 'x-a: 1', 'X-A: 1']],
  ['a length with a sign', [...HEAD.slice(0, -1), 'Content-Length: +2']],
  ['a length with a zero in front', [...HEAD.slice(0, -1), 'Content-Length: 02']],
  ['a length that is none', [...HEAD.slice(0, -1), 'Content-Length: 0x2']],
  ['two lengths in one', [...HEAD.slice(0, -1), 'Content-Length: 2, 2']],
  ['chunks', [...HEAD, 'Transfer-Encoding: chunked']],
  ['a question first', [...HEAD, 'Expect: 100-continue']],
  ['another protocol', [...HEAD, 'Connection: upgrade', 'Upgrade: h2c']],
  ['an end', [...HEAD, 'Connection: close']],
  ['space before the colon', [...HEAD, 'x-a : 1']],
  ['no space after the colon', [...HEAD, 'x-a:1']],
  ['more space after the colon', [...HEAD, 'x-a:  1']],
  ['space behind the value', [...HEAD, 'x-a: 1 ']],
  ['no value', [...HEAD, 'x-a: ']],
  ['a folded line', [...HEAD, 'x-a: 1', ' 2']],
  ['an empty name', [...HEAD, ': 1']],
  ['a name with letters of its own', [...HEAD, 'x_a: 1']],
  ['a line feed alone', [...HEAD, 'x-a: 1\nx-b: 2']],
  ['a carriage return alone', [...HEAD, 'x-a: 1\rx-b: 2']],
  ['a control character', [...HEAD, 'x-a: 1\0']],
  ['a letter beyond ASCII', [...HEAD, 'x-a: é']],
  ['a cookie of an answer', [...HEAD, 'set-cookie: a=b']],
])('leaves %s to Node', (_what, lines) => {
  expect(plain(lines)).toBeUndefined();
});

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: object;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** What Node makes of these bytes: its requests, and whether it refused any. */
async function byNode(bytes: string): Promise<readonly (Seen | 'refused')[]> {
  const seen: (Seen | 'refused')[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.setEncoding('latin1').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method, url, headers, rawHeaders } = request;
      seen.push({ method, url, headers, rawHeaders, body });
      response.end();
    });
  });
  server.on('clientError', () => seen.push('refused'));
  const [near, far] = duplexPair();
  near.on('error', () => undefined);
  far.resume();
  server.emit('connection', near);
  far.write(Buffer.from(bytes, 'latin1'));
  for (let i = 0; i < 12; i++) await new Promise((resolve) => setImmediate(resolve));
  near.destroy();
  return seen;
}

const odd = fc.constantFrom(
  ...[
    '\r\n',
    '\n',
    '\r',
    ' ',
    '\t',
    ':',
    ': ',
    ',',
    '0',
    '2',
    'x',
    '\0',
    '\x7f',
    '\x80',
    'é',
    ';',
    '"',
    '{}',
  ],
  ...['Host: b\r\n', 'Content-Length: 2\r\n', 'Content-Length: 0\r\n', 'Transfer-Encoding: chunked\r\n'],
  ...[
    'Connection: close\r\n',
    'Connection: Keep-Alive\r\n',
    'X-A: b\r\n',
    'Cookie: a=b\r\n',
    'POST / HTTP/1.1\r\n',
  ],
);
const whole = `${[...HEAD, 'X-A: b', 'mcp-session-id: 1-2'].join('\r\n')}\r\n\r\n{}`;
/** A request, with some of it replaced. */
const changed = fc
  .array(fc.tuple(fc.nat(whole.length), fc.nat(3), odd), { maxLength: 3 })
  .map((changes) =>
    changes.reduce((text, [at, drop, put]) => text.slice(0, at) + put + text.slice(at + drop), whole),
  );

it('takes nothing that Node would read differently, or refuse', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(changed, async (bytes) => {
      const end = bytes.indexOf('\r\n\r\n');
      const head = end < 0 ? undefined : readPlainHead(bytes.slice(0, end));
      if (head === undefined || bytes.length !== end + 4 + head.bodyBytes) return;
      taken += 1;
      const { bodyBytes: _, alike: _alike, ...rest } = head;
      expect(await byNode(bytes)).toEqual([{ ...rest, body: bytes.slice(end + 4) }]);
    }),
    { numRuns: runs(20_000) },
  );
  expect(taken).toBeGreaterThan(1000);
});

const withLength = (length: string, ...more: readonly string[]): string =>
  [...HEAD.slice(0, -1), `Content-Length: ${length}`, ...more].join('\r\n');

it('knows heads of one connection that differ in nothing but the length', () => {
  const heads = new PlainHeads();
  const first = heads.read(withLength('2', 'Authorization: Bearer a'));
  const longer = heads.read(withLength('31', 'Authorization: Bearer a'));
  const another = heads.read(withLength('31', 'Authorization: Bearer b'));
  expect(first?.alike).toBeDefined();
  expect([longer?.alike === first?.alike, another?.alike === first?.alike]).toEqual([true, false]);
  expect(new PlainHeads().read(withLength('2', 'Authorization: Bearer a'))?.alike).not.toBe(first?.alike);
});

it('reads each head of a connection as if it were the only one', () => {
  const length = fc.constantFrom('0', '2', '31', '02', '+2', '2\r\nX-A: c', '2, 2', '', '123456789');
  const behind = fc.constantFrom([], ['X-A: b'], ['X-A: c'], ['Content-Length: 2'], ['Connection: close']);
  let read = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(length, behind), { maxLength: 6 }), (all) => {
      const heads = new PlainHeads();
      for (const [said, more] of all) {
        const text = withLength(said, ...more);
        const head = heads.read(text);
        read += Number(head !== undefined);
        expect(head).toEqual(readPlainHead(text));
      }
    }),
    { numRuns: 2000 },
  );
  expect(read).toBeGreaterThan(1000);
});
