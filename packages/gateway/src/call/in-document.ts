/**
 * A failure in a dialect that has a document of its own: its codes, words and members, and nothing bare among them. What
 * the server said beyond that stays under one name, redacted; where the document forbids even that, in the log alone.
 */
import {
  type Dialect,
  type Fault,
  type Json,
  type JsonObject,
  KINDS,
  type Kind,
  type Language,
} from '@mayday/core';
import { type HttpWire, isOfHttp, type JsonRpcWire } from '@mayday/core/dialects';
import { toldByTool } from '@mayday/core/forms';
import { ERROR_KEY, undeclaredFor } from '@mayday/core/protocol';
import { idOf, isMembers, type Said, type WireCall } from '@mayday/relay';
import { apiStatus } from '../openapi/api-answer.ts';
import { answeredCall } from './ended-task.ts';
import { untoldOf } from './keep-the-rest.ts';
import { novelBlocks, saidBody, saidResult } from './keep-what-was-said.ts';
import { isLater } from './later-round.ts';
import type { Cleaner } from './redaction.ts';
import { refusalOf, shown } from './refusal-of.ts';
import { placementOf, say } from './say.ts';
import { stands } from './told.ts';

/** Has it a form of its own, rather than the specification's with something added? */
export function hasDocument(dialect: Dialect): boolean {
  return dialect.extendsProtocol !== true && !isOfHttp(dialect);
}

/** What decides beside the failure. */
export interface DocumentOptions {
  readonly dialect: Dialect;
  readonly language: Language;
  readonly textBytes: number;
  /** What is taken out of what the server said. */
  readonly cleaner: Cleaner;
  readonly onBug: (error: unknown) => void;
}

/** A document may have codes of its own for what is wrong with a request for completions. */
const COMPLETION = 'completion/complete';

/** The whole answer. */
export function sayInDocument(
  made: WireCall,
  failed: Fault,
  said: Said | undefined,
  { dialect, language, textBytes, cleaner, onBug }: DocumentOptions,
): JsonRpcWire | HttpWire {
  const call = answeredCall(made, said);
  const { method } = call;
  const { fault: refused, isRefusal, ofRequest, words, issues } = refusalOf(call, failed, said);
  const fault = isRefusal && dialect.keepsCapabilities === true ? ofCapability(call, refused) : refused;
  const isOwn = isRefusal || (said?.heard?.dialect ?? fault.native?.dialect) === dialect.id;
  const isKnown = isOwn || isOfOurs(said, language);
  const isOurs = isRefusal && (said === undefined || said.type === 'nothing');
  const told = isOurs ? forCallers(fault, dialect) : fault;
  const plain = ofItsPlace(isKnown ? told : withoutDetails(told), said, dialect);
  const wire = say(withoutNotes(plain), dialect, language, {
    id: call.peek.kind === 'notification' ? undefined : idOf(call.body, call.peek),
    method: ofRequest && method !== COMPLETION ? '' : method,
    name: call.target === undefined ? undefined : shown(call.target),
    placement: ofRequest ? 'protocol' : isRefusal ? undefined : placementOf(said),
    revision: call.revision,
    ours: isRefusal,
    ofRequest,
    foreign: isRefusal ? undefined : (words ?? (isKnown ? 'somebody' : wordsOf(said))),
    handedOn: isLater(call),
    byWords: !isRefusal && isByWords(fault, said, language),
    issues,
    mayChange: method === 'tools/call' && said?.tool?.onlyReads !== true,
    elapsedMs: Math.max(0, Math.round(Date.now() - call.startedAt)),
    status: ofRequest ? statusOf(said) : undefined,
    answered: apiStatus(said),
    said: isForeign(said, dialect, language) ? undefined : saidBody(said, textBytes, cleaner),
    structuredContent: call.revision !== '2025-11-25' || said?.tool?.hasOutput !== true,
    onBug,
  });
  if ('http' in wire || dialect.closed === true) return wire;
  const notes = { ...(isOurs ? wordsAboutAccess(wire, fault) : {}), ...notesOf(failed) };
  if (said === undefined || (isRefusal && said.type !== 'nothing')) return besideIt(wire, notes);
  const whole = isForeign(said, dialect, language) ? wire : withBlocks(wire, said, textBytes, cleaner);
  return besideIt(whole, {
    ...asObject(untoldOf(whole, said, textBytes, { fault: failed, cleaner })),
    ...notes,
  });
}

/** What came in a result happened in the tool, whatever its words resemble. Whoever speaks the dialect has said it already. */
function ofItsPlace(fault: Fault, said: Said | undefined, dialect: Dialect): Fault {
  const isResult =
    said?.type === 'message' && isMembers(said.message) && said.message['result'] !== undefined;
  return isResult && fault.native?.dialect !== dialect.id ? toldByTool(fault, dialect) : fault;
}

/**
 * How a server is started, where it is, and what its process said and ended with, is for operators, whatever the document; where one
 * forbids more than its own form, so is everything about the way to a server. The name of the kind crosses.
 */
function forCallers(fault: Fault, { closed }: Dialect): Fault {
  const { command, address, timeout_ms } = fault.details ?? {};
  const isOfServer = command !== undefined || address !== undefined;
  if (!isOfServer && (closed !== true || !BEHIND.has(fault.kind))) return fault;
  const { details: _details, advice: _advice, ...bare } = fault;
  const message = KINDS[fault.kind].title;
  return timeout_ms === undefined ? { ...bare, message } : { ...bare, message, details: { timeout_ms } };
}

