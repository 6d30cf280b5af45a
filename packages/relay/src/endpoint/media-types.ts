/** The media types of a request, as far as an endpoint that is the HTTP server itself has to insist on them. */

import type { FaultInit } from '@mayday/core';
import type { HttpHeaders } from '../protocol/headers.ts';
import type { RequestHead } from './request-head.ts';

/** Why a request goes no further, and under which status it is told. */
export interface MediaRefusal {
  readonly status: 406 | 415;
  readonly fault: FaultInit;
}

const JSON_TYPE = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** A body as it is. Whoever sends a packed one has not asked whether it is taken. */
const UNPACKED = /^\s*(?:identity\s*)?$/i;

/** What an answer to a message can be, and a stream. Many clients name one of the two, or anything. */
const ANSWERS = /(?:application|text|\*)\/\*|application\/json|text\/event-stream/i;
const STREAMS = /(?:text|\*)\/\*|text\/event-stream/i;

/** What is wrong with the types of a request. Who does not say what it accepts takes anything. */
export function wrongMedia({ method, headers }: RequestHead): MediaRefusal | undefined {
  const { accept, 'content-type': type = '', 'content-encoding': coding } = headers;
  if (method === 'POST' && type !== 'application/json' && !JSON_TYPE.test(type)) return NO_JSON;
  if (method === 'POST' && coding !== undefined && !UNPACKED.test(String(coding))) return PACKED;
  if (accept === undefined || accept === '') return undefined;
  if (method === 'POST') return takesAnswers(accept) ? undefined : TAKES_NO_ANSWER;
  return method === 'GET' && !takesStreams(accept) ? TAKES_NO_STREAM : undefined;
}

/**
 * Are the types of a message all that the specification demands of clients? Servers may insist on them. Who does not say what
 * it accepts takes anything.
 */
export function hasRightTypes({ accept = '*/*', 'content-type': type }: HttpHeaders): boolean {
  if (typeof accept !== 'string' || typeof type !== 'string' || !JSON_TYPE.test(type)) return false;
  return isTaken(accept, 'application', 'json') && isTaken(accept, 'text', 'event-stream');
}

/**
 * What a server is told that its answer may be: many insist on the types by their names, where their caller says that it takes
 * anything. `undefined` where the caller's own words stay.
 */
export function acceptToSend(accept: string | string[] | undefined, method: string): string | undefined {
  if (Array.isArray(accept) || method === 'DELETE') return undefined;
  if (accept !== undefined && accept !== '' && !accept.includes('*')) return undefined;
  const said = accept === undefined || accept === '' ? '*/*' : accept;
  if (!isTaken(said, 'text', 'event-stream')) return undefined;
  if (method === 'GET') return STREAM;
  return isTaken(said, 'application', 'json') ? `application/json, ${STREAM}` : undefined;
}

const STREAM = 'text/event-stream';

/** A type that is named in order to refuse it (RFC 9110, 12.4.2). Hardly anybody does. */
const REFUSES = /;\s*q\s*=\s*0(?:\.0*)?\s*(?:[,;]|$)/i;

/** What was accepted last: clients say the same with every request. */
let lastAccepted = '';

function takesAnswers(accept: string): boolean {
  if (accept === lastAccepted) return true;
  const isTaken = namesAnswers(accept);
  if (isTaken && accept.length < MAX_KEPT) lastAccepted = accept;
  return isTaken;
}

const MAX_KEPT = 1000;

function namesAnswers(accept: string): boolean {
  if (!REFUSES.test(accept)) return ANSWERS.test(accept);
  return isTaken(accept, 'application', 'json') || isTaken(accept, 'text', 'event-stream');
}

function takesStreams(accept: string): boolean {
  return REFUSES.test(accept) ? isTaken(accept, 'text', 'event-stream') : STREAMS.test(accept);
}

/** Does a request name streams among what it takes? Whoever takes anything is better off with one body. */
export function asksForStreams({ accept }: { readonly accept?: string | string[] | undefined }): boolean {
  return typeof accept === 'string' && /text\/event-stream/i.test(accept) && takesStreams(accept);
}

/** What the closest of all ranges says about a type. */
function isTaken(accept: string, type: string, subtype: string): boolean {
  const near = [`${type}/${subtype}`, `${type}/*`, '*/*'];
  let closest = near.length;
  let isIt = false;
  for (const said of accept.toLowerCase().split(',')) {
    const range = said.split(';', 1)[0]?.trim() ?? '';
    const at = near.indexOf(range);
    if (at < 0 || at > closest) continue;
    closest = at;
    isIt = !REFUSES.test(said);
  }
  return isIt;
}

const MEDIA = { kind: 'unsupported_media', origin: 'caller', executed: 'no' } as const;

const NO_JSON: MediaRefusal = {
  status: 415,
  fault: {
    ...MEDIA,
    subject: { type: 'header', id: 'Content-Type' },
    message: 'A message is sent as Content-Type: application/json',
  },
};

const PACKED: MediaRefusal = {
  status: 415,
  fault: {
    ...MEDIA,
    subject: { type: 'header', id: 'Content-Encoding' },
    message: 'A message is sent without a Content-Encoding',
  },
};

const TAKES_NO_ANSWER: MediaRefusal = {
  status: 406,
  fault: {
    ...MEDIA,
    subject: { type: 'header', id: 'Accept' },
    message: 'Answers are application/json or text/event-stream; Accept must name them',
  },
};

/** What is said of a stream that its reader does not take. */
export const TAKES_NO_STREAM: MediaRefusal = {
  status: 406,
  fault: {
    ...MEDIA,
    subject: { type: 'header', id: 'Accept' },
    message: 'A stream is text/event-stream; Accept must name it',
  },
};
