/** What is heard in problem documents, to the last member. */
import { expect, it } from 'vitest';
import { type HeardRow, heardBy, wholeHeard } from '../../../test/helpers.ts';

// biome-ignore format: a table
it.each<HeardRow>([
  [{ http: { status: 403, headers: { 'content-type': 'application/problem+json' }, body: { title: 'insufficient_quota' } } },
    { kind: 'forbidden', message: 'insufficient_quota' }, 0.85, 'status: problem document with status 403'],
  [{ http: { status: 404, headers: { 'content-type': 'application/problem+json' }, body: { kind: 'not_found', reaction: 'validation', retryable: false, message: 'x', detail: 'Gone', retry: {}, executed: 'no', origin: 'server', issues: [] } } },
    { kind: 'not_found', message: 'Gone', reaction: 'validation', retryable: false, retry: {}, executed: 'no', origin: 'server' }, 0.99, 'document: problem with kind not_found'],
  [{ http: { status: 404, headers: { 'content-type': 'application/problem+json' }, body: { kind: 'not_found', detail: 'Gone' } } },
    { kind: 'not_found', message: 'Gone' }, 0.85, 'status: problem document with status 404'],
  [{ http: { status: 404, headers: { 'content-type': 'application/problem+json' }, body: { type: 'https://example.com/probs/not-found', title: 'Not Found', detail: 'Gone', status: 404 } } },
    { kind: 'not_found', message: 'Gone' }, 0.9, 'status: problem document with status 404'],
  [{ http: { status: 503, headers: { 'content-type': 'application/problem+json' }, body: { type: 'https://example.com/probs/conflict', title: 'Down' } } },
    { kind: 'conflict', message: 'Down' }, 0.9, 'status: problem document with status 503'],
  [{ http: { status: 503, headers: { 'content-type': 'application/problem+json' }, body: { type: 'about:blank', title: 'Down', retry_after: 5, retryable: true } } },
    { kind: 'unavailable', message: 'Down', retryable: true, retry: { afterMs: 5000 } }, 0.85, 'status: problem document with status 503'],
  [{ http: { status: 503, headers: { 'content-type': 'application/problem+json' }, body: { title: 'Down', retryAfter: 6 } } },
    { kind: 'unavailable', message: 'Down', retry: { afterMs: 6000 } }, 0.85, 'status: problem document with status 503'],
  [{ http: { status: 503, headers: { 'content-type': 'application/problem+json' }, body: { title: 'Down', retry_after_seconds: 7 } } },
    { kind: 'unavailable', message: 'Down', retry: { afterMs: 7000 } }, 0.85, 'status: problem document with status 503'],
  [{ http: { status: 403, headers: { 'content-type': 'application/problem+json' }, body: { title: 'Approval required before this runs' } } },
    { kind: 'approval_required', message: 'Approval required before this runs' }, 0.85, 'status: problem document with status 403'],
  [{ http: { status: 429, headers: { 'content-type': 'application/problem+json' }, body: { title: 'insufficient_quota' } } },
    { kind: 'quota_exhausted', message: 'insufficient_quota' }, 0.85, 'status: problem document with status 429'],
  [{ http: { status: 400, headers: { 'content-type': 'application/problem+json' }, body: { title: 'Rate limit exceeded' } } },
    { kind: 'invalid_arguments', message: 'Rate limit exceeded' }, 0.85, 'status: problem document with status 400'],
  [{ http: { status: 403, headers: { 'content-type': 'application/problem+json' }, body: { title: 'Rate limit exceeded' } } },
    { kind: 'forbidden', message: 'Rate limit exceeded' }, 0.85, 'status: problem document with status 403'],
  [{ http: { status: 429, headers: { 'content-type': 'application/problem+json' }, body: { title: 'Approval required before this runs' } } },
    { kind: 'rate_limited', message: 'Approval required before this runs' }, 0.85, 'status: problem document with status 429'],
  [{ http: { status: 400, headers: { 'content-type': 'application/problem+json' }, body: { title: 'Bad', errors: [{ field: 'a', message: 'Odd' }], code: 'E1', details: { a: 1 } } } },
    { kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['a'], message: 'Odd' }], name: 'E1', details: { a: 1 } }, 0.85, 'status: problem document with status 400'],
  [{ http: { status: 400, headers: { 'content-type': 'application/problem+json' }, body: { title: 'Bad', 'invalid-params': [{ name: 'age', reason: 'must be positive' }], error_code: 'E2' } } },
    { kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['age'], message: 'must be positive' }], name: 'E2' }, 0.85, 'status: problem document with status 400'],
  [{ http: { status: 400, headers: { 'content-type': 'application/problem+json' }, body: { title: 'Bad', issues: [{ path: ['a'], message: 'Odd' }] } } },
    { kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['a'], message: 'Odd' }] }, 0.85, 'status: problem document with status 400'],
  [{ http: { status: 299, headers: { 'content-type': 'application/problem+json' }, body: { title: 'Odd', status: 299 } } },
    { kind: 'unknown', message: 'Odd' }, 0.85, 'status: problem document with status 299'],
  [{ http: { status: 500, headers: { 'content-type': 'application/problem+json' }, body: { status: 422 } } },
    { kind: 'unprocessable', message: '' }, 0.85, 'status: problem document with status 422'],
  [{ title: 'x' }, undefined],
  [{ http: { status: 500 } }, undefined],
  ['text', undefined],
])('problem hears %j', (wire, said, certainty, proof) => {
  expect(heardBy('problem', wire)).toEqual(wholeHeard('problem', said, certainty, proof));
});
