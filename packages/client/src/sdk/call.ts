/** One request: what is known about it, and what the SDK is told. */
import { type Fault, FaultError, makeFault } from '@mayday/core';
import type { PlannedCall } from '@mayday/core/plan';
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import {
  type Attempt,
  type Call,
  callable,
  flag,
  hush,
  integer,
  milliseconds,
  nearestTo,
  type OptionNames,
  onlyKnown,
  type RunOptions,
  type Settled,
} from '@mayday/policy';
import { isObject } from '../http/reply.ts';
import type { AnnotationBook, ToolFacts } from './annotations.ts';
import { duration, type ResilientOptions, toolPolicyOf } from './options.ts';
import type { Times } from './times.ts';
import type { SdkOptions, SdkRequest } from './types.ts';

/** What is known about a call before it is made. */
export type CallFacts = Pick<Call, keyof PlannedCall | 'target' | 'signal' | 'above' | 'once'>;

/** What a single call may set for itself. */
export interface CallExtras
  extends Pick<
    RunOptions<unknown>,
    'attempts' | 'deadlineMs' | 'attemptTimeoutMs' | 'hedgeAfterMs' | 'retryIf'
  > {
  readonly signal?: AbortSignal | undefined;
  /** Overrules the tool's annotations and the client's options. */
  readonly repeatable?: boolean | undefined;
  /** Send it once at most, whatever is known about its failure. */
  readonly once?: boolean | undefined;
  /** For a server that recognises a repeated call by it; sent in `_meta` as `dev.mayday/idempotency-key`. */
  readonly idempotencyKey?: string | undefined;
}

const KNOWN: OptionNames<CallExtras> = {
  attempts: true,
  deadlineMs: true,
  attemptTimeoutMs: true,
  hedgeAfterMs: true,
  retryIf: true,
  signal: true,
  repeatable: true,
  once: true,
  idempotencyKey: true,
};

/** Refuses what a call cannot set; a slip of the pen would otherwise be a promise that nobody keeps. */
export function checkExtras(extras: CallExtras): void {
  onlyKnown('a call', extras, KNOWN);
  if (extras.attempts !== undefined) integer('attempts', extras.attempts, 1, 1);
  duration('deadlineMs', extras.deadlineMs);
  duration('attemptTimeoutMs', extras.attemptTimeoutMs);
  milliseconds('hedgeAfterMs', extras.hedgeAfterMs, 0);
  flag('repeatable', extras.repeatable);
  flag('once', extras.once);
  callable('retryIf', extras.retryIf);
  if (extras.idempotencyKey !== undefined) checkKey('idempotencyKey', extras.idempotencyKey);
  checkSignal(extras.signal);
}

/** Refuses what stands behind the options of a call, where the SDK's own methods have theirs: nobody reads it there. */
export function checkNoMore(more: readonly unknown[]): void {
  const [first] = more.filter((one) => one !== undefined && one !== null);
  if (first === undefined) return;
  for (const name of isObject(first) && !isSchema(first) ? Object.keys(first) : []) {
    const meant = nearestTo(name, Object.keys(KNOWN), 1);
    if (meant !== undefined)
      throw new TypeError(
        `Unknown option \`${name}\` in the third place of a call; did you mean \`call(params, { ${meant} })\`?`,
      );
  }
  throw new TypeError(`Expected nothing behind the options of a call, got ${shown(first)}`);
}

/** What cannot be listened to would end the call with a failure that is nobody's but the caller's. */
function checkSignal(signal: unknown): void {
  const listens = isObject(signal) && typeof signal['addEventListener'] === 'function';
  if (signal !== undefined && !listens)
    throw new TypeError(`Expected \`signal\` to be an AbortSignal, got ${shown(signal)}`);
}

/** What the SDK's own methods do not take; the rest of their options is the SDK's business. */
const OURS: readonly string[] = Object.keys(KNOWN).filter((name) => name !== 'signal');

/** Refuses an option of ours among the arguments of the SDK's own methods, wherever it stands: the other SDK has them elsewhere. */
export function checkSdkOptions([, ...rest]: readonly unknown[]): void {
  for (const options of rest) if (isObject(options) && !isSchema(options)) checkNames(options);
}

function isSchema(value: object): boolean {
  return '~standard' in value || '_def' in value;
}

