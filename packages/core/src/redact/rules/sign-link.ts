/** What ties a value to its name by a sign between them: `=`, `:`, `=>` and the like. */
import { matchAt } from '../page.ts';
import { isAt, signSet } from '../sign-sets.ts';

/** How a value is tied to its name, from the tightest to the loosest. */
export type Tie = 'query' | 'assigned' | 'colon' | 'listed' | 'prose';

/** Where the value of a name starts, and how it is tied to it. */
export interface Link {
  readonly at: number;
  readonly tie: Tie;
  /** What closes the name: a quote, a bracket. */
  readonly close: string;
  /** Whether the sign between them is a comparison's, or stands between blanks, as in a program. */
  readonly isSpaced?: boolean;
}

const CLOSE = /(?:\\{0,7}["'`”»」]|&quot;)?(?::protected|:[\w\\]{1,40}:private|[\])]){0,3}/y;
const CLOSERS = signSet('"\'`\\&])”»」');
const TAB = 9;
const SPACE = 32;
const STAR = 42;
const DASH = 45;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const WIDE_COLON = 0xff1a;
const WIDE_EQUALS = 0xff1d;

/** The first sign that is no blank. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at - from < 24 && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB)) {
    at++;
  }
  return at;
}

/** The end of an assignment's sign at an offset: `=`, `==`, `=>`, `:`, `:=`, `->`, `<-`; the offset itself if none is there. */
function signEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  if (code === EQUALS) {
    return at + (next === GREATER ? 2 : next !== EQUALS ? 1 : text.charCodeAt(at + 2) === EQUALS ? 3 : 2);
  }
  if (code === COLON) {
    return next === EQUALS ? at + 2 : next === SLASH && text.charCodeAt(at + 2) === SLASH ? at : at + 1;
  }
  if (code === DASH) {
    return next === GREATER ? at + 2 : next === DASH && text.charCodeAt(at + 2) === GREATER ? at + 3 : at;
  }
  if (code === LESS) {
    // R's arrow.
    return next === DASH ? at + 2 : next === LESS && text.charCodeAt(at + 2) === DASH ? at + 3 : at;
  }
  return code === WIDE_COLON || code === WIDE_EQUALS ? at + 1 : at;
}

const QUERY_SIGNS = signSet('?&;#');

/** Whether a name stands in a query. */
export const isQuery = (text: string, nameStart: number): boolean => isAt(QUERY_SIGNS, text, nameStart - 1);

/** What closes a name, a quote or a bracket, and where it ends. */
export interface Close {
  readonly close: string;
  readonly after: number;
}

/** What closes the name that ends at an offset. */
export function closeAt(text: string, nameEnd: number): Close {
  const closes =
    isAt(CLOSERS, text, nameEnd) ||
    (text.charCodeAt(nameEnd) === COLON && /[A-Za-z]/.test(text.charAt(nameEnd + 1)));
  const close = closes ? (matchAt(CLOSE, text, nameEnd)?.[0] ?? '') : '';
  const bold = text.startsWith('**', nameEnd) ? 2 : 0;
  return { close, after: nameEnd + close.length + bold };
}

/** Where the value starts behind a sign that ends at an offset. */
export type ValueStart = (text: string, sign: number, end: number) => number;

/** The link of a sign, if one stands behind a name. `startOf`: what may stand between the sign and the value. */
export function signLinkAt(
  text: string,
  nameStart: number,
  { close, after }: Close,
  startOf: ValueStart,
): Link | undefined {
  let sign = skipBlanks(text, after);
  while (sign - after < 40 && text.charCodeAt(sign) === DOT) {
    sign++;
  }
  const end = signEnd(text, sign);
  if (end === sign || (text.charCodeAt(sign) === DASH && close.includes(')'))) {
    return undefined;
  }
  const next = text.charCodeAt(end);
  const isSpaced = next === SPACE || next === TAB || end - sign > 1;
  return { at: startOf(text, sign, end), tie: signTie(text, nameStart, sign, end, close), close, isSpaced };
}

function signTie(text: string, nameStart: number, sign: number, end: number, close: string): Tie {
  const code = text.charCodeAt(sign);
  const next = text.charCodeAt(end);
  const blank = next === SPACE || next === TAB || next === 10 || next === 13 || next === STAR;
  if (
    close === '' &&
    (code === DASH || code === WIDE_COLON || (code === COLON && end === sign + 1 && blank))
  ) {
    return 'colon';
  }
  const isTight = code === EQUALS && end === sign + 1 && !blank;
  return isTight && isQuery(text, nameStart) ? 'query' : 'assigned';
}

/** Whether a letter is of a script that puts no blanks between words: Thai, kana, Han, Hangul with its particles. */
export function isUnspaced(code: number): boolean {
  return (code >= 0xe00 && code < 0xf00) || code >= 0x3040;
}
