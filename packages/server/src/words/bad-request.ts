/**
 * A backend's 400. It is what the caller gave when its words are about that, and nearly always they are; what they say
 * of the request itself, its headers or its form, is a mistake of the server's own.
 */
import { type Kind, makeFault, type Reading } from '@mayday/core';
import type { Answered } from './backend.ts';
import type { ExceptionContext } from './exception.ts';
import { isRecord } from './look.ts';

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
  if (!reading.failure || !saysBadRequest(reading) || !isOwnRequest(words, context)) return reading;
  return { ...reading, fault: makeFault({ kind: 'internal', message: words }) };
}

/** Is it about the request of the server's own? */
function isOwnRequest(words: string, context: ExceptionContext): boolean {
  return OWN_REQUEST.test(words) && !namesArgument(words, context);
}

/** Nobody answers 400 to somebody who has given up: `cancelled` is what the words are about. */
const NO_BETTER: ReadonlySet<Kind> = new Set<Kind>(['invalid_request', 'cancelled']);

function isBetter(kind: Kind | undefined, certainty = 0): kind is Kind {
  return kind !== undefined && !NO_BETTER.has(kind) && certainty >= SURE;
}

function namesArgument(words: string, { arguments: sent, schema }: ExceptionContext): boolean {
  const names = [
    ...(isRecord(sent) ? Object.keys(sent) : []),
    ...Object.keys(Object(schema?.()?.['properties'])),
  ];
  const spoken = new Set(words.toLowerCase().match(/[\w$-]+/g) ?? []);
  return names.some((name) => name.length >= SHORTEST_NAME && spoken.has(name.toLowerCase()));
}
