/** Error budgets over all workers: each counts its own calls, and one of them tells the operator of the sums. */
import { type BudgetStatus, createBudgetNews } from '../telemetry/budget-status.ts';
import type { TelemetryStatus } from '../telemetry/hooks.ts';
import type { Crew } from './crew.ts';
import { mergeBudgets } from './merge-status.ts';
import { askOthers } from './questions.ts';

/** So soon an operator hears of it. */
const EVERY_MS = 1000;

/** Watches from now on; the worker with the lowest number does, while it lives. */
export function watchBudgets(
  crew: Crew,
  own: () => readonly BudgetStatus[],
  log: (line: string) => void,
): { close(): void } {
  const tell = createBudgetNews(log);
  let isAsking = false;
  const look = async (): Promise<void> => {
    const first = Math.min(...crew.living().map(({ worker }) => worker));
    if (isAsking || first !== crew.worker) return;
    isAsking = true;
    const others = await askOthers<TelemetryStatus>(crew, 'status');
    isAsking = false;
    tell(mergeBudgets([...own(), ...others.flatMap(({ said }) => said.error_budgets ?? [])]));
  };
  const timer = setInterval(() => void look(), EVERY_MS).unref();
  return { close: () => clearInterval(timer) };
}
