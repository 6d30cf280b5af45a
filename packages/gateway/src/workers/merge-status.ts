/** The status of all workers as that of one gateway. */
import type { GatewayStatus } from '../status.ts';
import { isUsedUp } from '../telemetry/budget-status.ts';
import type { LivingWorker } from './messages.ts';

type Upstream = GatewayStatus['upstreams'][number];
type Budget = NonNullable<GatewayStatus['error_budgets']>[number];
type Telemetry = NonNullable<GatewayStatus['telemetry']>;

/** What one of them knows of all. */
interface Crewed {
  readonly workers: readonly LivingWorker[];
  /** How many failures there were at workers that have ended. */
  readonly failedBefore: number;
}

/** The one that is asked comes first: what is the same for all is taken from it. */
export function mergeStatus(
  own: GatewayStatus,
  others: readonly GatewayStatus[],
  { workers, failedBefore }: Crewed,
): GatewayStatus {
  const all = [own, ...others];
  return {
    ...own,
    faults: sum(all.map(({ faults }) => faults)) + failedBefore,
    upstreams: own.upstreams.map((upstream) =>
      mergeUpstream(all.flatMap((one) => named(one.upstreams, upstream))),
    ),
    joined: own.joined && { ...own.joined, sessions: sum(all.map(({ joined }) => joined?.sessions)) },
    virtual: own.virtual?.map((virtual) => ({
      ...virtual,
      sessions: sum(all.flatMap((one) => named(one.virtual ?? [], virtual)).map(({ sessions }) => sessions)),
    })),
    error_budgets: own.error_budgets && mergeBudgets(all.flatMap((one) => one.error_budgets ?? [])),
    telemetry: own.telemetry && mergeTelemetry(all.flatMap((one) => one.telemetry ?? [])),
    workers,
  };
}

function named<T extends { readonly name: string }>(
  all: readonly T[],
  { name }: { readonly name: string },
): readonly T[] {
  return all.filter((one) => one.name === name);
}

function sum(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}

/** Each worker has circuits of its own: the worst of them is told. */
const WORST: readonly string[] = ['open', 'half_open', 'closed'];

function mergeUpstream(all: readonly Upstream[]): Upstream {
  const [own] = all as readonly [Upstream, ...Upstream[]];
  const trouble = all.find((one) => one.trouble !== undefined)?.trouble;
  return {
    ...own,
    sessions: own.sessions === undefined ? undefined : sum(all.map(({ sessions }) => sessions)),
    processes: own.processes === undefined ? undefined : sum(all.map(({ processes }) => processes)),
    circuit: WORST.find((state) => all.some(({ circuit }) => circuit === state)) ?? own.circuit,
    troubled: [...new Set(all.flatMap(({ troubled }) => troubled))],
    ...(trouble === undefined ? {} : { trouble }),
  };
}

/** Budgets of the same tool as one: what is left is that of all calls together, and the rates are weighed by them. */
export function mergeBudgets(all: readonly Budget[]): readonly Budget[] {
  const byTool = new Map<string, Budget[]>();
  for (const one of all) {
    const name = `${one.upstream}/${one.tool}`;
    byTool.set(name, [...(byTool.get(name) ?? []), one]);
  }
  return [...byTool.values()].map((same) => {
    const [first] = same as [Budget, ...Budget[]];
    const calls = sum(same.map((one) => one.calls));
    const left = (of: (one: Budget) => number): number =>
      calls === 0 ? of(first) : Math.round((sum(same.map((one) => of(one) * one.calls)) / calls) * 1e6) / 1e6;
    const failed = sum(same.map((one) => one.failed));
    const together = { ...first, calls, failed, remaining: left((one) => one.remaining) };
    return { ...together, burn_rate: left((one) => one.burn_rate), used_up: isUsedUp(together) };
  });
}

function mergeTelemetry(all: readonly Telemetry[]): Telemetry {
  const counted = (of: 'exported' | 'lost'): Telemetry['lost'] => ({
    traces: sum(all.map((one) => one[of].traces)),
    metrics: sum(all.map((one) => one[of].metrics)),
  });
  return {
    trouble: all.find(({ trouble }) => trouble !== undefined)?.trouble,
    exported: counted('exported'),
    lost: counted('lost'),
  };
}
