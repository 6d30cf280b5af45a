import { expect, it } from 'vitest';
import { readHead } from './head.ts';

const OK = 'HTTP/1.1 200 OK';
const head = (...lines: string[]) => readHead([OK, ...lines].join('\r\n'), 'POST');

it('reads a head', () => {
  expect(
    head(
      'Content-Type: application/json',
      'content-length:  12 ',
      'X-Twice: a',
      'x-twice:b',
      'Keep-Alive: timeout=5, max=7',
    ),
  ).toEqual({
    status: 200,
    statusText: 'OK',
    headers: {
      'content-type': 'application/json',
      'content-length': '12',
      'x-twice': ['a', 'b'],
      'keep-alive': 'timeout=5, max=7',
    },
    body: 12,
    keepAlive: true,
    idleMs: 5000,
  });
});

it.each([
  ['HTTP/1.1 200', 'close'],
  ['HTTP/1.1 200 ', 'close'],
  ['HTTP/1.1 204 No Content\r\ncontent-length: 5', 0],
  ['HTTP/1.1 304 x\r\ncontent-length: 5', 0],
  ['HTTP/1.1 200 x\r\ncontent-length: 0', 0],
  ['HTTP/1.1 200 x\r\ntransfer-encoding: Chunked', 'chunked'],
])('knows how the body of %j ends', (text, body) => {
  expect(readHead(text, 'POST').body).toBe(body);
});

it('expects no body after HEAD', () => {
  expect(readHead(`${OK}\r\ncontent-length: 5`, 'HEAD').body).toBe(0);
});

it.each([
  ['HTTP/1.1 200 OK\r\nconnection: close', false],
  ['HTTP/1.1 200 OK\r\nconnection: x-hop, Close', false],
  ['HTTP/1.1 200 OK\r\nconnection: x\r\nconnection: close', false],
  ['HTTP/1.0 200 OK\r\nconnection: keep-alive', false],
  ['HTTP/1.1 200 OK\r\nconnection: keep-alive', true],
  // It announces a body that must not be there: it may come after all.
  ['HTTP/1.1 204 x\r\ncontent-length: 5', false],
  ['HTTP/1.1 304 x\r\ntransfer-encoding: chunked', false],
  ['HTTP/1.1 204 x\r\ncontent-length: 0', true],
])('knows whether the connection of %j may be kept', (text, keepAlive) => {
  expect(readHead(text, 'POST').keepAlive).toBe(keepAlive);
});

it.each([
  '',
  'HTTP/2 200 OK',
  'HTTP/1.2 200 OK',
  'HTTP/1.1 99 OK',
  'HTTP/1.1 0200 OK',
  'HTTP/1.1  200 OK',
  'HTTP/1.1\t200 OK',
  'http/1.1 200 OK',
  'HTTP/1.1 200 O\u0000K',
  'ICY 200 OK',
  `${OK}\r\nno colon`,
  `${OK}\r\n: no name`,
  `${OK}\r\nname : space`,
  `${OK}\r\n folded: line`,
  `${OK}\r\na: b\r\n continued`,
  `${OK}\r\na: b\nc: d`,
  `${OK}\r\na: b\rc`,
  `${OK}\r\na: \u0000`,
  `${OK}\r\nn\u00e4me: x`,
  `${OK}\r\ncontent-length: 5\r\ncontent-length: 5`,
  `${OK}\r\ncontent-length: 5, 5`,
  `${OK}\r\ncontent-length: +5`,
  `${OK}\r\ncontent-length: 5x`,
  `${OK}\r\ncontent-length: -1`,
  `${OK}\r\ncontent-length: 0x5`,
  `${OK}\r\ncontent-length: 1e3`,
  `${OK}\r\ncontent-length: `,
  `${OK}\r\ncontent-length: 9999999999999999`,
  `${OK}\r\ntransfer-encoding: chunked\r\ncontent-length: 5`,
  `${OK}\r\ntransfer-encoding: gzip, chunked`,
  `${OK}\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked`,
  `${OK}\r\ntransfer-encoding: identity`,
  `${OK}\r\ntransfer-encoding: `,
  'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked',
  `${OK}${'\r\na: b'.repeat(300)}`,
])('refuses %j', (text) => {
  expect(() => readHead(text, 'POST')).toThrow(expect.objectContaining({ code: 'ERR_NOT_HTTP' }));
});

it('knows no header that nobody sent', () => {
  const { headers } = head('__proto__: x', 'constructor: y');
  expect(Object.entries(headers)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  expect(headers['toString']).toBeUndefined();
});

it('reads a head that was read before as if it were the first', () => {
  const text = `${OK}\r\ncontent-length: 5\r\nx-once: said`;
  const first = readHead(text, 'POST');
  first.beside = { words: ', after something', headers: {} };
  const second = readHead(text, 'POST');
  expect(second.beside).toBeUndefined();
  expect(second).toEqual({ ...first, beside: undefined });
  expect(readHead(text, 'HEAD').body).toBe(0);
  expect(readHead(text, 'POST').body).toBe(5);
});

it('lets nobody change what others read of the same head', () => {
  const { headers } = readHead(`${OK}\r\nx-shared: yes`, 'POST');
  expect(() => Object.assign(headers, { 'x-shared': 'no' })).toThrow(TypeError);
});
