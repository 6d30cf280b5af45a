/** Spans and metrics as OTLP has them: the JSON form, from which the binary one is written too. */
import { BUCKETS, type Instrument, labelled, type Series } from './instruments.ts';
import type { RemoteContext } from './trace-context.ts';

/** Anything a span says about a call. */
type AttributeValue = string | number | boolean;

/** Names and values; what is `undefined` is not said. */
type Attributes = { readonly [name: string]: AttributeValue | undefined };

/** A span that is over. */
export interface SpanData {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly traceState: string | undefined;
  readonly name: string;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly droppedEvents: number;
  /** Another context that belongs to it. */
  readonly link: RemoteContext | undefined;
  /** Why it failed; `undefined` where it did not. */
  readonly failure: string | undefined;
}

/** Something that happened on the way. */
export interface SpanEvent {
  readonly name: string;
  readonly at: number;
  readonly attributes: Attributes;
}

/** What is true of all that is sent. */
export interface Origin {
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version: string };
}

const SERVER = 2;
const ERROR = 2;
/** The lowest bit of the flags: it was sampled. The two above: whether the other side is remote is known, and it is. */
const SAMPLED = 0x101;
const REMOTE = 0x300;
const CUMULATIVE = 2;

/** A request that carries spans. */
export function spansMessage(spans: readonly SpanData[], { resource, scope }: Origin): object {
  const all = spans.map(spanMessage);
  return {
    resourceSpans: [
      { resource: { attributes: attributesMessage(resource) }, scopeSpans: [{ scope, spans: all }] },
    ],
  };
}

function spanMessage(span: SpanData): object {
  const { traceId, spanId, parentSpanId, traceState, name, startedAt, link, failure } = span;
  return {
    traceId,
    spanId,
    traceState,
    parentSpanId,
    flags: parentSpanId === undefined ? SAMPLED : SAMPLED | REMOTE,
    name,
    kind: SERVER,
    startTimeUnixNano: nanos(startedAt),
    endTimeUnixNano: nanos(startedAt + span.durationMs),
    attributes: attributesMessage(span.attributes),
    events: span.events.map((event) => ({
      timeUnixNano: nanos(event.at),
      name: event.name,
      attributes: attributesMessage(event.attributes),
    })),
    droppedEventsCount: span.droppedEvents === 0 ? undefined : span.droppedEvents,
    links: link === undefined ? undefined : [linkMessage(link)],
    status: failure === undefined ? {} : { message: failure, code: ERROR },
  };
}

function linkMessage({ traceId, spanId, traceState, isSampled }: RemoteContext): object {
  return { traceId, spanId, traceState, flags: isSampled ? SAMPLED | REMOTE : REMOTE };
}

/** A request that carries metrics. */
export function metricsMessage(
  instruments: readonly Instrument[],
  { resource, scope }: Origin,
  startedAt: number,
  now: number,
): object {
  const times = { startTimeUnixNano: nanos(startedAt), timeUnixNano: nanos(now) };
  const metrics = instruments.flatMap((instrument) => {
    const all = instrument.all();
    return all.length === 0 ? [] : [metricMessage(instrument, all, times)];
  });
  return {
    resourceMetrics: [
      { resource: { attributes: attributesMessage(resource) }, scopeMetrics: [{ scope, metrics }] },
    ],
  };
}

interface Times {
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
}

function metricMessage(instrument: Instrument, all: readonly Series[], times: Times): object {
  const { name, about: description, unit, kind } = instrument.init;
  const head = { name, description, unit };
  const labelsOf = (series: Series): object => ({
    attributes: attributesMessage(Object.fromEntries(labelled(instrument, series))),
    ...times,
  });
  if (kind === 'histogram') {
    const dataPoints = all.map((series) => ({
      ...labelsOf(series),
      count: String(series.count),
      sum: series.value,
      bucketCounts: series.buckets.map(String),
      explicitBounds: BUCKETS,
    }));
    return { ...head, histogram: { dataPoints, aggregationTemporality: CUMULATIVE } };
  }
  const dataPoints = all.map((series) => ({ ...labelsOf(series), asDouble: series.value }));
  if (kind === 'gauge') return { ...head, gauge: { dataPoints } };
  return { ...head, sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } };
}

function attributesMessage(attributes: Attributes): readonly object[] {
  const all: object[] = [];
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined)
      all.push(UNIQUE.has(key) ? { key, value: valueMessage(value) } : known(key, value));
  }
  return all;
}

/** These are another for each call. */
const UNIQUE: ReadonlySet<string> = new Set([
  'jsonrpc.request.id',
  'mcp.session.id',
  'mayday.correlation_id',
  'mayday.retry.after_ms',
]);

/** An attribute that is met again and again; its bytes are written once. */
export class KnownAttribute {
  readonly key: string;
  readonly value: object;
  #bytes: Buffer | undefined;

  constructor(key: string, value: AttributeValue) {
    this.key = key;
    this.value = valueMessage(value);
  }

  /** Its bytes, as `write` gives them the first time. */
  bytes(write: (message: object) => Buffer): Buffer {
    this.#bytes ??= write(this);
    return this.#bytes;
  }
}

const MAX_KNOWN = 1000;
const attributesKnown: Map<string, Map<AttributeValue, KnownAttribute>> = new Map();

function known(key: string, value: AttributeValue): KnownAttribute {
  let ofKey = attributesKnown.get(key);
  if (ofKey === undefined || ofKey.size > MAX_KNOWN) {
    ofKey = new Map();
    attributesKnown.set(key, ofKey);
  }
  let found = ofKey.get(value);
  if (found === undefined) {
    found = new KnownAttribute(key, value);
    ofKey.set(value, found);
  }
  return found;
}

function valueMessage(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** In whole microseconds: finer than a clock of ours. */
function nanos(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}
