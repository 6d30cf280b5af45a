/**
 * Exactly once, for calls that carry `_meta["dev.mayday/idempotency-key"]`: a repeat of a finished call gets
 * the stored answer, of a running one joins it, and with other arguments it is a conflict.
 */
import { fault } from '@mayday/core';
import { EXECUTED_KEY, IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { CAUTION } from '@mayday/core/render';
import {
  createMemoryIdempotency,
  dropOldest,
  type Handler,
  type IdempotencyOptions,
  type IdempotencyStore,
  idempotency,
  isKeyUnknown,
  type Outcome,
  type Call as PolicyCall,
  sha256,
  startCall,
} from '@mayday/policy';
import type { Clock } from '../clock.ts';
import { isIdentifying } from '../guards/known-callers.ts';
import { isHarmless, onlyReads } from '../hints.ts';
import type { Settings } from '../options.ts';
import { quietly } from '../report/hooks.ts';
import { forgetBegun, mayHaveBegunHere, noteBegun } from './begun.ts';
import type { Failure } from './failure.ts';
import { homeOf, type Identity, sharedHomeOf } from './home.ts';
import { lastFailure } from './last-resort.ts';
import { unbegun } from './once-answer.ts';
import {
  answersIn,
  type Ended,
  endOf,
  KEPT_ANSWERS,
  outcomeOf,
  ROUNDS,
  type RoundCall,
  type Worked,
} from './once-outcome.ts';
import { patient } from './patient-store.ts';
import type { RequestState } from './request-state.ts';
import { senderOf } from './sender.ts';
import { wantsTask } from './task-requests.ts';
import { forgetUnbegun, isKnownUnbegun, noteUnbegun } from './unbegun.ts';

/** How keys are honoured. */
export interface OnceOptions {
  /** Where answers are kept, for all processes and restarts; in this process's memory, if absent. */
  readonly store?: IdempotencyStore | undefined;
  /** How long an answer is kept; 24 hours. */
  readonly ttlMs?: number | undefined;
  /**
   * How long a call may be under way before it is given up for lost; with a `store` that renews claims, as those of `@mayday/store` do,
   * how long after the last sign of life of its process. 30 seconds there, an hour elsewhere.
   */
  readonly leaseMs?: number | undefined;
  /** Longer answers are not kept: a repeat is told that the call has been made; a million characters. */
  readonly maxAnswerLength?: number | undefined;
}

type Once = (call: RoundCall, next: Handler<unknown, RoundCall>) => Promise<Outcome<unknown>>;

/** The server that a call was sent to. */
export interface Served {
  readonly settings: Settings;
  readonly identity: Identity;
  readonly connection: string;
}

/** What is remembered in this process, for each clock. */
const memories = new WeakMap<Clock, IdempotencyStore>();
const desks = new WeakMap<IdempotencyStore, Map<string, Once>>();
/** Options that differ from one call to the next have desks of their own, of which few need be kept. */
const MAX_DESKS = 16;

/** One desk for all that is kept in one place: stateless servers are made and guarded anew for each request. */
function onceFor({ clock, idempotency: set }: Settings): Once {
  const given: OnceOptions = set || {};
  const { ttlMs, leaseMs, maxAnswerLength } = given;
  const store = given.store ?? found(memories, clock, () => createMemoryIdempotency());
  const bySettings = found(desks, store, () => new Map<string, Once>());
  dropOldest(bySettings, MAX_DESKS);
  return found(bySettings, JSON.stringify([ttlMs, leaseMs, maxAnswerLength]), () => {
    const asked = given.store === undefined ? store : patient(store, clock);
    const policy = idempotency<unknown, RoundCall>({
      ...given,
      store: asked,
      clock: policyClock(clock),
      rounds: ROUNDS,
      codec: KEPT_ANSWERS,
      isShared: (call) => call.mayBeElsewhere,
      isHarmless: (call) => call.isHarmless,
      sentWith: (call) => call.sentWith,
    });
    return (call, next) => policy(next)(call);
  });
}

/** What a map has under a key, made if need be. */
function found<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function policyClock(clock: Clock): NonNullable<IdempotencyOptions<unknown>['clock']> {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic?.() ?? clock.now(),
    timer(ms, callback) {
      const timer = clock.setTimeout(callback, ms);
      return () => clock.clearTimeout(timer);
    },
  };
}

/** The key of a call, if it carries one, and neither the server nor the tool has opted out. */
export function keyOf(state: RequestState, settings: Settings): unknown {
  if (settings.idempotency === false || state.tool?._meta?.[IDEMPOTENCY_KEY] === false) return undefined;
  return state.meta(IDEMPOTENCY_KEY);
}

/** Is it the very call that is under way, which somebody on the way has sent twice? Its key and its sender say so. */
export function isCopy(state: RequestState, first: RequestState, settings: Settings): boolean {
  if (typeof keyOf(state, settings) !== 'string') return false;
  if (JSON.stringify(state.message) !== JSON.stringify(first.message)) return false;
  let isSame = false;
  quietly('identify', () => {
    const [one, other] = [state, first].map(({ extra }) => senderOf(extra, settings.identify));
    isSame = one?.said === other?.said && one?.beside === other?.beside;
  });
  return isSame;
}

