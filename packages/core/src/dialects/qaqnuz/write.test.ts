/** The inner envelope: the class, the text, and a hint exactly where a retry makes sense and its time is known. */
import { expect, it } from 'vitest';
import { type FaultInit, makeFault } from '../../index.ts';
import { envelopeFor } from './index.ts';

it.each<readonly [FaultInit, object]>([
  [
    { kind: 'conflict', message: 'Taken' },
    { error_class: 'terminal', sanitized_error: 'Taken' },
  ],
  [
    { kind: 'timeout', message: 'Late' },
    { error_class: 'retryable', sanitized_error: 'Late' },
  ],
  [
    { kind: 'rate_limited', message: 'Slow', retry: { afterMs: 2000 } },
    {
      error_class: 'retryable',
      sanitized_error: 'Slow',
      retry_hint: { retry_after_ms: 2000, max_attempts: 1, backoff: 'fixed' },
    },
  ],
  [
    {
      kind: 'rate_limited',
      message: 'Slow',
      retry: { afterMs: 2000, maxAttempts: 3, backoff: 'exponential', jitter: 0.5 },
    },
    {
      error_class: 'retryable',
      sanitized_error: 'Slow',
      retry_hint: { retry_after_ms: 2000, max_attempts: 3, backoff: 'exponential', jitter: 0.5 },
    },
  ],
  [
    { kind: 'rate_limited', message: 'Slow', retryable: false, retry: { afterMs: 2000 } },
    { error_class: 'terminal', sanitized_error: 'Slow' },
  ],
])('%j: %j', (fault, envelope) => {
  expect(envelopeFor(makeFault(fault))).toStrictEqual(envelope);
});
