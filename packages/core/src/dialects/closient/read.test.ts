/** What Closient hears in every wire that it can meet, to the last member. */
import { expect, it } from 'vitest';
import { type HeardRow, heardBy, rpc, toolError, wholeHeard } from '../../../test/helpers.ts';
import { read } from '../../index.ts';

// biome-ignore format: a table
it.each<HeardRow>([
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32300, message: 'Internal Error', data: { detail: 'Done', retryable: false } } } },
    { kind: 'internal', message: 'Done', retryable: false, refusal: false, native: { dialect: 'closient', code: -32300 }, placement: 'tool' }, 0.98, 'code: -32300 internal_error'],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32001, message: 'Unauthorized', data: { detail: 'No key', error_code: 'unauthorized', status: 401, retryable: false, type: 'https://closient.com/docs/errors/unauthorized', title: 'Unauthorized', timestamp: '2026-04-26T02:34:56+00:00' } } } },
    { kind: 'unauthenticated', message: 'No key', retryable: false, refusal: true, timestamp: '2026-04-26T02:34:56+00:00', native: { dialect: 'closient', code: -32001 }, placement: 'tool' }, 0.98, 'code: -32001 unauthorized'],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32003, message: 'Rate Limited', data: { detail: 'Slow', status: 429, retry_after: 30, retryable: true, limit: 60 } } } },
    { kind: 'rate_limited', message: 'Slow', retryable: true, refusal: true, retry: { afterMs: 30000 }, details: { limit: 60 }, native: { dialect: 'closient', code: -32003 }, placement: 'tool' }, 0.98, 'code: -32003 rate_limited'],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32003, message: 'Rate Limited', data: { retry_after_seconds: 7 } } } },
    { kind: 'rate_limited', message: 'Rate Limited', retryable: true, refusal: true, retry: { afterMs: 7000 }, details: { retry_after_seconds: 7 }, native: { dialect: 'closient', code: -32003 }, placement: 'tool' }, 0.98, 'code: -32003 rate_limited'],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32101, message: 'Validation Error', data: { detail: 'Bad', status: 422, errors: [{ field: 'a', message: 'Required', code: 'required' }] } } } },
    { kind: 'invalid_arguments', message: 'Bad', retryable: false, refusal: true, issues: [{ path: ['a'], message: 'Required', code: 'required' }], native: { dialect: 'closient', code: -32101, extra: { status: 422 } }, placement: 'tool' }, 0.98, 'code: -32101 validation_error'],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32101, message: 'Validation Error', data: { detail: 'Bad', status: 409, details: [{ field: 'a', message: 'Required' }] } } } },
    { kind: 'invalid_arguments', message: 'Bad', retryable: false, refusal: false, issues: [{ path: ['a'], message: 'Required' }], details: { details: [{ field: 'a', message: 'Required' }] }, native: { dialect: 'closient', code: -32101, extra: { status: 409 } }, placement: 'tool' }, 0.98, [{ by: 'code', says: '-32101 validation_error', dialect: 'closient', kind: 'invalid_arguments' }]],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32100, message: 'Bad Request', data: { detail: 'Bad', status: 422 } } } },
    { kind: 'invalid_request', message: 'Bad', retryable: false, refusal: false, native: { dialect: 'closient', code: -32100, extra: { status: 422 } }, placement: 'tool' }, 0.98, [{ by: 'code', says: '-32100 bad_request', dialect: 'closient', kind: 'invalid_request' }]],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32300, message: 'Internal Error', data: { detail: 'Late', status: 504 } } } },
    { kind: 'timeout', message: 'Late', retryable: true, refusal: false, native: { dialect: 'closient', code: -32300, extra: { status: 504 } }, placement: 'tool' }, 0.98, [{ by: 'code', says: '-32300 internal_error', dialect: 'closient', kind: 'internal' }]],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32300, message: 'Internal Error', data: { detail: 'Odd', status: 299 } } } },
    { kind: 'internal', message: 'Odd', retryable: true, refusal: false, native: { dialect: 'closient', code: -32300, extra: { status: 299 } }, placement: 'tool' }, 0.98, 'code: -32300 internal_error'],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32200, message: 'Not Found' } } },
    { kind: 'not_found', message: 'Not Found', retryable: false, refusal: false, native: { dialect: 'closient', code: -32200 }, placement: 'tool' }, 0.98, 'code: -32200 not_found'],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32050, message: 'New' } } },
    { kind: 'forbidden', message: 'New', refusal: false, native: { dialect: 'closient', code: -32050 }, placement: 'tool' }, 0.7, 'code: -32050 in class transport'],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32150, message: 'New' } } },
    { kind: 'invalid_request', message: 'New', refusal: false, native: { dialect: 'closient', code: -32150 }, placement: 'tool' }, 0.7, 'code: -32150 in class validation'],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32250, message: 'New' } } },
    { kind: 'conflict', message: 'New', refusal: false, native: { dialect: 'closient', code: -32250 }, placement: 'tool' }, 0.7, 'code: -32250 in class business'],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32350, message: 'New' } } },
    { kind: 'internal', message: 'New', refusal: false, native: { dialect: 'closient', code: -32350 }, placement: 'tool' }, 0.7, 'code: -32350 in class internal'],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32350, message: 'New', data: { status: 503 } } } },
    { kind: 'unavailable', message: 'New', refusal: false, native: { dialect: 'closient', code: -32350, extra: { status: 503 } }, placement: 'tool' }, 0.7, 'code: -32350 in class internal'],
  [{ jsonrpc: '2.0', id: 1, result: { error: { code: -32400, message: 'Of another' } } }, undefined],
  [rpc(-32002, 'Forbidden', { detail: 'No', error_code: 'forbidden', retryable: false }),
    { kind: 'forbidden', message: 'No', retryable: false, refusal: true, native: { dialect: 'closient', code: -32002 }, placement: 'protocol' }, 0.98, 'code: -32002 forbidden'],
  [{ jsonrpc: '2.0', error: { code: -32002, message: 'Forbidden', data: { detail: 'No' } } },
    { kind: 'forbidden', message: 'No', retryable: false, refusal: true, native: { dialect: 'closient', code: -32002 }, placement: 'tool' }, 0.98, 'code: -32002 forbidden'],
  [rpc(-32002, 'Forbidden'),
    { kind: 'forbidden', message: 'Forbidden', retryable: false, refusal: false, native: { dialect: 'closient', code: -32002 }, placement: 'protocol' }, 0.98, 'code: -32002 forbidden'],
  [toolError('{"error_code":"forbidden","detail":"No","retryable":false}'),
    { kind: 'forbidden', message: 'No', retryable: false, refusal: false, native: { dialect: 'closient', code: -32002 }, placement: 'tool' }, 0.98, 'code: -32002 forbidden'],
  [toolError('x', { structuredContent: { error_code: 'not_found', status: 404 } }),
    { kind: 'not_found', message: 'x', retryable: false, refusal: false, native: { dialect: 'closient', code: -32200 }, placement: 'tool' }, 0.98, 'code: -32200 not_found'],
  [{ http: { status: 404, body: { error_code: 'not_found', detail: 'Gone', status: 404, retryable: false } } },
    { kind: 'not_found', message: 'Gone', retryable: false, refusal: false, native: { dialect: 'closient', code: -32200 }, placement: 'http' }, 0.98, 'code: -32200 not_found'],
  [{ http: { status: 404, body: { error: { code: 'NOT_FOUND', message: 'Gone', status: 404, details: [{ field: 'id', message: 'Unknown' }] } } } },
    { kind: 'not_found', message: 'Gone', retryable: false, issues: [{ path: ['id'], message: 'Unknown' }] }, 0.8, 'code: REST error not_found'],
  [{ http: { status: 500, body: { error: { code: 'INTERNAL_ERROR', message: 'Boom' } } } },
    { kind: 'internal', message: 'Boom', retryable: true }, 0.8, 'code: REST error internal_error'],
  [{ http: { status: 500, body: { error: { code: 'OTHER', message: 'Boom' } } } }, undefined],
  [{ http: { status: 500, body: { error: 'Boom' } } }, undefined],
  ['text', undefined],
])('closient hears %j', (wire, said, certainty, proof) => {
  expect(heardBy('closient', wire)).toEqual(wholeHeard('closient', said, certainty, proof));
});

