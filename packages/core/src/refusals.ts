/**
 * Refusals that nobody declares: a number of JSON-RPC's own or a status of the transport's, and nothing beside it that
 * tells of more. They are told by their words, so a language has this part where it reads prose.
 */
import { isDefinedLimit } from './defined-limits.ts';
import type { Heard } from './dialects/dialect.ts';
import { type Called, isOfJsonRpc } from './executed.ts';
import type { Subject } from './fault.ts';
import { kindOfStatus } from './http-status.ts';
import { ownString } from './json.ts';
import { invites, type Kind, TRAITS } from './kinds.ts';
import { asksForSession } from './no-session.ts';
import { MAX_LENGTH } from './plain-words.ts';
import {
  forbidsRepetition,
  isContradicted,
  isOwnLimit,
  isOwnRefusal,
  isToldAround,
  tellsOfWork,
} from './refusal-words.ts';
import { isSaidOtherwise } from './said-again.ts';
import { isPhrase } from './status-line.ts';
import { isVague } from './vague.ts';
import type { Wire } from './wire/wire.ts';

/**
 * Does the answer turn the call away before anybody worked on it, by its number, its status and its words? `isDefined`: a
 * document says so of its number, and nothing is left to ask but whether it tells of more.
 */
export function isRefusal(heard: Heard, wire: Wire, called: Called | undefined, isDefined = false): boolean {
  // Whoever declares it may have written nothing but the body: what HTTP says around that is the server's word, too.
  if (isDefined && heard.executed === 'no' && !isSilentAround(wire)) return false;
  // A document of its own declares it, and all that is left to ask is whether something beside it says otherwise.
  if (isDefined && heard.executed === 'no' && heard.refusal !== true)
    return !(isSaidOtherwise(heard, wire, called) ?? isContradicted(heard, wire));
  if (called !== undefined && (looksForAnother(heard, called) || namesAnother(wire, called))) return false;
  if (called !== undefined && deniesListed(heard, wire, called)) return false;
  if (!cameAsRefusal(heard, wire)) return false;
  // Where a document has a member for it, that is a limit of its own: it is not asked again.
  if (isLimit(heard, wire) && !(isDefined && heard.retryable === false) && forbidsRepetition(wire))
    return false;
  if (isDefined && isAllOfIt(heard, wire)) return true;
  return (heard.refusal === true && refusesByCode(heard, wire)) || refusesByStatus(heard, wire);
}

/** Is it about too many calls, by what it says or by its status? */
function isLimit({ kind }: Heard, { http }: Wire): boolean {
  return LIMITS.has(kind) || (LIMITING.has(http?.status ?? OK) && invites({ kind }));
}

const LIMITS: ReadonlySet<Kind> = new Set(['rate_limited', 'overloaded']);
const LIMITING: ReadonlySet<number> = new Set([425, 429]);

/**
 * Does all that HTTP says around an answer, whatever form it has, let it be a refusal? A result travels as an error does:
 * another status, words in the status line and headers of an application's own tell of more under both.
 */
function cameAsRefusal({ executed }: Heard, { http }: Wire): boolean {
  if (http === undefined) return true;
  const status = http.status ?? http.carrier ?? OK;
  // A declaration is its server's own, under whatever status it fails.
  return (executed === 'no' || status === OK || REFUSING.has(status)) && !isToldAround(http);
}

/** Is nothing said around a declaration but what any door says, in its own words? */
function isSilentAround({ http }: Wire): boolean {
  return http === undefined || (isPhrase(http.reason) && !isToldAround(http));
}

const OK = 200;

/** Says it no more than what its document has it say? What would be asked again has to say it in a door's own words. */
function isAllOfIt(heard: Heard, wire: Wire): boolean {
  if (heard.saysMore === true || wire.hasMore === true || tellsOfWork(wire)) return false;
  return heard.executed === 'no' || !invites(heard) || isDefinedLimit(wire);
}

const METHOD_NOT_FOUND = -32601;
const PARSE_ERROR = -32700;

function refusesByCode(heard: Heard, wire: Wire): boolean {
  if (!isOfJsonRpc(wire) || !isOfItsNumber(wire)) return false;
  // What is malformed stays malformed: a server that wants to be asked again means something else by the number.
  return heard.retryable !== true && wire.hasMore !== true && isOwnRefusal(wire);
}

/** Two of the numbers can be about one thing only; with other words they were thrown for something else. */
function isOfItsNumber({ error }: Wire): boolean {
  const about = ABOUT.get(error?.code ?? 0);
  const message = error?.message ?? '';
  return about === undefined || about.test(message) || isVague(message);
}

const ABOUT: ReadonlyMap<number, RegExp> = new Map([
  [
    METHOD_NOT_FOUND,
    /\b(?:methods?|tools?|prompts?|resources?|completions?|logging|capabilit(?:y|ies)|functions?|procedures?|commands?|operations?|endpoints?|rpc)\b|\w\/\w|^\W*(?:not (?:found|supported|implemented|available|allowed)|unsupported|unimplemented|unknown)\W*$/i,
  ],
  [
    PARSE_ERROR,
    /\b(?:pars(?:e|ed|er|ing|able)|unparsable|json|syntax|utf-?8|unicode|encoding|token|characters?|malformed|decode|deseriali[sz]e|unterminated|end of (?:input|file|data|line)|eof|nesting|(?:invalid|bad|broken|oversi[sz]e|empty) (?:message|request|input|body|payload|line|frame))\b/i,
  ],
]);

