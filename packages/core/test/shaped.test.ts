/** Documents that are made without `write` hold no more than those that are made with it. */
import { expect, it } from 'vitest';
import { closientProblem } from '../src/dialects/closient/index.ts';
import { envelopeFor, sanitize } from '../src/dialects/qaqnuz/index.ts';
import { fault } from '../src/index.ts';

it.each([
  ['Authorization: Bearer abcdefghijklmnop123456', 'abcdefghijklmnop123456'],
  ['mail ada@example.com', 'ada@example.com'],
  ['card 4111 1111 1111 1111', '4111'],
  ['key AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
  ['Error: x\n    at foo (/srv/app/a.js:1:2)', '/srv/app'],
])('hides what is in %j', (text, hidden) => {
  const { fault: failed } = fault.notFound(text, { details: { said: text } });
  expect(JSON.stringify(envelopeFor(failed))).not.toContain(hidden);
  expect(sanitize(text, 'not_found')).not.toContain(hidden);
  expect(JSON.stringify(closientProblem(failed, 0))).not.toContain(hidden);
});

it('leaves other words as they are', () => {
  const { fault: failed } = fault.notFound('Order 17 not found');
  expect(envelopeFor(failed)).toEqual({ error_class: 'terminal', sanitized_error: 'Order 17 not found' });
  expect(closientProblem(failed, 0)).toMatchObject({ detail: 'Order 17 not found' });
});
