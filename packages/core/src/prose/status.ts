/** HTTP statuses as upstream services use them: what one says about the failure of a tool. */
import type { Kind } from '../kinds.ts';

/** Kind, weight, and the words that usually follow the number. */
type Row = readonly [Kind, number, string];

// Statuses that services use loosely (400, 403, 500) weigh less, so that a plain code or phrase beside
// them wins: 403 with "rate limit exceeded", 400 with "API key not valid".
// biome-ignore format: a table
const ROWS: { readonly [status: number]: Row } = {
  400: ['invalid_arguments', 66, 'bad'],
  401: ['unauthenticated', 91, 'unauthorized'],
  402: ['quota_exhausted', 86, 'payment'],
  403: ['forbidden', 84, 'forbidden'],
  404: ['not_found', 86, 'not'],
  405: ['unsupported', 88, 'method'],
  406: ['unsupported_media', 84, 'not'],
  407: ['misconfigured', 84, 'proxy'],
  408: ['timeout', 88, 'request'],
  409: ['conflict', 90, 'conflict'],
  410: ['expired', 80, 'gone'],
  411: ['invalid_request', 80, 'length'],
  412: ['conflict', 84, 'precondition'],
  413: ['too_large', 90, 'payload'],
  414: ['too_large', 86, 'uri'],
  415: ['unsupported_media', 90, 'unsupported'],
  416: ['invalid_arguments', 80, 'range'],
  417: ['invalid_request', 70, 'expectation'],
  421: ['invalid_request', 70, 'misdirected'],
  422: ['unprocessable', 80, 'unprocessable'],
  423: ['conflict', 86, 'locked'],
  424: ['upstream_failed', 80, 'failed'],
  425: ['not_ready', 80, 'too'],
  426: ['unsupported', 80, 'upgrade'],
  428: ['conflict', 80, 'precondition'],
  429: ['rate_limited', 90, 'too'],
  431: ['too_large', 86, 'request'],
  451: ['forbidden', 84, 'unavailable'],
  498: ['unauthenticated', 76, 'invalid'],
  499: ['cancelled', 80, 'client'],
  500: ['upstream_failed', 76, 'internal'],
  501: ['unsupported', 84, 'not'],
  502: ['upstream_failed', 88, 'bad'],
  503: ['unavailable', 88, 'service'],
  504: ['timeout', 88, 'gateway'],
  507: ['internal', 76, 'insufficient'],
  508: ['upstream_failed', 70, 'loop'],
  511: ['unauthenticated', 76, 'network'],
  520: ['upstream_failed', 84, 'web'],
  521: ['unavailable', 86, 'web'],
  522: ['unavailable', 86, 'connection'],
  523: ['unavailable', 86, 'origin'],
  524: ['timeout', 86, 'a'],
  525: ['unavailable', 70, 'ssl'],
  526: ['misconfigured', 70, 'invalid'],
  529: ['overloaded', 88, 'overloaded'],
  530: ['unavailable', 80, 'origin'],
};

/** Is this a status that reports a failure? */
export function isFailureStatus(status: unknown): status is number {
  return typeof status === 'number' && Object.hasOwn(ROWS, status);
}

/** The kind a failing status stands for; any other 4xx or 5xx by its class; otherwise nothing. */
export function statusKind(status: number): Kind | undefined {
  const row = ROWS[status];
  if (row !== undefined) return row[0];
  if (status >= 400 && status < 500) return 'invalid_request';
  if (status >= 500 && status < 600) return 'upstream_failed';
  return undefined;
}

/** How much a status weighs against phrases, 0…100. */
export function statusWeight(status: number): number {
  return ROWS[status]?.[1] ?? 60;
}

/** The first word of the reason phrase, in lower case. */
export function reasonWord(status: number): string {
  return ROWS[status]?.[2] ?? '';
}
