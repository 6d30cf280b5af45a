/** How Closient has failures of the protocol itself. */
import { expect, it } from 'vitest';
import { type FormedRow, formedBy } from '../../../test/helpers.ts';

// biome-ignore format: a table
it.each<FormedRow>([
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['name'], message: 'Expected a text' }, { path: [], message: 'Odd' }] }, { ofRequest: true },
    { id: null, error: { code: -32100, message: 'Bad Request', data: { type: 'https://closient.com/docs/errors/bad_request', title: 'Bad Request', status: 400, detail: 'Bad; name: Expected a text; Odd', error_code: 'bad_request', retryable: false, timestamp: '2026-04-26T02:34:56+00:00' } } }],
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['name'], message: 'Expected a text' }] }, { method: 'resources/read' },
    { id: null, error: { code: -32101, message: 'Validation Error', data: { type: 'https://closient.com/docs/errors/validation_error', title: 'Validation Error', status: 400, detail: 'Bad', error_code: 'validation_error', retryable: false, timestamp: '2026-04-26T02:34:56+00:00', errors: [{ field: 'name', message: 'Expected a text' }] } } }],
  [{ kind: 'not_found', message: 'Gone' }, { ofRequest: true },
    { id: null, error: { code: -32200, message: 'Not Found', data: { type: 'https://closient.com/docs/errors/not_found', title: 'Not Found', status: 404, detail: 'Gone', error_code: 'not_found', retryable: false, timestamp: '2026-04-26T02:34:56+00:00' } } }],
  [{ kind: 'unsupported', message: 'Method not allowed' }, { ofRequest: true, status: 405 },
    { id: null, error: { code: -32100, message: 'Bad Request', data: { type: 'https://closient.com/docs/errors/bad_request', title: 'Bad Request', status: 405, detail: 'Method not allowed', error_code: 'bad_request', retryable: false, timestamp: '2026-04-26T02:34:56+00:00' } } }],
  [{ kind: 'unsupported', message: 'Unknown method: x/y', subject: { type: 'method', id: 'x/y' } }, { method: 'x/y' },
    { id: null, error: { code: -32601, message: 'Unknown method: x/y' } }],
  [{ kind: 'not_found', message: 'Gone' }, {},
    { result: { error: { code: -32200, message: 'Not Found', data: { type: 'https://closient.com/docs/errors/not_found', title: 'Not Found', status: 404, detail: 'Gone', error_code: 'not_found', retryable: false, timestamp: '2026-04-26T02:34:56+00:00' } }, isError: true, content: [{ type: 'text', text: 'Gone. Check the identifier; do not repeat the same call.' }] } }],
  [{ kind: 'rate_limited', message: '429 Too Many Requests', executed: 'maybe' }, { ours: true, foreign: 'somebody', mayChange: true },
    { result: { error: { code: -32300, message: 'Internal Error', data: { type: 'https://closient.com/docs/errors/internal_error', title: 'Internal Error', status: 502, detail: '429 Too Many Requests', error_code: 'internal_error', retryable: false, timestamp: '2026-04-26T02:34:56+00:00' } }, isError: true, content: [{ type: 'text', text: '429 Too Many Requests. It may have happened; check before you repeat a change.' }] } }],
  [{ kind: 'rate_limited', message: 'Slow down', executed: 'maybe', retryable: false, advice: 'A part of it was done.' }, { ours: false, mayChange: true },
    { result: { error: { code: -32300, message: 'Internal Error', data: { type: 'https://closient.com/docs/errors/internal_error', title: 'Internal Error', status: 502, detail: 'Slow down', error_code: 'internal_error', retryable: false, timestamp: '2026-04-26T02:34:56+00:00' } }, isError: true, content: [{ type: 'text', text: 'Slow down. A part of it was done.' }] } }],
  [{ kind: 'rate_limited', message: 'Slow down', executed: 'maybe', retry: { afterMs: 1000 } }, { ours: false, mayChange: true },
    { result: { error: { code: -32300, message: 'Internal Error', data: { type: 'https://closient.com/docs/errors/internal_error', title: 'Internal Error', status: 502, detail: 'Slow down', error_code: 'internal_error', retryable: false, timestamp: '2026-04-26T02:34:56+00:00' } }, isError: true, content: [{ type: 'text', text: 'Slow down. It may have happened; check before you repeat a change.' }] } }],
  [{ kind: 'internal', message: 'So', executed: 'maybe', advice: 'A part of it was done. Find out which; do not repeat the call.' }, { mayChange: true },
    { result: { error: { code: -32300, message: 'Internal Error', data: { type: 'https://closient.com/docs/errors/internal_error', title: 'Internal Error', status: 500, detail: 'So', error_code: 'internal_error', retryable: false, timestamp: '2026-04-26T02:34:56+00:00' } }, isError: true, content: [{ type: 'text', text: 'So. A part of it was done. Find out which; do not repeat the call.' }] } }],
])('closient has %j %j', (fault, context, answer) => {
  expect(formedBy('closient', fault, context)).toEqual({ jsonrpc: '2.0', ...answer });
});
