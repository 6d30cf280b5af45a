/**
 * Exactly once, for calls that carry a key: a repeat of a finished call gets the stored answer, a repeat of a
 * running one joins it, and the same key with other arguments is a conflict.
 */
import { type Fault, makeFault } from '@mayday/core';
import { digestIn } from '../answers.ts';
import { type Call, executedSoFar, worse } from '../call.ts';
import { integer, lifetime, type OptionNames, onlyKnown } from '../check.ts';
import { type Clock, sleep, systemClock } from '../clock.ts';
import { canonicalJson, fingerprintOf } from '../fingerprint.ts';
import { cutOff } from '../local-faults.ts';
import { type Failed, noteOutcome, type Outcome, refuse } from '../outcome.ts';
import type { Handler, Policy } from '../policy.ts';
import { openScope } from '../scope.ts';
import { sha256 } from '../sha256.ts';
import { sound } from '../sound.ts';
import { type AnswerCodec, jsonAnswers } from './answer-codec.ts';
import { type End, Ends, Made, moment, Seen } from './ends.ts';
import { again, leavesKeyFree, notKept, unknownEnd } from './final.ts';
import { createMemoryIdempotency, type IdempotencyStore, type KeyState } from './idempotency-store.ts';
import { keepRenewed } from './keep-renewed.ts';
import { keyState, NOT_KEPT } from './key-state.ts';
import { asksTheSame, isOfLaterRound, isSameCall, keptWith } from './same-call.ts';

/** How keys are honoured. */
export interface IdempotencyOptions<T, C extends Call = Call> {
  readonly store?: IdempotencyStore | undefined;
  /** How long an answer is kept. Default 24 h. */
  readonly ttlMs?: number | undefined;
  /**
   * How long a call may be under way before it is given up for lost; where the store can `renew` claims, how long after the last
   * sign of life of its process. Default 30 s with such a store, 1 h with any other.
   */
  readonly leaseMs?: number | undefined;
  /** Longer answers are not kept: a repeat is told that the call has been made. Default 1 million. */
  readonly maxAnswerLength?: number | undefined;
  /** The digest of what the call asks for. By default of upstream, method, target and canonical arguments. */
  readonly fingerprint?: ((call: C) => string) | undefined;
  /**
   * The digest (SHA-256 in hexadecimal) of what else came with the call, of which nobody can say whether it tells its caller: a repeat with another one gets no
   * answer, and is not made. Empty by default.
   */
  readonly sentWith?: ((call: C) => string) | undefined;
  /** How answers are kept. By default as JSON. */
  readonly codec?: AnswerCodec<T> | undefined;
  /** How to tell the rounds of a call apart. By default every call has one. */
  readonly rounds?: Rounds<T, C> | undefined;
  /**
   * May others who share the store have made the call, for all that is known without it? Then it may have been executed
   * while the key cannot be looked up. By default nobody does.
   */
  readonly isShared?: ((call: C) => boolean) | undefined;
  /**
   * Does the call do no harm when it is made twice, by its tool's own word or its operator's? Then a failure of it that may pass is
   * not kept, and a repeat is made again. By default nobody says so of any.
   */
  readonly isHarmless?: ((call: C) => boolean) | undefined;
  readonly clock?: Clock | undefined;
}

/** Calls in several rounds under one key: an answer may be a question, from which the call goes on. */
export interface Rounds<T, C> {
  /** Does the call bring what an answer before it has asked for? */
  isLater(call: C): boolean;
  /** Is what is kept a question, and the call another round than the one that was asked it? */
  goesOn(kept: Outcome<T>, call: C): boolean;
}

/** Longer keys are refused, as Stripe does. */
const MAX_KEY_LENGTH = 255;

/** How often another process is asked whether its call is done; twice as long each time. */
const FIRST_POLL_MS = 50;
const LONGEST_POLL_MS = 1000;

const LEASE_MS = 3_600_000;
/** A process that is silent for so long is taken for dead; what it comes back with is kept all the same. */
const RENEWED_LEASE_MS = 30_000;

/** Honours the key of calls that carry one. Keys of different callers, upstreams and targets are different keys. */
export function idempotency<T, C extends Call>(options: IdempotencyOptions<T, C> = {}): Policy<T, C> {
  onlyKnown<IdempotencyOptions<T, C>>('`idempotency`', options, OPTIONS);
  const { store = createMemoryIdempotency(), fingerprint = fingerprintOf, clock = systemClock } = options;
  expectStore(store);
  const desk = new Desk<T, C>({
    store,
    fingerprint,
    clock,
    codec: options.codec ?? jsonAnswers<T>(),
    rounds: options.rounds ?? ONE_ROUND,
    sentWith: options.sentWith ?? (() => ''),
    isShared: options.isShared ?? (() => false),
    isHarmless: options.isHarmless ?? (() => false),
    ttlMs: lifetime('ttlMs', options.ttlMs, 86_400_000),
    leaseMs: lifetime('leaseMs', options.leaseMs, store.renew === undefined ? LEASE_MS : RENEWED_LEASE_MS),
    maxAnswerLength: integer('maxAnswerLength', options.maxAnswerLength, 1_000_000, 1),
  });
  return (next) => (call) => {
    const { idempotencyKey } = call;
    return typeof idempotencyKey === 'string' ? desk.handle(next, call, idempotencyKey) : next(call);
  };
}

