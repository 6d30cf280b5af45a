import { expect, it } from 'vitest';
import { callWords } from './log-words.ts';

it('lets no caller write fields of its own, whatever it calls', () => {
  const failed = { upstream: 'a', target: null, caller: 'ann' } as Parameters<typeof callWords>[0];
  expect(callWords({ ...failed, method: 'tools/call' })).toBe('upstream=a method=tools/call caller=ann');
  expect(callWords({ ...failed, method: 'ping caller=bob kind=internal' })).toBe(
    'upstream=a method="ping caller=bob kind=internal" caller=ann',
  );
});
