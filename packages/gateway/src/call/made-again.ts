/**
 * Calls that their callers make again: what has become of an attempt that was refused counts for the next one, also where that
 * comes as a request of its own.
 */
import { makeFault } from '@mayday/core';
import { CALL_KEY } from '@mayday/core/protocol';
import { type Clock, canonicalJson, setLast, sha256, systemClock } from '@mayday/policy';
import {
  goesOnFrom,
  type Refusal,
  refusalOf,
  type WireCall,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { canBeGuessed, ownerOf } from './owner.ts';

/** Longer than anybody goes on with one call. */
const KEPT_MS = 600_000;

/** Of one server; of more, the oldest are forgotten. */
const KEPT_AT_MOST = 1000;

/** A longer answer that comes late is not kept, but only that it came. */
const LONGEST = 65_536;

/** Words of a refusal that are kept. */
const MESSAGE = 1000;

/** Refused attempts at calls of one server whose callers count them. */
export class RefusedAttempts {
  readonly #known: Map<string, { readonly refusal: Refusal; readonly until: number }> = new Map();
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  keep(key: string, refusal: Refusal): void {
    this.#forget();
    setLast(this.#known, key, { refusal, until: this.#now() + KEPT_MS }, KEPT_AT_MOST);
  }

  /** What is known of the attempt before; told once. */
  take(key: string): Refusal | undefined {
    this.#forget();
    const refusal = this.#known.get(key)?.refusal;
    this.#known.delete(key);
    return refusal;
  }

  /** All are kept for as long: the oldest come first. */
  #forget(): void {
    for (const [key, { until }] of this.#known) {
      if (until > this.#now()) return;
      this.#known.delete(key);
    }
  }

  #now(): number {
    return this.#clock.monotonic?.() ?? this.#clock.now();
  }
}

/**
 * Goes on from the attempt before, where the caller counts. Who asks does not: it may want the same once more, and a first
 * attempt never goes on from anything.
 */
export function madeAgain(attempts: RefusedAttempts): WirePolicy {
  return (next) => (call) => {
    const { method, above } = call;
    if (method !== 'tools/call' || above?.attempt === undefined) return next(call);
    const before = above.attempt > 1 ? attempts.take(keyOf(call)) : undefined;
    if (before !== undefined) goesOnFrom(call, before);
    return Promise.resolve(next(call)).then((outcome) => {
      const refusal = outcome.ok ? undefined : refusalOf(call);
      if (refusal !== undefined) attempts.keep(keyOf(call), lasting(refusal));
      return outcome;
    });
  };
}

/** It outlives the request: of what was said, only what is told in its place is held. */
function lasting(refusal: Refusal): Refusal {
  refusal.longest = LONGEST;
  refusal.relied = inOwnWords(refusal.relied);
  return refusal;
}

/** Headers, the status and the rest of the words were told with the refusal, to a request that is answered. */
function inOwnWords(outcome: WireOutcome | undefined): WireOutcome | undefined {
  if (outcome === undefined || outcome.ok) return outcome;
  const { kind, message, origin, executed, reaction, retry } = outcome.fault;
  const fault = makeFault({ kind, message: message.slice(0, MESSAGE), origin, executed, reaction, retry });
  return { ok: false, fault, value: { type: 'nothing' }, answered: outcome.answered };
}

/** The same for all attempts at a call, and for no other's: by the name that the caller gave it, or by what it asks. */
function keyOf(call: WireCall): string {
  const { by, target, meta } = call;
  const said = meta?.[CALL_KEY];
  const isNamed = typeof said === 'string' && said !== '';
  // Tokens are renewed between two attempts. Who is not known by name has the name of the call from whoever made that up.
  const isProof = isNamed && !by.isKnown && !canBeGuessed(said);
  const name = isNamed ? ['named', said] : ['asked', canonicalJson(asked(call))];
  return sha256(JSON.stringify([isProof ? '' : ownerOf(call), target, ...name]));
}

/** What is asked, without what is told beside it. */
function asked({ params }: WireCall): object {
  const { _meta, ...rest } = params() ?? {};
  return rest;
}
