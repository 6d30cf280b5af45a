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
])('closient has %j %j', (fault, context, answer) => {
  expect(formedBy('closient', fault, context)).toEqual({ jsonrpc: '2.0', ...answer });
});
