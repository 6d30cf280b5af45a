import { stripEnd } from '../looks.ts';
import { type Detector, LOOKS, mark, matchAt, type Page } from '../page.ts';
import { type CharSet, charSet, isOfText, runEnd, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { isUserPassword } from './credentials.ts';

/** Looks into a decoded text and returns the spans that rules mark there. */
export type Inspect = (
  text: string,
  page: Page,
) => ReadonlyArray<{ start: number; end: number; class: string; rule: string }>;

const DEEPEST = 2;
const LONGEST = 65_536;
const BASE64 = charSet(/[\w+/-]/);
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Where something runs is told by nobody in code: what stands there is a place in a list, which the reader may need. */
const INTERNAL = /^(?:ip|host|user|sql|stack)$/;

/** A text in hexadecimal that holds a secret, or means somebody, goes as a whole. */
export function hexDetector(inspect: Inspect): Detector {
  return (page, start, end) => {
    if (page.depth >= DEEPEST || end <= page.covered || end - start > LONGEST) {
      return;
    }
    const plain = decodeHex(page.text, start + hexMark(page.text, start), end);
    const held = plain === undefined ? undefined : heldIn(plain, page, inspect);
    if (held !== undefined) {
      markHeld(page, start, end, 'hex', held);
    }
  };
}

/** How long the sign is that says that digits are hexadecimal: `0x`, or `x` behind a backslash. */
function hexMark(text: string, at: number): number {
  const isX = (place: number): boolean => (text.charCodeAt(place) | 32) === 120;
  return text[at] === '0' && isX(at + 1) ? 2 : text[at - 1] === '\\' && isX(at) ? 1 : 0;
}

const HEXES = charSet(/[\da-f ]/i);
const DECIMALS = charSet(/[\d,\s]/);
const BUFFER = /<Buffer /iy;
const ARRAY = /Array(?:\(\d{1,9}\))? ?\[/iy;

/** Bytes as Node.js and its consoles show them, `<Buffer 70 61 …>` and `Uint8Array(2) [ 112, 97 ]`, go as a whole too. */
export function shownBytesTriggers(inspect: Inspect): Trigger[] {
  const detect =
    (head: RegExp, bytes: CharSet, radix: number): Detector =>
    (page, start) => {
      const { text } = page;
      const [opened] =
        page.depth < DEEPEST && start >= page.covered ? (matchAt(head, text, start) ?? []) : [];
      const from = start + (opened?.length ?? 0);
      const to = opened === undefined ? from : runEnd(page, bytes, from);
      if (to === from || to - from > LONGEST) {
        return;
      }
      const shown = text.slice(from, to);
      const codes = shown.split(/[\s,]/).filter((code) => code !== '');
      const spelt = codes.map((code) => Number.parseInt(code, radix));
      const held = spelt.every(isOfText) ? heldIn(String.fromCharCode(...spelt), page, inspect) : undefined;
      if (held !== undefined) {
        const at = from + shown.length - shown.trimStart().length;
        markHeld(page, at, at + shown.trim().length, 'bytes', held);
      }
    };
  return [
    ['<buffer ', detect(BUFFER, HEXES, 16)],
    ['array', detect(ARRAY, DECIMALS, 10)],
  ];
}

/** What is in a decoded text that has to go. */
interface Held {
  readonly class: string;
  /** It is only guessed at the strict level, so that what holds it is no more than a guess. */
  readonly isGuess: boolean;
}

function heldIn(plain: string, page: Page, inspect: Inspect): Held | undefined {
  const found = inspect(plain, page).filter((span) => !INTERNAL.test(span.class));
  const known = found.find(({ rule }) => rule !== GUESS);
  if (known === undefined && isUserPassword(plain)) return { class: 'credentials', isGuess: false };
  const first = known ?? found[0];
  return first && { class: first.class, isGuess: known === undefined };
}

const GUESS = 'entropy';

function markHeld(page: Page, start: number, end: number, rule: string, held: Held): void {
  mark(page, start, end, held.isGuess ? GUESS : rule, held.class, LOOKS);
}

/** Decodes hexadecimal if the result is text; identifiers are told from it by one of their first bytes. */
function decodeHex(text: string, start: number, end: number): string | undefined {
  if ((end - start) % 2 === 1) {
    return undefined;
  }
  let out = '';
  for (let at = start; at < end; at += 2) {
    const code = hexDigit(text.charCodeAt(at)) * 16 + hexDigit(text.charCodeAt(at + 1));
    if (!isTextual(code)) {
      return undefined;
    }
    out += String.fromCharCode(code);
  }
  return out;
}

/** The value of a digit; none makes whatever it is in no text. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) {
    return code - 48;
  }
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : Number.NaN;
}

function isTextual(code: number): boolean {
  return (code >= 32 && code <= 126) || code === 10 || code === 13 || code === 9;
}

/** Base64 of a text that holds a secret, or means somebody, goes as a whole. */
export function base64Detector(inspect: Inspect): Detector {
  return (page, start, end) => {
    const { text } = page;
    if (
      page.depth >= DEEPEST ||
      start < page.decoded ||
      end <= page.covered ||
      !hasCapital(text, start, end)
    ) {
      return;
    }
    const from = Math.max(runStart(page, BASE64, start), page.decoded);
    let to = runEnd(page, BASE64, end);
    page.decoded = to;
    if (to - from > LONGEST) {
      return;
    }
    const plain = decode(text.slice(from, to));
    if (plain === undefined) {
      return;
    }
    const held = heldIn(plain, page, inspect);
    if (held !== undefined && !(held.class === 'credentials' && isCursor(page, from))) {
      while (text[to] === '=') {
        to++;
      }
      markHeld(page, from, to, 'base64', held);
    }
  };
}

/** What says that a list goes on there. Some are in code: `user:W07QCRPA4`. */
const CURSOR = /(?:cursor|page_?token|continuation(?:_?token)?|start_?after|(?:^|[^a-z])after|node_?id)$/i;
const LONGEST_LABEL = 32;

/** Whether a word is called a place in a list. */
function isCursor({ text, label = '' }: Page, from: number): boolean {
  const before = stripEnd(text.slice(Math.max(0, from - LONGEST_LABEL), from), ' \t:="\'`\\');
  return CURSOR.test(before === '' ? label : before);
}

/** Text in base64 has capitals; identifiers in hexadecimal have none, and are most of the long words. */
function hasCapital(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 65 && code <= 90) {
      return true;
    }
  }
  return false;
}

/** Decodes base64 or base64url if the result is text; bytes are nobody's password. */
function decode(encoded: string): string | undefined {
  let out = '';
  let bits = 0;
  let held = 0;
  for (const char of encoded) {
    const value = DIGITS.indexOf(char === '-' ? '+' : char === '_' ? '/' : char);
    bits = (bits << 6) | value;
    held += 6;
    if (held >= 8) {
      held -= 8;
      const code = (bits >> held) & 255;
      if (!isTextual(code)) {
        return undefined;
      }
      out += String.fromCharCode(code);
    }
    bits &= 0xffff;
  }
  return out.length >= 8 ? out : undefined;
}
