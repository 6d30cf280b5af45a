/** One call as telemetry sees it: from its request to its answer, with whatever is asked for its sake. */
import type { Fault } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { type CallTrace, idOf, type WireCall } from '@mayday/relay';
import { sha256 } from '../sha256.ts';
import type { Propagation } from './environment.ts';
import type { SpanEvent } from './otlp-messages.ts';
import { baggageOf, contextOf, newSpanId, newTraceId, type RemoteContext } from './trace-context.ts';

/** A call cannot tell more than this. */
const MAX_EVENTS = 32;

/** What is known of a call so far. */
export class WatchedCall implements CallTrace {
  #traceId: string | undefined;
  #spanId: string | undefined;
  readonly parent: RemoteContext | undefined;
  /** The context of the request over HTTP, where another one is the parent. */
  readonly link: RemoteContext | undefined;
  readonly baggage: string | undefined;
  /** `_meta` has a `tracestate` that belongs to no trace. */
  readonly hasStrayState: boolean;
  readonly startedAt: number = Date.now();
  readonly tick: number = performance.now();
  readonly events: SpanEvent[] = [];
  droppedEvents = 0;
  isSampled = false;
  /** It is answered: what goes on without its caller is not told any more. */
  isOver = false;
  /** Whose call it is in the end, and what it is called there; `gateway` where many are asked. */
  upstream: string;
  target: string | undefined;
  /** The target exists, and may be told by this name. */
  name: string | undefined;
  /** What was recorded for it last. */
  fault: Fault | undefined;

  constructor(call: WireCall, { traceContext, baggage }: Propagation) {
    const meta = call.meta;
    const { headers } = call;
    const own = traceContext ? contextOf(meta?.['traceparent'], meta?.['tracestate']) : undefined;
    const ofHttp = traceContext ? contextOf(headers['traceparent'], headers['tracestate']) : undefined;
    this.parent = own ?? ofHttp;
    this.link =
      own !== undefined && ofHttp !== undefined && ofHttp.spanId !== own.spanId ? ofHttp : undefined;
    this.hasStrayState = own === undefined && meta?.['tracestate'] !== undefined;
    this.baggage = baggage ? (baggageOf(meta?.['baggage']) ?? baggageOf(headers['baggage'])) : undefined;
    this.upstream = call.upstream;
    this.target = call.target;
  }

  /** Of the caller's trace, or of one that begins here; made when somebody asks. */
  get traceId(): string {
    this.#traceId ??= this.parent?.traceId ?? newTraceId();
    return this.#traceId;
  }

  get spanId(): string {
    this.#spanId ??= newSpanId();
    return this.#spanId;
  }

  /** Notes something that happened. */
  tell(name: string, attributes: SpanEvent['attributes']): void {
    if (!this.isSampled || this.isOver) return;
    if (this.events.length >= MAX_EVENTS) this.droppedEvents += 1;
    else this.events.push({ name, at: this.startedAt + performance.now() - this.tick, attributes });
  }
}

const MAX_ID = 128;

/** The id of a request; callers choose it. */
export function requestId(call: WireCall): string | undefined {
  const id = idOf(call.body, call.peek);
  if (typeof id !== 'string') return id === undefined ? undefined : String(id);
  return id.length > MAX_ID ? undefined : redact(id).value;
}

const MAX_SESSIONS = 1000;
const sessions: Map<string, string> = new Map();

/** Tells sessions apart without giving away their ids: with one of those, anybody could go on with a session. */
export function sessionMark(id: unknown): string | undefined {
  if (typeof id !== 'string') return undefined;
  let mark = sessions.get(id);
  if (mark === undefined) {
    mark = sha256(id).slice(0, 32);
    if (sessions.size >= MAX_SESSIONS) sessions.clear();
    sessions.set(id, mark);
  }
  return mark;
}
