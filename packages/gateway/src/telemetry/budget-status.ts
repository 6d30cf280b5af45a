/** How error budgets are told of: each tool's, of one process or of several together. */

/** The budget of one tool, for the status. */
export interface BudgetStatus {
  readonly upstream: string;
  readonly tool: string;
  readonly objective: number;
  readonly window_ms: number;
  readonly min_calls: number;
  readonly calls: number;
  readonly failed: number;
  /** 1 is all of it, 0 or less is used up. */
  readonly remaining: number;
  /** 1 uses it up exactly at the end of the window. */
  readonly burn_rate: number;
  readonly used_up: boolean;
}

/** This much has to be there again before another line says that it is used up. */
const BACK = 0.1;

/** Is it used up, as far as so many calls can tell? */
export function isUsedUp({
  remaining,
  failed,
  calls,
  min_calls,
}: Pick<BudgetStatus, 'remaining' | 'failed' | 'calls' | 'min_calls'>): boolean {
  return remaining <= 0 && failed > 0 && calls >= min_calls;
}

/** Tells an operator of budgets that are used up, each once until some of it is there again. */
export function createBudgetNews(log: (line: string) => void): (all: readonly BudgetStatus[]) => void {
  const told = new Set<string>();
  return (all) => {
    for (const { upstream, tool, used_up, remaining, calls, failed, objective, window_ms } of all) {
      const name = `${upstream}/${tool}`;
      if (remaining >= BACK) told.delete(name);
      if (!used_up || told.has(name)) continue;
      told.add(name);
      const what = `${failed} of ${calls} calls failed within ${window_ms / 1000} s, the objective is ${objective}`;
      log(`error budget used up: upstream=${upstream} tool=${tool} ${what}`);
    }
  };
}
