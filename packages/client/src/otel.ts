/**
 * OpenTelemetry for the resilient client: the spans and metrics of the semantic conventions for MCP, and what
 * they do not have: faults, attempts, refusals, the retry budget, the state of circuits.
 */
import { redact } from '@mayday/core/redact';
import { type CallEvent, type OptionNames, type Outcome, onlyKnown } from '@mayday/policy';
import {
  type Attributes,
  context,
  type Gauge,
  type Meter,
  type MeterProvider,
  type MetricOptions,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import type { CallFacts } from './sdk/call.ts';
import type { CallTelemetry, Telemetry } from './sdk/telemetry.ts';

export type { CallTelemetry, Telemetry } from './sdk/telemetry.ts';

/** Where spans and metrics go; by default to the globally registered providers. */
export interface OpenTelemetryOptions {
  readonly tracerProvider?: TracerProvider | undefined;
  readonly meterProvider?: MeterProvider | undefined;
}

const KNOWN: OptionNames<OpenTelemetryOptions> = { tracerProvider: true, meterProvider: true };

const SCOPE = '@mayday/client';

/** As the semantic conventions for MCP recommend. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

const CIRCUIT: { readonly [state: string]: number } = { closed: 0, half_open: 1, open: 2 };

/** Spans and metrics for a client: `resilient(client, { telemetry: openTelemetry() })`. */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  onlyKnown('`openTelemetry`', options, KNOWN);
  const tracer = (options.tracerProvider ?? trace).getTracer(SCOPE);
  const instruments = createInstruments((options.meterProvider ?? metrics).getMeter(SCOPE));
  return {
    start: (call) => watchCall(call, tracer, instruments),
    listen(event) {
      if (event.type === 'session')
        instruments.session.record(event.elapsedMs / 1000, { 'mayday.upstream': event.upstream });
      if (event.type !== 'circuit') return;
      const { upstream, target } = event;
      const labels = {
        'mayday.upstream': upstream,
        ...(target === undefined ? {} : { 'gen_ai.tool.name': safe(target) }),
      };
      instruments.circuit?.record(CIRCUIT[event.state] ?? 0, labels);
    },
  };
}

function createInstruments(meter: Meter) {
  // Before 1.9 of the API there are none.
  const gauge = (name: string, options: MetricOptions): Gauge | undefined =>
    (meter as Partial<Meter>).createGauge?.call(meter, name, options);
  const seconds = { unit: 's', advice: { explicitBucketBoundaries: BUCKETS } };
  return {
    operation: meter.createHistogram('mcp.client.operation.duration', seconds),
    session: meter.createHistogram('mcp.client.session.duration', seconds),
    attempts: meter.createCounter('mayday.client.attempts', {
      description: 'Requests sent, retries included',
    }),
    faults: meter.createCounter('mayday.client.faults', { description: 'Failed attempts' }),
    refusals: meter.createCounter('mayday.client.refusals', {
      description: 'Calls held back or refused here',
    }),
    budget: gauge('mayday.client.retry_budget', { description: 'Retries left' }),
    circuit: gauge('mayday.client.circuit', { description: '0 closed, 1 half-open, 2 open' }),
  };
}

function watchCall(call: CallFacts, tracer: Tracer, to: ReturnType<typeof createInstruments>): CallTelemetry {
  const about = attributesOf(call);
  const name = [call.method ?? 'tools/call', call.target].filter(Boolean).map(String).map(safe).join(' ');
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: about });
  const within = trace.setSpan(context.active(), span);

  function listen(event: CallEvent): void {
    if (event.type === 'attempt') to.attempts.add(1, { ...about, 'mayday.retry': event.attempt > 1 });
    if (event.type === 'refused') to.refusals.add(1, { ...about, 'mayday.refused_by': event.by });
    if (event.type === 'fault') {
      const { kind, reaction, origin } = event.fault;
      const labels = {
        'mayday.fault.kind': kind,
        'mayday.fault.reaction': reaction,
        'mayday.fault.origin': origin,
      };
      to.faults.add(1, { ...about, ...labels, 'mayday.retried': event.plan.retry });
      span.addEvent('mayday.fault', {
        ...labels,
        'mayday.attempt': event.attempt,
        'mayday.plan': safe(event.plan.reason),
      });
    }
    if (event.type === 'end') {
      const failure = failureAttributes(event.outcome);
      to.operation.record(event.elapsedMs / 1000, { ...about, ...failure });
      if (event.budget !== undefined)
        to.budget?.record(event.budget, { 'mayday.upstream': event.call.upstream });
      endSpan(span, event.outcome, { ...failure, 'mayday.attempts': event.attempts });
    }
  }

  return {
    meta() {
      const carrier: { [key: string]: string } = {};
      propagation.inject(within, carrier);
      return carrier;
    },
    listen,
  };
}

const LONGEST = 256;

/** Names come from models, and messages from servers: without secrets, and with an end. */
function safe(text: string): string {
  const { value } = redact(text);
  return value.length > LONGEST ? `${value.slice(0, LONGEST - 1)}…` : value;
}

function attributesOf(call: CallFacts): Attributes {
  const method = call.method ?? 'tools/call';
  if (method !== 'tools/call') return { 'mcp.method.name': safe(method) };
  const tool = call.target === undefined ? {} : { 'gen_ai.tool.name': safe(call.target) };
  return { 'mcp.method.name': method, 'gen_ai.operation.name': 'execute_tool', ...tool };
}

/** `error.type` is the code of a protocol error, `tool_error` for a failing result, else our kind. */
function failureAttributes(outcome: Outcome<unknown>): Attributes {
  if (outcome.ok) return {};
  const { kind, native } = outcome.fault;
  if (outcome.value !== undefined) return { 'error.type': 'tool_error', 'mayday.fault.kind': kind };
  const code = typeof native?.code === 'number' ? String(native.code) : undefined;
  if (code === undefined) return { 'error.type': kind, 'mayday.fault.kind': kind };
  return { 'error.type': code, 'rpc.response.status_code': code, 'mayday.fault.kind': kind };
}

function endSpan(span: Span, outcome: Outcome<unknown>, attributes: Attributes): void {
  span.setAttributes(attributes);
  if (!outcome.ok) span.setStatus({ code: SpanStatusCode.ERROR, message: safe(outcome.fault.message) });
  span.end();
}
