import { expect, it } from 'vitest';
import { createMemoryApprovals } from './admission/approval-store.ts';
import { createMemoryRateStore } from './admission/rate-store.ts';
import { onlyKnown } from './check.ts';
import { createUpstream } from './resilience/upstream.ts';
import { withRetries } from './resilience/with-retries.ts';

it.each([
  [{ atempts: 3 }, 'Unknown option `atempts` of a call; did you mean `attempts`?'],
  [{ deadlinems: 3 }, 'Unknown option `deadlinems` of a call; did you mean `deadlineMs`?'],
  [{ colour: 'red' }, 'Unknown option `colour` of a call; it has attempts, deadlineMs'],
  [{ toString: 1 }, 'Unknown option `toString` of a call; it has attempts, deadlineMs'],
])('refuses %j', (given, sentence) => {
  const known = { attempts: true, deadlineMs: true } as never;
  expect(() => onlyKnown('a call', given, known)).toThrow(new TypeError(sentence));
});

it.each([
  [{ brekaer: {} }, 'Unknown option `brekaer` of an upstream; did you mean `breaker`?'],
  [{ breaker: { consecutve: 3 } }, 'Unknown option `consecutve` of `breaker`; did you mean `consecutive`?'],
  [{ budget: { rate: 3 } }, 'Unknown option `rate` of `budget`; did you mean `ratio`?'],
])('an upstream refuses %j', (given, sentence) => {
  expect(() => createUpstream(given as never)).toThrow(new TypeError(sentence));
});

it.each([
  [{ atempts: 3 }, 'Unknown option `atempts` of `withRetries`; did you mean `attempts`?'],
  [
    { call: { readonly: true } },
    'Unknown option `readonly` of the `call` of `withRetries`; did you mean `readOnly`?',
  ],
])('retries refuse %j', async (given, sentence) => {
  let sent = 0;
  await expect(withRetries(async () => sent++, given as never)).rejects.toThrow(new TypeError(sentence));
  expect(sent).toBe(0);
});

it('what is to be retried has to be a function', async () => {
  await expect(withRetries(3 as never)).rejects.toThrow(
    new TypeError(
      'Expected the first argument of `withRetries` to be the function that makes the call, as in `withRetries(() => send(), { attempts: 3 })`, got 3',
    ),
  );
});

it('stores refuse options that nobody reads', () => {
  expect(() => createMemoryApprovals({ maxopen: 3 } as never)).toThrow(
    new TypeError('Unknown option `maxopen` of `createMemoryApprovals`; did you mean `maxOpen`?'),
  );
  expect(() => createMemoryRateStore({ maxKey: 3 } as never)).toThrow(
    new TypeError('Unknown option `maxKey` of `createMemoryRateStore`; did you mean `maxKeys`?'),
  );
});
