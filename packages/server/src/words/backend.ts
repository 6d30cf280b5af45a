/**
 * What a backend answered, where an HTTP client's own sentence says nothing but the status. The backend's words are what
 * a caller can act on; they sit in the body that the client kept.
 */
import { STATUS_CODES } from 'node:http';
import { type Issue, KINDS, type Language, type Reading } from '@mayday/core';
import { type Heard, look as lookAtWire } from '@mayday/core/dialects';
import { foreign, readUnstructured } from '@mayday/core/prose';
import { isRecord, look, lookOwn } from './look.ts';
import { bodyRead } from './unread.ts';

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

/** Longer texts in place of a JSON body are pages and dumps. */
const LONGEST = 500;
const NONE: readonly Issue[] = [];

/** The answer behind an exception; `undefined` when there is none. */
export function answered(reason: unknown, language: Language): Answered | undefined {
  if (!isRecord(reason)) return undefined;
  const { http, body: known } = lookAtWire({ thrown: reason }, foreign.thrown);
  if (http?.status === undefined) return undefined;
  const body = known ?? bodyOf(reason);
  const message = { http: { status: http.status, headers: Object.fromEntries(http.headers), body } };
  const reading = language.read(message);
  const wire = lookAtWire(message);
  const spoken = body === undefined ? undefined : readUnstructured(wire);
  const heard = spoken?.issues ?? (reading.failure ? reading.fault.issues : NONE);
  const issues = heard.length > 0 ? heard : fieldsIn(body);
  const title = reading.failure ? KINDS[reading.fault.kind].title : '';
  const words = [
    listed(body),
    wire.text,
    spoken?.message,
    reading.failure ? reading.fault.message : undefined,
  ]
    .map((text) => text?.trim())
    .find((text) => saysMore(text, title));
  // What is said of a field is said with its name, and once.
  if (issues.some((issue) => issue.message === words))
    return { status: http.status, words: undefined, issues, reading, spoken };
  const novel = issues.filter((issue) => !tells(words, issue));
  return { status: http.status, words, issues: novel, reading, spoken };
}

/** Do the words name the field, and what is wrong with it? */
function tells(words = '', { path, message }: Issue): boolean {
  return words.includes(String(path[path.length - 1])) && words.includes(message);
}

/** A kind's title is what is said for want of words. */
function saysMore(text: string | undefined, title: string): boolean {
  return text !== undefined && text !== '' && text !== title && !isStatusAlone(text);
}

/** Where clients keep a body: as data, or as the text that came. */
function bodyOf(reason: unknown): unknown {
  const read = bodyRead(reason);
  if (read !== undefined) return parsed(read);
  const response = look(reason, 'response');
  for (const [holder, name] of [
    [response, 'data'],
    [response, 'body'],
    [reason, 'body'],
    [reason, 'data'],
  ] as const) {
    const body = lookOwn(holder, name);
    if (typeof body === 'string') return parsed(body);
    if (isRecord(body) && Object.getPrototypeOf(body) === Object.prototype) return body;
  }
  return undefined;
}

/** JSON, or a short text; pages and dumps say nothing. */
function parsed(text: string): unknown {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined; // cut off, or no JSON after all
    }
  }
  return text.length <= LONGEST && !/[<>{}]/.test(text) ? text.trim() : undefined;
}

/** Several sentences under `message`, as Nest has them. */
function listed(body: unknown): string | undefined {
  const message = lookOwn(body, 'message');
  return Array.isArray(message) && message.length > 0 && message.every(isText)
    ? message.slice(0, MOST_FIELDS).join('; ')
    : undefined;
}

/** A body that is nothing but fields with complaints, as Django has it. */
function fieldsIn(body: unknown): readonly Issue[] {
  if (!isRecord(body) || Array.isArray(body)) return NONE;
  const fields = Object.entries(body);
  const isComplaint = ([, said]: readonly [string, unknown]): boolean =>
    Array.isArray(said) && said.length > 0 && said.every(isText);
  if (fields.length === 0 || fields.length > MOST_FIELDS || !fields.every(isComplaint)) return NONE;
  return fields.map(([field, said]) => ({ path: [field], message: (said as string[]).join(' ') }));
}

const MOST_FIELDS = 20;

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

const PHRASES: ReadonlySet<string> = new Set(
  Object.values(STATUS_CODES).map((phrase) => (phrase ?? '').toLowerCase()),
);

/** How axios, got, ky and others say that the status was not 2xx, and nothing else. */
const STATUS_SENTENCE =
  /^(?:(?:error|httperror|axioserror|\[\w+\] "[^"\n]{1,2000}"): ?)?(?:request failed with(?: http)? status(?: code)?|response (?:status )?code|http(?: error)?[:!]?(?: status:?)?|status(?: code)?:?)? ?(\d{3})\b(?: status code \(no body\)| ?\(?[a-z' -]{2,40}\)?)?(?:: (?:get|head|post|put|patch|delete|options) \S+)?[.!]?$/i;

/** Does a sentence say nothing but an HTTP status? */
export function isStatusAlone(text: string): boolean {
  if (PHRASES.has(text.toLowerCase().replace(/[.!]$/, '')) || /^http request failed$/i.test(text))
    return true;
  const said = STATUS_SENTENCE.exec(text);
  return said !== null && Object.hasOwn(STATUS_CODES, said[1] as string);
}

/** The sentence of a client's without the address that it asked: that is the server's, and of no use to the caller. */
export function withoutAddress(text: string): string {
  return text
    .replace(/^\[\w+\] "[^"\n]{1,2000}": /, '')
    .replace(/: (?:get|head|post|put|patch|delete|options) \S+$/i, '');
}
