/**
 * A retry budget: all calls to one upstream share it, so that retries stay a bounded share of the load
 * however many callers fail at once. A fifth of the calls plus ten a second, over ten seconds, as Finagle's.
 */
import {
  integer,
  isFunction,
  isObject,
  milliseconds,
  type OptionNames,
  onlyKnown,
  share,
  shown,
} from '../check.ts';
import { type Clock, systemClock } from '../clock.ts';

/** Limits of a budget. */
export interface BudgetOptions {
  /** Retries for each call. Default 0.2. */
  readonly ratio?: number | undefined;
  /** Retries a second that are always allowed, for upstreams with few calls. Default 10. */
  readonly perSecond?: number | undefined;
  /** How long a call earns credit. Default 10 s. */
  readonly windowMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** The names of a budget's options. */
export const BUDGET_OPTIONS: OptionNames<BudgetOptions> = {
  ratio: true,
  perSecond: true,
  windowMs: true,
  clock: true,
};

/** A shared allowance for retries. */
export interface Budget {
  /** A call was made: it earns credit. Whose it was matters where callers have budgets of their own. */
  deposit(caller?: string): void;
  /** Spends one retry; `false` when none is left. */
  withdraw(caller?: string): boolean;
  /** Whole retries that are left. */
  readonly balance: number;
}

/** Refuses what grants nothing, such as the options of a budget. */
export function checkBudget(given: Partial<Budget> | undefined): void {
  if (given === undefined || (isObject(given) && isFunction(given.deposit) && isFunction(given.withdraw)))
    return;
  throw new TypeError(`Expected \`budget\` to be one that \`createBudget()\` made, got ${shown(given)}`);
}

const SLOTS = 10;

interface Slot {
  period: number;
  calls: number;
  retries: number;
}

/** Creates a budget. */
export function createBudget(options: BudgetOptions = {}): Budget {
  onlyKnown('`createBudget`', options, BUDGET_OPTIONS);
  const ratio = share('ratio', options.ratio, 0.2);
  const perSecond = integer('perSecond', options.perSecond, 10, 0);
  const windowMs = milliseconds('windowMs', options.windowMs, 10_000);
  const clock = options.clock ?? systemClock;
  const slotMs = Math.max(1, windowMs / SLOTS);
  const slots: Slot[] = Array.from({ length: SLOTS }, () => ({ period: -1, calls: 0, retries: 0 }));

  function slot(): Slot {
    const period = Math.floor(clock.now() / slotMs);
    const current = slots[((period % SLOTS) + SLOTS) % SLOTS] as Slot;
    if (current.period !== period) Object.assign(current, { period, calls: 0, retries: 0 });
    return current;
  }

  function balance(): number {
    const oldest = Math.floor(clock.now() / slotMs) - SLOTS;
    let credit = (perSecond * windowMs) / 1000;
    for (const { period, calls, retries } of slots) {
      if (period > oldest) credit += calls * ratio - retries;
    }
    // Rounding errors of the ratio must not cost a whole retry.
    return Math.max(0, Math.floor(credit + 1e-9));
  }

  return {
    deposit() {
      slot().calls += 1;
    },
    withdraw() {
      if (balance() < 1) return false;
      slot().retries += 1;
      return true;
    },
    get balance() {
      return balance();
    },
  };
}