// biome-ignore format: a table
it.each([
  [-32003, 'rate_limited', 503, 'rate_limited'],
  [-32201, 'conflict', 422, 'conflict'],
  [-32001, 'unauthorized', 403, 'unauthenticated'],
  [-32200, 'not_found', 400, 'not_found'],
  [-32300, 'internal_error', 503, 'unavailable'],
  [-32300, 'internal_error', 504, 'timeout'],
  [-32300, 'internal_error', 404, 'internal'],
  [-32300, 'internal_error', 400, 'internal'],
  [-32399, 'something_new', 400, 'internal'],
  [-32399, 'something_new', 503, 'unavailable'],
  [-32100, 'bad_request', 413, 'too_large'],
] as const)('CL-2 the code counts, and the status only where it leaves something open: %i %s %i', (code, name, status, kind) => {
  const data = { type: `https://closient.com/docs/errors/${name}`, status, detail: 'So', error_code: name };
  const result = { error: { code, message: 'So', data }, isError: true, content: [] };
  expect(read({ result })).toMatchObject({ fault: { kind } });
});

it('CL-27 a code that is new in its range is what its status says, among what the range is for', () => {
  const kindUnder = (code: number, status: number): unknown => {
    const data = { type: 'https://closient.com/docs/errors/new', title: 'New', status, error_code: 'new' };
    const reading = read({ jsonrpc: '2.0', id: 1, error: { code, message: 'New', data } });
    return reading.failure ? reading.fault.kind : undefined;
  };
  expect(kindUnder(-32004, 429)).toBe('rate_limited');
  expect(kindUnder(-32004, 401)).toBe('unauthenticated');
  expect(kindUnder(-32004, 404)).toBe('forbidden');
  expect(kindUnder(-32302, 504)).toBe('timeout');
});
