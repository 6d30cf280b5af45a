/** How many calls of a tool may fail, how many have, and how fast it goes. In memory, since the gateway was started. */
import type { Fault } from '@mayday/core';
import { fitsAny } from '../patterns.ts';
import type { Settings } from '../settings/settings.ts';
import { type BudgetStatus, createBudgetNews, isUsedUp } from './budget-status.ts';

type BudgetSettings = Settings['telemetry']['errorBudgets'][number];

/** Counts calls against budgets. */
export interface ErrorBudgets {
  count(upstream: string, tool: string, isFailed: boolean): void;
  list(): readonly BudgetStatus[];
}

/** Tools that have a budget; a server with more is not watched further. */
const MAX_TOOLS = 1000;
const HOUR_MS = 3_600_000;

/** What speaks against a tool whoever said it: the call was fine, and was not done. */
const FAILURES: ReadonlySet<string> = new Set([
  'not_ready',
  'overloaded',
  'timeout',
  'disconnected',
  'unavailable',
  'upstream_failed',
  'misconfigured',
  'invalid_output',
  'internal',
  'unknown',
]);

/** These do unless the gateway itself has set the limit. */
const THEIR_LIMITS: ReadonlySet<string> = new Set(['rate_limited', 'quota_exhausted']);

/** Does this failure use the budget? What the caller did wrong, or may not do, does not. */
export function usesBudget({ kind, origin }: Fault): boolean {
  return FAILURES.has(kind) || (THEIR_LIMITS.has(kind) && origin !== 'gateway');
}

/** Creates the budgets of the settings. `log`: where nobody else tells of them. */
export function createErrorBudgets(
  settings: readonly BudgetSettings[],
  log: ((line: string) => void) | undefined,
  now: () => number = Date.now,
): ErrorBudgets {
  const tell = log && createBudgetNews(log);
  const rules = settings.map((rule) => ({ rule, fits: fitsAny(rule.tools ?? ['*']) }));
  const budgets = new Map<string, Budget>();

  function budgetOf(upstream: string, tool: string): Budget | undefined {
    const name = `${upstream}/${tool}`;
    const known = budgets.get(name);
    if (known !== undefined || budgets.size >= MAX_TOOLS) return known;
    const found = rules.find(({ fits }) => fits(name));
    if (found === undefined) return undefined;
    const budget = new Budget(upstream, tool, found.rule);
    budgets.set(name, budget);
    return budget;
  }

  return {
    count(upstream, tool, isFailed) {
      const budget = budgetOf(upstream, tool);
      if (budget === undefined) return;
      const at = now();
      budget.count(at, isFailed);
      if (tell !== undefined && budget.hasFailed(at)) tell([budget.status(at)]);
    },
    list: () => [...budgets.values()].map((budget) => budget.status(now())),
  };
}

/** The budget of one tool. */
class Budget {
  readonly #upstream: string;
  readonly #tool: string;
  readonly #rule: BudgetSettings;
  readonly #window: Span;
  readonly #recent: Span;
  #isFailing = false;

  constructor(upstream: string, tool: string, rule: BudgetSettings) {
    this.#upstream = upstream;
    this.#tool = tool;
    this.#rule = rule;
    this.#window = new Span(rule.windowMs);
    this.#recent = new Span(Math.min(HOUR_MS, rule.windowMs));
  }

  count(at: number, isFailed: boolean): void {
    this.#window.count(at, isFailed);
    this.#recent.count(at, isFailed);
  }

  status(at: number): BudgetStatus {
    const { objective, windowMs, minCalls } = this.#rule;
    const allowed = 1 - objective;
    const { calls, failed } = this.#window.sums(at);
    const recent = this.#recent.sums(at);
    const remaining = rounded(1 - shareOf(failed, calls * allowed));
    const counted = { min_calls: minCalls, calls, failed, remaining };
    return {
      upstream: this.#upstream,
      tool: this.#tool,
      objective,
      window_ms: windowMs,
      ...counted,
      burn_rate: rounded(shareOf(recent.failed, recent.calls * allowed)),
      used_up: isUsedUp(counted),
    };
  }

  /** Did any call fail within the window, or when this was last asked? As long as none did, nobody need look further. */
  hasFailed(at: number): boolean {
    const wasFailing = this.#isFailing;
    this.#isFailing = this.#window.sums(at).failed > 0;
    return this.#isFailing || wasFailing;
  }
}

/** Nothing fails where nothing is called; where nothing may fail, the first failure is beyond all measure. */
function shareOf(failed: number, allowed: number): number {
  if (failed === 0) return 0;
  return allowed === 0 ? MAX_RATE : Math.min(MAX_RATE, failed / allowed);
}

/** JSON has no infinity. */
const MAX_RATE = 1_000_000;

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

const PARTS = 60;

/** Calls and failures within a time that goes along, to a sixtieth of it. */
class Span {
  readonly #partMs: number;
  readonly #calls: Float64Array = new Float64Array(PARTS);
  readonly #failed: Float64Array = new Float64Array(PARTS);
  #latest = 0;
  #sums = { calls: 0, failed: 0 };

  constructor(ms: number) {
    this.#partMs = Math.max(1, ms / PARTS);
  }

  count(at: number, isFailed: boolean): void {
    const i = this.#reach(at);
    this.#calls[i] = (this.#calls[i] ?? 0) + 1;
    this.#sums.calls += 1;
    if (!isFailed) return;
    this.#failed[i] = (this.#failed[i] ?? 0) + 1;
    this.#sums.failed += 1;
  }

  sums(at: number): { readonly calls: number; readonly failed: number } {
    this.#reach(at);
    return this.#sums;
  }

  /** Forgets what is too old, and gives the part that it is now. A clock that goes back changes nothing. */
  #reach(at: number): number {
    const part = Math.floor(at / this.#partMs);
    if (this.#latest === 0) this.#latest = part;
    for (let left = Math.min(PARTS, part - this.#latest); left > 0; left--) {
      const i = (part - left + 1) % PARTS;
      this.#sums.calls -= this.#calls[i] ?? 0;
      this.#sums.failed -= this.#failed[i] ?? 0;
      this.#calls[i] = 0;
      this.#failed[i] = 0;
    }
    this.#latest = Math.max(this.#latest, part);
    return this.#latest % PARTS;
  }
}
