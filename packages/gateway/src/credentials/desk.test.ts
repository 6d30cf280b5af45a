import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createCredentialDesk } from './desk.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('hides whatever was found for a server, for whomever, however often it was exchanged since', async () => {
  const found = ['first-of-ann', 'second-of-ann', 'third-of-ann', undefined, 'first-of-bob'];
  const desk = createCredentialDesk({ find: async () => found.shift() });
  for (const caller of ['ann', 'ann', 'ann', 'ann', 'bob']) {
    await desk.find({ caller, upstream: 'web' });
    vi.advanceTimersByTime(2000);
  }
  const words = 'first-of-ann, second-of-ann, third-of-ann, first-of-bob';
  expect(desk.hiderOf('web')(words)).toBe('[hidden], [hidden], [hidden], [hidden]');
  expect(desk.hiderOf('other')(words)).toBe(words);
});
