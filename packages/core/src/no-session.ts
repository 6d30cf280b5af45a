/** What an HTTP server says to a request in a session that it does not know (any more), or in none, before anybody works on it. */
import { isOfNoRequest } from './about-another.ts';
import { isRecord, own, parseJson, type Unknown } from './json.ts';
import { saysOnly, statementsIn, type Vocabulary, words } from './plain-words.ts';
import { countsOnly, sentences, tellsOfMore } from './refusal-words.ts';
import { look } from './wire/look.ts';
import type { Wire } from './wire/wire.ts';

/** Words of which servers make the sentence that there is no such session. */
const NO_SESSION: Vocabulary = {
  words: words(
    `a again an and any bad been begin can't cannot client closed could couldn't create does doesn't ended establish exist exists
  expired find first for found gone has have header html id inactive initialization initialize initialized initializing invalid is it known longer mcp
  missing must nginx new no not or out please provided reinitialize request required rpc send server session sessionid sessions
  start terminated the this timed transport unable unknown valid was with without you your`,
  ),
};

/** What the status means, in its own words, and what any answer has around them. */
const STATUS_ONLY = /^(?:(?:error|html|http|mcp|nginx|rpc|4\d\d|bad request|not found)(?: |$))+$/;

/** Our session by its name, alone. */
const NAME_ONLY = /^(?:mcp )?session ?(?:id)?$/;

