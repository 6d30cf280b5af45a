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
  const { http, body: json } = lookAtWire({ thrown: reason }, foreign.thrown);
  if (http?.status === undefined) return undefined;
  const body = json ?? bodyRead(reason) ?? plainBody(reason);
  const message = { http: { status: http.status, headers: Object.fromEntries(http.headers), body } };
  const reading = language.read(message);
  const wire = lookAtWire(message);
  const spoken = body === undefined ? undefined : readUnstructured(wire);
  const candidates = [wire.text, spoken?.message, reading.failure ? reading.fault.message : undefined];
  const title = reading.failure ? KINDS[reading.fault.kind].title : '';
  return {
    status: http.status,
    words: candidates.map((text) => text?.trim()).find((text) => saysMore(text, title)),
    issues: spoken?.issues ?? (reading.failure ? reading.fault.issues : NONE),
    reading,
    spoken,
  };
}

/** A kind's title is what is said for want of words. */
function saysMore(text: string | undefined, title: string): boolean {
  return text !== undefined && text !== '' && text !== title && !isStatusAlone(text);
}

/** A short text that came as the body. */
function plainBody(reason: unknown): string | undefined {
  const response = look(reason, 'response');
  for (const [holder, name] of [
    [response, 'data'],
    [response, 'body'],
    [reason, 'body'],
  ] as const) {
    const body = lookOwn(holder, name);
    if (typeof body === 'string' && body.length <= LONGEST && !/[<>{}]/.test(body)) return body.trim();
  }
  return undefined;
}

const PHRASES: ReadonlySet<string> = new Set(
  Object.values(STATUS_CODES).map((phrase) => (phrase ?? '').toLowerCase()),
);

/** How axios, got, ky and others say that the status was not 2xx, and nothing else. */
const STATUS_SENTENCE =
  /^(?:(?:error|httperror|axioserror): ?)?(?:request failed with(?: http)? status(?: code)?|response (?:status )?code|http(?: error)?[:!]?(?: status:?)?|status(?: code)?:?)? ?(\d{3})\b(?: status code \(no body\)| ?\(?[a-z' -]{2,40}\)?)?(?:: (?:get|head|post|put|patch|delete|options) \S+)?[.!]?$/i;

/** Does a sentence say nothing but an HTTP status? */
export function isStatusAlone(text: string): boolean {
  if (PHRASES.has(text.toLowerCase().replace(/[.!]$/, ''))) return true;
  const said = STATUS_SENTENCE.exec(text);
  return said !== null && Object.hasOwn(STATUS_CODES, said[1] as string);
}

/** The sentence of a client's without the address that it asked: that is the server's, and of no use to the caller. */
export function withoutAddress(text: string): string {
  return text.replace(/: (?:get|head|post|put|patch|delete|options) \S+$/i, '');
}
