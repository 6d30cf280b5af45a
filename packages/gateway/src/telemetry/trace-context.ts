/** Where a call stands in a trace, as W3C Trace Context and Baggage write it: in `_meta`, or in headers of HTTP. */
import { randomFillSync } from 'node:crypto';

/** What somebody above has said about the trace. */
export interface RemoteContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  readonly traceState: string | undefined;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
/** As long as any propagator has to pass on. */
const MAX_STATE = 512;
const MAX_BAGGAGE = 8192;
const VISIBLE = /^[\t -~]*$/;

/** Reads `traceparent` and `tracestate`. Whatever is not well-formed counts as absent. */
export function contextOf(traceparent: unknown, tracestate: unknown): RemoteContext | undefined {
  const found = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (found === null) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', tail] = found;
  if (version === 'ff' || (version === '00' && tail !== undefined)) return undefined;
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, traceState: textOf(tracestate, MAX_STATE) };
}

/** Reads `baggage`, which is passed on and never looked into. */
export function baggageOf(said: unknown): string | undefined {
  return textOf(said, MAX_BAGGAGE);
}

function textOf(said: unknown, longest: number): string | undefined {
  if (typeof said !== 'string' || said === '' || said.length > longest) return undefined;
  return VISIBLE.test(said) ? said : undefined;
}

/** Writes `traceparent`. */
export function toTraceparent(traceId: string, spanId: string, isSampled: boolean): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** One call of the system for many ids. */
const POOL: Buffer = Buffer.alloc(4096);
let used: number = POOL.length;

function random(bytes: number, none: string): string {
  for (;;) {
    if (used + bytes > POOL.length) {
      randomFillSync(POOL);
      used = 0;
    }
    used += bytes;
    const id = POOL.toString('hex', used - bytes, used);
    if (id !== none) return id;
  }
}

/** A new trace. */
export function newTraceId(): string {
  return random(16, NO_TRACE);
}

/** A new span. */
export function newSpanId(): string {
  return random(8, NO_SPAN);
}

/** Which traces are recorded. */
export interface Sampler {
  /** Whoever is above decides, where there is somebody. */
  readonly isParentBased: boolean;
  /** The share of the others, 0 to 1. */
  readonly ratio: number;
}

/** Is this trace recorded? Every service that asks for the same share comes to the same answer. */
export function isSampled(
  { isParentBased, ratio }: Sampler,
  traceId: string,
  parent: RemoteContext | undefined,
): boolean {
  if (isParentBased && parent !== undefined) return parent.isSampled;
  if (ratio >= 1) return true;
  if (ratio <= 0) return false;
  return Number.parseInt(traceId.slice(18, 31), 16) >= (1 - ratio) * 2 ** 52;
}
