/** A collector for tests: takes OTLP over HTTP, in both forms, and reads it by field numbers of its own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { later } from '../tools.ts';

export type Attributes = { readonly [name: string]: unknown };

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly at: bigint; readonly attributes: Attributes }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code: number; readonly message: string };
}

export interface Point {
  readonly attributes: Attributes;
  readonly value: number;
  readonly count: number;
  readonly buckets: readonly number[];
  readonly bounds: readonly number[];
}

export interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
  readonly temporality: number;
  readonly points: readonly Point[];
}

export interface Receiver {
  readonly url: string;
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  readonly resources: Attributes[];
  readonly spans: Span[];
  /** Of each collection, the metrics. */
  readonly metrics: Metric[][];
}

/** Starts a collector that answers as the test says; with 200, if it says nothing. */
export async function receiver(
  answer: (response: ServerResponse, request: IncomingMessage) => void = (response) => response.end(),
): Promise<Receiver> {
  const requests: Receiver['requests'] = [];
  const resources: Attributes[] = [];
  const spans: Span[] = [];
  const metrics: Metric[][] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
      requests.push({ path: request.url ?? '', headers: request.headers });
      const isJson = request.headers['content-type'] === 'application/json';
      const read = isJson ? ofJson(body) : ofProtobuf(body, request.url ?? '');
      resources.push(...read.resources);
      spans.push(...read.spans);
      if (request.url?.endsWith('metrics') === true) metrics.push([...read.metrics]);
      answer(response, request);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, resources, spans, metrics };
}

interface Read {
  readonly resources: readonly Attributes[];
  readonly spans: readonly Span[];
  readonly metrics: readonly Metric[];
}

// The JSON form.

type Json = { readonly [key: string]: unknown };

const list = (value: unknown): readonly Json[] => (value ?? []) as readonly Json[];

function ofJson(body: Buffer): Read {
  const { resourceSpans, resourceMetrics } = JSON.parse(body.toString()) as Json;
  const all = [...list(resourceSpans), ...list(resourceMetrics)];
  return {
    resources: all.map(({ resource }) => jsonAttributes((resource as Json)['attributes'])),
    spans: all.flatMap(({ scopeSpans }) =>
      list(scopeSpans).flatMap(({ spans }) => list(spans).map(jsonSpan)),
    ),
    metrics: all.flatMap(({ scopeMetrics }) =>
      list(scopeMetrics).flatMap(({ metrics }) => list(metrics).map(jsonMetric)),
    ),
  };
}

function jsonAttributes(value: unknown): Attributes {
  return Object.fromEntries(
    list(value).map(({ key, value: any }) => {
      const [type, said] = Object.entries(any as Json)[0] ?? [];
      return [String(key), type === 'intValue' ? Number(said) : said];
    }),
  );
}

function jsonSpan(span: Json): Span {
  return {
    traceId: String(span['traceId']),
    spanId: String(span['spanId']),
    parentSpanId: String(span['parentSpanId'] ?? ''),
    traceState: String(span['traceState'] ?? ''),
    name: String(span['name']),
    kind: Number(span['kind']),
    start: BigInt(String(span['startTimeUnixNano'])),
    end: BigInt(String(span['endTimeUnixNano'])),
    attributes: jsonAttributes(span['attributes']),
    events: list(span['events']).map((event) => ({
      name: String(event['name']),
      at: BigInt(String(event['timeUnixNano'])),
      attributes: jsonAttributes(event['attributes']),
    })),
    links: list(span['links']).map((link) => ({
      traceId: String(link['traceId']),
      spanId: String(link['spanId']),
    })),
    status: { code: 0, message: '', ...(span['status'] as object) },
  };
}

function jsonMetric(metric: Json): Metric {
  const kind = (['gauge', 'sum', 'histogram'] as const).find((one) => metric[one] !== undefined) ?? 'gauge';
  const data = metric[kind] as Json;
  return {
    name: String(metric['name']),
    unit: String(metric['unit']),
    kind,
    temporality: Number(data['aggregationTemporality'] ?? 0),
    points: list(data['dataPoints']).map((point) => ({
      attributes: jsonAttributes(point['attributes']),
      value: Number(point['asDouble'] ?? point['sum']),
      count: Number(point['count'] ?? 0),
      buckets: ((point['bucketCounts'] ?? []) as string[]).map(Number),
      bounds: (point['explicitBounds'] ?? []) as number[],
    })),
  };
}

