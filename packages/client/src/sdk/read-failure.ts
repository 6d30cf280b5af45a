/** The fault in what an SDK client returns or throws. */
import { type Fault, faultOf, makeFault, type ReadOptions, read } from '@mayday/core';
import { deniesSession } from '@mayday/core/http';
import { isEndOfTask } from '@mayday/core/plan';
import { FAULT_KEY as META_KEY, TOOL_FAILURE_KEY } from '@mayday/core/protocol';
import { bounded, faultInThrown, worse } from '@mayday/policy';
import { unusable, wordsIn } from '../http/answer.ts';
import { sessionExpired } from '../http/mend-fetch.ts';
import { ofEndpoint } from '../http/of-endpoint.ts';
import {
  errorMessageIn,
  isObject,
  isProven,
  isStandIn,
  refusalIn,
  responseIn,
  type SeenResponse,
} from '../http/reply.ts';
import { plainIn, unstartedIn } from './start-failure.ts';

/** How a failure is to be read. */
export interface ReadingFrom {
  /** Unix time in milliseconds. */
  readonly now: number;
  /** Is the server believed when it declares that nothing was executed? Default yes. */
  readonly trustDeclarations?: boolean | undefined;
  /** `true`: it was said by work that had begun, so it may be about another call. */
  readonly began?: boolean | undefined;
  /** What was called: a declaration about something else proves nothing. */
  readonly called?: ReadOptions['called'];
}

/** The fault in a result; `undefined` when it is a success, or a question for the user. */
export function faultInResult(result: unknown, from: ReadingFrom): Fault | undefined {
  return unlessUnreadable(() => failureIn(result, from));
}

/** A value may do anything while it is looked at; then it is a failure of which nothing is known. */
function unlessUnreadable<T>(look: () => T): T | Fault {
  try {
    return look();
  } catch {
    return makeFault({ kind: 'unknown', executed: 'maybe', message: 'The failure could not be read' });
  }
}

function failureIn(result: unknown, from: ReadingFrom): Fault | undefined {
  if (!isObject(result) || result['resultType'] === 'input_required') return undefined;
  const meta = result['_meta'];
  const failed =
    result['isError'] === true ||
    result['isError'] === 'true' ||
    isObject(result['error']) ||
    (isObject(meta) && (TOOL_FAILURE_KEY in meta || META_KEY in meta));
  if (!failed) return undefined;
  // Said to be a result: whatever it looks like inside, it is no answer of the protocol layer.
  const reading = read({ result }, from);
  return reading.failure ? bounded(reading.fault) : undefined;
}

/** Who threw it, as far as that is known. */
export interface ThrownFrom extends ReadingFrom {
  /** The connection had a session, or might have had one. */
  readonly hadSession: boolean;
  /** The id of that session, where it is known. */
  readonly session?: string | undefined;
  /** `false`: our own attempt to make the call met it. `true`: the work had begun. */
  readonly began: boolean;
}

/** The fault in what was thrown, with what only the caller's side knows about the SDKs. */
export function faultInSdkError(thrown: unknown, from: ThrownFrom): Fault {
  return unlessUnreadable(() => {
    const fault = faultBehind(thrown, from);
    return deniesListed(thrown, fault, from) ? { ...fault, executed: 'maybe' } : fault;
  });
}

/** Our own fetch judges a failing response, and knows of no lists: a tool that is there was said to be missing. */
function deniesListed(
  thrown: unknown,
  { kind, executed }: Fault,
  { trustDeclarations, called }: ThrownFrom,
): boolean {
  const isAbsence = executed === 'no' && (kind === 'not_found' || kind === 'unsupported');
  const response = isAbsence && called?.isListed === true ? behind(thrown) : undefined;
  if (response === undefined) return false;
  const { status, statusText, text: body } = response;
  const reading = read({ http: { status, statusText, headers: {}, body } }, { trustDeclarations, called });
  return reading.failure && reading.fault.executed !== 'no';
}

/** The response that our own fetch has seen. */
function behind(thrown: unknown): SeenResponse | undefined {
  return responseIn(madeHere(thrown));
}

/** The name of the refusal that our own fetch has seen. */
export function refusalBehind(thrown: unknown): string | undefined {
  return refusalIn(madeHere(thrown));
}

