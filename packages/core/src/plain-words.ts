/**
 * Is this all that an answer says? A refusal at a door is made of few words. Whatever else stands in it, in a text, as
 * a member or as the name of one, may tell what became of the work.
 */
import { isRecord } from './json.ts';
import type { Wire } from './wire/wire.ts';

/** Longer texts are no refusal at a door. */
export const MAX_LENGTH = 4000;
const MAX_DEPTH = 8;
const MAX_MEMBERS = 100;

/** Words of which the answers of any server are built, whatever they are about. */
const FRAME: ReadonlySet<string> =
  words(`code data date description detail details error errors exception false http https
  info jsonrpc message msg name ok path reason response status success timestamp title type`);

/** Members that say how to reach the request again in a log. */
const OF_THE_REQUEST: ReadonlySet<string> = words(
  'request req trace correlation span ray activity incident error',
);

/** Members that hold addresses of documentation. */
const LINKING = /^(?:type|(?:doc|docs|documentation|help)(?:_?ur[il]|_?link)?)$/i;

/** Members that deny something, as long as they are false. */
const DENYING: ReadonlySet<string> = new Set(['success', 'ok', 'executed', 'processed']);

/** A list of words. */
export function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** Does the answer say nothing but what these words can say? */
export function saysOnly({ text, body, error, http }: Wire, vocabulary: ReadonlySet<string>): boolean {
  return [text, http?.said, body, error?.message, error?.data].every((said) =>
    isPlain(said, '', vocabulary, MAX_DEPTH),
  );
}

function isPlain(value: unknown, key: string, vocabulary: ReadonlySet<string>, depth: number): boolean {
  if (value === undefined || value === null || value === '' || typeof value === 'number') return true;
  if (DENYING.has(key)) return value === false || value === 'no';
  if (typeof value === 'boolean') return true;
  if (typeof value === 'string') return isPlainText(value, key, vocabulary);
  if (depth === 0) return false; // deeper than anybody refuses
  if (Array.isArray(value)) {
    return value.length <= MAX_MEMBERS && value.every((item) => isPlain(item, key, vocabulary, depth - 1));
  }
  if (!isRecord(value)) return false;
  const members = Object.entries(value);
  const isMessage = 'jsonrpc' in value;
  return (
    members.length <= MAX_MEMBERS &&
    members.every(
      ([name, member]) =>
        member === null ||
        (isMessage && name === 'id') ||
        (isPlainName(name, vocabulary) && isPlain(member, name, vocabulary, depth - 1)),
    )
  );
}

function isPlainName(name: string, vocabulary: ReadonlySet<string>): boolean {
  if (isRequestId(name) || LINKING.test(name) || DENYING.has(name)) return true;
  return wordsOf(name).every((word) => isPlainWord(word, vocabulary));
}

/** `request_id`, `traceId`, `x-correlation-id`; not `order_id`. */
function isRequestId(name: string): boolean {
  const parts = wordsOf(name).filter((word) => word !== 'x' && word !== 'cf');
  return parts.at(-1) === 'id'
    ? parts.length === 2 && OF_THE_REQUEST.has(parts[0] ?? '')
    : parts.length === 1 && /^(?:ray|trace|traceid|requestid)$/.test(parts[0] ?? '');
}

/** The value of an id, in one piece. */
const ID = /^[\w.:/+=@|-]{1,128}$/;
const ADDRESS = /^(?:https?:\/\/\S{1,500}|about:blank)$/;

/** In texts: an id of the request that is called one, a point in time, and what a page is made of. */
const SILENT: readonly RegExp[] = [
  /<!-- a padding to disable MSIE and Chrome friendly error page -->/g,
  /<!doctype html[^<>]{0,100}>/gi,
  /<\/?[a-z][a-z0-9]{0,12}(?:\s+(?:class|style|lang|align|bgcolor|color|charset|http-equiv)="[^"<>]{0,100}")*\s*\/?>/gi,
  /\b(?:request|trace|correlation|ray)[ _-]?id\b["']?\s*[:=]?\s*["'(]?[\w-]{4,64}/gi,
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g,
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d(?: GMT| UTC)?/g,
];

function isPlainText(text: string, key: string, vocabulary: ReadonlySet<string>): boolean {
  if (text.length > MAX_LENGTH) return false;
  if (isRequestId(key) && ID.test(text)) return true;
  if (LINKING.test(key) && ADDRESS.test(text)) return true;
  const said = SILENT.reduce((rest, silent) => rest.replace(silent, ' '), text);
  return wordsOf(said).every((word) => isPlainWord(word, vocabulary));
}

/** `rateLimitExceeded`, `RATE_LIMITED` and `rate-limited` are made of words, too. */
function wordsOf(text: string): readonly string[] {
  const apart = text.replace(/([a-z])(?=[A-Z])/g, '$1 ').toLowerCase();
  return apart.split(/[^\p{L}\p{N}']+/u).filter((word) => word !== '');
}

const AMOUNT = /^\d+(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|rpm|rps|qps|k|st|nd|rd|th)?$/;

function isPlainWord(word: string, vocabulary: ReadonlySet<string>): boolean {
  return FRAME.has(word) || vocabulary.has(word) || AMOUNT.test(word);
}
