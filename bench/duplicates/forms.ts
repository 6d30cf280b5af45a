/** The ways to fail after the work was done. */
import { fault, makeFault, toDocument } from '@mayday/core';
import { ProtocolError } from '@modelcontextprotocol/server';

const coded = (message: string, more: object): Error => Object.assign(new Error(message), more);

function thrower(make: () => Error): () => never {
  return () => {
    throw make();
  };
}

function said(text: string, more: object = {}): () => object {
  return () => ({ isError: true, content: [{ type: 'text', text }], ...more });
}

/** What a tool ends with, once its work is done. */
export const TOOL_FORMS: { readonly [form: string]: () => unknown } = {
  'text: fetch failed': said('fetch failed'),
  'text: 503': said('Payment accepted; receipt email failed: 503 Service Unavailable'),
  'text: rate limit': said('3 of 5 rows written, then: rate limit exceeded, try again in 0 seconds'),
  'text: ECONNREFUSED': said('Booked. connect ECONNREFUSED 127.0.0.1:25'),
  'text: timed out': said('Request timed out'),
  'text: safe to retry': said('Not executed, safe to retry: the service is temporarily unavailable'),
  'thrown: fetch failed': thrower(
    () => new TypeError('fetch failed', { cause: coded('connect', { code: 'ECONNREFUSED' }) }),
  ),
  'thrown: 429': thrower(() => coded('Too Many Requests', { status: 429, headers: { 'retry-after': '0' } })),
  'thrown: 503': thrower(() => coded('Request failed with status code 503', { status: 503 })),
  'thrown: ECONNREFUSED': thrower(() => coded('connect ECONNREFUSED', { code: 'ECONNREFUSED' })),
  'thrown: ENOTFOUND': thrower(() => coded('getaddrinfo ENOTFOUND mail', { code: 'ENOTFOUND' })),
  'thrown: ECONNRESET': thrower(() => coded('read ECONNRESET', { code: 'ECONNRESET' })),
  'thrown: protocol error': thrower(
    () => new ProtocolError(-32010, 'Rate limit exceeded', { retry_after: 0 }),
  ),
  'thrown: fault, rate limit': thrower(() =>
    fault.rateLimited('Rate limit exceeded', { retry: { afterMs: 0 } }),
  ),
  'thrown: fault, unavailable': thrower(() => fault.unavailable('The service is temporarily unavailable')),
  'declared: maybe': said('The bank is down', {
    _meta: { 'dev.mayday/fault': toDocument(makeFault({ kind: 'unavailable', executed: 'maybe' })) },
  }),
  'structured: status 503': said('{"status":503,"error":"unavailable","retryable":true}', {
    structuredContent: { status: 503, error: 'unavailable', retryable: true },
  }),
};

/** What happens to an answer on its way, once the work is done. */
export const WIRE_FORMS = [
  'HTTP 503 instead',
  'HTTP 502 instead',
  'HTTP 504 instead',
  'HTTP 200, a page',
  'HTTP 200, nothing',
  'connection cut',
  'cut in the answer',
  'cut in a stream',
  'half of the JSON',
  'another id',
  'no answer',
  'a silent stream',
  'a late answer',
] as const;

/** What happens to an answer on its way. */
export type WireForm = (typeof WIRE_FORMS)[number];

/** The process ends when the work is done. Over standard input and output: whoever uses it starts it again. */
export const PROCESS_FORM = 'the process dies';

/** All of them. */
export const FORMS: readonly string[] = [...Object.keys(TOOL_FORMS), ...WIRE_FORMS, PROCESS_FORM];
