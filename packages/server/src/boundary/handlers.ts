/** Handlers, wrapped: whatever they throw or return is noted before the SDK makes something of it. */
import { FaultError, fault, faultOf } from '@mayday/core';
import { STATELESS_REVISION } from '@mayday/core/protocol';
import { isThenable } from '../report/hooks.ts';
import { privateCause } from '../report/report.ts';
import type { AnyFunction, RequestId } from '../shapes.ts';
import { isOfValidator } from '../words/arguments.ts';
import { nameFrame } from '../words/first-step.ts';
import type { JsonSchema } from '../words/tool-schema.ts';
import { readUnread } from '../words/unread.ts';
import type { Boundary } from './boundary.ts';
import { listWithKeys } from './declare-keys.ts';
import { type Failure, failureFromThrown } from './failure.ts';
import { asItIs, asStep, isOfStep } from './inside.ts';
import { areTexts, isJsonSafe } from './json-safe.ts';
import { lastFailure } from './last-resort.ts';
import { schemaOfCall } from './listing.ts';
import type { Worked } from './once-outcome.ts';
import { dialectFor } from './render.ts';
import type { RequestState } from './request-state.ts';
import { asSent, isIterable, isSound, marked, returnedAs, returnedFailure } from './results.ts';
import { invalidOutput } from './sdk-failures.ts';
import { seal } from './seal.ts';
import { spokenError, URL_ELICITATION } from './spoken.ts';
import { enterCall } from './strays.ts';
import { answersAsTool, wantsTask } from './task-requests.ts';
import { learnTold, partsOf, withTold } from './told-secrets.ts';
import { safeTask } from './told-tasks.ts';

/** What a handler answers to. */
export type HandlerKind = 'tool' | 'resource' | 'prompt' | 'method';

/** Marks wrapped handlers. A member, not a weak set: those cost every garbage collection. */
const WRAPPED: unique symbol = Symbol('wrapped');

type Wrapped = AnyFunction & { [WRAPPED]?: boolean };

/** A handler that never throws anything but a placeholder. */
export function wrapHandler(boundary: Boundary, kind: HandlerKind, handler: AnyFunction): AnyFunction {
  if ((handler as Wrapped)[WRAPPED] === true) return handler;
  const { settings } = boundary;
  const strays = settings.unhandledRejections !== 'leave';
  const plain = settings.inner.length === 0;
  // Closures of its own would cost it a scope for each call: what needs some is a function beside it.
  const wrapped: Wrapped = (...args: unknown[]): unknown => {
    const id = requestIdOf(args[args.length - 1]);
    const state = boundary.stateOf(id);
    if (state === undefined) {
      // Timed out or cancelled while the SDK looked at its arguments: it has been answered as not executed.
      return boundary.isGone(id) ? placeholder(kind) : asItIs(handler, args);
    }
    if (state.entered) return step(boundary, kind, state, handler, args);
    if (strays) enterCall(state);
    if (state.keyed) return concluding(boundary, kind, state, handler, args);
    if (plain) return work(boundary, kind, state, handler, args);
    return afterInner(boundary, kind, state, handler, args);
  };
  wrapped[WRAPPED] = true;
  return wrapped;
}

/** One tool calls another, or a handler for all tools hands a call to one of them: one request, and one answer. */
function step(
  boundary: Boundary,
  kind: HandlerKind,
  state: RequestState,
  handler: AnyFunction,
  args: readonly unknown[],
): unknown {
  const note = (reason: unknown, words: string): void => {
    state.failedStep = { failure: failureOf(boundary, kind, state, reason), words };
  };
  return asStep(() => handler(...args), note, boundary.settings.clock);
}

/** A handler of the SDK's own that asks what an author gave it: a fault is noted as it was thrown, all else is the SDK's. */
export function notingFaults(boundary: Boundary, handler: AnyFunction): AnyFunction {
  return async (...args) => {
    const state = boundary.stateOf(requestIdOf(args[args.length - 1]));
    if (state !== undefined) state.reached = true;
    try {
      return await handler(...args);
    } catch (reason) {
      if (state === undefined || faultOf(reason) === undefined) throw reason;
      state.entered = true;
      return failed(boundary, 'method', state, reason);
    }
  };
}

/** The way of calls with a key: a handler that outlives its request still says what it came to. */
async function concluding(
  boundary: Boundary,
  kind: HandlerKind,
  state: RequestState,
  handler: AnyFunction,
  args: readonly unknown[],
): Promise<unknown> {
  const result = (async () => afterInner(boundary, kind, state, handler, args))();
  state.worked = worked(boundary, state, result);
  const how = await state.worked;
  if ('error' in how) return result;
  if ('result' in how) return how.result;
  state.failure = how.failure;
  return placeholder(kind);
}

/**
 * The handler itself. Promises are chained by hand: an `async` function would cost every successful call as
 * much as the rest of the guard.
 */