/** Runs the work of a call under its key, or finds out what became of it. */
export async function once(
  state: RequestState,
  server: Served,
  key: unknown,
  work: () => Promise<Worked>,
): Promise<Ended> {
  const wrong = wrongIn(state, key);
  if (typeof key !== 'string' || wrong !== undefined) {
    noteRefused(state, server, key);
    return refused(wrong ?? BAD_KEY);
  }
  const progress: { began: boolean; own?: Worked } = { began: false };
  try {
    const call = callUnderKey(state, server, key);
    for (;;) {
      const outcome = await onceFor(server.settings)(call, async () => {
        state.leads = true;
        progress.began = true;
        progress.own = await firstOf(call, state, server.settings, work);
        return outcomeOf(progress.own, onlyReads(state.tool?.annotations), call);
      });
      if (isKeyUnknown(outcome) && !isRepeat(state)) noteUnbegun(server.settings.clock, call, state);
      const ended = progress.own ?? endOf(isRepeat(state) ? inDoubt(outcome) : outcome, call);
      if (ended !== undefined) return ended;
    }
  } catch (bug) {
    noteUnlooked(state, server);
    return progress.own ?? { failure: { ...lastFailure(bug, progress.began), asTool: true } };
  }
}

function callUnderKey(state: RequestState, server: Served, key: string): RoundCall {
  return startCall<RoundCall>({
    upstream: placeOf(state, server),
    method: state.method,
    target: state.name,
    ...callerOf(state, server.settings),
    arguments: state.arguments ?? {}, // who sends none sends an empty list of them
    idempotencyKey: key,
    answers: answersIn(state.message),
    asTask: wantsTask(state),
    mayBeElsewhere: mayBeElsewhere(state, server.settings),
    isHarmless: isHarmless(state.tool?.annotations),
    deadline: state.dueAt,
  });
}

/** May another process on the same store have made it, or this one before a restart? */
function mayBeElsewhere(state: RequestState, settings: Settings): boolean {
  if (!isShared(settings) || !isHttp(state)) return false;
  return !isFirst(state) && !onlyReads(state.tool?.annotations);
}

/** By what the caller says, nothing was executed under the key. A count of attempts says less: after a restart it is 1 again. */
function isFirst(state: RequestState): boolean {
  return state.meta(EXECUTED_KEY) === 'no';
}

/** By what the caller says, it may have been executed before. What is no word for it does not say that it was not. */
function isRepeat(state: RequestState): boolean {
  return ![undefined, null, 'no'].includes(state.meta(EXECUTED_KEY) as string);
}

/** The key could not be looked up: what became of an earlier call is not known. */
function inDoubt(outcome: Outcome<unknown>): Outcome<unknown> {
  if (outcome.ok || outcome.fault.executed !== 'no' || !isKeyUnknown(outcome)) return outcome;
  return { ...outcome, fault: { ...outcome.fault, executed: 'maybe' } };
}

/** The work of the call that has the key. */
async function firstOf(
  call: RoundCall,
  state: RequestState,
  settings: Settings,
  work: () => Promise<Worked>,
): Promise<Worked> {
  if (isOrphan(call, state, settings)) return { failure: orphan() };
  // What this call proves of itself proves nothing of the one before it, which has left the key free.
  if (call.progress.executed !== 'no') state.doubtful = true;
  // One whom `identify` cannot name the next time is known by the key alone.
  const unnamed = settings.identify === undefined ? [] : [{ ...call, caller: ANYBODY }];
  const names = [...namesOf(call, state, settings), ...unnamed];
  noteBegun(settings.clock, names, keptMsOf(settings));
  const worked = state.over ? unbegun() : await work();
  if (worked.unbegun === true) {
    noteUnbegun(settings.clock, call, state);
    forgetBegun(settings.clock, names);
  } else forgetUnbegun(settings.clock, call);
  return worked;
}

/**
 * The caller repeats a call that may have been executed, and nothing is known of the first: it was executed by
 * another process, before a restart, in the name of a token that was renewed since, or it never came.
 */
function isOrphan(call: PolicyCall, state: RequestState, settings: Settings): boolean {
  if (!isRepeat(state)) return false;
  if (storeTells(state, settings)) return false;
  if (isHarmless(state.tool?.annotations)) return false; // nothing could be done twice that is not as good as once
  return !isKnownUnbegun(settings.clock, call, state, !isHttp(state));
}

/** The call by the name of its caller, and by what it was sent with: by that it is known where nobody can be named. */
function namesOf(call: PolicyCall, state: RequestState, { identify }: Settings): readonly PolicyCall[] {
  const { said } = senderOf(state.extra, identify);
  const caller = said === undefined ? undefined : sha256(said);
  return caller === call.caller ? [call] : [call, { ...call, caller }];
}

