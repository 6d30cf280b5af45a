/** What an outgoing answer says: `undefined` when it is a success that can be sent as it is. */
import { causeOf, type DialectId, type Fault, FaultError, fault, makeFault } from '@mayday/core';
import { formOf } from '@mayday/core/forms';
import { tellsOfDone } from '@mayday/core/render';
import { finalUnderKey } from '@mayday/policy';
import { isHarmless } from '../hints.ts';
import type { Settings } from '../options.ts';
import type { Message } from '../shapes.ts';
import { instructs } from '../words/instructs.ts';
import type { Boundary } from './boundary.ts';
import { type Failure, failureFromThrown } from './failure.ts';
import { isHandedOnInResult, isPeersWords } from './handed-on.ts';
import type { HandlerKind } from './handlers.ts';
import { isJsonSafe } from './json-safe.ts';
import type { RequestState } from './request-state.ts';
import { isSound } from './results.ts';
import { safeResult } from './safe-result.ts';
import { invalidOutput, readSdkError, unknownTool } from './sdk-failures.ts';
import { URL_ELICITATION } from './spoken.ts';
import { failureOfCreation } from './task-creation.ts';
import { invalidArguments } from './validation.ts';

/** The failure in an answer, if it is one. A promise, where the schema has to be asked. */
export function outcome(
  boundary: Boundary,
  state: RequestState,
  message: Message,
): Failure | Promise<Failure> | undefined {
  const { result, error } = message;
  if (state.failure !== undefined) return state.failure;
  if (error !== undefined) return protocolError(boundary, state, error);
  if (result?.['isError'] === true)
    return state.method === 'tools/call'
      ? toolError(boundary, state, message)
      : returned(message, boundary.settings);
  if (state.returned === undefined && !isAnswer(state.method, result))
    return { thrown: invalidOutput(state, 'A handler returned no result, or one that is none'), ...OURS };
  return state.passage === undefined ? undefined : refusedResult(boundary, state, result);
}

const OURS = { began: true, ours: true } as const;

/** Is it an answer? Of a handler that the guard does not see, nobody has asked that yet; without one, a client waits for ever. */
function isAnswer(method: string, result: unknown): boolean {
  return isSound(HANDLERS[method] ?? 'method', result) && isJsonSafe(result);
}

const HANDLERS: { readonly [method: string]: HandlerKind } = {
  'tools/call': 'tool',
  'resources/read': 'resource',
  'prompts/get': 'prompt',
};

/** What v2 meets in a tool that comes back with nothing. */
const NO_RESULT = /^Cannot read properties of (?:undefined|null) \(reading 'structuredContent'\)$/;

function protocolError(
  boundary: Boundary,
  state: RequestState,
  error: NonNullable<Message['error']>,
): Failure | Promise<Failure> {
  if (error.code === URL_ELICITATION)
    return { ...readSdkError(error, boundary, state), began: state.entered, kept: true };
  if (state.entered && state.returned === 'success')
    return { thrown: invalidOutput(state, error.message), began: true, ours: true };
  return (
    promptArguments(boundary, state, error.message) ??
    failureOfCreation(boundary, state, error.message) ??
    readSdkError(error, boundary, state)
  );
}

/** What the guards have against a result: whatever they say of it, the handler came back. */
function refusedResult(boundary: Boundary, state: RequestState, result: unknown): Failure | undefined {
  try {
    state.passage?.show(boundary.settings.guards, result);
    return undefined;
  } catch (reason) {
    const failure = failureFromThrown(reason, { settings: boundary.settings, call: state, began: true });
    const { thrown } = failure;
    const carried = { cause: causeOf(thrown), saidExecuted: true, saidKind: true };
    return { ...failure, thrown: new FaultError({ ...thrown.fault, executed: 'yes' }, carried) };
  }
}

function toolError(
  boundary: Boundary,
  state: RequestState,
  message: Message,
): Failure | Promise<Failure> | undefined {
  const { settings } = boundary;
  const text = textOf(message);
  if (state.entered && state.returned === 'error')
    return state.replayed && !isHarmless(state.tool?.annotations)
      ? returnedAgain(message, settings)
      : returned(message, settings);
  if (state.entered) return { thrown: invalidOutput(state, text), began: true, ours: true };
  const said = text.replace(/^(?:MCP error -?\d+: )+/, '');
  const name = state.name ?? '';
  // A handler that the guard cannot see may have thrown the very same sentence.
  const began = boundary.mayHaveBegun(state);
  // v1 says these as results, and its clients expect results.
  if (said === `Tool ${name} not found` || said === `Tool ${name} disabled`)
    return { thrown: unknownTool(name, boundary.callable()), began, ours: true, asTool: true };
  if (said.startsWith(`Input validation error: Invalid arguments for tool ${name}`)) {
    return invalidArguments('tool', name, state.tool?.inputSchema, state.arguments, text).then((thrown) => ({
      thrown,
      began,
      ours: true,
    }));
  }
  // A handler may have thrown that, too: then nobody knows how far it came.
  if (NO_RESULT.test(said)) return { thrown: invalidOutput(state, said, 'maybe'), ...OURS };
  if (said.startsWith(`Invalid arguments for tool ${name}: arguments contain more than`))
    return { thrown: fault.tooLarge(said), began, ours: true };
  return returned(message, settings);
}