function work(
  boundary: Boundary,
  kind: HandlerKind,
  state: RequestState,
  handler: AnyFunction,
  args: readonly unknown[],
): unknown {
  state.entered = true;
  state.passage?.began();
  let result: unknown;
  try {
    // Spreading costs more than the two forms that almost every handler has.
    const { length } = args;
    result = length === 2 ? handler(args[0], args[1]) : length === 1 ? handler(args[0]) : handler(...args);
  } catch (reason) {
    return failedWhenRead(boundary, kind, state, reason, args);
  }
  return isThenable(result)
    ? awaited(boundary, kind, state, result, args)
    : settled(boundary, kind, state, result);
}
nameFrame(work);

function awaited(
  boundary: Boundary,
  kind: HandlerKind,
  state: RequestState,
  result: PromiseLike<unknown>,
  args: readonly unknown[],
): unknown {
  return result.then(
    (value) => settled(boundary, kind, state, value),
    (reason) => failedWhenRead(boundary, kind, state, reason, args),
  );
}

/** What it takes to judge an error, and nobody has read yet, is read first. */
function failedWhenRead(
  boundary: Boundary,
  kind: HandlerKind,
  state: RequestState,
  reason: unknown,
  args?: readonly unknown[],
): unknown {
  const fail = (): unknown => failed(boundary, kind, state, reason);
  const read =
    readUnread(reason, boundary.settings.clock) ??
    readListing(boundary, state, reason, args?.[args.length - 1]);
  return read === undefined ? fail() : read.then(fail);
}

/** What the tool takes, where that helps to judge what was thrown. */
function readListing(
  { methods, settings }: Boundary,
  state: RequestState,
  reason: unknown,
  context: unknown,
): Promise<void> | undefined {
  const { name, method, tool } = state;
  if (methods.listing === undefined || method !== 'tools/call' || name === undefined) return undefined;
  if (tool !== undefined || !isOfValidator(reason)) return undefined;
  return methods.listing.ask(name, context, settings.clock);
}

/** Asks the guards that want to see a call whose arguments are right, then runs it. */
function afterInner(
  boundary: Boundary,
  kind: HandlerKind,
  state: RequestState,
  handler: AnyFunction,
  args: readonly unknown[],
): unknown {
  const run = (): unknown => work(boundary, kind, state, handler, args);
  if (boundary.settings.inner.length === 0 || state.innerAsked) return run();
  const refuse = (reason: unknown): unknown => {
    const { settings } = boundary;
    state.failure = failureFromThrown(reason, { settings, call: state, began: false });
    return placeholder(kind);
  };
  try {
    const held = state.passage?.enter(boundary.settings.inner);
    if (held === undefined) return run();
    return held.then(() => (state.over ? placeholder(kind) : run()), refuse);
  } catch (reason) {
    return refuse(reason);
  }
}

/** What the work under a key came to. A failure is sealed, so that every repeat tells the same. */
async function worked(boundary: Boundary, state: RequestState, result: unknown): Promise<Worked> {
  try {
    const value = await result;
    const { failure } = state;
    if (failure !== undefined) return { failure: sealed(boundary, state, failure), unbegun: !failure.began };
    return { result: value, replayed: false };
  } catch (thrown) {
    // Only a question may leave as it is; anything else is a bug, after the work.
    const error = spokenError(thrown);
    if (error?.code === URL_ELICITATION) return { error };
    return { failure: sealed(boundary, state, lastFailure(thrown, true)) };
  }
}

function sealed(boundary: Boundary, state: RequestState, failure: Failure): Failure {
  const cause = failure.cause ?? privateCause(failure.thrown);
  const settings = withTold(boundary.settings, state, ...partsOf(failure));
  const thrown = new FaultError(seal(failure, state, settings), { saidExecuted: true });
  return { ...failure, thrown, cause };
}

/** Almost every result is a tool's plain success, and takes the short way. */
function settled(boundary: Boundary, kind: HandlerKind, state: RequestState, given: unknown): unknown {
  if (kind === 'tool' && isPlainResult(given)) {
    if (state.passage !== undefined) state.passage.ended();
    state.returned = 'success';
    return given;
  }
  const failure = returnedFailure(given);
  if (failure !== undefined) return failedWhenRead(boundary, kind, state, failure);
  if (state.passage !== undefined) state.passage.ended();
  const sent = asSent(given);
  const isResult = typeof sent === 'object' && sent !== null && !isIterable(sent);
  const result = isResult && answersAsTool(state.method) ? marked(sent) : sent;
  if (kind === 'tool' && isResult) {
    const { isError, resultType, task, taskId } = result as { readonly [name: string]: unknown };
    const isPlainly = isError === undefined && resultType === undefined && isSound(kind, result);
    if (isPlainly && isJsonSafe(result)) {
      // A task that was begun for a caller who wants none: what it comes to is still the author's to say.
      state.returned = task !== undefined && !wantsTask(state) ? 'error' : 'success';
      const isPlain = task === undefined && taskId === undefined;
      return isPlain ? result : withSafeTask(boundary, state, result as object);
    }
  }
  const answer = judged(boundary, kind, state, result);
  // What is no JSON is lost on the way out, and may give away what the rest mentions.
  if (state.returned === 'error') learnTold(state, given, boundary.settings.redaction);
  return answer;
}