/** How long anything is known of a key. */
function keptMsOf({ idempotency: given }: Settings): number {
  const { ttlMs = DAY_MS, leaseMs = HOUR_MS } = given || {};
  return Math.max(ttlMs, leaseMs);
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A call with a key was refused before anybody looked at its key. */
export function noteRefused(state: RequestState, server: Served, key: unknown): void {
  state.doubtful = typeof key === 'string' || isRepeat(state);
  if (typeof key !== 'string') return;
  // A function of the operator's that fails must not cost the caller the refusal.
  quietly('identify', () => {
    const { settings } = server;
    const call = callUnderKey(state, server, key);
    state.doubtful = mayHaveBeenMade(call, state, settings);
    if (!state.doubtful || !isOrphan(call, state, settings)) noteUnbegun(settings.clock, call, state);
  });
}

/** `identify` failed before the key of a call was looked at: whose it is nobody knows, but whether anybody's began here. */
export function noteUnlooked(state: RequestState, server: Served): void {
  const { clock } = server.settings;
  const key = state.method === 'tools/call' ? keyOf(state, server.settings) : undefined;
  if (key === undefined) return;
  const call = { upstream: placeOf(state, server), target: state.name, idempotencyKey: String(key) };
  const isElsewhere = mayBeElsewhere(state, server.settings);
  state.doubtful = isRepeat(state) || isElsewhere || mayHaveBegunHere(clock, [{ ...call, caller: ANYBODY }]);
}

/** In the place of a caller: whoever it is. No digest and no name of a guard's is like it. */
const ANYBODY = '\0anybody';

/**
 * May an earlier call under the key of one that is refused have been made? Whoever made the key knows. Of a caller whom nobody has named yet, though somebody would, nothing can be known; what is known of others
 * must not show.
 */
function mayHaveBeenMade(call: RoundCall, state: RequestState, settings: Settings): boolean {
  const { clock, guards } = settings;
  if (mayHaveBegunHere(clock, namesOf(call, state, settings))) return true;
  if (isRepeat(state)) return !isKnownUnbegun(clock, call, state, !isHttp(state));
  if (isFirst(state)) return false;
  return call.mayBeElsewhere || (!isNamed(state) && guards.some(isIdentifying));
}

/** Would the store know the first call? Only one that all processes share, of a caller that is the same each time. */
function storeTells(state: RequestState, settings: Settings): boolean {
  if (!isShared(settings) || !isHttp(state)) return false;
  return isNamed(state) || senderOf(state.extra, settings.identify).lasts;
}

/** Is there a store that other processes may have as well? */
function isShared({ idempotency: given }: Settings): boolean {
  return given !== undefined && given !== false && given.store !== undefined;
}

function orphan(): Failure {
  const thrown = fault.disconnected(
    'Nothing is known here of the first call with this idempotency key; it was not made again',
    { subject: { type: 'key' }, retryable: false, executed: 'maybe', advice: CAUTION },
  );
  return { thrown, began: true, ours: true, asTool: true };
}

const BAD_KEY = 'An idempotency key is a string of 1 to 255 characters';

/** What a caller may say about earlier attempts. */
const EXECUTED: readonly unknown[] = [undefined, 'no', 'maybe', 'yes'];

function wrongIn(state: RequestState, key: unknown): string | undefined {
  if (typeof key !== 'string') return BAD_KEY;
  const isSaid = EXECUTED.includes(state.meta(EXECUTED_KEY) ?? undefined);
  return isSaid ? undefined : `\`${EXECUTED_KEY}\` is "no", "maybe" or "yes"`;
}

/** What a call says about its key is nothing that anybody could go by. */
function refused(message: string): Ended {
  const thrown = fault.invalidArguments(message, { subject: { type: 'key' }, executed: 'no' });
  return { failure: { thrown, began: false, ours: true } };
}

/** Where a key counts. Every connection has keys of its own, except over HTTP, where a caller may come back on any. */
function placeOf(state: RequestState, { settings, identity, connection }: Served): string {
  if (!isHttp(state)) return JSON.stringify([identity.name, connection]);
  return isShared(settings) ? sharedHomeOf(identity, state.extra) : homeOf(identity, state.extra);
}

function isHttp({ extra }: RequestState): boolean {
  return extra?.request !== undefined || extra?.requestInfo !== undefined;
}

/** Whose key it is: whom a guard names, or whoever sends the same proofs; and what may tell somebody else, as far as anybody can say. */
function callerOf(state: RequestState, { identify }: Settings): Pick<RoundCall, 'caller' | 'sentWith'> {
  if (isNamed(state)) return { caller: state.principal, sentWith: '' };
  const { said, beside } = senderOf(state.extra, identify);
  return {
    caller: said === undefined ? undefined : sha256(said),
    sentWith: beside === '' ? '' : sha256(beside),
  };
}

function isNamed({ principal, extra }: RequestState): boolean {
  return principal !== undefined && principal !== extra?.authInfo?.clientId;
}
