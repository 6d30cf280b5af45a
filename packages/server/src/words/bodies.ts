/** The answer behind an exception: its status and its body, wherever clients keep them, or an author has put them into the words. */
import { look as lookAtWire } from '@mayday/core/dialects';
import { foreign } from '@mayday/core/prose';
import { textCarried } from './carried.ts';
import { jsonIn } from './json-in.ts';
import { isRecord, look, lookOwn } from './look.ts';
import { bodyRead } from './unread.ts';

/** The HTTP answer that an exception tells of, as far as its members do. */
export interface AnswerBehind {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The body, where the form of the exception is known. */
  readonly body: unknown;
}

/** The answer behind an exception; `undefined` where there is none. */
export function answerBehind(reason: unknown): AnswerBehind | undefined {
  if (!isRecord(reason)) return undefined;
  const { http, body } = lookAtWire({ thrown: reason }, foreign.thrown);
  return http?.status === undefined
    ? undefined
    : { status: http.status, headers: http.headers, body: textOf(body) };
}

/** What may be the body, most likely first: the text that was read here, or whatever a client has put where bodies are. */
export function bodiesOf(reason: unknown): readonly unknown[] {
  const read = bodyRead(reason);
  if (read !== undefined) return [read];
  const response = look(reason, 'response');
  return [
    lookOwn(response, 'data'),
    lookOwn(response, 'body'),
    lookOwn(response, 'error'),
    lookOwn(reason, 'body'),
    lookOwn(reason, 'data'),
  ].map(textOf);
}

/** A client that was not told of what sort a body is keeps its bytes; a log of it, their numbers. */
function textOf(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const numbers = lookOwn(body, 'type') === 'Buffer' ? lookOwn(body, 'data') : undefined;
  const isNumbers = Array.isArray(numbers) && numbers.length <= LONGEST_BODY;
  return textCarried(isNumbers ? Uint8Array.from(numbers) : body, LONGEST_BODY) ?? body;
}

/** Is a sentence nothing but the body that a backend answered with, at most behind its status? */
export function isBodyAlone(message: string): boolean {
  return isRecord(bodyAlone(message));
}

/** What such a sentence holds: `{"message":…}`, `400 {"type":"error",…}`. */
export function bodyAlone(message: string): unknown {
  const body = message.replace(/^[45]\d\d (?=\{)/, '');
  return body.startsWith('{') ? jsonIn(body) : undefined;
}

/** Longer ones are no answers to a failure. */
export const LONGEST_BODY = 100_000;

/** A body as data; a text that is no JSON says nothing. */
export function dataOf(body: unknown): unknown {
  return typeof body === 'string' ? (body.length <= LONGEST_BODY ? jsonIn(body) : undefined) : body;
}

/** A body in an exception's words: as it stands there, and as data. */
export interface BodyInWords {
  readonly at: number;
  readonly json: string;
  readonly body: unknown;
}

/** Where JSON may begin: by itself, in quotes, or in a text of JSON. */
const BEGINS = /(?:^|[\s:(])(?="[[{])|(?:^|[\s:"'`(])(?=[[{])|(?=\{")/g;
/** A number in brackets may stand before it. */
const MOST_TRIES = 3;

/** The body that an author has put into the words as it came; `undefined` where there is none, or where it is cut off. */
export function bodyInWords(text: string): BodyInWords | undefined {
  if (text.length > LONGEST_BODY) return undefined;
  let tries = 0;
  for (const begins of text.matchAll(BEGINS)) {
    const at = begins.index + begins[0].length;
    const json = text.slice(at).replace(text[at] === '"' ? /[\s.)]{1,10}$/ : /[\s.)"'`]{1,10}$/, '');
    const body = parsed(json);
    if (body !== undefined) return { at, json, body };
    tries += 1;
    if (tries === MOST_TRIES) return undefined;
  }
  return undefined;
}

/** JSON, or JSON in a text of JSON. */
function parsed(json: string): unknown {
  return jsonIn(
    json.startsWith('"') ? ((jsonIn(`[${json}]`) as readonly string[] | undefined)?.[0] ?? '') : json,
  );
}
