import { looksRandom } from '../looks.ts';
import { type Detector, matchAt, type Page } from '../page.ts';
import type { Trigger } from '../scan.ts';
import { build } from './patterns.ts';

/**
 * What stands between the letters of a text, or for them: colours of a terminal, characters without width, spaces and
 * dashes of other widths, escapes of URLs, JSON, C and HTML, letters of double width, and line breaks.
 */
const DISGUISE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal start with one
  /\x1b\[[0-9;]{0,12}m|\\(?:u001b|x1b|033|e)\[[0-9;]{0,12}m|\u034f|[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u3164\ufeff]|[\ufe00-\ufe0f]|[\u00a0\u2000-\u200a\u202f\u205f\u3000\u2010-\u2015\u2212]|%[0-7][0-9a-f]|\\u00[2-7][0-9a-f]|\\x[2-7][0-9a-f]|&#(?:x[2-7][0-9a-f]|\d{2,3});|&(?:quot|lt|gt|amp|apos|equals|colon);|[\uff01-\uff5e]|\\\n/gi;
/** The same, and line breaks. */
const WITH_BREAKS = build(`${DISGUISE.source}|(?:\\r?\\n|\\\\r\\\\n|\\\\n)[ \\t]{0,8}`, 'gi');
const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&apos;': "'",
  '&equals;': '=',
  '&colon;': ':',
};

/** A text without its disguise, and where its parts stand in the original. */
export interface Revealed {
  readonly plain: string;
  /** Must be asked in order, from the first offset to the last. */
  placeStart(at: number): number;
  placeEnd(at: number): number;
}

/** Takes the disguise off a text; the line breaks inside words too, if it is said that there are any. */
export function reveal(text: string, hasBreaks: boolean): Revealed {
  const steps: Array<readonly [plain: number, raw: number, letters: number]> = [];
  let lost = 0;
  const plain = text.replace(hasBreaks ? WITH_BREAKS : DISGUISE, (found: string, at: number) => {
    const letter = letterOf(text, found, at);
    if (letter !== found) {
      lost += found.length - letter.length;
      const raw = at + found.length;
      steps.push([raw - lost, raw, letter.length]);
    }
    return letter;
  });
  let next = 0;
  let shift = 0;
  const placeStart = (at: number): number => {
    for (let step = steps[next]; step && step[0] <= at; step = steps[++next]) {
      shift = step[1] - step[0];
    }
    return at + shift;
  };
  return {
    plain,
    placeStart,
    placeEnd: (at) => {
      const last = placeStart(at - 1);
      const step = steps[next];
      return step && step[0] === at && step[2] > 0 ? step[1] : last + 1;
    },
  };
}

const SPACE = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/;
const DASH = /[\u2010-\u2015\u2212]/;

/** The letter that a disguise stands for, or nothing; itself, if it is none after all. */
function letterOf(text: string, found: string, at: number): string {
  const first = found.charAt(0);
  if (SPACE.test(first)) {
    return ' ';
  }
  if (DASH.test(first)) {
    return '-';
  }
  if (found.includes('[') || (first >= '\u00ad' && first < '\uff01') || first === '\ufeff') {
    return '';
  }
  if (first >= '\uff01') {
    return String.fromCharCode(found.charCodeAt(0) - 0xfee0);
  }
  if (/^\\?\r?\n|^\\[rn]/.test(found)) {
    return found.startsWith('\\\n') || isSplit(text, at, at + found.length) ? '' : found;
  }
  const digits = /^(?:%|\\u|\\x|&#x)([0-9a-f]+)/i.exec(found)?.[1];
  const code = digits === undefined ? Number(/\d+/.exec(found)?.[0] ?? 0) : Number.parseInt(digits, 16);
  return ENTITIES[found.toLowerCase()] ?? (code >= 32 && code < 127 ? String.fromCharCode(code) : found);
}

/** Whether a line break parts what was one word: both of its sides look random. */
function isSplit(text: string, start: number, end: number): boolean {
  if (!/[\w+/=-]/.test(text.charAt(start - 1))) {
    return false;
  }
  const before = /[\w+/=.-]{12,24}$/.exec(text.slice(Math.max(0, start - 24), start))?.[0] ?? '';
  const after = /^[\w+/=-]{8,40}/.exec(text.slice(end, end + 40))?.[0] ?? '';
  const isMixed = (part: string): boolean => /\d|[a-z][A-Z]|[A-Z]{2}[a-z]/.test(part);
  return isMixed(before) && isMixed(after) && (looksRandom(before, 12) || looksRandom(after, 8));
}

const BREAK = /(?:\r?\n|\\r\\n|\\n)[ \t]{0,8}(?=[\w+/=-]{8})/y;

/** Whether the word that ends at an offset goes on in the next line. */
function isSplitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    (code === 10 || code === 13 || code === 92) &&
    !!matchAt(BREAK, text, at) &&
    isSplit(text, at, BREAK.lastIndex)
  );
}

/** Remembers from where to where a text is disguised. */
const detectDisguise: Detector = (page, start, end) => {
  page.disguiseFrom = page.disguiseFrom < 0 ? start : page.disguiseFrom;
  page.disguiseTo = Math.max(page.disguiseTo, end);
};

/** A word that goes on in the next line is a disguise too. */
export const detectSplit: Detector = (page, start, end) => {
  if (isSplitAt(page.text, end)) {
    page.isSplit = true;
    detectDisguise(page, start, end);
  }
};

const AROUND = 400;

/** The lines that are disguised, and some around them. */
export function disguisedPart({
  text,
  disguiseFrom,
  disguiseTo,
}: Page): readonly [start: number, end: number] {
  const end = text.indexOf('\n', disguiseTo + AROUND);
  return [text.lastIndexOf('\n', Math.max(0, disguiseFrom - AROUND)) + 1, end < 0 ? text.length : end];
}

/** Triggers for disguises: a text that has one is looked at a second time without it. */
export function disguiseTriggers(): Trigger[] {
  const digits = ['0', 'a', 'b', 'c', 'd', 'e', 'f'];
  const words = [
    ...['%0', '\\u000', '\\x0'].flatMap((start) => digits.map((digit) => start + digit)),
    ...['\x1b[', '\\e[', '&#', '&quot;', '&lt;', '&equals;', '&colon;', '\\\n'],
    ...'\u00ad \u034f \u061c \u115f \u180e \u200b \u200c \u200d \u200e \u200f \u202e \u2060 \u2063 \u3164 \ufe0f \ufeff ＝ ＠'.split(
      ' ',
    ),
    // Letters of which names of secrets have one at least.
    ...'ａｋｐｓｔＡＫＰＳＴ',
    ...'０１２３４５６７８９',
    ...'\u00a0\u2007\u2008\u2009\u200a\u202f\u3000',
    // Dashes are everywhere in prose, but not between digits.
    ...[...'\u2010\u2011\u2012\u2013\u2014\u2212'].map((dash) => `0${dash}0`),
  ];
  return words.map((word) => [word, detectDisguise] as const);
}
