/**
 * What a backend answered, where an HTTP client's own sentence says nothing but the status. The backend's words are what
 * a caller can act on; they sit in the body that the client kept.
 */
import { type Issue, KINDS, type Language, type Reading } from '@mayday/core';
import { type Heard, look as lookAtWire } from '@mayday/core/dialects';
import { readUnstructured } from '@mayday/core/prose';
import { answerBehind, bodiesOf, bodyAlone } from './bodies.ts';
import { withoutDump } from './dumps.ts';
import { jsonIn } from './json-in.ts';
import { isRecord, look } from './look.ts';
import { saidIn } from './said-in-bodies.ts';
import { isStatusAlone } from './status-phrases.ts';

/** A backend's answer behind an exception. */
export interface Answered {
  readonly status: number;
  /** What it says in words, if it says anything. */
  readonly words: string | undefined;
  /** What it says about single fields. */
  readonly issues: readonly Issue[];
  /** What the answer reads as by itself. */
  readonly reading: Reading;
  /** What only its body says. */
  readonly spoken: Heard | undefined;
}

const NONE: readonly Issue[] = [];

/** The answer behind an exception; `undefined` when there is none. */
export function answered(reason: unknown, language: Language): Answered | undefined {
  const behind = answerBehind(reason);
  if (behind === undefined) return undefined;
  const { status, headers } = behind;
  const body = behind.body ?? bodyOf(reason);
  const message = { http: { status, headers: Object.fromEntries(headers), body } };
  const reading = language.read(message);
  const wire = lookAtWire(message);
  const spoken = body === undefined ? undefined : readUnstructured(wire);
  const said = saidIn(body);
  const heard = spoken?.issues ?? (reading.failure ? reading.fault.issues : NONE);
  // Of data, all has been read above.
  const issues =
    said.issues.length > 0 || (isRecord(body) && spoken?.issues !== undefined) ? said.issues : heard;
  const title = reading.failure ? KINDS[reading.fault.kind].title : '';
  const words = [said.words, wire.text, spoken?.message, reading.failure ? reading.fault.message : undefined]
    .map((text) => text?.trim())
    .find((text) => saysMore(text, title));
  // What is said of a field is said with its name, and once.
  if (issues.some((issue) => issue.message === words))
    return { status, words: undefined, issues, reading, spoken };
  const novel = issues.filter((issue) => !tells(words, issue));
  return { status, words, issues: novel, reading, spoken };
}

/** Do the words name the field, and what is wrong with it? */
function tells(words = '', { path, message }: Issue): boolean {
  return words.includes(String(path[path.length - 1])) && words.includes(message);
}

/** A kind's title is what is said for want of words. */
function saysMore(text: string | undefined, title: string): boolean {
  return text !== undefined && text !== '' && text !== title && !isStatusAlone(text);
}

/** The body as data, or as the text that came. */
function bodyOf(reason: unknown): unknown {
  for (const body of bodiesOf(reason)) {
    if (typeof body === 'string') return parsed(body);
    if (isRecord(body) && Object.getPrototypeOf(body) === Object.prototype) return body;
  }
  const message = look(reason, 'message');
  return typeof message === 'string' ? bodyAlone(message) : undefined;
}

/** JSON, what is said in XML, or a short text; pages and dumps say nothing. */
function parsed(text: string): unknown {
  return /^\s*[{[]/.test(text) ? jsonIn(text) : saidIn(text).words;
}

/** What an exception came from, where that is the client's: its own sentence, and what the backend says in it. */
export interface Behind {
  readonly sentence: string;
  readonly words: string;
  readonly issues: readonly Issue[];
}

const HOLDERS = ['response', 'status', 'statusCode', '$metadata'] as const;
const MOST_CAUSES = 4;

/** The backend's words behind an exception that only wraps the client's; `undefined` when it is the client's own. */
export function wordsBehind(
  reason: unknown,
  answer: Answered | undefined,
  sent: unknown,
): Behind | undefined {
  if (answer === undefined || isHolder(reason)) return undefined;
  let cause = look(reason, 'cause');
  for (let depth = 0; depth < MOST_CAUSES && !isHolder(cause); depth += 1) cause = look(cause, 'cause');
  const said = look(cause, 'message');
  if (typeof said !== 'string' || !isHolder(cause)) return undefined;
  const sentence = withoutDump(said.trim(), sent);
  const words = isStatusAlone(sentence) ? answer.words : sentence;
  return { sentence, words: words ?? '', issues: answer.issues };
}

function isHolder(value: unknown): boolean {
  return HOLDERS.some((name) => look(value, name) !== undefined);
}

/** A sentence, and the backend's words in place of the client's sentence, or after it. */
export function joined(text: string, behind: Behind | undefined): string {
  if (behind === undefined || behind.words === '' || text.includes(behind.words)) return text;
  const { sentence, words } = behind;
  if (sentence !== '' && text.includes(sentence)) return text.replace(sentence, () => words);
  return `${text.replace(/[.:;]\s*$/, '')}: ${words}`;
}

/** The sentence of a client's without the address that it asked: that is the server's, and of no use to the caller. */
export function withoutAddress(text: string): string {
  return text
    .replace(/^\[\w+\] "[^"\n]{1,2000}": /, '')
    .replace(/: (?:get|head|post|put|patch|delete|options) \S+$/i, '');
}
