/**
 * The retry budget of an upstream that many use. What a caller's own calls earn is its own, and of the retries that are
 * always allowed nobody takes more than half: whoever fails all the time costs nobody else a retry, and the upstream
 * gets no more of them than with one budget for all.
 */
import { integer } from '../check.ts';
import { type Budget, type BudgetOptions, createBudget } from './budget.ts';
import { ByCaller } from './by-caller.ts';

interface Account {
  /** What the caller's own calls earned. */
  readonly earned: Budget;
  /** What it may still take of what is everybody's. */
  readonly share: Budget;
}

/** Creates a budget. Callers without an identity share what one caller has. */
export function createBudgetByCaller(options: BudgetOptions = {}): Budget {
  const perSecond = integer('perSecond', options.perSecond, 10, 0);
  const common = createBudget({ ...options, ratio: 0 });
  const accounts = new ByCaller<Account>(() => ({
    earned: createBudget({ ...options, perSecond: 0 }),
    share: createBudget({ ...options, ratio: 0, perSecond: Math.ceil(perSecond / 2) }),
  }));

  return {
    deposit(caller) {
      accounts.use(caller).earned.deposit();
    },
    withdraw(caller) {
      const { earned, share } = accounts.use(caller);
      if (earned.withdraw()) return true;
      return share.balance >= 1 && common.withdraw() && share.withdraw();
    },
    get balance() {
      return common.balance;
    },
  };
}