/** The error that our own fetch has made, also where the SDK's transport has thrown what became of it. */
function madeHere(thrown: unknown): unknown {
  const http = isObject(thrown) ? transportFailure(thrown) : undefined;
  return http === undefined ? thrown : errorMessageIn(http.body);
}

function faultBehind(thrown: unknown, from: ThrownFrom): Fault {
  if (faultOf(thrown) === undefined && isObject(thrown)) {
    const unstarted = from.began ? undefined : (unstartedIn(thrown) ?? plainIn(thrown));
    if (unstarted !== undefined) return unstarted;
    const http = transportFailure(thrown);
    if (http !== undefined) return faultInTransportError(thrown, http, from);
    // The SDKs throw the parser's own errors when an answer cannot be understood.
    const name = String(thrown['name']);
    if (/ZodError$/.test(name)) return unusable('The answer is not a valid MCP message');
    if (name === 'SyntaxError') return unusable('The answer is not JSON');
  }
  // What our own fetch has judged by the status alone is nobody's declaration.
  const trustDeclarations = from.trustDeclarations !== false || isProven(thrown);
  const fault = faultInThrown(thrown, from.now, {
    began: from.began,
    called: from.called,
    trustDeclarations,
  });
  return inWords(isUnderAnyStatus(thrown) ? asUnderFailure(fault, thrown, from) : fault);
}

/** The client of the Vercel AI SDK hands on a JSON-RPC error without the status that it stood under, unless our own fetch has seen that. */
function isUnderAnyStatus(thrown: unknown): thrown is JsonRpcThrown {
  if (!isObject(thrown) || thrown['name'] !== 'MCPClientError' || !Number.isInteger(thrown['code']))
    return false;
  return !isStandIn(thrown) && !isProven(thrown) && responseIn(thrown) === undefined;
}

interface JsonRpcThrown {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * The same fault, with no more proof than there is under a status that proves nothing: what a server declares stays, and so does
 * a refusal of the arguments, which nobody wraps in another's status.
 */
function asUnderFailure(fault: Fault, { code, message, data }: JsonRpcThrown, from: ThrownFrom): Fault {
  if (fault.executed !== 'no' || fault.kind === 'invalid_arguments') return fault;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code, message, data } });
  const reading = read({ http: { status: 503, headers: {}, body } }, readFrom(from));
  return reading.failure ? { ...fault, executed: worse(fault.executed, reading.fault.executed) } : fault;
}

/**
 * What a transport throws about a response. Its headers are gone by then, and any of them may tell of work: only what
 * our own `fetch` has seen, and sealed, proves anything.
 */
function faultInTransportError(thrown: object, http: HttpFailure, from: ThrownFrom): Fault {
  const seen = errorMessageIn(http.body);
  const proven = isProven(seen);
  if (proven || responseIn(seen) !== undefined) {
    // What the server only declares counts as it does under any other status.
    const trustDeclarations = proven || from.trustDeclarations;
    const reading = read({ jsonrpc: '2.0', id: 0, error: seen }, { ...readFrom(from), trustDeclarations });
    if (reading.failure) return bounded(reading.fault);
  }
  const fault = unseenFault(thrown, http, seen !== undefined, from);
  return { ...fault, executed: worse('maybe', fault.executed) };
}

function unseenFault(thrown: object, http: HttpFailure, isJsonRpc: boolean, from: ThrownFrom): Fault {
  if (isAboutSession(http, from)) return sessionExpired();
  const reading = read({ http: { ...http, headers: {} } }, readFrom(from));
  if (!isJsonRpc) {
    const dialect = reading.failure ? reading.dialect : null;
    return ofEndpoint({ fault: unworded(faultInThrown(thrown, from.now, from)), dialect }, http);
  }
  return reading.failure ? bounded(reading.fault) : unusable(`HTTP ${http.status}`);
}

/** As much of it as `read` is told. */
function readFrom({ now, trustDeclarations, began, called }: ThrownFrom): ReadOptions {
  return { now, trustDeclarations, began, called };
}

/** What the SDKs say before the body is not the server's. */
function unworded(fault: Fault): Fault {
  return { ...fault, message: fault.message.replace(SENTENCE, '') };
}

/** Without our fetch, an expired session is a 404 or a 400 with a text, and so is much else. */
function isAboutSession(http: HttpFailure, from: ThrownFrom): boolean {
  return (from.hadSession || /session/i.test(http.body)) && deniesSession({ ...http, session: from.session });
}

