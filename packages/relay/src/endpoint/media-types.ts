/** The media types of a request, as far as an endpoint that is the HTTP server itself has to insist on them. */

import type { FaultInit } from '@mayday/core';
import type { RequestHead } from './request-head.ts';

/** Why a request goes no further, and under which status it is told. */
export interface MediaRefusal {
  readonly status: 406 | 415;
  readonly fault: FaultInit;
}

const JSON_TYPE = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** What an answer to a message can be, and a stream. Many clients name one of the two, or anything. */
const ANSWERS = /(?:application|text|\*)\/\*|application\/json|text\/event-stream/i;
const STREAMS = /(?:text|\*)\/\*|text\/event-stream/i;

/** What is wrong with the types of a request. What it does not say is taken as right. */
export function wrongMedia({ method, headers }: RequestHead): MediaRefusal | undefined {
  const { accept, 'content-type': type } = headers;
  if (method === 'POST' && type !== undefined && type !== 'application/json' && !JSON_TYPE.test(type))
    return NO_JSON;
  if (accept === undefined || accept === '') return undefined;
  if (method === 'POST') return ANSWERS.test(accept) ? undefined : TAKES_NO_ANSWER;
  return method === 'GET' && !STREAMS.test(accept) ? TAKES_NO_STREAM : undefined;
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

const TAKES_NO_ANSWER: MediaRefusal = {
  status: 406,
  fault: {
    ...MEDIA,
    subject: { type: 'header', id: 'Accept' },
    message: 'Answers are application/json or text/event-stream; Accept must name them',
  },
};

const TAKES_NO_STREAM: MediaRefusal = {
  status: 406,
  fault: {
    ...MEDIA,
    subject: { type: 'header', id: 'Accept' },
    message: 'A stream is text/event-stream; Accept must name it',
  },
};
