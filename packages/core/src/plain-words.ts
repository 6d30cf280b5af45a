/**
 * Is this all that an answer says? A refusal at a door is made of few words. Whatever else stands in it, in a text, as
 * a member or as the name of one, may tell what became of the work.
 */
import { isRecord } from './json.ts';
import { isOfAThing, NOT_OF_A_THING } from './request-ids.ts';
import { saysTwice } from './wire/repeating.ts';
import type { Wire } from './wire/wire.ts';

/** Longer texts are no refusal at a door. */
export const MAX_LENGTH = 4000;
const MAX_DEPTH = 8;
const MAX_DEPTH_IN_TEXT = 4;
const MAX_MEMBERS = 100;

/** Words of which the answers of any server are built, whatever they are about. */
const FRAME: ReadonlySet<string> =
  words(`code data date description detail details error errors exception false http https
  info jsonrpc message msg name ok param path reason response status success timestamp title type`);

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

/** What an answer may say. */
export interface Vocabulary {
  readonly words: ReadonlySet<string>;
  /** Members with names of the caller's own, or an echo of what was sent. */
  readonly quoting?: RegExp | undefined;
  /** May sentences name what they complain about? How those are told; otherwise each word has to be known. */
  readonly isComplaint?: ((text: string, judges: Judges) => boolean) | undefined;
}

/** What a vocabulary has to say about the parts of a text. */
export interface Judges {
  isKnown(word: string): boolean;
  /** JSON inside the text. */
  isPlain(value: unknown): boolean;
  /** It stands where a program's own name of the error does. */
  readonly isCode: boolean;
}

/** Does the answer say nothing but what this vocabulary can say? */
export function saysOnly(wire: Wire, vocabulary: Vocabulary): boolean {
  if (saysTwice(wire)) return false;
  const { text, body, error, http } = wire;
  // Most answers say one thing, in several places of the view.
  return [...new Set([text, http?.said, body, error?.message, error?.data, http?.reason])].every((said) =>
    isPlain(said, '', vocabulary, MAX_DEPTH),
  );
}

function isPlain(value: unknown, key: string, vocabulary: Vocabulary, depth: number): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value === 'number') return key !== '' && !TEXTUAL.has(key.toLowerCase());
  if (DENYING.has(key)) return value === false || value === 'no';
  if (typeof value === 'boolean') return true;
  if (vocabulary.quoting?.test(key) === true && isNames(value)) return true;
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
        (isMessage && (name === 'id' || name === 'jsonrpc')) ||
        (isPlainName(name, vocabulary) && isPlain(member, name, vocabulary, depth - 1)),
    )
  );
}

/** Members that hold words; a number there is the number of something. */
const TEXTUAL: ReadonlySet<string> = words(
  'data description detail details exception info message msg name path reason response title type',
);

/** Names of arguments or values of theirs, in one piece each, in a list or alone. */
function isNames(value: unknown): boolean {
  const items = Array.isArray(value) ? value : [value];
  return (
    items.length <= MAX_MEMBERS &&
    items.every((item) => typeof item === 'number' || (typeof item === 'string' && /^\S{0,200}$/.test(item)))
  );
}

function isPlainName(name: string, { words: known }: Vocabulary): boolean {
  if (isRequestId(name) || LINKING.test(name) || DENYING.has(name)) return true;
  return wordsOf(name).every((word) => isPlainWord(word, known));
}

/** `request_id`, `traceId`, `x-correlation-id`; not `order_id`. */
export function isRequestId(name: string): boolean {
  const parts = wordsOf(name).filter((word) => word !== 'x' && word !== 'cf');
  return parts.at(-1) === 'id'
    ? parts.length === 2 && OF_THE_REQUEST.has(parts[0] ?? '')
    : parts.length === 1 && /^(?:ray|trace|traceid|requestid)$/.test(parts[0] ?? '');
}

/** The value of an id, in one piece. */
const ID = /^[\w.:/+=@|-]{1,128}$/;
const ADDRESS = /^(?:https?:\/\/\S{1,500}|about:blank)$/;