/** Has the server itself answered with this error? The SDKs throw errors of their own, and so do we. */
export function isAnswer(thrown: unknown, { kind }: Fault): boolean {
  if (!(thrown instanceof Error) || isStandIn(thrown)) return false;
  const { code } = thrown as { code?: unknown };
  // v1 says in the server's codes that it has waited too long, or that the connection is gone.
  return Number.isInteger(code) && (code as number) < 0 && kind !== 'timeout' && kind !== 'disconnected';
}

/** Has it come with an answer that is no refusal of HTTP's? */
export function isServersAnswer(thrown: unknown, fault: Fault): boolean {
  return isAnswer(thrown, fault) && !isProven(thrown);
}

/** The same of the question for the result of a task: what that has come to is final. What HTTP refuses has ended nothing. */
export function answersForTask(thrown: unknown, fault: Fault): boolean | 'final' {
  if (!isServersAnswer(thrown, fault)) return isAnswer(thrown, fault);
  return isEndOfTask(fault) ? 'final' : true;
}

/** `fetch` says nothing but that it failed; the reason is in the cause, and so in the kind. */
function inWords(fault: Fault): Fault {
  if (fault.message !== 'fetch failed' && fault.message !== 'terminated') return fault;
  const message = FETCH_WORDS[fault.kind];
  return message === undefined ? fault : { ...fault, message };
}

const FETCH_WORDS: { readonly [kind: string]: string } = {
  unavailable: 'The server cannot be reached',
  disconnected: 'The connection was lost before the answer came',
  timeout: 'The connection was not made in time',
};

/** A response as far as a transport keeps it. */
interface HttpFailure {
  readonly status: number;
  readonly body: string;
}

/** Errors of MCP transports that carry a response: those of SDK v1, of SDK v2 and of the Vercel AI SDK. */
const TRANSPORT_ERRORS: readonly unknown[] = ['StreamableHTTPError', 'SdkHttpError', 'MCPClientError'];

function transportFailure(thrown: { readonly [key: string]: unknown }): HttpFailure | undefined {
  // v1 gives its error no name of its own.
  const { name, constructor: made } = thrown as {
    readonly name?: unknown;
    readonly constructor?: { name?: unknown };
  };
  const message = String(thrown['message']);
  const isKnown = TRANSPORT_ERRORS.includes(name) || TRANSPORT_ERRORS.includes(made?.name);
  const status = isKnown
    ? (thrown['status'] ?? thrown['statusCode'] ?? thrown['code'])
    : Number(SENTENCE.exec(message)?.[1]);
  if (typeof status !== 'number' || !(status >= 400)) return undefined;
  const { data, responseBody } = thrown;
  const text = responseBody ?? (isObject(data) ? data['text'] : undefined);
  // Others keep the body in their message only, after one of two sentences.
  const said = typeof text === 'string' ? text : message.replace(SENTENCE, '');
  return { status, body: said.slice(0, MAX_BODY) };
}

/** What v1, and both SDKs' transports for 2024-11-05, say before the body. */
const SENTENCE = /^(?:Streamable HTTP error: )?Error POSTing to endpoint(?: \(HTTP (\d+)\))?: /;

/** More than any fault that our `fetch` has written. */
const MAX_BODY = 100_000;

/** The check of a tool's output failed on this side, after the tool ran: what the tool said is told all the same. */
export function outputRejected(thrown: unknown, result: unknown): Fault {
  const complaint = wordsOf(thrown) ?? 'The output of the tool could not be checked';
  const said = isObject(result) ? wordsIn(result) : '';
  const message = said === '' ? complaint : `${complaint}. The tool said: ${said}`;
  return bounded(makeFault({ kind: 'invalid_output', origin: 'local', executed: 'yes', message }));
}

/** The SDK itself refused the call, before anything was sent. */
export function refusedBySdk(thrown: unknown, fault: Fault): Fault {
  const { code } = isObject(thrown) ? thrown : { code: undefined };
  if (!Number.isInteger(code)) return { ...fault, executed: 'no' };
  const message = wordsOf(thrown) ?? 'The SDK does not make this call';
  return bounded(makeFault({ kind: 'unsupported', origin: 'local', executed: 'no', message }));
}

function wordsOf(thrown: unknown): string | undefined {
  return thrown instanceof Error ? thrown.message.replace(/^MCP error -?\d+: /, '') : undefined;
}
