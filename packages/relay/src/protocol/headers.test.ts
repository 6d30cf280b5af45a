import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  decodeHeader,
  encodeHeader,
  isEventStream,
  isHeaderValue,
  requestHeaders,
  responseHeaders,
} from './headers.ts';

it('passes on what concerns the server', () => {
  const raw = ['Host', 'h', 'Accept-Encoding', 'gzip', 'X-Trace', 't', 'Connection', 'x-hop', 'X-Hop', '1'];
  const more = ['X-Forwarded-For', '::1', 'Mayday-Key', 'k', 'Authorization', 'a', 'X-Set', 'theirs'];
  const set = new Map([
    ['x-set', 'ours'],
    ['authorization', ''],
    ['connection', 'close'],
    ['host', 'theirs.example'],
  ]);
  expect(requestHeaders([...raw, ...more], 'x-hop', set)).toEqual([
    'accept-encoding',
    'identity',
    'x-trace',
    't',
    'x-set',
    'ours',
    'host',
    'theirs.example',
  ]);
});

it('passes back what HTTP allows', () => {
  const headers = {
    'content-type': 'a/b',
    'content-length': '7',
    'transfer-encoding': 'chunked',
    'set-cookie': ['a', 'b'],
    'x-wide': 'snow \u2603',
    'x-line': 'a\r\nb',
    'x-latin': 'caf\u00e9',
    connection: 'X-Hop, close',
    'x-hop': 'here',
    gone: undefined,
  };
  expect(responseHeaders(headers)).toEqual({
    'content-type': 'a/b',
    'x-latin': 'caf\u00e9',
  });
});

it.each([
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  ['text/event-streams', false],
  ['application/json', false],
  [undefined, false],
])('knows whether %s is a stream of events', (type, is) => {
  expect(isEventStream({ 'content-type': type })).toBe(is);
});

it('carries any text in a header and back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const header = encodeHeader(text);
      expect(isHeaderValue(header)).toBe(true);
      expect(header).toBe(header.trim());
      expect(decodeHeader(header)).toBe(text);
    }),
  );
});

it.each([
  ['plain', 'plain'],
  [' edge ', '=?base64?IGVkZ2Ug?='],
  ['=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
  ['a\nb', '=?base64?YQpi?='],
])('writes %j as %s', (text, header) => {
  expect(encodeHeader(text)).toBe(header);
});
