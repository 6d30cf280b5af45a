/** The binary form of OTLP, as far as it is sent: the fields of `opentelemetry/proto`, and a writer for them. */

import { KnownAttribute } from './otlp-messages.ts';

type Kind = 'string' | 'hex' | 'fixed64' | 'fixed32' | 'varint' | 'int64' | 'bool' | 'double';

interface Field {
  readonly key: string;
  readonly number: number;
  readonly kind: Kind | Message;
  readonly many?: 'each' | 'packed';
}

type Message = readonly Field[];

const one = (key: string, number: number, kind: Kind | Message): Field => ({ key, number, kind });
const each = (key: string, number: number, kind: Message): Field => ({ key, number, kind, many: 'each' });
const packed = (key: string, number: number, kind: Kind): Field => ({ key, number, kind, many: 'packed' });

const ANY_VALUE: Message = [
  one('stringValue', 1, 'string'),
  one('boolValue', 2, 'bool'),
  one('intValue', 3, 'int64'),
  one('doubleValue', 4, 'double'),
];
const KEY_VALUE: Message = [one('key', 1, 'string'), one('value', 2, ANY_VALUE)];
const RESOURCE: Message = [each('attributes', 1, KEY_VALUE)];
const SCOPE: Message = [one('name', 1, 'string'), one('version', 2, 'string')];
const EVENT: Message = [
  one('timeUnixNano', 1, 'fixed64'),
  one('name', 2, 'string'),
  each('attributes', 3, KEY_VALUE),
];
const LINK: Message = [
  one('traceId', 1, 'hex'),
  one('spanId', 2, 'hex'),
  one('traceState', 3, 'string'),
  one('flags', 6, 'fixed32'),
];
const STATUS: Message = [one('message', 2, 'string'), one('code', 3, 'varint')];
const SPAN: Message = [
  one('traceId', 1, 'hex'),
  one('spanId', 2, 'hex'),
  one('traceState', 3, 'string'),
  one('parentSpanId', 4, 'hex'),
  one('name', 5, 'string'),
  one('kind', 6, 'varint'),
  one('startTimeUnixNano', 7, 'fixed64'),
  one('endTimeUnixNano', 8, 'fixed64'),
  each('attributes', 9, KEY_VALUE),
  each('events', 11, EVENT),
  one('droppedEventsCount', 12, 'varint'),
  each('links', 13, LINK),
  one('status', 15, STATUS),
  one('flags', 16, 'fixed32'),
];
const NUMBER_POINT: Message = [
  one('startTimeUnixNano', 2, 'fixed64'),
  one('timeUnixNano', 3, 'fixed64'),
  one('asDouble', 4, 'double'),
  each('attributes', 7, KEY_VALUE),
];
const HISTOGRAM_POINT: Message = [
  one('startTimeUnixNano', 2, 'fixed64'),
  one('timeUnixNano', 3, 'fixed64'),
  one('count', 4, 'fixed64'),
  one('sum', 5, 'double'),
  packed('bucketCounts', 6, 'fixed64'),
  packed('explicitBounds', 7, 'double'),
  each('attributes', 9, KEY_VALUE),
];
const METRIC: Message = [
  one('name', 1, 'string'),
  one('description', 2, 'string'),
  one('unit', 3, 'string'),
  one('gauge', 5, [each('dataPoints', 1, NUMBER_POINT)]),
  one('sum', 7, [
    each('dataPoints', 1, NUMBER_POINT),
    one('aggregationTemporality', 2, 'varint'),
    one('isMonotonic', 3, 'bool'),
  ]),
  one('histogram', 9, [each('dataPoints', 1, HISTOGRAM_POINT), one('aggregationTemporality', 2, 'varint')]),
];
const REQUEST: Message = [
  each('resourceSpans', 1, [
    one('resource', 1, RESOURCE),
    each('scopeSpans', 2, [one('scope', 1, SCOPE), each('spans', 2, SPAN)]),
  ]),
  each('resourceMetrics', 1, [
    one('resource', 1, RESOURCE),
    each('scopeMetrics', 2, [one('scope', 1, SCOPE), each('metrics', 2, METRIC)]),
  ]),
];

/** A request in its binary form; `message` is the JSON form, not yet written. */
export function toProtobuf(message: object): Buffer {
  const writer = new BackwardWriter(64 * 1024);
  writeMessage(writer, message, REQUEST);
  return writer.take();
}

