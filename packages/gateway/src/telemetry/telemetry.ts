/** Telemetry that is on: calls are watched, and what was seen is kept for whoever reads it and sent to whoever takes it. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Crew } from '../workers/crew.ts';
import { watchBudgets } from '../workers/watch-budgets.ts';
import type { OtlpTarget, TelemetryConfig, TraceConfig } from './config.ts';
import { createErrorBudgets, type ErrorBudgets } from './error-budgets.ts';
import type { Telemetry, TelemetryStatus } from './hooks.ts';
import type { Instrument } from './instruments.ts';
import { OTHER } from './known-names.ts';
import { createMeasures, type Measures } from './measures.ts';
import { type MetricReaderOptions, startMetricReader } from './metric-reader.ts';
import type { Origin } from './otlp-messages.ts';
import { createSender, type OtlpSender } from './otlp-sender.ts';
import { createOutage, type Outage } from './outage.ts';
import { toPrometheus } from './prometheus.ts';
import { SpanQueue, type SpanQueueOptions } from './span-queue.ts';
import { watchCalls } from './watch-calls.ts';
import { WatchedCall } from './watched-call.ts';

/** The gateway, as far as it is looked at when metrics are read. */
export interface Observed {
  readonly upstreams: readonly {
    readonly name: string;
    readonly circuit: string;
    readonly troubled: number;
    readonly sessions?: number | undefined;
    readonly processes?: number | undefined;
  }[];
  readonly isReady: boolean;
}

/** What telemetry needs of the gateway. */
export interface TelemetryOptions {
  readonly observe: () => Promise<Observed>;
  readonly log: (line: string) => void;
  readonly version: string;
  /** How callers reach the gateway. */
  readonly transport: 'tcp' | 'pipe';
  /** The workers of which this is one; alone, if absent. */
  readonly crew?: Crew | undefined;
}

/** How long the last of it may take when the gateway stops. */
const FLUSH_MS = 2000;
const CIRCUITS: { readonly [state: string]: number } = { closed: 0, half_open: 1, open: 2 };

/** Turns telemetry on. */
export function startTelemetry(config: TelemetryConfig, options: TelemetryOptions): Telemetry {
  const { log, version } = options;
  const startedAt = Date.now();
  const measures = createMeasures();
  const outage = createOutage(log);
  const { crew } = options;
  const budgets = createErrorBudgets(config.budgets, crew === undefined ? log : undefined);
  const sums = crew && config.budgets.length > 0 ? watchBudgets(crew, budgets.list, log) : undefined;
  const origin = originOf(config, version);
  const collect = async (): Promise<readonly Instrument[]> => {
    observe(measures, await options.observe(), startedAt);
    observeBudgets(measures, budgets);
    return Object.values(measures);
  };
  const out = openOutlets(config, options, { origin, outage, measures, collect, startedAt });
  const hooks = watchCalls({
    measures,
    propagation: config.propagation,
    sampler: out.spans && config.traces?.sampler,
    onSpan: (span) => out.spans?.add(span),
    budgets,
    transport: options.transport,
  });

  return {
    hooks,
    metricsFor: config.prometheus,
    metrics: async () => toPrometheus(await collect(), Object.entries(origin.resource).map(toPair)),
    status: () => ({
      error_budgets: config.budgets.length === 0 ? undefined : budgets.list(),
      telemetry: out.isAny ? sentSoFar(measures, outage) : undefined,
    }),
    failed(fault, { upstream, method }, trace) {
      const call = trace instanceof WatchedCall ? trace : undefined;
      if (call !== undefined) call.fault = fault;
      const isTool = method === 'tools/call' && call?.target !== undefined;
      const tool = isTool ? (call.name ?? OTHER) : undefined;
      measures.faults.add(1, [upstream, tool, fault.kind, fault.origin]);
    },
    turnedAway: (status) => measures.turnedAway.add(1, [status]),
    close() {
      sums?.close();
      return out.close();
    },
  };
}

type Shared = Omit<SpanQueueOptions & MetricReaderOptions, 'sender' | keyof TraceConfig | 'intervalMs'>;

