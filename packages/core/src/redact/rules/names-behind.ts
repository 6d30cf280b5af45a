/**
 * Secrets whose name stands behind them: `"…" is not a valid password`, `… was rejected as password`, `… (password)`,
 * `…: wrong password`. What is in quotes, or is no word, goes; a word that may be somebody's name only where the words were
 * written for nobody.
 */
import { isSaidName, stripEnd } from '../looks.ts';
import { mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, isSpace, runStart } from '../runs.ts';
import { surrogateEnd } from '../surrogates.ts';
import { isOdd } from './odd-words.ts';
import { build } from './patterns.ts';
import { isNoValue, isToldValue, looksReceived, type Named } from './received.ts';

const ARTICLE = '(?:(?:an?|the|your|our|my|his|her|their|any|no) )?';
const QUALITY =
  '(?:(?:in)?valid|(?:in)?correct|(?:un)?known|(?:un)?acceptable|wrong|right|bad|good|strong|weak|safe|current|old|new|matching|working|allowed|accepted|existing)';
/** The rest of a name: `API key`. */
const REST =
  '(?:(?:api|access|client|auth|login|user|db|database|admin|master|root|secret|bearer|session) )?';
const BE =
  "(?:(?:is|was|were|are|isn't|wasn't|has been|can ?not be|can't be|could not be|must not be|may not be)(?: not)? )";
/** What the value was done with. */
const DONE =
  '(?:rejected|refused|denied|used|given|sent|supplied|provided|accepted|entered|typed|tried|received|passed|taken|presented|specified|submitted)';
const FIELD = '(?:(?:field|parameter|param|argument|option|property|setting|variable|header|column|input) )?';

/** `is not a valid`, up to the name. */
const JUDGED = build(
  `,?(?: (?:which|that))? (?:is|was|isn't|wasn't)(?: (?:not|no|never))? (?:(?:too|very) )?${ARTICLE}(?:${QUALITY} ){0,2}${ARTICLE}${REST}$`,
  'i',
);
/** `was rejected as`. */
const USED = build(` ${BE}?${DONE} (?:as|for) ${ARTICLE}${FIELD}${REST}$`, 'i');
/** `does not match your`. */
const COMPARED = build(` (?:does|did|do)(?: not|n't) (?:match|equal|fit) ${ARTICLE}${REST}$`, 'i');
/** `: wrong`, ` - bad`. */
const BLAMED = build(`(?::| [-–—]) ${ARTICLE}(?:wrong|bad|invalid|incorrect|unknown|rejected) ${REST}$`, 'i');
/** `(the`. */
const ASIDE = build(` ?\\((?:as )?${ARTICLE}(?:${QUALITY} )?${REST}$`, 'i');

/** How surely a value is meant by what stands between it and its name. */
type Tie = 'said' | 'aside' | 'near';
const TIES: readonly (readonly [pattern: RegExp, tie: Tie])[] = [
  [JUDGED, 'said'],
  [USED, 'said'],
  [COMPARED, 'near'],
  [BLAMED, 'near'],
  [ASIDE, 'aside'],
];

/** With which letters and signs those words end, before the name. */
const LAST = /[A-Za-z(:–—-] ?$|\($/;
/** The name ends the words: `valid password rule` is about something else. */
const ENDS =
  /["'`”»]?(?:$|[.,;:!?)\]\n]| (?:for|in|on|at|of|because|and|but|or|since|here|either|by|with|when|while|again|any ?more|field|value|parameter|\(|[-–—])|\s{1,4}$)/iy;
const CLOSE_ASIDE = /(?: field| value)?\)/iy;
const OPENING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '”': '“', '»': '«' };
/** So long may the words between be, and the value. */
const LONGEST_TIE = 80;
const LONGEST_VALUE = 120;
const BLANKS = /\s/;
const WORD = charSet(
  /[^\s"'`,;()<>]/,
  (code) => !isSpace(code) && !'“”«»'.includes(String.fromCharCode(code)),
);

/** Marks the values before the names of a page. */
export function markNamedBehind(page: Page): void {
  for (const name of page.names) {
    if (name.isPaired || name.start === 0) continue;
    const found = valueBefore(page, name);
    if (found === undefined) continue;
    const { start, end } = found;
    if (surrogateEnd(page.text, start) >= end || !isMeant(page, found, name)) continue;
    mark(page, start, end, 'near-name', name.meaning.class, STRUCTURE);
  }
}

/** What stands before a name, and how it is tied to it. */
interface Found {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  readonly tie: Tie;
}

function valueBefore(page: Page, { start: nameStart, end: nameEnd }: Named): Found | undefined {
  const { text } = page;
  const from = Math.max(0, nameStart - LONGEST_TIE);
  const before = text.slice(from, nameStart);
  if (!LAST.test(before)) return undefined;
  for (const [pattern, tie] of TIES) {
    const index = pattern.exec(before)?.index ?? -1;
    const closes = tie === 'aside' ? CLOSE_ASIDE : ENDS;
    if (index < 0 || matchAt(closes, text, nameEnd) === null) continue;
    const value = quotedBefore(text, from + index) ?? wordBefore(page, from + index);
    return value === undefined ? undefined : { ...value, tie };
  }
  return undefined;
}

function quotedBefore(text: string, end: number): Omit<Found, 'tie'> | undefined {
  const open = OPENING[text.charAt(end - 1)];
  if (open === undefined) return undefined;
  const start = text.lastIndexOf(open, end - 2) + 1;
  const value = text.slice(start, end - 1);
  const isValue = start > 0 && value !== '' && value.length <= LONGEST_VALUE && !BLANKS.test(value);
  return isValue ? { start, end: end - 1, isQuoted: true } : undefined;
}

function wordBefore(page: Page, end: number): Omit<Found, 'tie'> | undefined {
  const from = runStart(page, WORD, end);
  const word = end - from > LONGEST_VALUE ? '' : page.text.slice(from, end);
  if (word === '' || stripEnd(word, '.:!?') !== word) return undefined;
  // `password=…` is a pair of its own.
  return { start: from + word.lastIndexOf('=', word.length - 3) + 1, end, isQuoted: false };
}

function isMeant(
  { text, switches }: Page,
  { start, end, isQuoted, tie }: Found,
  { meaning }: Named,
): boolean {
  const value = text.slice(start, end);
  if (isNoValue(value)) return false;
  if (looksReceived(value)) return true;
  const isOwn = isOdd(value) && !isSaidName(value);
  if (meaning.class !== 'password') return isQuoted && tie === 'said' && isOwn;
  if (isQuoted && tie === 'said') return isToldValue(value, meaning);
  return isOwn && (switches.strict || tie === 'said' || (tie === 'aside' && isQuoted));
}
