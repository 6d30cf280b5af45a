import { expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import { createBudget } from './budget.ts';

it('allows ten retries a second from the start', () => {
  const budget = createBudget({ clock: fakeClock() });
  expect(budget.balance).toBe(100);
});

it('earns a fifth of a retry with each call', () => {
  const budget = createBudget({ clock: fakeClock(), perSecond: 0 });
  expect(budget.withdraw()).toBe(false);
  for (let call = 0; call < 25; call += 1) budget.deposit();
  const granted = [1, 2, 3, 4, 5, 6].map(() => budget.withdraw());
  expect(granted).toEqual([true, true, true, true, true, false]);
});

it('forgets calls and retries after ten seconds', async () => {
  const clock = fakeClock();
  const budget = createBudget({ clock, perSecond: 1 });
  while (budget.withdraw());
  expect(budget.balance).toBe(0);
  await clock.advance(9000);
  expect(budget.balance).toBe(0);
  await clock.advance(2000);
  expect(budget.balance).toBe(10);
});

it('holds retries at a fifth of the load when everything fails', async () => {
  const clock = fakeClock();
  const budget = createBudget({ clock });
  let retries = 0;
  for (let call = 0; call < 20_000; call += 1) {
    budget.deposit();
    if (budget.withdraw()) retries += 1;
    if (call % 100 === 0) await clock.advance(100);
  }
  expect(retries / 20_000).toBeLessThan(0.22);
  expect(retries / 20_000).toBeGreaterThan(0.19);
});

it.each([
  [{ ratio: 2 }, 'Expected `ratio` to be a number from 0 to 1, got 2'],
  [{ perSecond: -1 }, 'Expected `perSecond` to be an integer of at least 0, got -1'],
  [{ windowMs: Number.NaN }, 'Expected `windowMs` to be a number of milliseconds, got NaN'],
])('says what is wrong with %j', (options, message) => {
  expect(() => createBudget(options)).toThrow(new TypeError(message));
});