const OPTIONS: OptionNames<IdempotencyOptions<unknown>> = {
  store: true,
  ttlMs: true,
  leaseMs: true,
  maxAnswerLength: true,
  fingerprint: true,
  sentWith: true,
  codec: true,
  rounds: true,
  isShared: true,
  isHarmless: true,
  clock: true,
};

const ONE_ROUND: Rounds<unknown, unknown> = { isLater: () => false, goesOn: () => false };

/** Found out when it is set, not when the first payment is under way. */
function expectStore(store: unknown): void {
  const { claim, finish, free, renew } = Object(store) as Partial<IdempotencyStore>;
  if (renew !== undefined && typeof renew !== 'function')
    throw new TypeError('Expected `renew` of the `store` to be a method, or absent');
  if ([claim, finish, free].every((method) => typeof method === 'function')) return;
  throw new TypeError('Expected `store` to have the methods `claim`, `finish` and `free`');
}

interface Settings<T, C extends Call> {
  readonly store: IdempotencyStore;
  readonly fingerprint: (call: C) => string;
  readonly sentWith: (call: C) => string;
  readonly clock: Clock;
  readonly codec: AnswerCodec<T>;
  readonly rounds: Rounds<T, C>;
  readonly isShared: (call: C) => boolean;
  readonly isHarmless: (call: C) => boolean;
  readonly ttlMs: number;
  readonly leaseMs: number;
  readonly maxAnswerLength: number;
}

/** A key that a call has. */
interface Claimed {
  readonly key: string;
  readonly token: string;
  readonly fingerprint: string;
}

/** A call that is under way here. */
interface Running<T> {
  readonly fingerprint: string;
  readonly progress: Call['progress'];
  readonly end: Promise<Outcome<T>>;
}

class Desk<T, C extends Call> {
  readonly #settings: Settings<T, C>;
  /** Calls that run in this process, by key, until their work has really ended. */
  readonly #running = new Map<string, Running<T>>();

  readonly #ends: Ends;
  readonly #made: Made;
  /** What the store has said of a key holds while it says nothing. */
  readonly #seen = new Seen();
  /** Keys that were left free by calls that may have been executed. */
  readonly #tried = new Seen();

  constructor(settings: Settings<T, C>) {
    this.#settings = settings;
    this.#ends = new Ends(settings.store, settings.clock, settings.ttlMs);
    this.#made = new Made(settings.clock, settings.ttlMs);
  }

  /** Each round has a place of its own under the key: the first one at the key itself, and each after the one before it. */
  async handle(next: Handler<T, C>, call: C, given: string): Promise<Outcome<T>> {
    const { fingerprint, sentWith, rounds } = this.#settings;
    if (given.length === 0 || given.length > MAX_KEY_LENGTH)
      return refusal(call, 'invalid_arguments', BAD_KEY);
    if (HALF.test(given)) return refusal(call, 'invalid_arguments', HALF_KEY);
    const { caller = null, upstream, target = null } = call;
    const asked = keptWith(digestIn(fingerprint(call)), sentWith(call), rounds.isLater(call));
    for (let key = sha256(canonicalJson([caller, upstream, target, given])); ; key = sha256(`after ${key}`)) {
      const outcome = await this.#under(key, asked, next, call);
      if (outcome === undefined) continue;
      // Whoever breaks further out has to tell it as well, to those who joined as to the one that was made.
      noteOutcome(call.progress, outcome);
      return outcome;
    }
  }

