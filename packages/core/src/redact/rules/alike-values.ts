/**
 * The next of a list of codes or keys: `recovery codes: …, … and …`. None of them tells by itself what it is; that it has
 * the form of the one before does.
 */
import { mark, matchAt, type Page, type Span, STRUCTURE } from '../page.ts';
import { isAt, signSet } from '../sign-sets.ts';

/** What may stand between two of a list, and the second. */
const NEXT =
  /["'`”»)\]]{0,2}(?:[ \t]{0,2}[,;/|][ \t]{0,2}(?:\r?\n[ \t]{0,40})?|[ \t]{1,2}|[ \t]{0,2}\r?\n[ \t]{0,40}(?:[-*•] |\d{1,2}[.)] )?)(?:(?:and|or|und|oder|et|ou|y|o|e|&) )?["'`“«([]{0,2}([a-z\d]{3,64}(?:-[a-z\d]{2,32}){0,8})(?![\w-])/iy;
const STARTS = signSet('"\'`”»)] \t,;/|\r\n');
const CODES = /^(?:assignment|near-name|one-time-code|expected|echo)$/;
const KEYS = /^(?:assignment|near-name|weak-name)$/;
const OF_KEYS = /^(?:token|api-key|secret|session|private-key)$/;
/** Behind the last of a list, or between two. */
const LIST_GOES_ON = /["'`”»)\]]{0,2}(?:[,.;\r\n]|$| (?:and|or) )/y;
/** So far back the last of several stands that were found as one. */
const LONGEST = 160;
const SHORTEST_APART = 6;
const SHORTEST_KEY = 8;

/** The first code of a list below its name. */
const BELOW =
  /:?[ \t]{0,4}(?:\r?\n[ \t]{0,40}){1,2}(?:[-*•] |\d{1,2}[.)] )["'`]?(\d{4,10}|[a-z\d]{4,8}(?:-[a-z\d]{4,8}){1,3})(?![\w-])/iy;

/** Marks those, where their names have no value beside them. */
export function markBelow(page: Page): void {
  for (const { end, meaning, isOpen = false } of page.names) {
    const code = isOpen && meaning.class === 'otp' ? matchAt(BELOW, page.text, end)?.[1] : undefined;
    if (code !== undefined && /\d/.test(code)) {
      const to = BELOW.lastIndex;
      mark(page, to - code.length, to, 'near-name', 'otp', STRUCTURE);
    }
  }
}

/** Marks it. Tells whether there is one. */
export function markAlike(page: Page, { start, end, rule, class: cls }: Span): boolean {
  const { text } = page;
  const isCode = /^(?:otp|password)$/.test(cls) && CODES.test(rule);
  if (!(isCode || (OF_KEYS.test(cls) && KEYS.test(rule))) || !isAt(STARTS, text, end)) {
    return false;
  }
  const found = matchAt(NEXT, text, end);
  const [whole = '', value = ''] = found ?? [];
  const from = end + whole.length - value.length;
  const first =
    text
      .slice(Math.max(start, end - LONGEST), end)
      .split(/[\s,]/)
      .at(-1) ?? '';
  // What people make up themselves has no form, but that of a number.
  const mayBe = cls !== 'password' || /^\d{4,64}$/.test(first);
  const isIt = mayBe && (isCode ? isCodeLike(text, first, value, from) : isKeyLike(first, value));
  // Where only a blank stands between, a short number is a number of something else.
  const isApart = /[^ \t]/.test(whole.slice(0, -value.length)) || value.length >= SHORTEST_APART;
  return isIt && isApart && mark(page, from, from + value.length, rule, cls, STRUCTURE);
}

function isCodeLike(text: string, first: string, value: string, at: number): boolean {
  if (formOf(first) !== formOf(value)) {
    return false;
  }
  if (/^[\d-]+$/.test(first) || /\d/.test(value)) {
    return /\d/.test(value) && !(/^[\d-]+$/.test(first) && /[a-z]/i.test(value));
  }
  return value.includes('-') && matchAt(LIST_GOES_ON, text, at + value.length) !== null;
}

function isKeyLike(first: string, value: string): boolean {
  return (
    value.length >= SHORTEST_KEY &&
    formOf(first) === formOf(value) &&
    /\d/.test(value) &&
    /[a-z]/i.test(value) &&
    /\d/.test(first)
  );
}

/** How long its parts are. */
function formOf(value: string): string {
  return value.replace(/[a-z\d]/gi, 'x');
}
