/** What qaqnuz hears in every wire that it can meet, to the last member. */
import { expect, it } from 'vitest';
import { type HeardRow, heardBy, rpc, toolError, wholeHeard } from '../../../test/helpers.ts';

// biome-ignore format: a table
it.each<HeardRow>([
  [{ error_class: 'retryable', sanitized_error: 'Rate limit exceeded. Please wait before sending more requests.', retry_hint: { retry_after_ms: 2000, max_attempts: 3, backoff: 'exponential' } },
    { kind: 'rate_limited', reaction: 'retryable', message: 'Rate limit exceeded. Please wait before sending more requests.', placement: 'envelope', retry: { jitter: 0.2, afterMs: 2000, maxAttempts: 3, backoff: 'exponential' }, native: { dialect: 'qaqnuz', code: 'retryable' } }, 1, 'envelope: error_class retryable'],
  [{ error_class: 'retryable', sanitized_error: 'Odd', retry_hint: { retry_after_ms: 2000, jitter: 0.5 } },
    { kind: 'not_ready', reaction: 'retryable', message: 'Odd', placement: 'envelope', retry: { jitter: 0.5, afterMs: 2000 }, native: { dialect: 'qaqnuz', code: 'retryable' } }, 1, 'envelope: error_class retryable'],
  [{ error_class: 'dependency', sanitized_error: 'The payment provider failed', retry_hint: { retry_after_ms: 100 } },
    { kind: 'upstream_failed', reaction: 'dependency', message: 'The payment provider failed', placement: 'envelope', retry: { jitter: 0.2, afterMs: 100 }, native: { dialect: 'qaqnuz', code: 'dependency' } }, 1, 'envelope: error_class dependency'],
  [{ error_class: 'dependency', sanitized_error: 'Unauthorized' },
    { kind: 'upstream_failed', reaction: 'dependency', message: 'Unauthorized', placement: 'envelope', native: { dialect: 'qaqnuz', code: 'dependency' } }, 1, 'envelope: error_class dependency'],
  [{ error_class: 'permission', sanitized_error: 'Unauthorized', retry_hint: { retry_after_ms: 100 } },
    { kind: 'unauthenticated', reaction: 'permission', message: 'Unauthorized', placement: 'envelope', refusal: true, native: { dialect: 'qaqnuz', code: 'permission' } }, 1, 'envelope: error_class permission'],
  [{ error_class: 'validation', sanitized_error: 'Invalid arguments: a' },
    { kind: 'invalid_arguments', reaction: 'validation', message: 'Invalid arguments: a', placement: 'envelope', refusal: true, native: { dialect: 'qaqnuz', code: 'validation' } }, 1, 'envelope: error_class validation'],
  [{ error_class: 'terminal', sanitized_error: 'Order not found' },
    { kind: 'not_found', reaction: 'terminal', message: 'Order not found', placement: 'envelope', native: { dialect: 'qaqnuz', code: 'terminal' } }, 1, 'envelope: error_class terminal'],
  [{ error_class: 'terminal' },
    { kind: 'unknown', reaction: 'terminal', message: '', placement: 'envelope', native: { dialect: 'qaqnuz', code: 'terminal' } }, 1, 'envelope: error_class terminal'],
  [{ error_class: 'weather', sanitized_error: 'Rain', retry_hint: { retry_after_ms: 100 } },
    { kind: 'unknown', reaction: 'terminal', message: 'Rain', placement: 'envelope', native: { dialect: 'qaqnuz', code: 'weather' } }, 0.4, 'envelope: error_class weather'],
  [{ error_class: 7, sanitized_error: 'Odd' },
    { kind: 'unknown', reaction: 'terminal', message: 'Odd', placement: 'envelope', native: { dialect: 'qaqnuz', code: '' } }, 0.4, 'envelope: error_class '],
  [{ error_class: 7 },
    { kind: 'unknown', message: '' }, 0, [{ by: 'text', says: 'the class does not cross the wire; only the text does', dialect: 'qaqnuz' }]],
  [{ sanitized_error: 'Odd' },
    { kind: 'unknown', message: '' }, 0, [{ by: 'text', says: 'the class does not cross the wire; only the text does', dialect: 'qaqnuz' }]],
  [toolError('This tool is not available for your key.'),
    { kind: 'forbidden', message: 'This tool is not available for your key.' }, 0.5, [{ by: 'text', says: 'the class does not cross the wire; only the text does', dialect: 'qaqnuz' }]],
  ['Rate limit exceeded. Please wait before sending more requests.',
    { kind: 'rate_limited', message: 'Rate limit exceeded. Please wait before sending more requests.' }, 0.5, [{ by: 'text', says: 'the class does not cross the wire; only the text does', dialect: 'qaqnuz' }]],
  [toolError('Order not found'),
    { kind: 'not_found', message: 'Order not found', subject: { type: 'order' } }, 0.5, [{ by: 'phrase', says: '"not found"', kind: 'not_found' }]],
  [toolError('hm'),
    { kind: 'unknown', message: 'hm' }, 0, [{ by: 'text', says: 'the class does not cross the wire; only the text does', dialect: 'qaqnuz' }]],
  [rpc(-32000, 'This tool is not available for your key.'), undefined],
])('qaqnuz hears %j', (wire, said, certainty, proof) => {
  expect(heardBy('qaqnuz', wire)).toEqual(wholeHeard('qaqnuz', said, certainty, proof));
});