const BEHIND: ReadonlySet<Kind> = new Set<Kind>([
  'timeout',
  'disconnected',
  'unavailable',
  'upstream_failed',
  'misconfigured',
  'invalid_output',
  'internal',
]);

/** A document that has only its own name for all who may not: why, and the number of what a person has to consent to, stand beside it. */
function wordsAboutAccess(wire: JsonRpcWire, { reaction, message, details }: Fault): JsonObject {
  if (reaction !== 'permission' || stands(message, wire)) return {};
  const id = details?.['approval_id'];
  return id === undefined ? { message } : { message, details: { approval_id: id } };
}

/** A method that nobody serves, said of the capability that nobody declared. */
function ofCapability({ method, revision }: WireCall, fault: Fault): Fault {
  const isUnknown = fault.kind === 'unsupported' && fault.subject?.type === 'method';
  const id = isUnknown ? undeclaredFor(method, revision) : undefined;
  if (id === undefined) return fault;
  return { ...fault, subject: { type: 'capability', id }, message: `Capability not supported: ${id}` };
}

/** A tool's result was written for whoever called it; the body of a refusal, or an error, was written by a program. */
function wordsOf(said: Said | undefined): 'backend' | 'somebody' {
  return said?.type === 'http' || said?.heard?.placement === 'protocol' ? 'backend' : 'somebody';
}

/** Has nobody said by a code, or in the form of a document, what it is? */
function isByWords({ native }: Fault, said: Said | undefined, language: Language): boolean {
  if (said?.type === 'http') return false; // its status says it
  const id = said?.heard?.dialect ?? null;
  return native === undefined && (id === null || language.dialect(id).isProtocol === true);
}

/** The status that says no; most errors travel in a 200, which says nothing. */
function statusOf(said: Said | undefined): number | undefined {
  return said?.status === undefined || said.status < 400 ? undefined : said.status;
}

/** Does the server speak the dialect of some other system? What it says is not repeated in this one's name. */
function isForeign(said: Said | undefined, dialect: Dialect, language: Language): boolean {
  const id = said?.heard?.dialect ?? null;
  return id !== null && id !== dialect.id && (hasDocument(language.dialect(id)) || isOfOurs(said, language));
}

/** Do its answers carry our own document? Then it is said in full by the fault. */
function isOfOurs(said: Said | undefined, language: Language): boolean {
  const id = said?.heard?.dialect ?? null;
  return id !== null && language.dialect(id).carriesDocument === true;
}

/** Members that another system has for its `data` are none of this one's. */
function withoutDetails({ details: _details, ...fault }: Fault): Fault {
  return fault;
}

/** What the gateway itself found out on the way. */
const NOTES: readonly string[] = ['attempts', 'stopped'];

function withoutNotes(fault: Fault): Fault {
  const { details } = fault;
  if (details === undefined) return fault;
  const left = Object.entries(details).filter(([key]) => !NOTES.includes(key));
  return left.length === 0 ? withoutDetails(fault) : { ...fault, details: Object.fromEntries(left) };
}

/** That it was tried once goes without saying. */
function notesOf({ details = {} }: Fault): JsonObject {
  if (details['attempts'] === undefined || details['attempts'] === 1) return {};
  return Object.fromEntries(Object.entries(details).filter(([key]) => NOTES.includes(key)));
}

/** Words and pictures of the server's own, which a model can read nowhere else, and its meta, whose members have names of their own. */
function withBlocks(wire: JsonRpcWire, said: Said, textBytes: number, cleaner: Cleaner): JsonRpcWire {
  const theirs = saidResult(said, textBytes, cleaner);
  if (wire.result === undefined || theirs === undefined) return wire;
  const { content, _meta } = wire.result;
  const more = novelBlocks(theirs['content'], content);
  const meta = { ...asObject(theirs['_meta']), ...asObject(_meta) };
  const result: { [key: string]: Json } = { ...wire.result };
  if (more.length > 0) result['content'] = [...(Array.isArray(content) ? content : []), ...more];
  if (Object.keys(meta).length > 0) result['_meta'] = meta;
  return { ...wire, result };
}

function asObject(rest: Json | undefined): JsonObject {
  if (rest === undefined) return {};
  return isMembers(rest) ? (rest as JsonObject) : { said: rest };
}

/** The answer with the rest under our name: in the meta of a result, in the data of an error where that is an object. */
export function besideIt(wire: JsonRpcWire, rest: JsonObject): JsonRpcWire {
  if (Object.keys(rest).length === 0) return wire;
  if (wire.result !== undefined) {
    const meta = wire.result['_meta'] as JsonObject | undefined;
    return { ...wire, result: { ...wire.result, _meta: { ...meta, [ERROR_KEY]: joined(meta, rest) } } };
  }
  const data = wire.error?.data;
  if (wire.error === undefined || (data !== undefined && !isMembers(data))) return wire;
  const known = data as JsonObject | undefined;
  return { ...wire, error: { ...wire.error, data: { ...known, [ERROR_KEY]: joined(known, rest) } } };
}

/** What stands there already and the rest. That it may have happened is ours to say. */
function joined(members: JsonObject | undefined, rest: JsonObject): JsonObject {
  const known = members?.[ERROR_KEY] as JsonObject | undefined;
  const happened = known?.['happened'];
  return happened === undefined ? { ...known, ...rest } : { ...known, ...rest, happened };
}