type Members = { readonly [key: string]: unknown };

/** From the last field to the first, because the length of a message stands before it. */
function writeMessage(writer: BackwardWriter, message: object, fields: Message): void {
  for (let i = fields.length - 1; i >= 0; i--) {
    const field = fields[i];
    const value = field === undefined ? undefined : (message as Members)[field.key];
    if (field === undefined || value === undefined) continue;
    if (field.many === 'each')
      for (const item of (value as readonly unknown[]).toReversed()) writeField(writer, field, item);
    else if (field.many === 'packed') {
      const end = writer.size;
      for (const item of (value as readonly unknown[]).toReversed())
        writeValue(writer, field.kind as Kind, item);
      writer.frame(field.number, end);
    } else writeField(writer, field, value);
  }
}

const LENGTH = 2;
const WIRE: { readonly [kind in Kind]: number } = {
  string: LENGTH,
  hex: LENGTH,
  fixed64: 1,
  double: 1,
  fixed32: 5,
  varint: 0,
  int64: 0,
  bool: 0,
};

function writeField(writer: BackwardWriter, { kind, number }: Field, value: unknown): void {
  if (typeof kind === 'string') {
    writeValue(writer, kind, value);
    writer.varint((number << 3) | WIRE[kind]);
    return;
  }
  const end = writer.size;
  if (value instanceof KnownAttribute) writer.raw(value.bytes(attributeBytes));
  else writeMessage(writer, value as object, kind);
  writer.frame(number, end);
}

function attributeBytes(attribute: object): Buffer {
  const writer = new BackwardWriter(256);
  writeMessage(writer, attribute, KEY_VALUE);
  return Buffer.from(writer.take());
}

function writeValue(writer: BackwardWriter, kind: Kind, value: unknown): void {
  if (kind === 'string') writer.text(value as string, 'utf8', Buffer.byteLength(value as string));
  else if (kind === 'hex') writer.text(value as string, 'hex', (value as string).length / 2);
  else if (kind === 'fixed64') writer.fixed64(BigInt(value as string));
  else if (kind === 'double') writer.double(value as number);
  else if (kind === 'fixed32') writer.fixed32(value as number);
  else if (kind === 'int64') writer.int64(value as string);
  else writer.varint(Number(value));
}

/** Writes from the end to the beginning. */
class BackwardWriter {
  #bytes: Buffer;
  #at: number;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size);
    this.#at = size;
  }

  get size(): number {
    return this.#bytes.length - this.#at;
  }

  take(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  raw(bytes: Buffer): void {
    const at = this.#back(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** What was written since `end` becomes one field: its length stands before it, and its number before that. */
  frame(number: number, end: number): void {
    this.varint(this.size - end);
    this.varint((number << 3) | LENGTH);
  }

  /** A whole number that is not negative. */
  varint(value: number): void {
    let length = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
    let at = this.#back(length);
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes[at++] = (rest % 0x80) | 0x80;
    this.#bytes[at] = rest;
  }

  int64(value: string): void {
    const number = Number(value);
    if (number >= 0) {
      this.varint(number);
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    const at = this.#back(10);
    for (let i = 0; i < 10; i++, rest >>= 7n) this.#bytes[at + i] = Number(rest & 0x7fn) | (i < 9 ? 0x80 : 0);
  }

  fixed64(value: bigint): void {
    const at = this.#back(8); // first: it may take a larger buffer
    this.#bytes.writeBigUInt64LE(value, at);
  }

  fixed32(value: number): void {
    const at = this.#back(4);
    this.#bytes.writeUInt32LE(value, at);
  }

  double(value: number): void {
    const at = this.#back(8);
    this.#bytes.writeDoubleLE(value, at);
  }

  /** A text, and its length before it. */
  text(text: string, encoding: 'utf8' | 'hex', length: number): void {
    const at = this.#back(length);
    this.#bytes.write(text, at, length, encoding);
    this.varint(length);
  }

  #back(length: number): number {
    if (this.#at < length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.size + length));
      const at = larger.length - this.size;
      this.#bytes.copy(larger, at, this.#at);
      this.#bytes = larger;
      this.#at = at;
    }
    this.#at -= length;
    return this.#at;
  }
}
