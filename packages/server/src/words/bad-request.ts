/**
 * A backend's 400. It is what the caller gave when its words are about that, and nearly always they are; what they say
 * of the request itself, its headers or its form, is a mistake of the server's own.
 */
import { type Kind, makeFault, type Reading } from '@mayday/core';
import type { Answered } from './backend.ts';
import { isEveryday } from './everyday.ts';
import type { ExceptionContext } from './exception.ts';
import { instructs } from './instructs.ts';
import { isRecord } from './look.ts';
import { isPlainSentence } from './rules.ts';

/** What only the program that makes the request decides. */
const OWN_REQUEST =
  /\b(?:api[- ]version|content[- ]type|user[- ]agent|(?:\w+ )?headers?|request (?:body|url|line)|(?:json|malformed|parse (?:the )?) ?body|malformed json|(?:unrecognized|unknown|invalid) (?:request )?(?:url|endpoint|route)|redirect_uri|client_id|client_secret|grant_type|csrf|nonce|host name|key element does not match the schema|missing the key \w{1,255} in the item|type mismatch for (?:index )?key|(?:update|filter|keycondition|condition|projection)expression|expressionattribute(?:values|names))\b/i;

/** What a word of the caller's must have, to tell it from any other. */
const SHORTEST_NAME = 3;
const SURE = 0.6;

/** What a 400 is, as a reading; `words` are the backend's, or the exception's where it kept none. */
export function badRequest(words: string, answer: Answered, context: ExceptionContext): Reading {
  const evidence = [{ by: 'status', says: STATUS }];
  const certain = { failure: true, dialect: null, placement: 'thrown', certainty: 1, evidence } as const;
  if (isOwnRequest(words, context))
    return { ...certain, fault: makeFault({ kind: 'internal', message: words }) };
  // The status says the same of everything; words that know better are believed.
  const isBetter = (kind: Kind | undefined, certainty = 0): kind is Kind =>
    kind !== undefined && !NO_BETTER.has(kind) && certainty >= SURE && !isOfWay(kind, answer.words ?? words);
  const { kind, certainty, retry } = answer.spoken ?? {};
  if (isBetter(kind, certainty)) return { ...certain, fault: makeFault({ kind, retry, message: words }) };
  for (const spoken of [answer.reading, context.language.read(words)])
    if (spoken.failure && isBetter(spoken.fault.kind, spoken.certainty))
      return { ...certain, fault: spoken.fault };
  return { ...certain, fault: makeFault({ kind: 'invalid_arguments', message: words }) };
}

/** A reading of words alone that tell of a status 400. */
export function saysBadRequest(reading: Reading): boolean {
  return reading.failure && reading.evidence.some(({ by, says }) => by === 'status' && says === STATUS);
}

const STATUS = 'HTTP status 400';

/** The same, where what they say is about the request itself. */
export function ownRequest(words: string, reading: Reading, context: ExceptionContext): Reading {
  if (!reading.failure) return reading;
  if (saysBadRequest(reading) && isOwnRequest(words, context))
    return { ...reading, fault: makeFault({ kind: 'internal', message: words }) };
  const said = behindBadStatus(words);
  if (said === undefined) return reading;
  const { kind } = reading.fault;
  if (kind === 'invalid_arguments' && instructs(said))
    return { ...reading, certainty: Math.max(SURE, reading.certainty) };
  if (!isOfWay(kind, said)) return reading;
  const evidence = [{ by: 'status', says: STATUS }];
  return { ...reading, evidence, fault: makeFault({ kind: 'invalid_arguments', message: words }) };
}

/** What stands behind a status 400 in words. */
export function behindBadStatus(words: string): string | undefined {
  return /\b(?:status|error|http|code)(?: code)?[ :(]{1,3}400\b[):,\s-]{1,5}([^\n]{1,500})$/i.exec(
    words,
  )?.[1];
}

/** Is it about the request of the server's own? */
function isOwnRequest(words: string, context: ExceptionContext): boolean {
  return OWN_REQUEST.test(words) && !namesArgument(words, context);
}

/** Nobody answers 400 to somebody who has given up: `cancelled` is what the words are about. */
const NO_BETTER: ReadonlySet<Kind> = new Set<Kind>(['invalid_request', 'cancelled']);

/** Kinds of a way that is closed. Whoever has answered was reached: a phone number is not, or a seat is not available. */
const WAYS: ReadonlySet<Kind> = new Set<Kind>(['unavailable', 'disconnected', 'timeout', 'upstream_failed']);

/** Does it sound like a way that is closed, and tell of something that callers deal with? */
function isOfWay(kind: Kind, words: string): boolean {
  return WAYS.has(kind) && isEveryday(words) && isPlainSentence(words);
}

function namesArgument(words: string, { arguments: sent, schema }: ExceptionContext): boolean {
  const names = [
    ...(isRecord(sent) ? Object.keys(sent) : []),
    ...Object.keys(Object(schema?.()?.['properties'])),
  ];
  const spoken = new Set(words.toLowerCase().match(/[\w$-]+/g) ?? []);
  return names.some((name) => name.length >= SHORTEST_NAME && spoken.has(name.toLowerCase()));
}