interface Outlets {
  readonly spans: SpanQueue | undefined;
  readonly isAny: boolean;
  close(): Promise<void>;
}

/** Where traces and metrics are sent. */
function openOutlets(config: TelemetryConfig, options: TelemetryOptions, shared: Shared): Outlets {
  const { traces, metrics } = config;
  const ofTraces = senderFor(traces?.target, options);
  const ofMetrics = senderFor(metrics?.target, options);
  const spans = traces && ofTraces && new SpanQueue({ ...traces, sender: ofTraces, ...shared });
  const reader = metrics && ofMetrics && startMetricReader({ ...metrics, sender: ofMetrics, ...shared });
  const end = (): void => {
    ofTraces?.close();
    ofMetrics?.close();
  };
  const flushAll = async (): Promise<void> => {
    const until = performance.now() + FLUSH_MS;
    const late = setTimeout(end, FLUSH_MS);
    await Promise.all([spans?.flush(until), reader?.flush(until)]);
    clearTimeout(late);
    end();
  };
  let ending: Promise<void> | undefined;
  return {
    spans,
    isAny: spans !== undefined || reader !== undefined,
    close() {
      ending ??= flushAll();
      return ending;
    },
  };
}

/** A file of a certificate that cannot be read costs telemetry, and nothing else. */
function senderFor(
  target: OtlpTarget | undefined,
  { version, log }: TelemetryOptions,
): OtlpSender | undefined {
  try {
    return target && createSender(target, version);
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    log(`warning: telemetry: a certificate or key of OTEL_EXPORTER_OTLP_… cannot be used (${code})`);
    return undefined;
  }
}

function toPair([name, value]: readonly [string, unknown]): readonly [string, string] {
  return [name, String(value)];
}

function originOf({ resource }: TelemetryConfig, version: string): Origin {
  return {
    resource: {
      'service.version': version,
      'service.instance.id': randomUUID(),
      'host.name': hostname(),
      'process.pid': process.pid,
      'telemetry.sdk.name': 'mayday',
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.version': version,
      ...resource,
    },
    scope: { name: '@mayday/gateway', version },
  };
}

function observe(measures: Measures, { upstreams, isReady }: Observed, startedAt: number): void {
  for (const measure of [measures.circuit, measures.troubled, measures.sessions, measures.processes])
    measure.clear(); // an upstream that is gone is not told of
  for (const { name, circuit, troubled, sessions, processes } of upstreams) {
    measures.circuit.set(CIRCUITS[circuit] ?? 0, [name]);
    measures.troubled.set(troubled, [name]);
    if (sessions !== undefined) measures.sessions.set(sessions, [name]);
    if (processes !== undefined) measures.processes.set(processes, [name]);
  }
  measures.ready.set(isReady ? 1 : 0);
  const { user, system } = process.cpuUsage();
  measures.cpu.set(user / 1e6, ['user']);
  measures.cpu.set(system / 1e6, ['system']);
  measures.memory.set(process.memoryUsage.rss());
  measures.uptime.set((Date.now() - startedAt) / 1000);
}

function observeBudgets(measures: Measures, budgets: ErrorBudgets): void {
  for (const { upstream, tool, objective, remaining, burn_rate } of budgets.list()) {
    measures.objective.set(objective, [upstream, tool]);
    measures.remaining.set(remaining, [upstream, tool]);
    measures.burn.set(burn_rate, [upstream, tool]);
  }
}

function sentSoFar({ exported, lost }: Measures, { trouble }: Outage): TelemetryStatus['telemetry'] {
  return {
    trouble: trouble && { message: trouble.message, since: new Date(trouble.since).toISOString() },
    exported: countsOf(exported),
    lost: countsOf(lost),
  };
}

function countsOf(instrument: Instrument): { readonly traces: number; readonly metrics: number } {
  const of = (signal: string): number =>
    instrument.all().find(({ labels }) => labels[0] === signal)?.value ?? 0;
  return { traces: of('traces'), metrics: of('metrics') };
}
