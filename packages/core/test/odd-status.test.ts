/** Answers over HTTP whose status is a text, or is not there: what nobody can read is not known to be a success. */
import { expect, it } from 'vitest';
import { createLanguage } from '../src/compact-language.ts';
import { read } from '../src/index.ts';

const over = (status: unknown, more: object = {}) => ({ http: { status, headers: {}, body: '', ...more } });

it.each([
  ['503', 'unavailable'],
  ['503 Service Unavailable', 'unavailable'],
  [' 429 ', 'rate_limited'],
  ['404 Not Found', 'not_found'],
])('the status %j is %s', (status, kind) => {
  expect(read(over(status))).toMatchObject({ failure: true, fault: { kind } });
  expect(read(over(undefined, { statusCode: status }))).toMatchObject({ failure: true, fault: { kind } });
});

it.each([['200'], ['200 OK'], ['204'], ['304 Not Modified']])('the status %j is a success', (status) => {
  expect(read(over(status))).toMatchObject({ failure: false });
});

it.each([
  [over(undefined)],
  [over(null)],
  [over('')],
  [over('50')],
  [over('5031')],
  [over('service 503')],
  [over(Number.NaN)],
  [over(0)],
  [{ http: {} }],
  [{ http: 5 }],
  [{ http: [] }],
  [{ isError: 'true', content: [] }],
  [{ jsonrpc: '2.0', id: 1, result: { isError: 'true', content: [] } }],
])('%j is no success, and nothing is known of it', (wire) => {
  expect(read(wire)).toMatchObject({ failure: true, fault: { kind: 'unknown', executed: 'maybe' } });
});

it.each([
  [over(undefined, { body: { jsonrpc: '2.0', id: 1, result: { content: [] } } })],
  [over(undefined, { body: { content: [{ type: 'text', text: 'done' }] } })],
  [{ http: 'up', database: 'up' }],
  [{ isError: 'false', content: [] }],
])('%j says nothing of a failure', (wire) => {
  expect(read(wire)).toMatchObject({ failure: false });
});

it('so does the reader for small bundles', () => {
  const { read: readCompact } = createLanguage({ dialects: [] });
  for (const wire of [over('503'), { http: {} }, { http: 5 }, { isError: 'true', content: [] }])
    expect(readCompact(wire)).toMatchObject({ failure: true });
  expect(readCompact(over('200 OK'))).toMatchObject({ failure: false });
});
