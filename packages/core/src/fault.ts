/**
 * A fault: one failure in canonical form, as readonly data.
 *
 * Everything here may cross a boundary. What must not (the cause, a stack) is never part of a fault; it
 * travels beside it, in the class that carries a fault when it is thrown (`fault-error.ts`).
 */
import {
  detailsFrom,
  isSame,
  labelFrom,
  nativeFrom,
  oneOf,
  retryHints,
  soundIssues,
  subjectFrom,
  textFrom,
  timeFrom,
} from './fault-parts.ts';
import { noteGiven, noteMade } from './handed-on.ts';
import { member } from './json.ts';
import {
  EXECUTED,
  type Executed,
  isKind,
  isRetryable,
  type Kind,
  REACTIONS,
  type Reaction,
  type RetryWhen,
  TRAITS,
  withoutEvidence,
} from './kinds.ts';

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Subject types with a fixed name. A business subject is its own word: `order`, `product`. */
export const SUBJECT_TYPES: readonly string[] = [
  'tool',
  'resource',
  'resource_template',
  'prompt',
  'task',
  'cursor',
  'session',
  'subscription',
  'progress_token',
  'completion',
  'sampling',
  'elicitation',
  'notification',
  'capability',
  'method',
  'protocol_version',
  'header',
  'uri',
  'message',
  'content',
  'key',
  'tenant',
  'upstream',
];

/** What it went wrong with. */
export interface Subject {
  readonly type: string;
  readonly id?: string;
}

/** Has it one of the fixed names? What an application calls its things says nothing to a protocol. */
export function isOfProtocol(subject: Subject | undefined): boolean {
  return subject !== undefined && SUBJECT_TYPES.includes(subject.type);
}

/** Who failed. A relay never speaks in the origin's name. */
export type Origin = 'caller' | 'server' | 'gateway' | 'upstream' | 'transport' | 'local';

/** All origins. */
export const ORIGINS: readonly Origin[] = ['caller', 'server', 'gateway', 'upstream', 'transport', 'local'];

/** When and how to try again. Waits are integer milliseconds. */
export interface Retry {
  readonly when: RetryWhen;
  readonly afterMs?: number;
  /** Further attempts after the failed one. */
  readonly maxAttempts?: number;
  readonly backoff?: 'fixed' | 'exponential';
  /** Symmetric fraction of the wait, in [0, 1). */
  readonly jitter?: number;
}

/** One thing that is wrong with the input. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** `required`, `invalid_type`, `invalid_format`, … */
  readonly code?: string;
}

/** What a fault said in its own dialect, so that the same dialect can say it again to the letter. */
export interface Native {
  readonly dialect: string;
  readonly code?: number | string;
  readonly message?: string;
  /** Members of the dialect's own form that have no canonical place. */
  readonly extra?: JsonObject;
  /** A body that the dialect passes through as it came. */
  readonly raw?: string;
  /** What the dialect's document tells a client to wait, in milliseconds, where the wire names no time. */
  readonly waitMs?: number;
}

/** One failure, in canonical form. */
export interface Fault {
  readonly kind: Kind;
  readonly subject?: Subject;
  readonly message: string;
  readonly reaction: Reaction;
  /** True exactly when the reaction is `retryable` or `dependency`. */
  readonly retryable: boolean;
  readonly retry: Retry;
  readonly executed: Executed;
  readonly origin: Origin;
  readonly issues: readonly Issue[];
  /** The name of an application-defined error: `ORDER_NOT_FOUND`. */
  readonly name?: string;
  /** What to do next, when the kind's own advice is not specific enough. */
  readonly advice?: string;
  /** Facts that are safe to show: limits, sizes, versions. */
  readonly details?: JsonObject;
  readonly correlationId?: string;
  /** ISO 8601. */
  readonly timestamp?: string;
  readonly native?: Native;
}

/** What it takes to describe a fault; everything else follows from the kind. */
export interface FaultInit {
  readonly kind: Kind;
  readonly message?: string | undefined;
  readonly subject?: Subject | undefined;
  readonly reaction?: Reaction | undefined;
  /**
   * A declaration decides over the kind's default; the reaction follows it. What is not ready and does not become so by
   * waiting lacks a step of the caller's (`validation`); everything else that is not worth another try is `terminal`.
   */
  readonly retryable?: boolean | undefined;
  readonly retry?: Partial<Retry> | undefined;
  readonly executed?: Executed | undefined;
  readonly origin?: Origin | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly name?: string | undefined;
  readonly advice?: string | undefined;
  readonly details?: JsonObject | undefined;
  readonly correlationId?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly native?: Native | undefined;
}

/** A wait of so many milliseconds; nonsense is no wait. */
export function waitMs(ms: number | undefined): Partial<Retry> | undefined {
  return typeof ms === 'number' && ms >= 0 ? { afterMs: ms } : undefined;
}

/** A wait of so many seconds. */
export function waitSeconds(seconds: number | undefined): Partial<Retry> | undefined {
  return waitMs(typeof seconds === 'number' ? seconds * 1000 : undefined);
}

const CALLER_REACTIONS: readonly Reaction[] = ['validation', 'permission'];

/**
 * Builds a complete, consistent fault from what is known. Without `executed`, the kind's default is taken, which
 * holds for a refusal before the work: once it had begun, say so. Total: whatever the fields are, a fault comes of
 * them, and nothing is thrown.
 */
export function makeFault(init: FaultInit): Fault {
  return faultWith(init, executedIn(init));
}

