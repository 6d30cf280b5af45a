/** OTLP taken apart: protobuf by the field numbers of opentelemetry-proto, and both encodings into the same plain records. */
import type { Message } from './http.ts';

/** What a value is, by its field number. */
type Kind =
  | 'text'
  | 'hex'
  | 'int'
  | 'bool'
  | 'fixed64'
  | 'sfixed64'
  | 'double'
  | 'fixed64s'
  | 'doubles'
  | Shape;
interface Shape {
  readonly [field: number]: readonly [name: string, kind: Kind, many?: true];
}

const ANY: Shape = {
  1: ['stringValue', 'text'],
  2: ['boolValue', 'bool'],
  3: ['intValue', 'int'],
  4: ['doubleValue', 'double'],
};
const PAIR: Shape = { 1: ['key', 'text'], 2: ['value', ANY] };
const RESOURCE: Shape = { 1: ['attributes', PAIR, true] };
const SCOPE: Shape = { 1: ['name', 'text'], 2: ['version', 'text'] };
const EVENT: Shape = { 1: ['timeUnixNano', 'fixed64'], 2: ['name', 'text'], 3: ['attributes', PAIR, true] };
const LINK: Shape = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  3: ['traceState', 'text'],
  4: ['attributes', PAIR, true],
};
const SPAN: Shape = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  3: ['traceState', 'text'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'text'],
  6: ['kind', 'int'],
  7: ['startTimeUnixNano', 'fixed64'],
  8: ['endTimeUnixNano', 'fixed64'],
  9: ['attributes', PAIR, true],
  11: ['events', EVENT, true],
  13: ['links', LINK, true],
  15: ['status', { 2: ['message', 'text'], 3: ['code', 'int'] }],
};
const NUMBER: Shape = {
  2: ['startTimeUnixNano', 'fixed64'],
  3: ['timeUnixNano', 'fixed64'],
  4: ['asDouble', 'double'],
  6: ['asInt', 'sfixed64'],
  7: ['attributes', PAIR, true],
};
const HISTOGRAM: Shape = {
  2: ['startTimeUnixNano', 'fixed64'],
  3: ['timeUnixNano', 'fixed64'],
  4: ['count', 'fixed64'],
  5: ['sum', 'double'],
  6: ['bucketCounts', 'fixed64s'],
  7: ['explicitBounds', 'doubles'],
  9: ['attributes', PAIR, true],
};
const METRIC: Shape = {
  1: ['name', 'text'],
  2: ['description', 'text'],
  3: ['unit', 'text'],
  5: ['gauge', { 1: ['dataPoints', NUMBER, true] }],
  7: [
    'sum',
    { 1: ['dataPoints', NUMBER, true], 2: ['aggregationTemporality', 'int'], 3: ['isMonotonic', 'bool'] },
  ],
  9: ['histogram', { 1: ['dataPoints', HISTOGRAM, true], 2: ['aggregationTemporality', 'int'] }],
};
const REQUESTS: Record<'traces' | 'metrics', Shape> = {
  traces: {
    1: [
      'resourceSpans',
      {
        1: ['resource', RESOURCE],
        2: ['scopeSpans', { 1: ['scope', SCOPE], 2: ['spans', SPAN, true] }, true],
      },
      true,
    ],
  },
  metrics: {
    1: [
      'resourceMetrics',
      {
        1: ['resource', RESOURCE],
        2: ['scopeMetrics', { 1: ['scope', SCOPE], 2: ['metrics', METRIC, true] }, true],
      },
      true,
    ],
  },
};

/** A span, with its attributes by name. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: number;
  readonly ms: number;
  readonly attributes: Message;
  readonly events: readonly { readonly name: string; readonly attributes: Message }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code: number; readonly message: string };
}

/** A point of a metric. */
interface Point {
  readonly attributes: Message;
  readonly value: number;
  readonly count: number;
  readonly bounds: readonly number[];
  readonly buckets: readonly number[];
}

/** A metric of one collection. */
export interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly type: 'gauge' | 'sum' | 'histogram';
  readonly temporality: number | undefined;
  readonly monotonic: boolean | undefined;
  readonly points: readonly Point[];
}

/** A request in protobuf, in the form that it has as JSON. */
export function fromProtobuf(signal: 'traces' | 'metrics', bytes: Buffer): Message {
  return decoded(bytes, REQUESTS[signal]);
}

