/** From what happened to the figures. */
import {
  BROWNOUT,
  DEADLINE_MS,
  HOUR_MS,
  OUTAGE,
  type PlannedCall,
  type Span,
  STEADY,
  toolOf,
  within,
} from './day.ts';

/** What became of one call. */
export interface CallRecord {
  readonly call: PlannedCall;
  readonly ok: boolean;
  readonly startedAt: number;
  readonly tookMs: number;
}

/** What the server saw. */
export interface ServerReport {
  readonly arrivals: readonly number[];
  readonly executions: readonly (readonly [call: number, times: number])[];
}

export interface Figures {
  readonly name: string;
  /** Share of reads that succeeded, of those that were possible at some time before their deadline. */
  readonly reads: number;
  readonly writes: number;
  /** Requests that reached the server, in each stretch of the day. */
  readonly steadyRequests: number;
  readonly outageRequests: number;
  readonly duplicateWrites: number;
  /** Seconds that agents spent on the tool that never answers. */
  readonly deadSeconds: number;
  /** Seconds from the upstream's recovery to the agents'. */
  readonly recoverySeconds: { readonly brownout: number; readonly outage: number };
  /** Share of live reads that succeeded within a second, by half-hour of their start. */
  readonly health: readonly number[];
  /** For the chart: share of live reads that succeeded, by half-hour of their start. */
  readonly success: readonly number[];
  /** For the chart: requests at the server, by half-hour. */
  readonly load: readonly number[];
}

/** Several days of one strategy as one: shares of all calls, sums of what is counted, the worst recovery. */
export function together(days: readonly Figures[]): Figures {
  const sum = (of: (day: Figures) => number): number => days.reduce((total, day) => total + of(day), 0);
  const mean = (of: (day: Figures) => number): number => sum(of) / days.length;
  const byBucket = (of: (day: Figures) => readonly number[]): readonly number[] =>
    of(days[0]!).map((_, bucket) => mean((day) => of(day)[bucket]!));
  return {
    name: days[0]!.name,
    reads: mean(({ reads }) => reads),
    writes: mean(({ writes }) => writes),
    steadyRequests: sum(({ steadyRequests }) => steadyRequests),
    outageRequests: sum(({ outageRequests }) => outageRequests),
    duplicateWrites: sum(({ duplicateWrites }) => duplicateWrites),
    deadSeconds: mean(({ deadSeconds }) => deadSeconds),
    recoverySeconds: {
      brownout: Math.max(...days.map(({ recoverySeconds }) => recoverySeconds.brownout)),
      outage: Math.max(...days.map(({ recoverySeconds }) => recoverySeconds.outage)),
    },
    health: byBucket(({ health }) => health),
    success: byBucket(({ success }) => success),
    load: byBucket(({ load }) => load),
  };
}

const BUCKET_MS = HOUR_MS / 2;
const BUCKETS = 48;

export function measure(name: string, records: readonly CallRecord[], report: ServerReport): Figures {
  const isRead = ({ call }: CallRecord): boolean => toolOf(call.tool).annotations.readOnlyHint === true;
  const live = records.filter(({ call }) => toolOf(call.tool).dead !== true);
  const reads = live.filter(isRead);
  const writes = live.filter((record) => !isRead(record));
  const once = new Set(records.filter(({ call }) => call.tool === 'create_order').map(({ call }) => call.id));
  const dead = records.filter(({ call }) => toolOf(call.tool).dead === true);
  const health = shareByStart(reads, ({ ok, tookMs }) => ok && tookMs <= 1000);
  return {
    name,
    reads: share(reads, ({ ok, tookMs }) => ok && tookMs <= DEADLINE_MS),
    writes: share(writes, ({ ok }) => ok),
    steadyRequests: count(report.arrivals, STEADY),
    outageRequests: count(report.arrivals, [OUTAGE]),
    duplicateWrites: report.executions.filter(([id, times]) => once.has(id) && times > 1).length,
    deadSeconds: dead.reduce((sum, { tookMs }) => sum + tookMs, 0) / 1000,
    recoverySeconds: { brownout: recovery(health, BROWNOUT), outage: recovery(health, OUTAGE) },
    health,
    success: shareByStart(reads, ({ ok }) => ok),
    load: buckets(report.arrivals).map((list) => list.length),
  };
}

function share<T>(list: readonly T[], good: (item: T) => boolean): number {
  return list.length === 0 ? 1 : list.filter(good).length / list.length;
}

function count(arrivals: readonly number[], spans: readonly Span[]): number {
  return arrivals.filter((at) => spans.some((span) => within(span, at))).length;
}

function buckets(times: readonly number[]): readonly (readonly number[])[] {
  const lists: number[][] = Array.from({ length: BUCKETS }, () => []);
  for (const at of times) lists[Math.floor(at / BUCKET_MS)]?.push(at);
  return lists;
}

function shareByStart(
  reads: readonly CallRecord[],
  good: (record: CallRecord) => boolean,
): readonly number[] {
  return Array.from({ length: BUCKETS }, (_, bucket) => {
    const started = reads.filter(({ startedAt }) => Math.floor(startedAt / BUCKET_MS) === bucket);
    return share(started, good);
  });
}

/** Until four fifths of the reads of each of three half-hours in a row succeed within a second again. */
function recovery(health: readonly number[], span: Span): number {
  const end = (span.to * HOUR_MS) / BUCKET_MS;
  for (let bucket = end; bucket < health.length; bucket += 1) {
    if (health.slice(bucket, bucket + 3).every((value) => value >= 0.8))
      return ((bucket - end) * BUCKET_MS) / 1000;
  }
  return Number.POSITIVE_INFINITY;
}
