/** What of telemetry is on, from the settings and the environment; the settings win. */
import type { Settings } from '../settings/settings.ts';
import { toUrl } from '../to-url.ts';
import {
  type Env,
  exportersOf,
  numberOf,
  type Propagation,
  pairsOf,
  propagationOf,
  samplerOf,
  variable,
  type Warn,
} from './environment.ts';
import type { Sampler } from './trace-context.ts';

/** Where one signal is sent, and how. */
export interface OtlpTarget {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly isZipped: boolean;
  readonly timeoutMs: number;
  /** Files: whom to trust, and how to be trusted. */
  readonly tls: { readonly ca?: string; readonly key?: string; readonly cert?: string };
}

/** Traces over OTLP. */
export interface TraceConfig {
  readonly target: OtlpTarget;
  readonly sampler: Sampler;
  /** Spans that wait to be sent; beyond, they are lost. */
  readonly queue: number;
  readonly batch: number;
  readonly delayMs: number;
}

/** Metrics over OTLP. */
interface MetricConfig {
  readonly target: OtlpTarget;
  readonly intervalMs: number;
}

/** Everything that is on. */
export interface TelemetryConfig {
  readonly traces: TraceConfig | undefined;
  readonly metrics: MetricConfig | undefined;
  /** Who reads `/-/metrics`. */
  readonly prometheus: 'off' | 'operators' | 'anybody';
  readonly propagation: Propagation;
  readonly resource: { readonly [name: string]: string };
  readonly budgets: Settings['telemetry']['errorBudgets'];
}

type Signal = 'TRACES' | 'METRICS';

/** What is on; `undefined` where nothing is, and nothing of it is loaded then. */
export function telemetryOf(
  { telemetry }: Pick<Settings, 'telemetry'>,
  env: Env,
  warn: Warn,
): TelemetryConfig | undefined {
  const isDisabled = variable(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true';
  const traced = exportersOf(env, 'OTEL_TRACES_EXPORTER', ['otlp'], warn);
  const measured = exportersOf(env, 'OTEL_METRICS_EXPORTER', ['otlp', 'prometheus'], warn);
  const { otlp } = telemetry;
  const isOn = (signal: Signal, named: readonly string[]): boolean => {
    if (isDisabled || !otlp[signal === 'TRACES' ? 'traces' : 'metrics']) return false;
    if (named.some((one) => one !== '') && !named.includes('otlp')) return false;
    return named.includes('otlp') || otlp.endpoint !== undefined || endpointIn(env, signal) !== undefined;
  };
  const traces = isOn('TRACES', traced) ? tracesOf(telemetry, env, warn) : undefined;
  const metrics = isOn('METRICS', measured) ? metricsOf(telemetry, env, warn) : undefined;
  const isScraped = !isDisabled && measured.includes('prometheus');
  const isAny =
    traces !== undefined || metrics !== undefined || isScraped || telemetry.errorBudgets.length > 0;
  const prometheus = telemetry.metrics ?? (isAny ? 'operators' : 'off');
  if (!isAny && prometheus === 'off') return undefined;
  return {
    traces,
    metrics,
    prometheus,
    propagation: propagationOf(env, warn),
    resource: resourceOf(telemetry, env, warn),
    budgets: telemetry.errorBudgets,
  };
}

function endpointIn(env: Env, signal: Signal): string | undefined {
  return (
    variable(env, `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`) ?? variable(env, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  );
}

type Telemetry = Settings['telemetry'];

function tracesOf(telemetry: Telemetry, env: Env, warn: Warn): TraceConfig | undefined {
  const target = targetOf(telemetry, env, 'TRACES', warn);
  if (target === undefined) return undefined;
  const queue = numberOf(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2048, warn, 100_000);
  const { sample } = telemetry;
  return {
    target,
    sampler: sample === undefined ? samplerOf(env, warn) : { isParentBased: true, ratio: sample },
    queue,
    batch: Math.min(queue, numberOf(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, warn, 100_000)),
    delayMs: numberOf(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000, warn),
  };
}

function metricsOf(telemetry: Telemetry, env: Env, warn: Warn): MetricConfig | undefined {
  const target = targetOf(telemetry, env, 'METRICS', warn);
  if (target === undefined) return undefined;
  if (!['cumulative', undefined].includes(temporalityIn(env)))
    warn('OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: metrics are sent cumulative, and not otherwise');
  return { target, intervalMs: numberOf(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000, warn) };
}

function temporalityIn(env: Env): string | undefined {
  return variable(env, 'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE')?.toLowerCase();
}

/** A general endpoint gets the path of the signal, one of the signal's own is taken as it is. */
function targetOf({ otlp }: Telemetry, env: Env, signal: Signal, warn: Warn): OtlpTarget | undefined {
  const of = (name: string): string => {
    const own = `OTEL_EXPORTER_OTLP_${signal}_${name}`;
    return variable(env, own) === undefined ? `OTEL_EXPORTER_OTLP_${name}` : own;
  };
  const own = otlp.endpoint === undefined && of('ENDPOINT').includes(signal);
  const said = otlp.endpoint?.href ?? variable(env, of('ENDPOINT')) ?? 'http://localhost:4318';
  const url = toUrl(own ? said : `${said.replace(/\/+$/, '')}/v1/${signal.toLowerCase()}`);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    warn(`${of('ENDPOINT')} is no URL of http or https; ${signal.toLowerCase()} are not sent`);
    return undefined;
  }
  const compression = variable(env, of('COMPRESSION'));
  if (compression !== undefined && !['gzip', 'none'].includes(compression))
    warn(`${of('COMPRESSION')} is neither gzip nor none; nothing is compressed`);
  return {
    url,
    headers: { ...pairsOf(env, of('HEADERS'), warn), ...otlp.headers },
    protocol: otlp.protocol ?? protocolIn(env, of('PROTOCOL'), warn),
    isZipped: compression === 'gzip',
    timeoutMs: numberOf(env, of('TIMEOUT'), 10_000, warn, 600_000),
    tls: filesIn(env, of),
  };
}

function protocolIn(env: Env, name: string, warn: Warn): OtlpTarget['protocol'] {
  const said = variable(env, name);
  if (said === 'http/json' || said === 'http/protobuf') return said;
  if (said !== undefined) warn(`${name}: http/protobuf and http/json are spoken here; http/protobuf holds`);
  return 'http/protobuf';
}

function filesIn(env: Env, of: (name: string) => string): OtlpTarget['tls'] {
  const ca = variable(env, of('CERTIFICATE'));
  const key = variable(env, of('CLIENT_KEY'));
  const cert = variable(env, of('CLIENT_CERTIFICATE'));
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(key === undefined ? {} : { key }),
    ...(cert === undefined ? {} : { cert }),
  };
}

function resourceOf(telemetry: Telemetry, env: Env, warn: Warn): { readonly [name: string]: string } {
  const said = pairsOf(env, 'OTEL_RESOURCE_ATTRIBUTES', warn);
  const name =
    telemetry.serviceName ?? variable(env, 'OTEL_SERVICE_NAME') ?? said['service.name'] ?? 'mayday-gateway';
  return { ...said, 'service.name': name };
}