/** All spans of a request. */
export function spansOf(request: Message): Span[] {
  const spans: Message[] = (request['resourceSpans'] ?? [])
    .flatMap((each: Message) => each['scopeSpans'] ?? [])
    .flatMap((each: Message) => each['spans'] ?? []);
  return spans.map((span) => ({
    traceId: span['traceId'],
    spanId: span['spanId'],
    parentSpanId: span['parentSpanId'] ?? '',
    traceState: span['traceState'] ?? '',
    name: span['name'],
    kind: span['kind'],
    ms: Number(BigInt(span['endTimeUnixNano']) - BigInt(span['startTimeUnixNano'])) / 1e6,
    attributes: byName(span['attributes']),
    events: (span['events'] ?? []).map((event: Message) => ({
      name: event['name'],
      attributes: byName(event['attributes']),
    })),
    links: (span['links'] ?? []).map(({ traceId, spanId }: Message) => ({ traceId, spanId })),
    status: { code: span['status']?.code ?? 0, message: span['status']?.message ?? '' },
  }));
}

/** All metrics of a request. */
export function metricsOf(request: Message): Metric[] {
  const metrics: Message[] = (request['resourceMetrics'] ?? [])
    .flatMap((each: Message) => each['scopeMetrics'] ?? [])
    .flatMap((each: Message) => each['metrics'] ?? []);
  return metrics.map((metric) => {
    const type = (['gauge', 'sum', 'histogram'] as const).find((each) => each in metric) ?? 'gauge';
    const data: Message = metric[type] ?? {};
    return {
      name: metric['name'],
      unit: metric['unit'] ?? '',
      type,
      temporality: data['aggregationTemporality'],
      monotonic: data['isMonotonic'],
      points: (data['dataPoints'] ?? []).map(pointOf),
    };
  });
}

/** The attributes of the resource of a request. */
export function resourceOf(request: Message): Message {
  const [first] = request['resourceSpans'] ?? request['resourceMetrics'] ?? [];
  return byName(first?.resource?.attributes);
}

function pointOf(point: Message): Point {
  return {
    attributes: byName(point['attributes']),
    value: Number(point['asInt'] ?? point['asDouble'] ?? point['sum'] ?? 0),
    count: Number(point['count'] ?? 0),
    bounds: point['explicitBounds'] ?? [],
    buckets: (point['bucketCounts'] ?? []).map(Number),
  };
}

function byName(pairs: readonly Message[] = []): Message {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, plainOf(value ?? {})]));
}

function plainOf(value: Message): unknown {
  if ('intValue' in value) return Number(value['intValue']);
  return value['stringValue'] ?? value['boolValue'] ?? value['doubleValue'];
}

function decoded(bytes: Buffer, shape: Shape): Message {
  const message: Message = {};
  let at = 0;
  const varint = (): bigint => {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
      shift += 7n;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const piece = pieceOf(bytes, tag & 7, varint, () => at);
    at = piece.end;
    const known = shape[tag >> 3];
    if (known === undefined) continue;
    const [name, kind, many] = known;
    const value = read(kind, piece.value);
    if (many) message[name] = [...(message[name] ?? []), value];
    else message[name] = value;
  }
  return message;
}

function pieceOf(
  bytes: Buffer,
  wire: number,
  varint: () => bigint,
  at: () => number,
): { value: bigint | Buffer; end: number } {
  if (wire === 0) return { value: varint(), end: at() };
  const length = wire === 2 ? Number(varint()) : wire === 1 ? 8 : wire === 5 ? 4 : Number.NaN;
  const begin = at();
  if (!(begin + length <= bytes.length)) throw new Error(`Expected protobuf: wire type ${wire} at ${begin}`);
  return { value: bytes.subarray(begin, begin + length), end: begin + length };
}

function read(kind: Kind, value: bigint | Buffer): unknown {
  if (!Buffer.isBuffer(value)) return kind === 'bool' ? value !== 0n : Number(BigInt.asIntN(64, value));
  if (typeof kind === 'object') return decoded(value, kind);
  switch (kind) {
    case 'text':
      return value.toString('utf8');
    case 'hex':
      return value.toString('hex');
    case 'double':
      return value.readDoubleLE();
    case 'sfixed64':
      return String(value.readBigInt64LE());
    case 'fixed64':
      return String(value.readBigUInt64LE());
    case 'doubles':
      return eights(value).map((each) => each.readDoubleLE());
    default:
      return eights(value).map((each) => String(each.readBigUInt64LE()));
  }
}

function eights(value: Buffer): Buffer[] {
  return Array.from({ length: value.length / 8 }, (_, index) => value.subarray(index * 8, index * 8 + 8));
}
