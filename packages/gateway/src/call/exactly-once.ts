/**
 * Calls that carry an idempotency key are made once, whatever the server knows about keys: a repeat gets the answer
 * that the first one got, under its own id.
 */
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { FaultInit } from '@mayday/core';
import { EXECUTED_KEY, IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { CAUTION, cautioned } from '@mayday/core/render';
import {
  canonicalJson,
  type Failed,
  finalUnderKey,
  idempotency,
  isKeyUnknown,
  type Outcome,
  type Policy,
  passing,
} from '@mayday/policy';
import {
  CANNOT_GO_ON,
  idBytes,
  inDoubt,
  lost,
  peek,
  type Wire,
  type WireCall,
  type WireHandler,
  type WirePolicy,
  withId,
} from '@mayday/relay';
import { isRefused } from '../access/verdicts.ts';
import type { UpstreamSettings } from '../settings/settings.ts';
import { sha256 } from '../sha256.ts';
import type { KeptAnswers } from '../state/shared-answers.ts';
import { Afterwards } from './afterwards.ts';
import { besideCalls } from './beside.ts';
import { isKeyed, restOf } from './go-on.ts';
import { isTask, type Kept, plain, WIRE_ANSWERS, WIRE_ROUNDS } from './kept-answers.ts';
import { isRepeat, type KeyedTools } from './keyed-tools.ts';
import { answersIn, isLater } from './later-round.ts';
import { NOBODY, ownerOf, sentWithOf, withheldOf } from './owner.ts';
import { withMeta } from './tell-server.ts';
import { type TimeLimits, timeLimit } from './time-limit.ts';

const NEVER: AbortSignal = new AbortController().signal;
setMaxListeners(0, NEVER); // as many as there are calls under way; each takes its own away
const LEEWAY_MS = 60_000;

/**
 * Honours the key of tool calls that carry one. Whoever asks waits for a limited time; the call itself goes on, because
 * its answer belongs to the key and not to the connection that asked first.
 */
export function exactlyOnce(
  store: KeptAnswers,
  limits: TimeLimits & Partial<Pick<UpstreamSettings, 'type'>>,
  tools: KeyedTools,
): WirePolicy {
  const honour = honouring(store, limits, tools);
  const policy: WirePolicy = (next) => {
    /** Calls that go on after it was told that they take too long: a repeat waits, and is told the same if it is in vain. */
    const late = new Map<string, Late>();
    /** Calls that wait for another, which may be executed whatever became of them. */
    const joined = besideCalls<boolean>('joined');
    const afterwards = new Afterwards();
    const once = honour(async (call) => {
      joined.note(call, false);
      afterwards.forget(nameOf(call));
      const refusal = isRepeat(call) ? await tools.refusalOf(call, next) : undefined;
      if (refusal !== undefined) return noting(answersIn(call), unheard(lost(call, refusal)));
      const came = await next(call);
      if (!came.ok) afterwards.note(nameOf(call), came);
      const outcome = noting(answersIn(call), came);
      const rest = restOf(call);
      if (outcome.ok || rest === undefined) return outcome;
      const id = idOfKey(call);
      const over = rest.finally(() => late.delete(id));
      late.set(id, {
        asked: askedBy(call),
        outcome: { ok: false, fault: finalUnderKey(outcome.fault), replayed: true },
        over: over.then(ignore, ignore),
      });
      return { ...outcome, rest: over };
    });
    const asked = timeLimit(limits)((call) => {
      joined.note(call, true);
      const made = once({ ...call, signal: NEVER, above: attemptsOf(call) });
      const letGo = call.room?.hold(); // it is held also when whoever asked has left
      if (letGo !== undefined) made.then(letGo, letGo);
      return made;
    });
    // A repeat has its own time to wait for a call whose first caller has waited too long.
    const rejoined = timeLimit(limits)(async (call) => {
      joined.note(call, true);
      await late.get(idOfKey(call))?.over;
      return asked(call);
    });
    const further = goingFurther(next, afterwards, limits, tools);
    const underKey = async (call: WireCall, key: unknown): Promise<Outcome<Wire>> => {
      if (typeof key !== 'string') return lost(call, noKey(call));
      const since = Date.now();
      const args = call.params()?.['arguments'];
      const sent = sentKey(call, key, { isShared: store.isShared, type: limits.type });
      const keyed = { ...withKey(call, sent), caller: ownerOf(call), idempotencyKey: key, arguments: args };
      const told = late.get(idOfKey(keyed));
      const isTold = told !== undefined && told.asked === askedBy(keyed);
      const came = isTold ? await rejoined(keyed) : await asked(keyed);
      const isLate = isTold && !came.ok && came.ended === 'attempt_timeout';
      const outcome = isLate ? told.outcome : came;
      if (outcome.replayed !== true) {
        // Who has stopped waiting for the call of another knows nothing of what becomes of it.
        const hasLeft = joined.of(call) === true && !outcome.ok && outcome.ended !== undefined;
        return cautiously(hasLeft ? inDoubt(outcome) : outcome, call, tools);
      }
      // Who may not make the call any more gets no answer to an earlier one, and is not told that there was none.
      if (isRefused(call)) return inDoubt(await next(call));
      if (isAnsweredOtherwise(call, outcome)) return lost(call, OTHER_ANSWERS);
      if (wantsResult(call) && isTask(outcome)) return lost(call, A_TASK);
      // Whoever has waited in vain has no time left to ask the server.
      if (isLate || !isOpen(outcome)) return addressedTo(call, outcome);
      return further(call, keyed, outcome, since);
    };
    return (call) => underKey(call, call.meta?.[IDEMPOTENCY_KEY]);
  };
  return passing({ except: { applies: isKeyed, policy } });
}

/** What is said here stands above what warns of a repetition: a model's next call has another key. */
function cautiously(came: Outcome<Wire>, call: WireCall, tools: KeyedTools): Outcome<Wire> {
  const outcome = isRepeat(call) && isKeyUnknown(came) ? inDoubt(came) : came;
  if (outcome.ok || outcome.fault.executed === 'no' || tools.onlyReads(call)) return outcome;
  return { ...outcome, fault: cautioned(outcome.fault) };
}

function honouring(store: KeptAnswers, { maxTimeMs }: TimeLimits, tools: KeyedTools): Policy<Kept, WireCall> {
  // Nothing is under way for longer: the last attempt begins within the limit, and goes on for as long at most.
  const leaseMs = 2 * maxTimeMs + LEEWAY_MS;
  // Whoever made the key knows of all calls under it. A count says less: after a restart it is 1 again.
  const isShared = (call: WireCall): boolean =>
    store.isShared === true && call.meta?.[EXECUTED_KEY] !== 'no' && !tools.onlyReads(call);
  return idempotency({
    store,
    codec: WIRE_ANSWERS,
    rounds: WIRE_ROUNDS,
    fingerprint,
    sentWith: sentWithOf,
    leaseMs,
    isShared,
    isHarmless: tools.isHarmless,
  });
}

/**
 * Finds out what became of a call of which only that is kept, that nobody knows it. Whoever has waited for the first call has
 * the rest of the same time to hear of it. A refusal to make it is no end: what is known of its tool by now decides each time.
 */
function goingFurther(
  next: WireHandler,
  afterwards: Afterwards,
  limits: TimeLimits,
  tools: KeyedTools,
): (call: WireCall, keyed: WireCall, kept: Outcome<Kept>, since: number) => Promise<Outcome<Wire>> {
  return async (call, keyed, kept, since) => {
    const name = nameOf(keyed);
    const ended = afterwards.end(name);
    if (ended !== undefined) return addressedTo(call, ended);
    const isUnheard = kept.value?.unheard === true;
    const refusal = isUnheard ? await tools.refusalOf(call, next) : undefined;
    if (refusal !== undefined) return lost(call, refusal);
    // What a gateway was doing that is gone may have been no more than asking about the tool.
    const isMade = isUnheard || (await tools.serverKnows(call, next)) || tools.isHarmless(call);
    if (!isMade && !(afterwards.canGoOn(name) && tools.mayGoOn(call))) return addressedTo(call, kept);
    const { caller, arguments: args } = call;
    call.progress.executed = isRoundAfter(call, kept) && !isRepeat(call) ? 'no' : 'maybe';
    const resumed = timeLimit(limits, Date.now, () => since)(next);
    const again = await resumed({ ...keyed, caller, arguments: args, onlyGoesOn: !isMade });
    if (!again.ok && again.refused?.by === CANNOT_GO_ON) return addressedTo(call, kept);
    afterwards.note(name, again);
    return isUnheard ? cautiously(again, call, tools) : again;
  };
}

/** A call that goes on. */
interface Late {
  readonly asked: string;
  /** What whoever asked first was told. */
  readonly outcome: Outcome<Wire>;
  readonly over: Promise<void>;
}

const ignore = (): void => {};

function idOfKey({ caller, upstream, target, idempotencyKey }: WireCall): string {
  return JSON.stringify([caller, upstream, target, idempotencyKey]);
}

/** Which call it is, and which round of it. */
function nameOf(call: WireCall): string {
  const { state, digest } = answersIn(call) ?? {};
  return JSON.stringify([idOfKey(call), fingerprint(call), state, digest]);
}

/** What somebody between here and the work says who has lost the answer himself: another gateway, a client. */
const LOST_FURTHER: ReadonlySet<string> = new Set(['disconnected', 'timeout', 'unavailable']);

/** Nobody here knows how the first call ended: its answer was lost here or further away, or a status came in its place. */
function isOpen(outcome: Outcome<Wire>): boolean {
  if (outcome.ok || outcome.fault.executed !== 'maybe') return false;
  return outcome.value?.type !== 'message' || LOST_FURTHER.has(outcome.fault.kind);
}

/**
 * The key as the server gets it. Callers who differ in nothing that reaches the server are one to it, the gateway: the same key
 * of two of them must be two. On a store that is shared, the next gateway may be one that keeps its answers there as well, and a
 * call must not wait for itself. What an API asks of nobody in particular stays as it is.
 */
function sentKey(
  call: WireCall,
  key: string,
  { isShared, type }: { readonly isShared?: boolean | undefined; readonly type?: string | undefined },
): string {
  const whose = withheldOf(call);
  if (whose === NOBODY && (isShared !== true || type === 'openapi')) return key;
  return asUuid(sha256(`${whose}\0${call.upstream}\0${key}`));
}

/** In the form that all APIs take: some want a UUID of version 4 and nothing else. */
function asUuid(hex: string): string {
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function withKey(call: WireCall, key: string): WireCall {
  if (call.meta?.[IDEMPOTENCY_KEY] === key) return call;
  return withMeta(call, [{ key: IDEMPOTENCY_KEY, value: JSON.stringify(key) }]);
}

/** What is kept of it is the key's: it stays that of a call that may have been executed, and no call is a first one under it. */
function unheard(refused: Failed<Wire>): Outcome<Kept> {
  return { ...refused, value: { type: 'nothing', ...refused.value, unheard: true } };
}

/** With what the user had answered. */
function noting(answers: Kept['answers'], outcome: Outcome<Kept>): Outcome<Kept> {
  if (answers === undefined || outcome.value === undefined) return outcome;
  const value: Kept = { ...outcome.value, answers };
  return outcome.ok ? { ...outcome, value } : { ...outcome, value };
}

/** What was lost is a round before: the server has answered it since, or there would be none after it. */
function isRoundAfter(call: WireCall, { value }: Outcome<Kept>): boolean {
  const asked = answersIn(call);
  if (!isLater(call) || asked === undefined) return false;
  return value?.answers === undefined || value.answers.state !== asked.state;
}

/** Has the user answered something else since? */
function isAnsweredOtherwise(call: WireCall, { value }: Outcome<Kept>): boolean {
  const asked = answersIn(call);
  if (asked === undefined || value?.answers === undefined) return false;
  return asked.state === value.answers.state && asked.digest !== value.answers.digest;
}

const OTHER_ANSWERS: FaultInit = {
  kind: 'conflict',
  origin: 'caller',
  executed: 'maybe',
  subject: { type: 'key' },
  message: 'The call with this idempotency key was made with other answers of the user',
  advice: CAUTION,
};

function wantsResult({ params }: WireCall): boolean {
  return params()?.['task'] === undefined;
}

const A_TASK: FaultInit = {
  ...OTHER_ANSWERS,
  message: 'The first call with this idempotency key was made as a task; ask for the result of that',
};

function noKey(call: WireCall): FaultInit {
  return {
    kind: 'invalid_arguments',
    origin: 'caller',
    executed: isRepeat(call) ? 'maybe' : 'no',
    subject: { type: 'key' },
    message: 'The idempotency key is not a text',
  };
}

/** Who counts attempts still counts them; nobody's deadline but ours ends a call that others may wait for. */
function attemptsOf({ above }: WireCall): WireCall['above'] {
  return above?.attempt === undefined ? undefined : { attempt: above.attempt };
}

/** What a call asks for, and what else it was sent with. */
function askedBy(call: WireCall): string {
  return `${fingerprint(call)} ${sentWithOf(call)}`;
}

/** Larger arguments are compared byte by byte: putting them in order would hold everybody up. */
const MAX_CANONICAL = 64 * 1024;

function fingerprint(call: WireCall): string {
  const { body, peek: seen, upstream, target = '' } = call;
  const range = seen.deciding.arguments;
  const bytes = range === undefined ? Buffer.alloc(0) : body.subarray(range.start, range.end);
  const isExact = bytes.length <= MAX_CANONICAL && !hasRoundedNumbers(bytes.toString('latin1'));
  const said = isExact ? canonicalJson(call.arguments ?? {}) : bytes;
  return createHash('sha256').update(`${upstream}\0${target}\0`).update(said).digest('hex');
}

/** Numbers that a parser would round are told apart by their digits. What is in quotes is no number. */
function hasRoundedNumbers(json: string): boolean {
  return /[\d.]{16}|\d[eE]/.test(json.replace(/"(?:[^"\\]|\\.)*"/g, '""'));
}

/** The stored answer carries the id of the call that it was given to. */
function addressedTo(call: WireCall, outcome: Outcome<Wire>): Outcome<Wire> {
  if (!outcome.ok || outcome.value.type !== 'answer') return outcome;
  const answer = plain(outcome.value);
  const body = withId(answer.body, peek(answer.body), idBytes(call.body, call.peek));
  return { ...outcome, value: { ...answer, body } };
}
