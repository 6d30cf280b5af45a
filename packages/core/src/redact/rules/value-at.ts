import { matchAt, type Page } from '../page.ts';
import { charSet, isSpace, knownNext, nextOf, runEnd } from '../runs.ts';

/** A value found beside a name. */
export interface ValueAt {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/** Quoted texts longer than this are no secrets; a whole line is read so far. */
const LONGEST = 1024;
const OPEN = /\[?[a-z]?(\\{0,7})(["'`]|&quot;|&#3[49];|\\u002[27])/y;
const isNoSpace = (code: number): boolean => !isSpace(code);
const BARE = charSet(/[^\s"'`<>,;&|)\]}\\]/, isNoSpace);
const LINE = charSet(/[^\r\n"'`\\]/, () => true);
const UNQUOTED = charSet(/[^\s"'`]/, isNoSpace);

const QUOTES = '"\'`\\&';

/** Whether a quote may stand at an offset: `"…"`, `r"…"`, `["…"]`. */
function mayOpen(text: string, at: number): boolean {
  return (
    QUOTES.includes(text.charAt(at) || ' ') ||
    QUOTES.includes(text.charAt(at + 1) || ' ') ||
    text.charAt(at) === '['
  );
}

/** Reads the value at an offset: up to its closing quote, or to where an unquoted one must end. */
export function valueAt(page: Page, at: number, wholeLine = false): ValueAt | undefined {
  const { text } = page;
  const open = mayOpen(text, at) ? matchAt(OPEN, text, at) : null;
  if (open) {
    const start = at + open[0].length;
    return { start, end: closing(page, start, open[2] as string, open[1]?.length ?? 0), quoted: true };
  }
  if (wholeLine) {
    return { start: at, end: Math.min(runEnd(page, LINE, at), at + LONGEST), quoted: false };
  }
  if ('[{('.includes(text.charAt(at))) {
    return undefined;
  }
  let end = runEnd(page, BARE, at);
  for (let i = 0; i < 8 && end > at && '.:!?*'.includes(text.charAt(end - 1)); i++) {
    end--;
  }
  return { start: at, end, quoted: false };
}

/** Where a quoted text ends. A quote behind more backslashes than the opening one belongs to the value. */
function closing(page: Page, start: number, quote: string, slashes: number): number {
  const { text } = page;
  const at = knownNext(page, `${quote}${slashes}`, start, () => {
    let next = nextOf(page, quote, start);
    while (next < text.length && slashesBefore(text, next) > slashes) {
      next = nextOf(page, quote, next + 1);
    }
    return next;
  });
  if (at < text.length && at - start <= LONGEST) {
    return Math.max(start, at - slashes);
  }
  // No closing quote: a cut-off message, or a text longer than any secret. Up to the first space, then.
  return runEnd(page, UNQUOTED, start);
}

function slashesBefore(text: string, at: number): number {
  let count = 0;
  while (text[at - count - 1] === '\\' && count < 16) {
    count++;
  }
  return count;
}
