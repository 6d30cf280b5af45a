import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { HttpRequest } from '../http-client.ts';
import { writeRequest } from './request.ts';

const post = (more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  path: '/mcp?x=1',
  headers: ['content-type', 'application/json'],
  headersTimeoutMs: 0,
  ...more,
});
const text = (request: HttpRequest): string => Buffer.concat(writeRequest(request, 'h:1')).toString('latin1');

it('writes a request', () => {
  expect(text(post({ body: Buffer.from('{}') }))).toBe(
    'POST /mcp?x=1 HTTP/1.1\r\ncontent-type: application/json\r\nhost: h:1\r\naccept-encoding: identity\r\ncontent-length: 2\r\n\r\n{}',
  );
  expect(text(post())).toContain('content-length: 0\r\n');
  expect(text(post({ method: 'GET', headers: ['Host', 'other'] }))).toBe(
    'GET /mcp?x=1 HTTP/1.1\r\nHost: other\r\naccept-encoding: identity\r\n\r\n',
  );
  expect(text(post({ method: 'GET', headers: ['Host', 'other', 'Accept-Encoding', 'br'] }))).toBe(
    'GET /mcp?x=1 HTTP/1.1\r\nHost: other\r\nAccept-Encoding: br\r\n\r\n',
  );
});

it('does not copy a large body', () => {
  const body = Buffer.alloc(100_000, 'x');
  expect(writeRequest(post({ body }), 'h')[1]).toBe(body);
});

it.each([
  ['x', 'a\r\nb: c'],
  ['x', 'a\nb'],
  ['x', '\0'],
  ['x', '\u2603'],
  ['x y', 'a'],
  ['x:', 'a'],
  ['', 'a'],
  ['x\r\n', 'a'],
  ['content-length', '5'],
  ['Transfer-Encoding', 'chunked'],
  ['connection', 'close'],
  ['upgrade', 'h2c'],
  ['expect', '100-continue'],
])('does not write the header %j: %j', (name, value) => {
  expect(() => writeRequest(post({ headers: [name, value] }), 'h')).toThrow(
    expect.objectContaining({ code: 'ERR_UNSENDABLE' }),
  );
});

it.each(['', 'mcp', '/a b', '/a\r\nx: y', '/ü', 'http://other/', '/\0'])(
  'does not write the path %j',
  (path) => {
    expect(() => writeRequest(post({ path }), 'h')).toThrow(
      expect.objectContaining({ code: 'ERR_UNSENDABLE' }),
    );
  },
);

it('writes one request or none, whatever the headers', () => {
  const name = fc.oneof(fc.stringMatching(/^[a-z-]{1,8}$/), fc.string());
  const value = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 3 }), (pairs) => {
      const write = (): string => text(post({ headers: pairs.flat() }));
      fc.pre(!throws(write));
      const [first, ...lines] = write().split('\r\n');
      expect([first, ...lines.slice(-2)]).toEqual(['POST /mcp?x=1 HTTP/1.1', '', '']);
      for (const line of lines.slice(0, -2)) expect(line).toMatch(/^[^:\s]+: [^\r\n\0]*$/);
    }),
  );
});

function throws(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}