/** That none was named, or that nobody knows the one that was. */
const MISSING =
  /\b(?:unknown|missing|required|invalid|without|unable|no|not (?:an? )?(?:found|known|valid|exist|provided)|doesn't exist|(?:not|cannot|can't|couldn't) find (?:(?:an?|any|the|this|your|mcp|valid) )*session(?: ?id)?|not initiali[sz]ed)\b/i;

/** That there was one. */
const ENDED = /(?<!\bnot (?:been )?)\b(?:expired|terminated|closed|ended|gone|inactive|timed out)\b/i;

/** What became of a request; that is told of no session. */
const OF_REQUEST =
  /\brequests? (?:(?:is|was|has|have|been|not|no) )*(?:closed|could|ended|exists?|expired|found|gone|known|longer|terminated|timed|unknown|valid)\b/i;

/** What to do about it. */
const ADVICE =
  /^(?:(?:please|client|you|must|and|or) )*(?:(?:re)?-?initiali[sz]e|start|begin|create|establish|send)\b/i;

/** Shorter ids, and those without a digit, may be words that mean something else. */
const TELLING = /^(?=.*\d)[\x21-\x7e]{4,1024}$/;

/** Nobody says at length that there is no such session. */
const MAX_BODY = 10_000;
/** Traces are long. */
const MAX_THROWN = 200_000;

/** An HTTP response, as it came. */
interface HttpSaid {
  readonly status: number;
  /** The words of the status line. */
  readonly statusText?: string | undefined;
  readonly headers?: unknown;
  readonly body: string;
  /** The id of the session in which it was asked, where it is known: an answer that names another one is about that. */
  readonly session?: string | undefined;
}

/**
 * Is this the plain answer to a request in a session that the server does not know? It speaks of the session, and each
 * of its statements does. Under 404 it may go without words of its own: that is what the status means there. Under 400 it may
 * not: that is also what a request gets that is wrong in itself. Under 200 only an error that names no request counts: whoever
 * has begun to work on one knows its id. Whatever says more, of anything, is some other failure.
 */
export function deniesSession({ status, statusText, headers, body: came, session }: HttpSaid): boolean {
  if (status !== 404 && status !== 400 && !(status === 200 && isNamelessDenial(came))) return false;
  const body = wordsThrown(came) ?? alone(came) ?? came;
  const wire = look({ http: { status, statusText, headers, body: withoutId(body, session) } });
  const named = wire.http?.headers?.get('mcp-session-id');
  if (session !== undefined && named !== undefined && named !== session) return false;
  if (wire.result !== undefined || (wire.error?.code ?? 0) === -32601 || wire.error?.code === -32603)
    return false;
  return isAllDenial(wire, (said) => MISSING.test(said) || ENDED.test(said), status === 404);
}

/** Statuses that alone may say it. */
const DENYING: readonly number[] = [400, 404, 410];

/** Whoever is asked before it was opened to has no session of whoever asks. */
const TOO_EARLY = /^[\w ]*\bbefore initiali[sz]ation\b[\w ]*\.?$/i;

/**
 * May it be that the server does not know the session, with nothing proven of this request? The denial may stand under the id
 * of a request, and be another's or what came of the work; under a status that proves nothing; beside headers that may tell
 * of more; or nothing is said at all.
 */
export function mayDenySession({ status, body, session }: HttpSaid): boolean {
  if (body.length > MAX_DENIAL || !(status < 300 || status >= 500 || DENYING.includes(status))) return false;
  if (body === '') return DENYING.includes(status);
  if (!/session|initiali[sz]/i.test(body)) return false;
  const message = errorIn(body);
  if (message === undefined) return status >= 300 && deniesSession({ status: 400, body, session });
  const error = { ...(message['error'] as Unknown), code: UNTOLD };
  if (TOO_EARLY.test(String(own(error, 'message')))) return true;
  return deniesSession({ status: 400, body: JSON.stringify({ ...message, id: null, error }), session });
}

/**
 * In these words, alone, it speaks of nothing else: not of what a tool does first, and not of another server. (That a server is
 * not initialized, tools hand on from whom they ask.)
 */
const UNOPENED =
  /^(?:bad request: )?received (?:an? |the )?request before initiali[sz]ation(?: (?:was|is|has been))?(?: completed?)?\.?$/i;

/** What an answer, and the error in it, have that say nothing else. */
const OF_ANSWER = new Set(['jsonrpc', 'id', 'error']);
const OF_ERROR = new Set(['code', 'message', 'data']);

/**
 * Does the server say itself that nobody has opened this session? Nothing else need be asked, and a `ping` would not tell:
 * it may be answered before a session is opened. Under a 5xx the server may be about to start.
 */
export function saysUnopened({ status, body }: Pick<HttpSaid, 'status' | 'body'>): boolean {
  if (body.length > MAX_DENIAL || !(status < 300 || DENYING.includes(status))) return false;
  const answer = errorIn(body);
  if (answer === undefined) return false;
  const error = answer['error'] as Unknown;
  const isPlain =
    Object.keys(answer).every((name) => OF_ANSWER.has(name)) &&
    Object.keys(error).every((name) => OF_ERROR.has(name));
  return isPlain && UNOPENED.test(String(own(error, 'message'))) && (own(error, 'data') ?? '') === '';
}

/** A number that says nothing beside the words. */
const UNTOLD = -32_000;

/** A few servers have words in place of an id that they do not know; those who count do not count below zero. */
const PLACEHOLDER = /^(?:[a-z]+(?:[ _-][a-z]+)*|-1)$/i;

/**
 * Is it one error, under an id that no client gives? It says nothing about which request it is for, as an error without one,
 * unless this client names its requests in words too.
 */
export function isUnderPlaceholder(body: string, asked: string | number | undefined): boolean {
  const message = body.length > MAX_BODY ? undefined : errorIn(body);
  if (message === undefined || body.split('"id"').length > 2 || PLACEHOLDER.test(String(asked))) return false;
  return PLACEHOLDER.test(String(message['id']));
}

/** The error that is all of a body, or of a list. */
function errorIn(body: string): Unknown | undefined {
  const parsed = parseJson(alone(body) ?? body);
  if (!isRecord(parsed) || 'result' in parsed || 'method' in parsed) return undefined;
  return isRecord(parsed['error']) ? parsed : undefined;
}

/** The only message of a list, as if it had come by itself. */
function alone(body: string): string | undefined {
  const list = /^\s*\[/.test(body) && body.length <= MAX_BODY ? parseJson(body) : undefined;
  return Array.isArray(list) && list.length === 1 && isRecord(list[0]) ? JSON.stringify(list[0]) : undefined;
}

/** Success by its status, refusal by its words: looked at where it is short, as such a refusal is. */
function isNamelessDenial(body: string): boolean {
  if (body.length > MAX_DENIAL || !/session|initiali[sz]ed/i.test(body)) return false;
  const message = errorIn(body);
  return message !== undefined && isOfNoRequest(message['id']);
}

/** Nobody says at greater length under 200 that there is no such session. */
const MAX_DENIAL = 1000;

/**
 * Does the server ask for a session, of whoever called it without one? It does not know the one that it speaks of: one that has
 * ended would be somebody else's, and might be of a step in the work.
 */
export function asksForSession(wire: Wire): boolean {
  const status = wire.http?.status;
  return (status === 404 || status === 400) && isAllDenial(wire, (said) => MISSING.test(said));
}

/** Is each statement the denial, or may stand beside it? `isUnsaid`: it may go without. */
function isAllDenial(wire: Wire, denies: (statement: string) => boolean, isUnsaid = false): boolean {
  if (tellsOfMore(wire) || !saysOnly(wire, NO_SESSION) || !countsOnly(wire)) return false;
  const statements = sentences(wire)
    .filter((said) => said !== wire.id)
    .flatMap(statementsIn);
  const deniesIt = (said: string): boolean => isOfSession(said) && denies(said);
  const isDenied = statements.some(deniesIt);
  // Where nobody speaks of a session, a page that is named is one of somebody who knows of none.
  if (!isDenied && (!isUnsaid || sentences(wire).some((said) => said.includes('://')))) return false;
  return statements.every(
    (said) => STATUS_ONLY.test(said) || (isDenied && (deniesIt(said) || isBeside(said))),
  );
}

function isOfSession(statement: string): boolean {
  return /\bsession|\bnot initiali[sz]ed\b/.test(statement) && !OF_REQUEST.test(statement);
}

/** May this stand beside the denial? */
function isBeside(statement: string): boolean {
  return ADVICE.test(statement) || NAME_ONLY.test(statement);
}

/** What a throwable of Java has when it is written as JSON, with nothing in it but words and where it was thrown. */
const THROWN = new Set(['message', 'localizedMessage', 'cause', 'suppressed', 'stackTrace', 'jsonRpcError']);

/** The words of such a one: servers of the SDK for Java answer with the exception itself. */
function wordsThrown(body: string): string | undefined {
  if (!body.startsWith('{') || !body.includes('"stackTrace"') || body.length > MAX_THROWN) return undefined;
  const thrown = parseJson(body);
  if (!isRecord(thrown) || !Object.keys(thrown).every((name) => THROWN.has(name))) return undefined;
  const { message, localizedMessage = message, cause, suppressed, jsonRpcError, stackTrace } = thrown;
  const isBare = (cause ?? jsonRpcError ?? null) === null && Array.isArray(stackTrace) && !hasAny(suppressed);
  return isBare && typeof message === 'string' && localizedMessage === message ? message : undefined;
}

function hasAny(list: unknown): boolean {
  return list !== undefined && list !== null && !(Array.isArray(list) && list.length === 0);
}

/** The id of our own session says nothing beside that it is ours. */
function withoutId(body: string, session: string | undefined): string {
  if (session === undefined || !TELLING.test(session) || body.length > MAX_BODY) return body;
  return body
    .replaceAll(`'${session}'`, session)
    .split(session)
    .reduce((before, behind) => before + (isWhole(before, behind) ? 'session' : session) + behind);
}

/** Does what stands here go on neither before nor behind it? */
function isWhole(before: string, behind: string): boolean {
  return !/[\w.-]/.test(before.at(-1) ?? '') && !/^(?:[\w-]|\.\w)/.test(behind);
}
