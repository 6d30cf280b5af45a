import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import type { Budget } from './budget.ts';
import { createBudgetByCaller } from './budget-by-caller.ts';

function spend(budget: Budget, caller: string | undefined): number {
  let spent = 0;
  while (budget.withdraw(caller)) spent += 1;
  return spent;
}

it('leaves half of what is always allowed to others', () => {
  const budget = createBudgetByCaller({ clock: fakeClock() });
  expect(spend(budget, 'noisy')).toBe(50);
  expect(spend(budget, 'quiet')).toBe(50);
  expect(spend(budget, 'late')).toBe(0);
});

it('takes from nobody what its own calls have earned', () => {
  const budget = createBudgetByCaller({ clock: fakeClock() });
  for (let call = 0; call < 25; call += 1) budget.deposit('quiet');
  for (const noisy of ['a', 'b', 'c', 'd']) {
    for (let call = 0; call < 1000; call += 1) budget.deposit(noisy);
  }
  expect(['a', 'b', 'c', 'd'].map((noisy) => spend(budget, noisy))).toEqual([250, 250, 200, 200]);
  expect(spend(budget, 'quiet')).toBe(5);
});

it('counts callers without an identity as one', () => {
  const budget = createBudgetByCaller({ clock: fakeClock() });
  expect(spend(budget, undefined)).toBe(50);
  expect(spend(budget, undefined)).toBe(0);
});

it('forgets after ten seconds', async () => {
  const clock = fakeClock();
  const budget = createBudgetByCaller({ clock });
  expect(spend(budget, 'noisy')).toBe(50);
  await clock.advance(11_000);
  expect(spend(budget, 'noisy')).toBe(50);
});

it('allows no more together than a fifth of the calls and a hundred', () => {
  const CALLERS = ['a', 'b', 'c', undefined];
  const step = fc.tuple(fc.constantFrom(...CALLERS), fc.constantFrom('call', 'retry', 'retry all'));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const budget = createBudgetByCaller({ clock: fakeClock() });
      let retries = 0;
      for (const [caller, what] of steps) {
        if (what === 'call') budget.deposit(caller);
        else if (what === 'retry all') retries += spend(budget, caller);
        else retries += Number(budget.withdraw(caller));
      }
      const calls = steps.filter(([, what]) => what === 'call').length;
      expect(retries).toBeLessThanOrEqual(calls / 5 + 100);
    }),
  );
});
