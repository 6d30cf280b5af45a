import { looksRandom } from '../looks.ts';
import { matchAt, type Page } from '../page.ts';
import { isPlainWord } from '../plain-words.ts';
import { build } from './patterns.ts';

/** A line break, plain or as JSON spells it, and the margin of the next line: blanks, a quote's or a table's sign. */
export const BREAK: string = String.raw`(?:\r?\n|\\r\\n|\\n)[ \t|>]{0,8}`;
const BREAK_AT = build(BREAK, 'y');

/** So much of the word before a break is looked at, and of the one behind it. */
const LONGEST_WORD = 400;
const LONGEST_NAME = 24;
const LONGEST_REST = 120;

/** The next line gives another name its value. */
export const NEXT_NAME: RegExp = /^[A-Za-z_][\w.-]{0,38}(?:=[^=\s]|: )/;

/** What a program starts a line with: a time, a version, an identifier with a prefix, a name of a file or of a host. */
const OWN_START =
  /^(?:\d{1,4}[-:/.]\d|\d{8}T\d|[a-z]{2,10}[_-]\w{6}|[\da-f]{8}-[\da-f]{4}-|0x[\da-f]{4,16}(?!\w)|v\d{1,3}(?!\w)|[^\s.]{0,80}\.[a-z\d]|\w{1,20}:\/\/)/i;

