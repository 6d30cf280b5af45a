/** What HTTP statuses mean, and how HTTP says when to come back. */
import { type Kind, TRAITS } from './kinds.ts';

// biome-ignore format: a table
const KIND_OF_STATUS: { readonly [status: number]: Kind } = {
  400: 'invalid_arguments', 401: 'unauthenticated', 402: 'quota_exhausted', 403: 'forbidden', 404: 'not_found',
  405: 'unsupported', 406: 'unsupported_media', 407: 'unauthenticated', 408: 'timeout', 409: 'conflict', 410: 'expired',
  411: 'invalid_request', 412: 'conflict', 413: 'too_large', 414: 'too_large', 415: 'unsupported_media',
  416: 'invalid_arguments', 417: 'invalid_request', 418: 'unsupported', 421: 'invalid_request', 422: 'unprocessable',
  423: 'conflict', 424: 'upstream_failed', 425: 'not_ready', 426: 'unsupported', 428: 'conflict', 429: 'rate_limited',
  431: 'too_large', 440: 'unauthenticated', 451: 'forbidden', 498: 'unauthenticated', 499: 'cancelled',
  500: 'internal', 501: 'unsupported', 502: 'upstream_failed', 503: 'unavailable', 504: 'timeout', 505: 'unsupported',
  507: 'overloaded', 508: 'internal', 511: 'unauthenticated', 520: 'upstream_failed', 521: 'unavailable', 522: 'timeout',
  523: 'unavailable', 524: 'timeout', 525: 'misconfigured', 526: 'misconfigured', 527: 'upstream_failed', 529: 'overloaded',
  530: 'unavailable',
};

const KIND_OF_CLASS: { readonly [first: number]: Kind } = {
  3: 'upstream_failed',
  4: 'invalid_request',
  5: 'internal',
};

/** The kind of an HTTP status; the class decides for statuses nobody defined. `undefined` below 300. */
export function kindOfStatus(status: number): Kind | undefined {
  return KIND_OF_STATUS[status] ?? KIND_OF_CLASS[Math.floor(status / 100)];
}

/** May an answer with this status be a validator's? Those with a meaning of their own keep it, whatever they list. */
export function allowsIssues(status: number): boolean {
  return status < 400 || status === 400 || status === 422 || status === 500;
}

/** The HTTP status that a kind goes out with. */
export function statusOfKind(kind: Kind): number {
  return TRAITS[kind].http;
}

/** All statuses with a meaning of their own. */
export const STATUSES: readonly number[] = /* @__PURE__ */ Object.keys(KIND_OF_STATUS).map(Number);

const YEAR_MS = 366 * 24 * 3600 * 1000;

/** `Retry-After` in milliseconds, a year at most, from seconds or from a date. `undefined` for anything else. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (text.length > 40) return undefined;
  return /^\d+(?:\.\d+)?$/.test(text) ? bounded(Math.ceil(Number(text) * 1000)) : untilDate(text, now);
}

/** By the name of its month a date is told from a number. */
function untilDate(text: string, now: number): number | undefined {
  const at = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : bounded(Math.max(0, at - now));
}

/** The wait that a set of response headers asks for. */
export function waitFromHeaders(headers: ReadonlyMap<string, string>, now: number): number | undefined {
  const said = parseRetryAfter(headers.get('retry-after'), now);
  if (said !== undefined) return said;
  const ms = headers.get('retry-after-ms') ?? headers.get('x-ms-retry-after-ms');
  return ms !== undefined && /^\d{1,30}(?:\.\d{1,6})?$/.test(ms) ? bounded(Math.ceil(Number(ms))) : undefined;
}

/** Until when a limit holds, as nearly every interface says it in its own way. */
const RESETS: readonly string[] = [
  'x-ratelimit-reset',
  'x-rate-limit-reset',
  'ratelimit-reset',
  'x-ratelimit-reset-after',
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
  'anthropic-ratelimit-requests-reset',
  'anthropic-ratelimit-tokens-reset',
];

/** The wait until every limit is lifted. Ask only after a refusal: many interfaces send it with every answer. */
export function waitFromReset(headers: ReadonlyMap<string, string>, now: number): number | undefined {
  const said = [...RESETS.map((name) => headers.get(name)), resetInPolicy(headers.get('ratelimit'))];
  const waits = said.map((value) => parseReset(value, now)).filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** The `RateLimit` field of the draft, now `"default";r=0;t=33`, once `limit=60, remaining=0, reset=33`. */
function resetInPolicy(value: string | undefined): string | undefined {
  return value === undefined ? undefined : /(?:^|[;,\s])(?:t|reset)=(\d{1,9})(?!\d)/.exec(value)?.[1];
}

/** How much of a limit is left, as the same interfaces say it. */
const REMAINING: readonly string[] = [
  'x-ratelimit-remaining',
  'x-rate-limit-remaining',
  'ratelimit-remaining',
];

/** Do the headers of a refusal say that nothing is left of a limit, and until when? */
export function isUsedUp(headers: ReadonlyMap<string, string>): boolean {
  const left = REMAINING.map((name) => headers.get(name)).find((value) => value !== undefined);
  return left?.trim() === '0' && RESETS.some((name) => headers.has(name));
}

/** From here on a number of seconds is a point in time, and from there on one of milliseconds. */
const EPOCH_S = 1_000_000_000;
const EPOCH_MS = 1_000_000_000_000;

/** From here on it is neither: nobody means the year 5138. */
const LAST_INSTANT_MS = 100_000_000_000_000;

/** Is a number of `unit` milliseconds a point in time rather than a wait? How far that is takes a clock. */
export function isInstant(value: number, unit: number): boolean {
  return value * unit >= EPOCH_MS && value <= LAST_INSTANT_MS;
}

/** Seconds from now, a point in time as a number or a date, or `6m0s`. */
function parseReset(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) {
    const said = Number(text);
    if (said < EPOCH_S) return bounded(Math.ceil(said * 1000));
    return bounded(Math.max(0, Math.ceil(said < EPOCH_MS ? said * 1000 : said) - now));
  }
  const span =
    /^(?=\d)(?:(\d{1,4})h)?(?:(\d{1,5})m(?!s))?(?:(\d{1,6}(?:\.\d{1,9})?)s)?(?:(\d{1,9})ms)?$/.exec(text);
  if (span === null) return text.length > 40 ? undefined : untilDate(dated(text), now);
  const [hours, minutes, seconds, ms] = span.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return bounded(Math.ceil(((hours * 60 + minutes) * 60 + seconds) * 1000 + ms));
}

/** An ISO date has no name of a month, by which `untilDate` tells dates from numbers. */
function dated(text: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]{5,20}(?:Z|[+-]\d\d:\d\d)$/.test(text) ? new Date(text).toUTCString() : text;
}

/** More than a year is a mistake of the sender, who still wants nobody to come back soon. */
export function bounded(ms: number): number {
  return Math.min(ms, YEAR_MS);
}

/** Milliseconds to the seconds that a header or a dialect carries: rounded up, so that nobody wakes early. */
export function toSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