/** v1 and v2 refuse a prompt's arguments as a protocol error with a flat sentence. */
function promptArguments(
  boundary: Boundary,
  state: RequestState,
  sentence: string,
): Promise<Failure> | undefined {
  if (state.method !== 'prompts/get' || state.entered || !/Invalid arguments for prompt/.test(sentence))
    return undefined;
  const name = state.name ?? '';
  const schema = boundary.prompts.get(name)?.argsSchema;
  const began = boundary.mayHaveBegun(state);
  return invalidArguments('prompt', name, schema, state.arguments, sentence).then((thrown) => ({
    thrown,
    began,
    ours: true,
  }));
}

/** From here on, what an error result says is clear enough to advise on. */
const SURE = 0.6;

/**
 * An error result that the author wrote: its words stay, and what they say is read, so that the caller gets
 * the reaction with them. One that already carries a fault speaks for itself, except about whether anything was
 * executed: it may be the answer to some other call, handed on by a tool that had done a part of its own work.
 */
function returned(message: Message, settings: Settings): Failure | undefined {
  const { language } = settings;
  const heard = language.read({ result: message.result }, { began: true });
  if (!heard.failure) return undefined;
  const { fault: read_, dialect, certainty } = heard;
  const handedOn = isOfPeer(message);
  const isOwn = dialect !== null && isOwnForm(dialect, settings) && !handedOn;
  if (dialect !== null && (language.dialect(dialect).classifies === true || isOwn))
    return { thrown: new FaultError(read_), began: true, authored: true, spoken: dialect, advised: isOwn };
  const said: Fault = makeFault({
    ...read_,
    ...partsRead(read_, message, settings),
    native: undefined,
  });
  const advised = isClear(said, certainty);
  // Many handlers return what they caught.
  const spoken = dialect ?? undefined;
  const failed = { thrown: new FaultError(said), began: true, authored: true } as const;
  return { ...failed, spoken, advised, foreign: 'somebody', handedOn };
}

/**
 * Can advice be given? Of a mere "Invalid city" nobody knows more than that the arguments have to be others, and of what was done
 * before something went wrong, whatever that was, that it is not to be done again.
 */
function isClear({ kind, message }: Fault, certainty: number): boolean {
  if (tellsOfDone(message)) return true;
  return (certainty >= SURE && kind !== 'unknown') || (kind === 'invalid_arguments' && instructs(message));
}

/** Does the result repeat what a client of another server was told, in its words, or with the error that it threw? */
function isOfPeer(message: Message): boolean {
  const error = message.result?.['error'];
  const { message: words } = Object(error) as { readonly message?: unknown };
  if (isPeersWords(textOf(message)) || (typeof words === 'string' && isPeersWords(words))) return true;
  return isHandedOnInResult(error);
}

/** Is it in the form of the server's own document? Then code, name and members are what the author has chosen. */
function isOwnForm(id: DialectId, { dialect }: Settings): boolean {
  return id === dialect.id && dialect.closed !== true && formOf(dialect) !== undefined;
}

/** What is read out of words lacks the words beside it, and with them what makes a secret known: it is read again, out of what may be said. */
function partsRead(
  { issues, subject, message: read_ }: Fault,
  message: Message,
  settings: Settings,
): Pick<Fault, 'issues' | 'message'> & { readonly subject?: Fault['subject'] | undefined } {
  const text = safeTextOf(message, settings);
  // A body for programs is no sentence: what it says is in it.
  const isSentence = text !== '' && !isBody(text);
  const words = isSentence ? text : read_;
  if (isSentence && issues.length === 0 && subject?.id === undefined)
    return { issues, subject, message: words };
  const safe = settings.language.read({ result: safeResult(message.result, settings) }, { began: true });
  if (!safe.failure) return { issues: [], subject: undefined, message: isSentence ? words : '' };
  const { fault: said } = safe;
  return { issues: said.issues, subject: said.subject, message: isSentence ? words : said.message };
}

/** Is it written for programs, whole? */
function isBody(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** A stored error result: asking again under its key gets the same, so nobody is told to. Where a second call does no harm, none is stored that may pass. */
function returnedAgain(message: Message, settings: Settings): Failure | undefined {
  const failure = returned(message, settings);
  if (failure?.thrown.fault.retryable !== true) return failure;
  return { ...failure, thrown: new FaultError(finalUnderKey(failure.thrown.fault)) };
}

/** All that a result says in words. */
function textOf(message: Message): string {
  return textsIn(message.result).join('\n');
}

/** The same of several blocks without the secrets that go over them: joined by a line break, they would not be known. */
function safeTextOf(message: Message, settings: Settings): string {
  const texts = textsIn(message.result);
  return (texts.length < 2 ? texts : textsIn(safeResult(message.result, settings))).join('\n');
}

function textsIn(result: { readonly [name: string]: unknown } | undefined): string[] {
  const content = result?.['content'];
  if (!Array.isArray(content)) return [];
  return content
    .map((block: { text?: unknown } | null) => block?.text)
    .filter((text) => typeof text === 'string');
}