/** What no part of a value holds. */
const NO_PART = /[\s"'`,;=:]/;
const LONGEST_PART = 80;
/** A name and its sign, or the scheme of a login, before a value. */
const TIE = /[\w"'`\]] ?(?:=>?|:) ?$|(?:bearer|basic|token) {1,2}$/i;
/** A user and a password, as far as the host. */
const LOGIN = /^[^\s/?#@"'<>:]{0,60}:[^\s/?#@"'<>]{1,80}@[\w.[-]/;
/** A name of a secret in one piece, with what follows it. */
const NAME =
  /(?:passw(?:or)?d|passphrase|secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key)s?\\{0,3}["'`]?(?: ?[=:] ?\\{0,3}["'`]?|$)|bearer /i;

/** Whether the part of a value behind a break is no word of a sentence, nor anything else that starts a line. */
function isOddRest(rest: string): boolean {
  return (
    !NEXT_NAME.test(rest) &&
    !OWN_START.test(rest) &&
    ((rest.length >= 5 && /\d/.test(rest) && /[a-z]/i.test(rest)) || looksRandom(rest, 8))
  );
}

/** Where a run before an offset starts that holds no sign of a kind. */
function runFrom(text: string, at: number, most: number, stop: RegExp): number {
  let from = at;
  while (from > Math.max(0, at - most) && !stop.test(text.charAt(from - 1))) from--;
  return from;
}

/** Whether a line ends inside of the value of a name. */
function isInValue(text: string, start: number, end: number): boolean {
  let from = runFrom(text, start, LONGEST_PART, NO_PART);
  const part = text.slice(from, start);
  const quote = /["'`]/.test(text.charAt(from - 1)) ? text.charAt(--from) : '';
  while (text.charAt(from - 1) === '\\') from--;
  const tie = TIE.exec(text.slice(Math.max(0, from - 12), from))?.[0];
  if (tie === undefined) return false;
  const rest = /^[^\s"'`,;\\]{3,100}/.exec(text.slice(end, end + LONGEST_REST))?.[0] ?? '';
  if (rest === '') return false;
  if (quote !== '' && text.slice(end + rest.length, end + rest.length + 4).includes(quote)) {
    return /\d/.test(part + rest) || looksRandom(part + rest, 8);
  }
  // Behind a colon and nothing else a list or a text starts, which the rules for names read themselves.
  if (part === '' && !tie.endsWith('=')) return false;
  // Three letters at the start of a long value may happen to be a word.
  const isWord = isPlainWord(part) && part.length > (looksRandom(rest, 16) ? 3 : 2);
  return !isWord && !/[.:)\]}>]$/.test(part) && isOddRest(rest);
}

/** Whether an address with a password goes through a break. */
function isInAddress(word: string, rest: string): boolean {
  const whole = word + rest;
  const sign = whole.lastIndexOf('://', word.length);
  const login = sign < 1 ? undefined : LOGIN.exec(whole.slice(sign + 3))?.[0];
  if (login === undefined || sign + 2 + login.length <= word.length) return false;
  // A host with its port ends a line, and somebody's mail address starts the next.
  const isPort = /^[^:]{1,60}:\d{2,5}$/.test(word.slice(sign + 3));
  return !isPort || /^@[^\s/:]{1,80}[/:]/.test(rest.slice(rest.indexOf('@')));
}

/** Whether the name of a secret, or the scheme of a login, goes through a break, and an odd value follows. */
function isInName(text: string, start: number, end: number): boolean {
  const word = text.slice(runFrom(text, start, LONGEST_NAME, /[^A-Za-z_-]/), start);
  const next = text.slice(end, end + LONGEST_REST);
  const found = word === '' ? null : NAME.exec(word + next);
  const past = (found?.index ?? 0) + (found?.[0].length ?? 0) - word.length;
  if (!found || found.index >= word.length || past <= 0) return false;
  const value = /^[^\s"'`,;]{4,80}/.exec(next.slice(past))?.[0] ?? '';
  return /\d/.test(value) || looksRandom(value, 8);
}

/** Whether a JWT goes through a break, its dots too. */
function isInJwt(word: string, rest: string): boolean {
  const at = word.indexOf('eyJ');
  return (
    at >= 0 &&
    /^[\w.-]{8,400}$/.test(word.slice(at)) &&
    looksRandom(/^[\w.-]{8,120}/.exec(rest)?.[0] ?? '', 8)
  );
}

const NAMED = /(?:passw(?:or)?d|passphrase|secret|token|credentials?|[_-]key|apikey)$/i;

/** Whether the name of a secret ends at an offset. */
export function isNameBefore(text: string, at: number): boolean {
  return NAMED.test(text.slice(Math.max(0, at - 12), at));
}

/** Signs of which what may be the rest of a secret has one: a digit, or what ends a name or a user. */
const TELLING = /[^\s]{0,100}?[\d@=:]|[^\s]{0,40}?[a-z][A-Z]|["'`] ?[:=]|[a-z]{0,5} \S/y;

/** A log starts its lines with the time. */
const TIME = /\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d/y;

/** The last word before an offset. */
function wordBefore(text: string, at: number): string {
  const part = text.slice(Math.max(0, at - LONGEST_WORD), at);
  return part.slice(Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'), part.lastIndexOf('\t')) + 1);
}

/** Whether what stands before a break says that the value, the name or the address at its end goes on behind it. */
export function goesOn(text: string, start: number, end: number): boolean {
  if (
    /[\s,;)\]}>]/.test(text.charAt(start - 1)) ||
    !matchAt(TELLING, text, end) ||
    matchAt(TIME, text, end)
  ) {
    return false;
  }
  const word = wordBefore(text, start);
  const rest = /^\S{1,120}/.exec(text.slice(end, end + LONGEST_REST))?.[0] ?? '';
  return (
    (rest.includes('@') && isInAddress(word, rest)) ||
    isInJwt(word, rest) ||
    isInValue(text, start, end) ||
    isInName(text, start, end)
  );
}

/** Where the break ends that starts at an offset, or with the sign at it; undefined if there is none. */
export function breakAt(page: Page, at: number): readonly [start: number, end: number] | undefined {
  const { text } = page;
  const start = text.charAt(at - 1) === '\r' ? at - 1 : text.startsWith('\\r', at - 2) ? at - 2 : at;
  return matchAt(BREAK_AT, text, start) ? [start, BREAK_AT.lastIndex] : undefined;
}