/** Is it a result of a tool, and nothing but a result? One look at each member: every call pays for this. */
function isPlainResult(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  try {
    if (Object.getPrototypeOf(given) !== Object.prototype) return false;
    let hasContent = false;
    for (const name in given) {
      const member = (given as { readonly [name: string]: unknown })[name];
      if (name === 'content') hasContent = member !== undefined;
      else if (name !== 'structuredContent' && name !== '_meta') return false;
      if (!areTexts(member) && !isJsonSafe(member)) return false;
    }
    return hasContent;
  } catch {
    return false; // whoever judges it finds out what is wrong with it
  }
}

function judged(boundary: Boundary, kind: HandlerKind, state: RequestState, result: unknown): unknown {
  if (!isSound(kind, result) || !isJsonSafe(result)) {
    const thrown = invalidOutput(state, `A ${kind} handler returned ${describe(result)}`);
    state.failure = { thrown, began: true, ours: true };
    return placeholder(kind);
  }
  if (isOfStep(state.failedStep, result)) {
    state.failure = state.failedStep?.failure;
    return placeholder(kind);
  }
  state.returned = returnedAs(result as object);
  if (state.method === 'tools/list') {
    boundary.methods.listing?.learn(result);
    return listWithKeys(result as object, boundary.settings);
  }
  return kind === 'method' || kind === 'tool' ? withSafeTask(boundary, state, result as object) : result;
}

function withSafeTask({ settings }: Boundary, state: RequestState, result: object): object {
  return safeTask(state.method, result, { settings, dialect: dialectFor(state, settings) });
}

function failed(boundary: Boundary, kind: HandlerKind, state: RequestState, reason: unknown): unknown {
  state.passage?.ended();
  // The client has to act on this one, in the era that has it.
  const isQuestion = spokenError(reason)?.code === URL_ELICITATION;
  if (isQuestion && state.revision !== STATELESS_REVISION) throw reason;
  state.failure = isQuestion ? outdated(reason) : failureOf(boundary, kind, state, reason);
  return placeholder(kind);
}

/** A question that is thrown has no form in 2026-07-28. That is the server's mistake, and the caller can mend nothing. */
function outdated(reason: unknown): Failure {
  const told = 'The server asked for input in a form that this revision of the protocol does not have';
  const todo = new Error('Return inputRequired({ inputRequests }) in place of throwing -32042', {
    cause: reason,
  });
  return { thrown: fault.internal(told, { cause: todo }), began: true, ours: true };
}

function failureOf(boundary: Boundary, kind: HandlerKind, state: RequestState, reason: unknown): Failure {
  const { settings } = boundary;
  // A low-level handler is the protocol layer of its server: it checks arguments, and knows which tools exist.
  const unchecked = kind === 'tool' && state.tool === undefined;
  const schema = (): JsonSchema | undefined => schemaOfCall(state, boundary.methods.listing);
  const deals = (): string => dealsOf(state, schema());
  const thrown = failureFromThrown(reason, { settings, call: state, began: true, unchecked, schema, deals });
  const failure = boundary.asked.about(thrown, reason);
  return { ...failure, asTool: kind === 'tool' && (!unchecked || isOfRequest(failure.thrown)) };
}

/** What a tool says of itself, in one text. */
function dealsOf({ name, tool }: RequestState, schema: JsonSchema | undefined): string {
  return JSON.stringify([name, tool?.title, tool?.description, schema ?? {}]);
}

/** Kinds of the request itself; thrown by a tool, they speak of the tool's own input. */
function isOfRequest({ fault }: FaultError): boolean {
  return fault.kind === 'parse_error' || fault.kind === 'invalid_request';
}

/** What the SDK gets to see of a failure; it is replaced on its way out. */
function placeholder(kind: HandlerKind): unknown {
  if (kind === 'tool') return { content: [], isError: true };
  throw new Error('Internal error');
}

/** The request id in the context that either SDK hands to a handler. */
function requestIdOf(context: unknown): RequestId | undefined {
  const given = context as { mcpReq?: { id?: RequestId }; requestId?: RequestId } | undefined;
  return given?.mcpReq?.id ?? given?.requestId;
}

function describe(value: unknown): string {
  return value === null
    ? 'null'
    : typeof value === 'object'
      ? 'an object of the wrong shape, or one that cannot be written as JSON'
      : typeof value;
}
