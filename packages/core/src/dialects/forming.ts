/** What the forms of several documents have in common. */
import type { Fault, Issue, Json, JsonObject } from '../fault.ts';
import { isRecord } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { ERROR_KEY } from '../protocol.ts';
import { CAUTION } from '../render/caution.ts';
import { sentence } from '../render/for-model.ts';
import type { FormContext, JsonRpcWire } from './dialect.ts';

/** A JSON-RPC error object. */
export type ErrorObject = NonNullable<JsonRpcWire['error']>;

/** Only a tool that was found and asked can answer with a result. */
export function isOutside({ method, ofRequest }: FormContext): boolean {
  return ofRequest || method !== 'tools/call';
}

/**
 * Has a tool been asked for that is not there? Authors say `not_found` of other things, other tools among them, and what
 * a handler threw or returned comes from a tool that is: then it may have been executed.
 */
export function isUnknownTool(fault: Fault, { ours, foreign, name }: FormContext): boolean {
  const { kind, subject, executed } = fault;
  if (kind !== 'not_found' || subject?.type !== 'tool') return false;
  return ours ? foreign === undefined : executed === 'no' && name !== undefined && subject.id === name;
}

/** Does a handler, or who it asked, say of its own input what only a message can be? The message that asked was one. */
export function isOfOwnInput({ kind }: Fault, { foreign, ofRequest }: FormContext): boolean {
  return (kind === 'parse_error' || kind === 'invalid_request') && foreign !== undefined && !ofRequest;
}

const LIMITS: ReadonlySet<Kind> = new Set<Kind>(['rate_limited', 'overloaded']);

/**
 * May a change have been made, though a limit was met? The documents' clients wait a limit out, and make it again. That another
 * try is worth it, or how long to wait, says nothing of what was done before: only `executed: no` does.
 */
export function isOpenLimit({ kind, executed, retryable }: Fault, { mayChange }: FormContext): boolean {
  return LIMITS.has(kind) && executed !== 'no' && (mayChange === true || !retryable);
}

/** Such a limit as one that nobody waits out; advice for whoever is not told to call again stays. */
export function withoutRepetition(fault: Fault): Fault {
  const advice = (fault.retryable ? undefined : fault.advice) ?? CAUTION;
  return { ...fault, reaction: 'terminal', retryable: false, retry: { when: 'never' }, advice };
}

/** Words after which a call is made again; of a change that may have been made, they say so. */
export function withCaution(words: string, { executed }: Fault, { mayChange }: FormContext): string {
  const isOpen = mayChange === true && executed !== 'no' && !/may have happened/i.test(words);
  return isOpen ? `${sentence(words)} ${CAUTION}` : words;
}

/** Has a server of ours said of a change that it may have happened, in words that do not cross? */
export function saysOpen({ message }: Fault): boolean {
  return message.endsWith(CAUTION);
}

/** Has somebody advised against doing it again? */
export function advisesAgainst({ advice }: Fault): boolean {
  return advice !== undefined && /\bdo not repeat\b/i.test(advice);
}

/** The answer as a protocol error. */
export function withError({ result: _result, ...answer }: JsonRpcWire, error: ErrorObject): JsonRpcWire {
  return { ...answer, error };
}

/** An error object; without `data` where there is none. */
export function errorOf(code: number, message: string, data: Json | undefined): ErrorObject {
  return data === undefined ? { code, message } : { code, message, data };
}

/** An issue in one line. */
export function issueLine({ path, message }: Issue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

/** The issues, each in one line, of which a sentence says nothing: neither the field, nor what is wrong with it. */
export function untoldIssues(sentence: string, issues: readonly Issue[]): readonly string[] {
  const said = sentence.toLowerCase();
  const words = new Set(said.split(/[\s"'`:;,()[\]]+/).map((word) => word.replace(/[.!?]+$/, '')));
  const isSaid = ({ path, message }: Issue): boolean =>
    said.includes(message.toLowerCase()) && (path.length === 0 || words.has(path.join('.').toLowerCase()));
  return issues.filter((issue) => !isSaid(issue)).map(issueLine);
}

/** A sentence, and the issues that it says nothing of. */
export function withIssues(words: string, issues: readonly Issue[]): string {
  const lines = issues.length === 0 ? [] : untoldIssues(words, issues);
  return lines.length === 0 ? words : `${words.replace(/[.:]$/, '')}: ${lines.join('; ')}`;
}

const ERRNO = / \(E[A-Z_]{3,30}\)/g;

/** A sentence without what a socket said beside it: a document whose words are for everybody has no place for that. */
export function withoutErrno(text: string): string {
  return text.replace(ERRNO, '');
}

/** A method of the protocol that nobody serves. A method of HTTP is none. */
export function isUnknownMethod({ kind, subject }: Fault): boolean {
  return kind === 'unsupported' && subject?.type === 'method';
}

/**
 * `data` with what somebody said and the document has no member for, under our name; as it is where nothing is left. The
 * document's own text in place of an object stays a text.
 */
export function withRest(data: Json | undefined, rest: JsonObject): Json | undefined {
  if (Object.keys(rest).length === 0) return data;
  if (data === undefined) return { [ERROR_KEY]: rest };
  return isRecord(data) ? { ...(data as JsonObject), [ERROR_KEY]: rest } : data;
}