// The binary form: fields by number.

type Fields = { readonly [number: number]: readonly (Buffer | bigint)[] };

function fieldsOf(bytes: Buffer): Fields {
  const found: { [number: number]: (Buffer | bigint)[] } = {};
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('cut off');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('cut off');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const wire = key & 7;
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : Number(varint()));
    found[key >> 3] = [...(found[key >> 3] ?? []), value];
  }
  return found;
}

const messages = (fields: Fields, number: number): readonly Fields[] =>
  (fields[number] ?? []).map((value) => fieldsOf(value as Buffer));
const text = (fields: Fields, number: number): string => (fields[number]?.[0] ?? '').toString();
const hex = (fields: Fields, number: number): string =>
  (fields[number]?.[0] as Buffer | undefined)?.toString('hex') ?? '';
const fixed64 = (fields: Fields, number: number): bigint =>
  (fields[number]?.[0] as Buffer | undefined)?.readBigUInt64LE() ?? 0n;
const double = (fields: Fields, number: number): number =>
  (fields[number]?.[0] as Buffer | undefined)?.readDoubleLE() ?? 0;

function attributesAt(fields: Fields, number: number): Attributes {
  return Object.fromEntries(
    messages(fields, number).map((pair) => {
      const [value = {}] = messages(pair, 2);
      if (value[1] !== undefined) return [text(pair, 1), text(value, 1)];
      if (value[2] !== undefined) return [text(pair, 1), value[2][0] === 1n];
      if (value[3] !== undefined) return [text(pair, 1), Number(BigInt.asIntN(64, value[3][0] as bigint))];
      return [text(pair, 1), double(value, 4)];
    }),
  );
}

function ofProtobuf(body: Buffer, path: string): Read {
  const all = messages(fieldsOf(body), 1);
  const resources = all.flatMap((one) => messages(one, 1).map((resource) => attributesAt(resource, 1)));
  const items = all.flatMap((one) => messages(one, 2).flatMap((scoped) => messages(scoped, 2)));
  const isMetrics = path.endsWith('metrics');
  return {
    resources,
    spans: isMetrics ? [] : items.map(protobufSpan),
    metrics: isMetrics ? items.map(protobufMetric) : [],
  };
}

function protobufSpan(span: Fields): Span {
  const [status = {}] = messages(span, 15);
  return {
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    traceState: text(span, 3),
    parentSpanId: hex(span, 4),
    name: text(span, 5),
    kind: Number(span[6]?.[0] ?? 0),
    start: fixed64(span, 7),
    end: fixed64(span, 8),
    attributes: attributesAt(span, 9),
    events: messages(span, 11).map((event) => ({
      at: fixed64(event, 1),
      name: text(event, 2),
      attributes: attributesAt(event, 3),
    })),
    links: messages(span, 13).map((link) => ({ traceId: hex(link, 1), spanId: hex(link, 2) })),
    status: { message: text(status, 2), code: Number(status[3]?.[0] ?? 0) },
  };
}

function protobufMetric(metric: Fields): Metric {
  const kind = metric[5] !== undefined ? 'gauge' : metric[7] !== undefined ? 'sum' : 'histogram';
  const [data = {}] = messages(metric, { gauge: 5, sum: 7, histogram: 9 }[kind]);
  const isHistogram = kind === 'histogram';
  return {
    name: text(metric, 1),
    unit: text(metric, 3),
    kind,
    temporality: Number(data[2]?.[0] ?? 0),
    points: messages(data, 1).map((point) => ({
      attributes: attributesAt(point, isHistogram ? 9 : 7),
      value: double(point, isHistogram ? 5 : 4),
      count: isHistogram ? Number(fixed64(point, 4)) : 0,
      buckets: eights(point, 6).map((bytes) => Number(bytes.readBigUInt64LE())),
      bounds: eights(point, 7).map((bytes) => bytes.readDoubleLE()),
    })),
  };
}

/** A packed field of eight bytes each; a list of messages, which has the same number elsewhere, is none. */
function eights(fields: Fields, number: number): readonly Buffer[] {
  const value = fields[number]?.[0];
  if (!Buffer.isBuffer(value)) return [];
  return Array.from({ length: Math.floor(value.length / 8) }, (_, i) => value.subarray(i * 8, i * 8 + 8));
}
