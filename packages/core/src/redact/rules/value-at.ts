import { matchAt, type Page } from '../page.ts';
import { charSet, isSpace, knownNext, nextOf, runEnd } from '../runs.ts';
import { isAt, type SignSet, signSet } from '../sign-sets.ts';

/** A value found beside a name. */
export interface ValueAt {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  /** Said to be bytes: they are no words, and not judged as such. */
  readonly areBytes?: boolean;
}

/** Quoted texts longer than this are no secrets; a whole line is read so far. */
const LONGEST = 1024;
const LONGEST_REFERENCE = 120;
const DOLLAR = 36;
/** `Some("…")`, `SecretStr('…')`, `<<"…">>`, `string(9) "…"`, `["…"]`, `{"S":"…"}`: what languages put around a text. */
const OPEN =
  /(?:~[cs]|(?:Some|Ok|Just|Optional|Secret\w{0,8}|[A-Z]\w{0,16}(?:Password|Token|Key|Hash)|String|Text|[Ss]tr|string\(\d{1,6}\)|bytes|(?![cdjlmnt]')[A-Za-z])?[ (]?\s{0,12}|<<|[[({]\s{0,12}){0,3}(?:\{?\s?\\{0,7}"(?:S|stringValue|value|plain)\\{0,7}"\s?:\s?)?(\\{0,7})('''|"""|["'`“„«「『]|&quot;|&#3[49];|\\u002[27])/y;
const CLOSING: Readonly<Record<string, string>> = { '“': '”', '„': '“', '«': '»', '「': '」', '『': '』' };
/** `Some(…)`, `{…}`, `[[…]]`, `(…)` around a bare word. `[hidden]` is none: what stood there is gone already. */
const WRAPPED =
  /(?:Some\(|\{|\[(?!hidden\])\[?|\(|<!\[CDATA\[)(?=[^\s:=,"'{}()[\]]{3,200}[)\]}](?! ?=>))|<(?=[^\s<>/"'=]{8,200}>)/y;
const WRAPS = signSet('S{[(<');
const KEY_END = /^\\{0,7}["']\s?(?::|=>)/;
/** A key as bytes: `de ad be ef …`. */
const BYTES = /(?:[0-9a-f]{2}[ :]){7,63}[0-9a-f]{2}(?![\w:])/iy;
/** Bytes as languages show them: `<Buffer de ad …>`, `Uint8Array(2) [ 222, 173 ]`, `{"type":"Buffer","data":[222,173]}`, `[222, 173]`. */
const OPEN_BYTES =
  /(?:ArrayBuffer \{\s{0,8}\[Uint8Contents\]: <|<(?:Slow)?Buffer )(?=[\da-f]{2}[ >])|(?:[A-Z][a-z]\w{0,16}(?:\(\d{1,9}\))? ?|\{ ?\\{0,7}"type\\{0,7}" ?: ?\\{0,7}"Buffer\\{0,7}" ?, ?\\{0,7}"data\\{0,7}" ?: ?)?\[\s{0,8}(?=\d{1,3}[,\s])/y;
const HEXES = charSet(/[\da-f ]/i);
const DECIMALS = charSet(/[\d,\s]/);
const BYTE_OPENERS = signSet('<[{UABI');
const FEWEST_BYTES = 6;
const MOST_BYTES = 64;
const isNoSpace = (code: number): boolean => !isSpace(code) && code !== 0xff0c && code !== 0x3002;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour ends a value
const BARE = charSet(/[^\s"'`<>,;&|)\]}\\\x1b]/, isNoSpace);
const LINE = charSet(/[^\r\n"'`\\]/, () => true);
const UNQUOTED = charSet(/[^\s"'`]/, isNoSpace);
const OPENERS = signSet('~"\'`\\&“„«「『<[({');
const BYTE_SIGNS = signSet(' :');
const BRACKETS = signSet('[{(');
const STOPS = signSet('.:!?*');

/** Whether the name of a type may start with a letter, or what Python and PHP put before a text. */
const mayWrap = (code: number): boolean => (code >= 65 && code <= 90) || code === 98 || code === 115;

/** Whether a quote may stand near an offset. */
function mayOpen(page: Page, at: number): boolean {
  const { text } = page;
  return (
    isAt(OPENERS, text, at) ||
    isAt(OPENERS, text, at + 1) ||
    (mayWrap(text.charCodeAt(at)) && Math.min(nextOf(page, '"', at), nextOf(page, "'", at)) - at < 34)
  );
}

/** Reads the value at an offset: up to its closing quote, or to where an unquoted one must end. */
export function valueAt(page: Page, at: number, wholeLine = false): ValueAt | undefined {
  const { text } = page;
  const bytes = isAt(BYTE_SIGNS, text, at + 2) ? matchAt(BYTES, text, at) : null;
  if (bytes) {
    return { start: at, end: at + bytes[0].length, quoted: true };
  }
  const shown = isAt(BYTE_OPENERS, text, at) ? shownBytesAt(page, at) : undefined;
  if (shown) {
    return shown;
  }
  const open = mayOpen(page, at) ? matchAt(OPEN, text, at) : null;
  if (open) {
    const start = at + open[0].length;
    const quote = open[2] as string;
    const end = closing(page, start, CLOSING[quote] ?? quote, open[1]?.length ?? 0);
    // The first text in an object is a name.
    return open[0].includes('{') && KEY_END.test(text.slice(end, end + 12)) && !open[0].includes(':')
      ? undefined
      : { start, end, quoted: true };
  }
  if (wholeLine) {
    return { start: at, end: Math.min(runEnd(page, LINE, at), at + LONGEST), quoted: false };
  }
  const wrap = isAt(WRAPS, text, at) ? matchAt(WRAPPED, text, at) : null;
  const start = at + (wrap?.[0].length ?? 0);
  if (start >= text.length || isAt(BRACKETS, text, start)) {
    return undefined;
  }
  const end = referenceEnd(page, start, runEnd(page, BARE, start));
  return { start, end: withoutStop(text, start, end), quoted: false };
}

/** The bytes that are shown at an offset, without what is around them; a few numbers are none. */
function shownBytesAt(page: Page, at: number): ValueAt | undefined {
  const { text } = page;
  const opened = matchAt(OPEN_BYTES, text, at)?.[0];
  if (opened === undefined) {
    return undefined;
  }
  const start = at + opened.length;
  const isHex = opened.includes('<');
  const run = text.slice(start, runEnd(page, isHex ? HEXES : DECIMALS, start)).trimEnd();
  const end = start + run.length;
  // The first of them tell; a cut may have gone through the last.
  const codes = run
    .slice(0, LONGEST)
    .split(/[,\s]+/, MOST_BYTES)
    .map((code) => Number.parseInt(code, isHex ? 16 : 10));
  const isList = codes.length >= FEWEST_BYTES && codes.every((code) => code < 256);
  return isList ? { start, end, quoted: true, areBytes: /[a-z]/i.test(opened) } : undefined;
}

/** The name of a next value, or a sign that is written as a word. */
const NEXT_NAME = /[=:]|^(?:#?\w{1,8});/;
const LONGEST_GLUED = 64;
const CLOSING_BRACKET = 41;
/** What no sentence and no program goes on with behind a bracket. */
const BEHIND_BRACKET = /^[\w@$!#%^*]+[@$!#%^*\d]/;

/** Where an unquoted value ends that goes on over signs which part others, as no name follows them: `a&b9`, `a,b9`. */
export function gluedEnd(page: Page, end: number, signs: SignSet): number {
  const { text } = page;
  let at = end;
  while (at - end < LONGEST_GLUED && isAt(signs, text, at)) {
    const next = runEnd(page, BARE, at + 1);
    const part = text.slice(at + 1, Math.min(next + 1, at + 1 + LONGEST_GLUED));
    const isClosed = text.charCodeAt(at) === CLOSING_BRACKET && !BEHIND_BRACKET.test(part);
    if (next === at + 1 || NEXT_NAME.test(part) || isClosed) {
      break;
    }
    at = next;
  }
  return at === end ? end : withoutStop(text, end, at);
}

/** Signs at the end of a sentence are not the value's. */
function withoutStop(text: string, start: number, from: number): number {
  let end = from;
  for (let i = 0; i < 8 && end > start && isAt(STOPS, text, end - 1); i++) {
    end--;
  }
  return end;
}

/** Where a value ends that is cut inside of a reference: behind its bracket. */
function referenceEnd({ text }: Page, start: number, end: number): number {
  if (text.charCodeAt(start) !== DOLLAR) {
    return end;
  }
  const rest = text.slice(start, start + LONGEST_REFERENCE);
  const open = rest.startsWith('${') || rest.startsWith('$(') ? rest.charAt(1) : '';
  const close = open === '' ? -1 : rest.search(open === '{' ? /[}\n]/ : /[)\n]/);
  return close > 0 && rest.charAt(close) !== '\n' ? Math.max(end, start + close + 1) : end;
}

/** Where a quoted text ends. A quote behind more backslashes than the opening one belongs to the value. */
function closing(page: Page, start: number, quote: string, slashes: number): number {
  const { text } = page;
  const at = knownNext(page, `${quote}${slashes}`, start, () => {
    let next = nextOf(page, quote, start);
    while (next < text.length && (slashesBefore(text, next) > slashes || isDoubled(text, next, quote))) {
      next = nextOf(page, quote, next + (text.startsWith(quote, next + 1) ? 2 : 1));
    }
    return next;
  });
  if (at < text.length && at - start <= LONGEST) {
    return Math.max(start, at - slashes);
  }
  // No closing quote: a cut-off message, or a text longer than any secret. Up to the first space, then.
  return runEnd(page, UNQUOTED, start);
}

/** A quote that stands for itself, as SQL and CSV write it: twice, with a letter behind it and a third to close. */
function isDoubled(text: string, at: number, quote: string): boolean {
  return (
    quote.length === 1 &&
    text.charAt(at + 1) === quote &&
    /[\w ]/.test(text.charAt(at + 2)) &&
    text.slice(at + 2, at + LONGEST).includes(quote)
  );
}

function slashesBefore(text: string, at: number): number {
  let count = 0;
  while (text[at - count - 1] === '\\' && count < 16) {
    count++;
  }
  return count;
}
