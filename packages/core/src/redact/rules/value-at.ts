import { matchAt } from '../page.ts';

/** A value found beside a name. */
export interface ValueAt {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const LONGEST = 1024;
const OPEN = /\[?[a-z]?(\\{0,7}["'`]|&quot;|&#3[49];|\\u002[27])/y;
const BARE = /(?![[{(])[^\s"'`<>,;&|)\]}\\]{1,1024}/y;
const LINE = /[^\r\n"'`\\]{1,1024}/y;
const REST = /[^\s"'`<>,;&|)\]}\\]/;

/** Reads the value at an offset: up to its closing quote, or to where an unquoted one must end. */
export function valueAt(text: string, at: number, wholeLine = false): ValueAt | undefined {
  const open = matchAt(OPEN, text, at);
  if (open) {
    const quote = open[1] as string;
    const start = at + open[0].length;
    return { start, end: closing(text, start, quote), quoted: true };
  }
  const bare = matchAt(wholeLine ? LINE : BARE, text, at);
  if (!bare) {
    return undefined;
  }
  let end = at + bare[0].length;
  while (bare[0].length === LONGEST && end < text.length && REST.test(text[end] as string)) {
    end++;
  }
  while (end > at && '.:!?* '.includes(text[end - 1] as string) && !wholeLine) {
    end--;
  }
  return { start: at, end, quoted: false };
}

/** Where a quoted text ends. A quote behind more backslashes than the opening one belongs to the value. */
function closing(text: string, start: number, quote: string): number {
  const stop = Math.min(text.length, start + LONGEST);
  const slashes = quote.length - quote.trimStart().replace(/^\\+(?=["'`])/, '').length;
  const mark = quote.slice(slashes);
  const window = text.slice(start, stop);
  for (let at = window.indexOf(mark); at >= 0; at = window.indexOf(mark, at + 1)) {
    if (before(window, at) <= slashes) {
      return start + Math.max(0, at - slashes);
    }
  }
  // No closing quote: a cut-off message, or a text longer than any secret. Up to the first space, then.
  let end = start;
  while (end < text.length && !/[\s"'`]/.test(text[end] as string)) {
    end++;
  }
  return end;
}

function before(text: string, at: number): number {
  let count = 0;
  while (text[at - count - 1] === '\\' && count < 16) {
    count++;
  }
  return count;
}