  /** What becomes of the call at this place; `undefined` when it goes on from what was asked there. */
  async #under(key: string, asked: string, next: Handler<T, C>, call: C): Promise<Outcome<T> | undefined> {
    const token = crypto.randomUUID();
    const { progress } = call;
    if (this.#tried.has(key)) progress.executed = worse(progress.executed, 'maybe');
    for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(LONGEST_POLL_MS, waitMs * 2)) {
      const held = await this.#ends.find(key, call.deadline);
      if (held !== undefined) return this.#held(call, held, asked);
      // What runs here is known here: a store that was emptied, or is down, changes nothing about it.
      const running = this.#running.get(key);
      if (running !== undefined) {
        if (!isSameCall(running.fingerprint, asked)) return conflict(call, running.fingerprint, asked);
        const joined = await this.#join(call, key, waitMs);
        if (joined !== undefined) return joined;
        continue;
      }
      const found = await this.#lookUp(key, asked, call, token);
      if ('outcome' in found) return found.outcome;
      if (found.state === 'claimed') return this.#lead(next, call, { key, token, fingerprint: asked });
      if (!isSameCall(found.fingerprint, asked)) return conflict(call, found.fingerprint, asked);
      if (found.state === 'unheard') return refusal(call, 'unavailable', UNHEARD, 'maybe');
      if (found.state !== 'running') return this.#replay(call, found);
      const joined = await this.#join(call, key, waitMs);
      if (joined !== undefined) return joined;
    }
  }

  /** What the store says of the key, with what is known here: the store may be down, emptied, or full. */
  async #lookUp(key: string, asked: string, call: C, token: string): Promise<Known | Told<T>> {
    const { store, clock, ttlMs, leaseMs } = this.#settings;
    const { caller = '' } = call;
    const made = this.#made.find(key);
    let found: KeyState;
    try {
      const claim = { key, fingerprint: asked, owner: caller, leaseMs, ttlMs, token, ...moment(clock) };
      found = keyState(await store.claim(claim));
    } catch (thrown) {
      if (made !== undefined) return { outcome: this.#held(call, made, asked) };
      const isDoubtful = this.#seen.has(key) || this.#settings.isShared(call);
      return {
        outcome: { ...refusal(call, 'unavailable', UNKNOWN, isDoubtful ? 'maybe' : undefined), thrown },
      };
    }
    const isForgotten = found.state === 'claimed' || found.state === 'full' || found.state === 'unreadable';
    if (made !== undefined && isForgotten) {
      // It is told again, under the claim that it has given.
      if (found.state === 'claimed') await this.#ends.give(key, { ...made, token }, call.deadline);
      return { outcome: this.#held(call, made, asked) };
    }
    if (found.state === 'claimed') return found;
    if (found.state === 'full') {
      const executed = this.#seen.has(key) ? 'maybe' : undefined;
      return { outcome: refusal(call, 'overloaded', 'Too many calls with a key are kept', executed) };
    }
    this.#seen.note(key);
    return found.state === 'unreadable' ? { outcome: refusal(call, 'unavailable', UNKNOWN, 'maybe') } : found;
  }

  /** The one that is made. Its real end is what is kept, even if nobody has waited for it. */
  async #lead(next: Handler<T, C>, call: C, claim: Claimed): Promise<Outcome<T>> {
    const { key } = claim;
    const { store, clock, leaseMs } = this.#settings;
    const first = made(next, call);
    const stop = keepRenewed(store, clock, { key, token: claim.token, leaseMs });
    const end = first
      .then((outcome) => (outcome.ok ? outcome : (outcome.rest?.then(sound) ?? outcome)))
      .finally(stop);
    const kept = end
      .then((outcome) => this.#keep(call, claim, outcome).then(() => outcome))
      .catch((thrown: unknown) =>
        this.#keep(call, claim, { ok: false, fault: unknownEnd() }).then(() => Promise.reject(thrown)),
      );
    this.#running.set(key, { fingerprint: claim.fingerprint, progress: call.progress, end: kept });
    kept.catch(() => undefined).finally(() => this.#running.delete(key));
    // What is answered to a caller is kept first: a repeat right after the answer must find it.
    const outcome = await first.catch(() => kept);
    if (outcome.ok || outcome.rest === undefined) await kept;
    return outcome;
  }

  async #keep(call: C, claim: Claimed, outcome: Outcome<T>): Promise<void> {
    const { key, ...named } = claim;
    const { codec, maxAnswerLength } = this.#settings;
    const isFree = leavesKeyFree(outcome, this.#settings.isHarmless(call));
    if (isFree && !outcome.ok && outcome.fault.executed !== 'no') this.#tried.note(key);
    const written = isFree ? undefined : encoded(codec, outcome);
    const fits = written !== undefined && written.length <= maxAnswerLength;
    const kept = fits ? written : NOT_KEPT;
    const end = { ...named, answer: isFree ? undefined : kept };
    this.#made.note(key, end);
    await this.#ends.give(key, end, call.deadline);
  }

  /** What this process knows, and its store does not. */
  #held(call: C, { fingerprint, answer }: End, asked: string): Outcome<T> | undefined {
    if (!isSameCall(fingerprint, asked)) return conflict(call, fingerprint, asked);
    if (answer === undefined) return refusal(call, 'unavailable', 'The key cannot be freed now');
    return this.#replay(call, { state: 'done', fingerprint, answer });
  }

  #replay(call: C, found: Extract<KeyState, { state: 'done' | 'lost' }>): Outcome<T> | undefined {
    const { codec, rounds } = this.#settings;
    const outcome = found.state === 'done' ? codec.decode(found.answer) : undefined;
    // Whoever comes with a later round has heard what the first one came to, kept or not.
    const isHeard = rounds.isLater(call) && !isOfLaterRound(found.fingerprint);
    if (outcome === undefined ? isHeard : rounds.goesOn(outcome, call)) return undefined;
    if (found.state === 'lost') return again({ ok: false, fault: unknownEnd() });
    if (outcome === undefined) return { ok: false, fault: notKept(), replayed: true };
    return again(outcome);
  }

  /** What became of the running call; `undefined` when the store has to be asked again. */
  async #join(call: C, key: string, waitMs: number): Promise<Outcome<T> | undefined> {
    const { clock } = this.#settings;
    const { deadline, signal, progress } = call;
    const scope = openScope({ clock, deadline, signal, timeoutMs: Number.POSITIVE_INFINITY });
    const first = this.#running.get(key);
    const running = first?.end;
    // While it waits, nobody can say that nothing has happened.
    const { executed } = progress;
    progress.executed = worse(executed, 'maybe');
    try {
      const gaveUp = new Promise<undefined>((resolve) => {
        if (scope.signal.aborted) resolve(undefined);
        else scope.signal.addEventListener('abort', () => resolve(undefined), { once: true });
      });
      const elsewhere = running === undefined ? sleep(clock, waitMs, scope.signal) : undefined;
      const outcome = await Promise.race([running ?? elsewhere, gaveUp]);
      if (scope.ended !== undefined) return gone(call, scope.ended);
      const isEnd = typeof outcome === 'object' && !this.#settings.rounds.goesOn(outcome, call);
      progress.executed = executed; // what it is told counts from here on
      if (!isEnd) return undefined;
      return again(outcome, leavesKeyFree(outcome, this.#settings.isHarmless(call)));
    } catch (thrown) {
      // Something has broken behind the work: what is known of it is what the first one knows.
      if (first !== undefined) progress.executed = worse(progress.executed, executedSoFar(first.progress));
      throw thrown;
    } finally {
      scope.close();
    }
  }
}

