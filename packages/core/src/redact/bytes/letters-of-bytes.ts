/**
 * Base64 of bytes, in the middle of a text or all of it: its letters are no words, and what rules see inside of it stands
 * there by chance. A rule that takes the whole of it, or begins where it or one of its lines begins, means what it takes.
 */
import { FORMAT, type Page, type Span } from '../page.ts';
import { charSet } from '../runs.ts';

/** No key is as long, and no number in it. */
const SHORTEST = 257;
/** Whoever breaks it into lines makes them as long at least. */
const SHORTEST_LINE = 60;
const LETTERS = charSet(/[\w+/-]/).ascii;
/** Words, of which bytes have none but by chance. */
const WORDS = /[a-z]{5,}/g;
const MOST_IN_WORDS = 0.25;
const LEAST_CAPITALS = 0.08;
const LEAST_DIGITS = 0.01;

/** What a caller knows to be secret is it wherever it stands. */
const HIDDEN = 'hidden';

interface Run {
  readonly from: number;
  readonly to: number;
  readonly isBytes: boolean;
}

/** The spans of a page without those that stand inside of bytes; what a caller asks for stays. */
export function withoutLetters({ text, spans, switches }: Page): Span[] {
  if (spans.length === 0 || text.length < SHORTEST) return spans;
  const inside = new Set<Span>();
  let run: Run | undefined;
  // In the order of the text, so that what they stand among is looked at once.
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    const { start, rule, weight } = span;
    if (rule === HIDDEN || switches.ownRules?.has(rule) === true || !isLetter(text, start)) continue;
    if (run === undefined || start < run.from || start >= run.to) run = runAt(text, start);
    const isFirst = start === run.from || (weight >= FORMAT && start === lineStart(text, start));
    if (run.isBytes && !isFirst) inside.add(span);
  }
  return inside.size === 0 ? spans : spans.filter((span) => !inside.has(span));
}

function isLetter(text: string, at: number): boolean {
  return LETTERS[text.charCodeAt(at)] === 1;
}

/** All of the letters that a place stands among, over the ends of lines. */
function runAt(text: string, at: number): Run {
  let from = lineStart(text, at);
  for (let before = from; before > 0; from = before) {
    const end = text[before - 1] === '\n' ? before - (text[before - 2] === '\r' ? 2 : 1) : -1;
    const start = end < 0 ? before : lineStart(text, end);
    if (end - start < SHORTEST_LINE) break;
    before = start;
  }
  let to = lineEnd(text, at);
  while (to - lineStart(text, to) >= SHORTEST_LINE) {
    const next = text.startsWith('\r\n', to) ? to + 2 : text[to] === '\n' ? to + 1 : to;
    const end = next === to ? to : lineEnd(text, next);
    if (end === next) break;
    to = end;
  }
  return { from, to, isBytes: to - from >= SHORTEST && looksLikeBytes(text.slice(from, to)) };
}

function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && isLetter(text, start - 1)) start--;
  return start;
}

function lineEnd(text: string, at: number): number {
  let end = at;
  while (isLetter(text, end)) end++;
  return end;
}

/** Capitals and digits among the small letters, and hardly a word. */
function looksLikeBytes(letters: string): boolean {
  let capitals = 0;
  let digits = 0;
  for (let at = 0; at < letters.length; at++) {
    const char = letters.charCodeAt(at);
    if (char >= 65 && char <= 90) capitals++;
    else if (char >= 48 && char <= 57) digits++;
  }
  const { length } = letters;
  if (capitals < length * LEAST_CAPITALS || digits < length * LEAST_DIGITS) return false;
  let inWords = 0;
  for (const [word] of letters.matchAll(WORDS)) inWords += word.length;
  return inWords <= length * MOST_IN_WORDS;
}