/** The same, where somebody else decided whether the work happened, or knows what its dialect waits. */
export function faultWith(init: FaultInit, executed: Executed | undefined, waitMs?: number): Fault {
  try {
    if (typeof init === 'object') return build(init, executed, waitMs);
  } catch {
    // A getter or a proxy trap threw: as good as absent, and the other members still count.
  }
  return build(readable(init), executed, waitMs);
}

/** What was given for a fault, of whatever types. */
type Given = { readonly [K in keyof FaultInit]?: unknown };

const MEMBERS =
  'kind message reaction retryable retry origin issues subject name advice details correlationId timestamp native';

function readable(init: unknown): Given {
  return Object.fromEntries(MEMBERS.split(' ').map((name) => [name, member(init, name)]));
}

function build(init: Given, executed: Executed | undefined, waitMs: number | undefined): Fault {
  const given = init.kind;
  const kind: Kind = isKind(given) ? given : 'unknown';
  const defaults = TRAITS[kind];
  const reaction = reactionOf(init, kind);
  const retryable = isRetryable(reaction);
  const fault: { -readonly [K in keyof Fault]: Fault[K] } = {
    kind,
    message: wordsFrom(init.message) ?? defaults.title,
    reaction,
    retryable,
    retry: makeRetry(init.retry, kind, reaction),
    executed: executed ?? defaults.executed,
    origin: oneOf(init.origin, ORIGINS) ?? defaultOrigin(kind, defaults.reaction),
    issues: soundIssues(init.issues),
  };
  const subject = subjectFrom(init.subject);
  const name = textFrom(init.name);
  const advice = textFrom(init.advice);
  const details = detailsFrom(init.details);
  const correlationId = labelFrom(init.correlationId);
  const timestamp = timeFrom(init.timestamp);
  const native = nativeFrom(init.native, waitMs);
  if (subject !== undefined) fault.subject = subject;
  if (name !== undefined) fault.name = name;
  if (advice !== undefined) fault.advice = advice;
  if (details !== undefined) fault.details = details;
  if (correlationId !== undefined) fault.correlationId = correlationId;
  if (timestamp !== undefined) fault.timestamp = timestamp;
  if (native !== undefined) fault.native = native;
  return fault;
}

/** The same fault, met after the work had begun: what its kind implies no longer holds. */
export function onceBegun(fault: Fault): Fault {
  return fault.executed === 'no' ? { ...fault, executed: withoutEvidence(fault.kind) } : fault;
}

/** A fault as it is, if it is whole; else the one that can be made of it. For those that come from elsewhere. */
export function soundFault(value: Fault): Fault {
  const made = makeFault(value);
  return isSame(value, made) ? value : made;
}

/** What was said about whether it happened. Said in words that nobody knows, it is at least doubtful. */
function executedIn(init: FaultInit): Executed | undefined {
  const said = member(init, 'executed');
  if (said === undefined || said === null) return undefined;
  if (said === true) return 'yes';
  const known = oneOf(said, EXECUTED);
  if (known !== undefined) return known;
  const kind = member(init, 'kind');
  return isKind(kind) && TRAITS[kind].executed === 'yes' ? 'yes' : 'maybe';
}

function reactionOf(init: Given, kind: Kind): Reaction {
  const said = oneOf(init.reaction, REACTIONS);
  const reaction = said ?? TRAITS[kind].reaction;
  const { retryable } = init;
  if (typeof retryable !== 'boolean' || retryable === isRetryable(reaction)) return reaction;
  if (retryable) return 'retryable';
  const isStepAway = kind === 'not_ready' && said === undefined && member(init.retry, 'when') !== 'never';
  return isStepAway ? 'validation' : 'terminal';
}

/** Does this moment mean the same call again? */
function repeats(when: RetryWhen): boolean {
  return when === 'now' || when === 'backoff' || when === 'after_wait';
}

/** What each reaction waits for, where the kind has another one in mind. */
const WHEN: { readonly [R in Reaction]: RetryWhen } = {
  validation: 'after_change',
  permission: 'after_auth',
  retryable: 'backoff',
  dependency: 'backoff',
  terminal: 'never',
};

/** A wait only makes sense where a retry does; `when` follows the reaction. */
function makeRetry(given: unknown, kind: Kind, reaction: Reaction): Retry {
  const said = retryHints(given);
  const traits = TRAITS[kind];
  const usual = reaction === traits.reaction ? traits.when : WHEN[reaction];
  let when = said?.when ?? usual;
  if (isRetryable(reaction) !== repeats(when)) when = usual;
  if (said === undefined) return noteMade({ when });
  if (said.afterMs !== undefined && when === 'backoff') when = 'after_wait';
  said.when = when;
  const retry = said as Retry;
  return isSame(given as object, retry) ? noteGiven(given as Retry) : noteMade(retry);
}

function defaultOrigin(kind: Kind, reaction: Reaction): Origin {
  if (CALLER_REACTIONS.includes(reaction) || kind === 'not_found' || kind === 'conflict') return 'caller';
  if (kind === 'unavailable' || kind === 'upstream_failed') return 'upstream';
  if (kind === 'disconnected') return 'transport';
  if (kind === 'cancelled') return 'caller';
  return 'server';
}

/** Blanks say nothing. */
function wordsFrom(message: unknown): string | undefined {
  const said = labelFrom(message);
  return said === undefined || said.trim() === '' ? undefined : said;
}