/** A policy of somebody else's may throw at once, or give what is no outcome: then nobody knows how the call ended. */
async function made<T, C extends Call>(next: Handler<T, C>, call: C): Promise<Outcome<T>> {
  return sound(await next(call));
}

/** A codec of somebody else's that throws costs nobody the answer. */
function encoded<T>(codec: AnswerCodec<T>, outcome: Outcome<T>): string | undefined {
  try {
    return codec.encode(outcome);
  } catch {
    return undefined;
  }
}

/** What the store says that a call can go by. */
type Known = Exclude<KeyState, { readonly state: 'full' | 'unreadable' }>;

/** There is nothing more to look for. */
interface Told<T> {
  readonly outcome: Outcome<T> | undefined;
}

/** Is it the same call of somebody else, or of the same one on another way? Nobody knows, so nobody is told that it did not happen. */
function conflict(call: Call, kept: string, asked: string): Failed<never> {
  return asksTheSame(kept, asked)
    ? refusal(call, 'conflict', OTHER_HEADERS, 'maybe')
    : refusal(call, 'conflict', OTHER_CALL, executedSoFar(call.progress), FOR_ANOTHER_CALL);
}

const BAD_KEY = `An idempotency key has 1 to ${MAX_KEY_LENGTH} characters`;
/** Two that differ in this alone are one to a server that is sent bytes. */
const HALF = /\p{Surrogate}/u;
const HALF_KEY = 'An idempotency key is well-formed Unicode; this holds half a character';
const OTHER_CALL = 'The idempotency key was used for a call with other arguments';
const FOR_ANOTHER_CALL =
  'Make the call with these arguments under a new key; to repeat the first one, send the arguments that it had.';
const OTHER_HEADERS =
  'The first call with this idempotency key was sent with other headers, and may be that of another caller; it was not made again';

const UNKNOWN = 'The idempotency key cannot be looked up now';
const UNHEARD = 'The first call with this key cannot report back now';

function refusal(
  call: Call,
  kind: Fault['kind'],
  message: string,
  executed: Fault['executed'] = executedSoFar(call.progress),
  advice?: string,
): Failed<never> {
  // What is wrong with the key is the caller's, what is wrong with the store is ours: no server was asked.
  const origin = kind === 'unavailable' || kind === 'overloaded' ? 'local' : undefined;
  return refuse({
    fault: makeFault({ kind, executed, origin, subject: { type: 'key' }, message, advice }),
    by: 'idempotency',
  });
}

/** The call that was joined goes on; this one waits no longer for it. */
function gone(call: Call, ended: 'deadline' | 'attempt_timeout' | 'cancelled' | 'superseded'): Failed<never> {
  return { ok: false, fault: cutOff(ended, executedSoFar({ ...call.progress, began: true })), ended };
}