/** The methods by which something is called. */
const CALLING: ReadonlySet<string> = new Set(['tools/call', 'prompts/get']);

/** How servers name the method that they do not know. */
const METHOD =
  /\bmethod(?: (?:is )?(?:not|un)\s?(?:found|supported|implemented|known|allowed|available))? ?[:'"`(]+ ?([\w$./-]{1,100})|\bmethod (?!not\b|is\b|does\b|name\b|or\b|was\b)([\w$./-]{1,100})/i;

/** How servers name the tool that they do not know, or whose arguments they refuse. */
const TOOL =
  /\b(?:unknown tools?|no such tool|tools? (?:(?:is|was) )?(?:not found|unknown|not available|disabled)) ?: ?["'`]?([\w$./-]{1,100})|\btools?(?: named| called)? ?["'`(]([\w$./-]{1,100})["'`)]|\btools?(?: named| called)? (?!not\b|is\b|was\b|does\b|name\b)([\w$./-]{1,100}?)(?= (?:not|is not|isn't|was not|does|doesn't|is disabled|is unknown)\b|:|$)|\bunknown tool (?!name\b)([\w$./-]{1,100})/i;

/** Whose arguments they are, where it is not said whether that is a tool or a method. */
const ARGUMENTS_OF =
  /\b(?:params|parameters|arguments) (?:for|to|of) (?!(?:an?|the|this|that|your|each|all|tools?|methods?|calls?|requests?|fields?|functions?)\b)["'`]?([\w$./-]{1,100})/i;

/** Whoever refuses a tool or a method that we did not call was asked by somebody else: the server had let the call in. */
function namesAnother({ error, text }: Wire, { type, id: called = '' }: Subject): boolean {
  const said = error?.message ?? text;
  if (type === 'tool') {
    const tool = ownString(error?.data, 'tool') ?? nameIn(TOOL, said) ?? nameIn(ARGUMENTS_OF, said);
    if (tool !== undefined && tool !== called && !CALLING.has(tool)) return true;
  }
  const method = ownString(error?.data, 'method') ?? nameIn(METHOD, said);
  // Under other numbers a method may be anything, of payment for example: MCP's own have a slash.
  if (method === undefined || (error?.code !== METHOD_NOT_FOUND && !/^[a-z]+\/[a-z/]+$/i.test(method)))
    return false;
  return !CALLING.has(method) && method !== called;
}

/** What the protocol looks up for calls of its own. Where another one is answered so, the server has made such a call. */
const LOOKED_UP: ReadonlySet<string> = new Set(['prompt', 'resource']);

function looksForAnother({ kind, subject }: Heard, { type }: Subject): boolean {
  return (
    kind === 'not_found' && subject?.id !== undefined && LOOKED_UP.has(subject.type) && subject.type !== type
  );
}

/** A tool that its server lists is there: whoever says that it is not was asked for something by its handler. */
function deniesListed(heard: Heard, { error, text }: Wire, { type, id, isListed }: Called): boolean {
  if (isListed !== true || type !== 'tool' || !ABSENT.has(heard.kind)) return false;
  const said = error?.message ?? text;
  return heard.subject?.type === 'tool' || A_TOOL.test(said) || (id !== undefined && hasName(said, id));
}

/** What is said of a name that nobody knows. */
const ABSENT: ReadonlySet<Kind> = new Set(['not_found', 'unsupported']);

/** The method that calls one is not meant. */
const A_TOOL = /\btools?\b(?!\/)/i;

function hasName(text: string, name: string): boolean {
  return text.split(/[^\w$./-]+/).some((word) => word === name || word === `${name}.`);
}

function nameIn(named: RegExp, text: string): string | undefined {
  const [, ...names] = text.length > MAX_LENGTH ? [] : (named.exec(text) ?? []);
  return names.find((name) => name !== undefined)?.replace(/\.$/, '');
}

/**
 * Statuses that turn a request away before anybody works on it. Not 409, 410, 422 and their like, which may
 * tell how the work ended; nor any 5xx, which a proxy says too when it lost the connection after sending.
 */
const REFUSING: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 406, 407, 411, 413, 414, 415, 417, 421, 425, 426, 428, 429, 431,
]);

/** Said by handlers that had begun, whatever the status around them. */
const FROM_WORK: ReadonlySet<number> = new Set([-32603, -32021, -32042]);

/** A refusal by the transport's own status, unless what it carries tells of work. */
function refusesByStatus(heard: Heard, wire: Wire): boolean {
  const { http, result, error } = wire;
  const status = http?.status;
  if (status === undefined || result !== undefined || !REFUSING.has(status)) return false;
  if (FROM_WORK.has(error?.code ?? 0) || TRAITS[heard.kind].executed !== 'no') return false;
  // A 400 around "service unavailable" is about somebody further away; a 429 around "busy" is not.
  if (!invites(heard)) return isOwnRefusal(wire) || asksForSession(wire);
  return invites({ kind: kindOfStatus(status) ?? 'unknown' }) && isOwnLimit(wire);
}