/** A place among many of its kind: `/orders/7`, `/payments/pay_991`. Pages about errors are called by statuses, sections and versions. */
export function namesThing(address: string): boolean {
  const path = address.replace(/^\w+:\/\/[^/]*/, '').split(/[?#]/, 1)[0] ?? '';
  return path
    .split('/')
    .some((part) => (/^\d+$/.test(part) ? !/^[45]\d\d$/.test(part) : /^[a-z]+_\w*\d/i.test(part)));
}

/** The number of something, and pictures that affirm: those that warn, or ask to wait, say what a door says. */
const TELLING_SIGN = /#\s*\d|(?![⚠✖✗✘❌❗⛔⏳⌛⏱⏰🚫🛑🐢🚦])\p{So}/u;

/** Does a sign in it tell of something that was made, or that all is well? */
export function affirms(text: string): boolean {
  return TELLING_SIGN.test(text);
}

/** In texts: an id of the request that is called one, a point in time, and what a page is made of. */
const SILENT: readonly RegExp[] = [
  /<!-- a padding to disable MSIE and Chrome friendly error page -->/g,
  /<!doctype html[^<>]{0,100}>/gi,
  /<\/?[a-z][a-z0-9]{0,12}(?:\s+(?:(?:class|style|align|bgcolor|color|http-equiv)="[^"<>]{0,100}"|lang="?[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}"?|charset="?(?:utf-?8|us-ascii|iso-8859-\d{1,2}|windows-\d{4})"?))*\s*\/?>/gi,
  /<meta name="?viewport"? content="(?:[a-z-]{5,20}=[\w.-]{1,12}[,; ]{0,3}){1,6}"\s{0,3}\/?>/gi,
  /<meta http-equiv="?content-type"? content="text\/html;\s?charset=(?:utf-?8|us-ascii|iso-8859-\d{1,2})"\s{0,3}\/?>/gi,
  /\b(?:nginx|openresty|apache|caddy|envoy|uvicorn)\/[\d.]{1,20}/gi,
  new RegExp(
    `\\b(?:request|trace|correlation|ray)[ _-]?id\\b["']?\\s*[:=]?\\s*["'(]?${NOT_OF_A_THING}[\\w-]{4,64}`,
    'gi',
  ),
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g,
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d(?: GMT| UTC)?/g,
];

/** Without one of these, a text has nothing of the kind: most have none. */
const MAY_BE_SILENT = /[<\d]|id\b/i;

function isPlainText(text: string, key: string, vocabulary: Vocabulary): boolean {
  if (text.length > MAX_LENGTH) return false;
  if (isRequestId(key) && ID.test(text)) return !isOfAThing(text);
  if (LINKING.test(key) && ADDRESS.test(text)) return !namesThing(text);
  const said = MAY_BE_SILENT.test(text)
    ? SILENT.reduce((rest, silent) => rest.replace(silent, ' '), text)
    : text;
  const isKnown = (word: string): boolean => !AFFIRMING.has(word) && isPlainWord(word, vocabulary.words);
  if (vocabulary.isComplaint !== undefined) {
    const isPlainJson = (value: unknown): boolean => isPlain(value, '', vocabulary, MAX_DEPTH_IN_TEXT);
    return vocabulary.isComplaint(said, { isKnown, isPlain: isPlainJson, isCode: CODE.test(key) });
  }
  if (affirms(said)) return false;
  const found = wordsOf(said);
  return found.every((word, at) => isKnown(word) && (!NUMBER.test(word) || counts(found, at)));
}

/** `rateLimitExceeded`, `RATE_LIMITED` and `rate-limited` are made of words, too. */
export function wordsOf(text: string): readonly string[] {
  const apart = text.replace(/([a-z])(?=[A-Z])/g, '$1 ').toLowerCase();
  return apart.split(/[^\p{L}\p{N}']+/u).filter((word) => word !== '');
}

/** A text without what pages are made of, points in time and ids of the request. */
export function withoutSilent(text: string): string {
  return SILENT.reduce((rest, silent) => rest.replace(silent, '\n'), text);
}

/** Where one statement ends and another begins. */
const STATEMENT = /[.:;,!?()[\]{}<>"\n\r]+|\s[-–—]\s|\b(?:and|but|then)\b/i;

/** The statements that a text makes, in plain words. Names of programs, `session_not_found`, are words like others. */
export function statementsIn(text: string): readonly string[] {
  if (ADDRESS.test(text)) return [];
  const found = withoutSilent(text)
    .split(STATEMENT)
    .map((statement) => wordsOf(statement).join(' '));
  return found.filter((statement) => /\p{L}/u.test(statement));
}

/** Members that hold a program's own name of the error. */
const CODE = /^(?:error[_-]?)?(?:code|type|kind)$/i;

/** Names of members that deny something; in a sentence they do not. */
export const AFFIRMING: ReadonlySet<string> = words('ok success');

const NUMBER = /^\d+$/;
const AMOUNT = /^\d+(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|rpm|rps|qps|k|st|nd|rd|th)?$/;

/** What stands before or after a number that counts visits or time. */
const BEFORE: ReadonlySet<string> = words(
  'after at code error every http in is limit max maximum of over per remaining reset retry status to until used wait within',
);
const BEHIND: ReadonlySet<string> = words(
  `api attempts calls concurrent connections day days hour hours limit min mins minute minutes more ms msec of parallel per
  remaining request requests rpm rps s sec second seconds secs sessions simultaneous times too tries`,
);

/** What stands before the number of a status; one of success is about something else. */
const OF_STATUS: ReadonlySet<string> = words('code error http status');
const TOO_MANY_REQUESTS = '429';

/** Does the number count something that a door counts? Otherwise it is the number of something. */
export function counts(found: readonly string[], at: number): boolean {
  const before = found[at - 1];
  if (found[at] === TOO_MANY_REQUESTS) return true;
  if (OF_STATUS.has(before ?? '') && /^2\d\d$/.test(found[at] ?? '')) return false;
  return (before !== undefined && BEFORE.has(before)) || BEHIND.has(found[at + 1] ?? '') || isPart(found, at);
}

/** `60 / 60`, `1.5 s`: next to a number that counts. */
function isPart(found: readonly string[], at: number): boolean {
  return NUMBER.test(found[at + 1] ?? '') && counts(found, at + 1);
}

function isPlainWord(word: string, known: ReadonlySet<string>): boolean {
  return FRAME.has(word) || known.has(word) || AMOUNT.test(word);
}
