import { matchAt } from '../page.ts';

/** How a value is tied to its name, from the tightest to the loosest. */
export type Tie = 'query' | 'assigned' | 'colon' | 'listed' | 'prose';

/** Where the value of a name starts, and how it is tied to it. */
export interface Link {
  readonly at: number;
  readonly tie: Tie;
  /** What closes the name: a quote, a bracket. */
  readonly close: string;
}

const CLOSE = /(?:\\{0,7}["'`]|&quot;|\\u002[27])?[\])]{0,2}/y;
const CLOSERS = '"\'`\\&])';
const ATTRIBUTE =
  /[ \t]{1,4}value[ \t]?=[ \t]?|,[ \t]{0,3}\\{0,7}["'](?:value|val|content|data)\\{0,7}["'][ \t]?:[ \t]?/y;
const LINK =
  /[ \t]{1,3}(?:(?:you )?(?:provided|used|supplied|given|sent|received|entered|value|string|number|no\.?|#)(?=[ \t:=])[ \t]{0,2})?(?:for (?:user )?[^\s:=]{1,40} )?(?:(?:is|was|of|set to|ist|es|est)[ \t]{1,2}|[:=][ \t]{0,3})?/iy;
const LINK_STARTS = 'ypusgrevnfiwo#:=YPUSGREVNFIWO';
const COMMA = /,[ \t]{0,3}(?=\\{0,7}["'`])/y;

const TAB = 9;
const SPACE = 32;
const COMMA_CODE = 44;
const DASH = 45;
const SLASH = 47;
const COLON = 58;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const WIDE_COLON = 0xff1a;
const WIDE_EQUALS = 0xff1d;

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at - from < 4 && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB)) {
    at++;
  }
  return at;
}

/** The end of an assignment's sign at an offset: `=`, `==`, `=>`, `:`, `:=`, `->`; the offset itself if none is there. */
function signEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  if (code === EQUALS) {
    return at + (next === GREATER ? 2 : next !== EQUALS ? 1 : text.charCodeAt(at + 2) === EQUALS ? 3 : 2);
  }
  if (code === COLON) {
    return next === EQUALS ? at + 2 : next === SLASH && text.charCodeAt(at + 2) === SLASH ? at : at + 1;
  }
  if (code === DASH && next === GREATER) {
    return at + 2;
  }
  if (code === WIDE_COLON || code === WIDE_EQUALS) {
    return at + 1;
  }
  return /^\\u003d/i.test(text.slice(at, at + 6)) ? at + 6 : at;
}

/** Finds out what ties a name to what follows it, if anything does. */
export function linkAt(text: string, nameStart: number, nameEnd: number): Link | undefined {
  const closes = CLOSERS.includes(text.charAt(nameEnd) || ' ');
  const close = closes ? (matchAt(CLOSE, text, nameEnd)?.[0] ?? '') : '';
  const after = nameEnd + close.length;
  const sign = skipBlanks(text, after);
  const end = signEnd(text, sign);
  if (end > sign) {
    return { at: skipBlanks(text, end), tie: signTie(text, nameStart, sign, end, close), close };
  }
  const code = text.charCodeAt(after);
  if (code === COMMA_CODE || sign > after) {
    const attribute = matchAt(ATTRIBUTE, text, after);
    if (attribute) {
      return {
        at: after + attribute[0].length,
        tie: /[?&;#]/.test(text[nameStart - 1] ?? '') ? 'query' : 'assigned',
        close,
      };
    }
  }
  if (code === GREATER && text.charCodeAt(nameStart - 1) === LESS) {
    return { at: after + 1, tie: 'assigned', close };
  }
  if (close !== '' && close !== ')') {
    const comma = matchAt(COMMA, text, after);
    return comma ? { at: after + comma[0].length, tie: 'listed', close } : undefined;
  }
  return sign > after ? proseLink(text, nameStart, after, close) : undefined;
}

function signTie(text: string, nameStart: number, sign: number, end: number, close: string): Tie {
  const code = text.charCodeAt(sign);
  const blank = text.charCodeAt(end) === SPACE || text.charCodeAt(end) === TAB;
  if (close === '' && (code === DASH || (code === COLON && end === sign + 1 && blank))) {
    return 'colon';
  }
  return /[?&;#]/.test(text[nameStart - 1] ?? '') ? 'query' : 'assigned';
}

/** Words between a name and its value: `the token you provided is …`. A flag's value follows it as it is. */
function proseLink(text: string, nameStart: number, after: number, close: string): Link {
  const word = skipBlanks(text, after);
  const link = LINK_STARTS.includes(text.charAt(word) || ' ')
    ? (matchAt(LINK, text, after)?.[0] ?? '')
    : text.slice(after, word);
  const isFlag = text.charCodeAt(nameStart) === DASH && link.trim() === '';
  return {
    at: after + link.length,
    tie: isFlag ? 'assigned' : /[:=]\s*$/.test(link) ? 'colon' : 'prose',
    close,
  };
}