function checkNames(options: object): void {
  for (const name of Object.keys(options)) {
    const meant = nearestTo(name, OURS, 1);
    if (meant !== undefined)
      throw new TypeError(
        `Unknown option \`${name}\` of the SDK's own methods; did you mean \`call(params, { ${meant} })\`?`,
      );
  }
}

/** What other tools call a member of the params. */
const MISNAMED: { readonly [name: string]: string } = {
  args: 'arguments',
  input: 'arguments',
  params: 'arguments',
  parameters: 'arguments',
  tool: 'name',
};

/** Refuses what is sent to no tool, and what nobody would read there: an option of ours, a member by another name. */
export function checkParams(params: unknown): void {
  if (!isObject(params) || Array.isArray(params))
    throw new TypeError(
      `Expected the parameters of a call to be an object, as \`{ name, arguments }\`, got ${shown(params)}`,
    );
  for (const name of Object.keys(params)) {
    const option = nearestTo(name, [...OURS, 'signal'], 1);
    const member = Object.hasOwn(MISNAMED, name) ? (MISNAMED[name] as string) : undefined;
    const isMissing = member !== undefined && !Object.hasOwn(params, member);
    const meant = option === undefined ? (isMissing ? member : undefined) : `call(params, { ${option} })`;
    if (meant !== undefined)
      throw new TypeError(`Unknown parameter \`${name}\` of a call; did you mean \`${meant}\`?`);
  }
}

/** The name of a type: a text may be a secret in the wrong place. */
function shown(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
}

/** Servers take no longer ones. */
const MAX_KEY_LENGTH = 255;

/** A key that a server would refuse, or that is none, is refused before anything is sent. */
function checkKey(name: string, key: unknown): string {
  if (typeof key === 'string' && key.length > 0 && key.length <= MAX_KEY_LENGTH) return key;
  const got = typeof key === 'string' ? `${key.length} characters` : shown(key);
  throw new TypeError(`Expected \`${name}\` to be a text of 1 to ${MAX_KEY_LENGTH} characters, got ${got}`);
}

/** Where a call keeps what concerns only us, in the options that pass through the SDK. */
export const INSIDE: unique symbol = Symbol('mayday');

/** What concerns only us. */
export interface Inside {
  /** The request comes from `callTool`, which looks at the outcome itself. */
  readonly tool: boolean;
  readonly extras: CallExtras;
  settled?: Settled<unknown>;
  /** Whatever the SDK makes of its failure, it is not to send the call again. */
  isFinal?: boolean;
  /** Told what is found of an answer after its request has settled well. */
  onRejected?: (fault: Fault) => void;
}

/** What was put into the options; nothing, for requests that come from elsewhere. */
export function insideOf(options: unknown): Inside {
  const inside = isObject(options) ? (options as { [INSIDE]?: Inside })[INSIDE] : undefined;
  return inside ?? { tool: false, extras: {} };
}

/** Whether it can be repeated: the call's own word, the operator's, then the tool's. */
export function callInfo<Transport>(
  request: SdkRequest,
  book: AnnotationBook,
  options: ResilientOptions<Transport>,
  extras: CallExtras,
): CallFacts {
  const { method, params } = request;
  if (method !== 'tools/call') return { method, once: extras.once };
  const target = String(params?.['name']);
  const own = toolPolicyOf(options.tools, target);
  return {
    method,
    target,
    ...annotationsOf(target, book, options),
    repeatable: extras.repeatable ?? own?.repeatable,
    once: extras.once ?? own?.once,
  };
}

/** A call, whichever of its rounds is under way. */
export interface RoundedCall {
  readonly args: readonly unknown[];
  readonly given: SdkOptions;
  readonly extras: CallExtras;
  readonly facts: CallFacts;
  /** The idempotency key that goes out with it. */
  readonly key: string | undefined;
  readonly times: Times;
  readonly isKeyMade: boolean | undefined;
  /** Did the tool say that it takes keys? */
  readonly tookKey: boolean;
  /** Of the book, when the call was made. */
  readonly changes: number;
  readonly sessions: number;
  /** Of all rounds together, Unix time in milliseconds. */
  readonly deadline: number;
}

/** The key of a call, and whether it makes a repetition safe. */
export interface CallKey {
  /** Goes out with every attempt. */
  readonly sent?: string | undefined;
  /** The same, unless the tool says that it knows no keys: then it is believed, whatever else is not. */
  readonly idempotencyKey?: string | undefined;
  /** Nobody gave one: it was made, because the tool says that it knows keys. */
  readonly isMade?: boolean | undefined;
  /** Does the tool say that it takes keys? */
  readonly takesKey?: boolean | undefined;
}

