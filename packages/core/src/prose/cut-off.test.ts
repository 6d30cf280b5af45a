/** Answers that did not come whole pass by themselves; what somebody gave up does not. */
import { expect, it } from 'vitest';
import { readProse } from './index.ts';

it.each([
  'Error: aborted',
  'AxiosError: aborted',
  'Error fetching orders: aborted',
  'Failed to list invoices: Error: aborted',
  'Error searching assets: Error: aborted (cloud: acme, key: abc...)',
  'Failed to fetch report: Error: aborted\n    at TLSSocket.socketCloseListener (node:_http_client:455:19)',
  'TypeError: terminated',
  'Error reading response: terminated',
  'Error fetching orders: socket hang up',
  'Error fetching orders: Premature close',
  'Error fetching orders: other side closed',
  'Error fetching orders: stream ended',
  'Error: incomplete response',
  'Error fetching orders: Incomplete response received',
  'Error: unexpected end of file',
  'zlib: unexpected end of file',
  'Response payload is not completed',
  'the response was cut off',
  'The response ended before it was complete',
  'Error: response truncated',
  'Download interrupted',
])('is disconnected: %s', (text) => {
  expect(readProse(text)?.kind).toBe('disconnected');
});

it.each([
  ['aborted', 'cancelled'],
  ['The operation was aborted', 'cancelled'],
  ['AbortError: This operation was aborted', 'cancelled'],
  ['Error searching assets: AbortError: aborted', 'cancelled'],
  ['CanceledError: aborted', 'cancelled'],
  ['Request was aborted by the user', 'cancelled'],
  ['Response was interrupted by user', 'cancelled'],
  ['Build failed: aborted', 'cancelled'],
  ['Error: Aborted', 'cancelled'],
  ['Transaction aborted due to conflict', 'conflict'],
  ['bash: line 3: syntax error: unexpected end of file', 'invalid_arguments'],
  ['Failed to parse YAML: unexpected end of file', 'invalid_arguments'],
  ['gzip: stdin: unexpected end of file', undefined],
  ['Response truncated to 1000 characters', undefined],
])('is something else: %s', (text, kind) => {
  expect(readProse(text)?.kind).toBe(kind);
});