/** The caller's own key, or one that is made for a tool that knows keys. */
export function callKey<Transport>(
  request: SdkRequest,
  book: AnnotationBook,
  options: ResilientOptions<Transport>,
  extras: CallExtras,
): CallKey {
  const { method, params } = request;
  if (method !== 'tools/call') return {};
  const target = String(params?.['name']);
  const takesKey = factsOf(target, book, options).takesKey === true;
  const tookKeys = options.trustAnnotations !== false && book.tookKeys(target);
  const makesKey = (takesKey || tookKeys) && options.idempotencyKeys !== false;
  const given = extras.idempotencyKey ?? keyIn(params);
  const sent = given ?? (makesKey ? newKey(options) : undefined);
  const isMade = given === undefined && sent !== undefined;
  // What the tool has said in an earlier session makes no repetition safe.
  const isSafe = isMade ? takesKey : book.of(target).takesKey !== false;
  return { sent, isMade, takesKey, idempotencyKey: isSafe ? sent : undefined };
}

/** Does a key still make a repetition safe, by what the tool says by now? `onItsWord`: only if it says that it takes keys. */
export function keepsKey<Transport>(
  target: string,
  book: AnnotationBook,
  options: ResilientOptions<Transport>,
  onItsWord: boolean,
): boolean {
  return onItsWord ? factsOf(target, book, options).takesKey === true : book.of(target).takesKey !== false;
}

function factsOf<Transport>(
  target: string,
  book: AnnotationBook,
  { trustAnnotations }: ResilientOptions<Transport>,
): ToolFacts {
  return trustAnnotations === false ? {} : book.of(target);
}

/** What a tool says by now about being called twice. */
export function annotationsOf<Transport>(
  target: string,
  book: AnnotationBook,
  options: ResilientOptions<Transport>,
): Pick<CallFacts, 'readOnly' | 'idempotent' | 'destructive'> {
  const { readOnly, idempotent, destructive } = factsOf(target, book, options);
  return { readOnly, idempotent, destructive };
}

/** A key that the caller put into `_meta` itself. */
function keyIn(params: SdkRequest['params']): string | undefined {
  const meta = params?.['_meta'];
  const key = isObject(meta) ? meta[IDEMPOTENCY_KEY] : undefined;
  return key === undefined ? undefined : checkKey(`_meta["${IDEMPOTENCY_KEY}"]`, key);
}

function newKey<Transport>({ idempotencyKeys }: ResilientOptions<Transport>): string {
  if (typeof idempotencyKeys !== 'function') return crypto.randomUUID();
  let key: unknown;
  try {
    key = idempotencyKeys();
  } catch (cause) {
    throw notSent('idempotencyKeys() threw an error', cause);
  }
  hush(key); // a promise is no key, and refused as such
  try {
    return checkKey('idempotencyKeys()', key);
  } catch (cause) {
    throw notSent((cause as Error).message, cause);
  }
}

/** A key that could not be made: nothing was sent yet, and what went wrong is for whoever wrote the function. */
function notSent(why: string, cause: unknown): FaultError {
  const message = `Not sent: ${why}`;
  return new FaultError(makeFault({ kind: 'misconfigured', origin: 'local', executed: 'no', message }), {
    cause,
  });
}

/** Longer than any deadline: our clock decides, not the SDK's timer. */
const NEVER_MS = 2 ** 31 - 1;

/** The SDK's options for asking the user: nothing is sent with them. */
export function askingOptionsFor(given: SdkOptions, signal: AbortSignal | undefined): SdkOptions {
  return { ...given, signal, timeout: NEVER_MS, maxTotalTimeout: undefined, allowInputRequired: false };
}

/** The SDK's options for one attempt. */
export function sdkOptionsFor(given: SdkOptions, attempt: Attempt): SdkOptions {
  const { onprogress } = given;
  const resets = given.resetTimeoutOnProgress === true;
  const told: SdkOptions = {
    ...given,
    signal: attempt.signal,
    timeout: NEVER_MS,
    maxTotalTimeout: undefined,
    // Each round is a request of its own: see rounds.ts.
    allowInputRequired: true,
  };
  if (onprogress === undefined) return told;
  return {
    ...told,
    onprogress(progress: never) {
      if (resets) attempt.extend();
      onprogress(progress);
    },
  };
}
