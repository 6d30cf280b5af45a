import { looksGiven, stripEnd } from '../looks.ts';
import { mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { isAt, signSet } from '../sign-sets.ts';
import { type KeyMeaning, meaningOfKey } from './keys.ts';
import { build } from './patterns.ts';
import { looksReceived } from './received.ts';

/** Words that may stand between a name and what a sentence says it was. */
const BETWEEN =
  'that|which|you|we|they|is|was|are|were|ist|war|est|es|gave|given|sent|used|provided|supplied|entered|typed|passed|submitted|specified|presented|received|falsch|ungültig|wrong|incorrect|invalid|unknown|bad|not|valid|correct|right|accepted|mismatch|rejected|computed|calculated|expected|got|value|incorrecta|incorrecte|incorreta';
/** `key you gave (…)`, `password, …, has`, `signature mismatch: computed …`; the next cell of a row. */
const AFTER = build(
  `(?:[ \\t]{0,20}\\|[ \\t]{0,20}|</t[dh]>\\s{0,20}<td[^<>]{0,80}>|[ ,:(]{1,3}(?:(?:${BETWEEN})[ ,:(]{1,3}){0,5})["'\`]?([^\\s"'\`<>,;()|]{8,120})`,
  'iy',
);
const AFTER_STARTS = signSet(' \t|<,:(');
/** `… is not the right password`, `use … as the password`. */
const BEFORE =
  / (?:is|was|as)(?: not)?(?: (?:the|a|an|your|my|his|her|their))?(?: (?:right|correct|wrong|valid|invalid|current|new|old))? $/i;
/** With which letters those words end. */
const LAST_LETTERS = signSet('steanrygdwSTEANRYGDW');
const LONGEST_BEFORE = 40;
const LONGEST_WORD = 120;
const WORDS = /[^\s"'`(),;<>]{8,120}/g;
const LONGEST_SENTENCE = 1000;

/**
 * Marks what a sentence about a secret says it was, before its name or after it, if it looks like one. `wordsStart`: where
 * the words start that may belong to the name.
 */
export function markGiven(
  page: Page,
  wordsStart: number,
  nameStart: number,
  nameEnd: number,
  meaning: KeyMeaning,
): void {
  if (meaning.strength < 2 || !(meaning.isHint || meaning.class === 'otp')) {
    return;
  }
  const after = isAt(AFTER_STARTS, page.text, nameEnd) ? matchAt(AFTER, page.text, nameEnd) : null;
  if (after) {
    const word = after[1] ?? '';
    markWord(page, nameEnd + after[0].length - word.length, word, meaning);
  } else if (!markBefore(page, nameStart, meaning) && wordsStart < nameStart) {
    markBefore(page, wordsStart, meaning);
  }
}

/** Tells whether anything stands there that could be a value. */
function markBefore(page: Page, nameStart: number, meaning: KeyMeaning): boolean {
  const { text } = page;
  if (text.charCodeAt(nameStart - 1) !== 32 || !isAt(LAST_LETTERS, text, nameStart - 2)) {
    return false;
  }
  const link = BEFORE.exec(text.slice(Math.max(0, nameStart - LONGEST_BEFORE), nameStart))?.[0];
  if (link === undefined) {
    return false;
  }
  const end = nameStart - link.length;
  const line = text.slice(Math.max(0, end - LONGEST_WORD), end);
  const word = line.slice(
    Math.max(line.lastIndexOf(' '), line.lastIndexOf('\n'), line.lastIndexOf('\t')) + 1,
  );
  const bare = word.replace(/^["'`(]{1,3}|["'`)]{1,3}$/g, '');
  markWord(page, end - word.length + word.indexOf(bare), bare, meaning);
  return true;
}

/** Marks the words of a sentence under a telling name that look like what the name names. */
export function markGivenWords(page: Page, start: number, end: number, name: string | undefined): void {
  const meaning = name === undefined ? undefined : meaningOfKey(name);
  if (!meaning?.isHint || meaning.strength < 3) {
    return;
  }
  for (const { 0: word, index } of page.text
    .slice(start, Math.min(end, start + LONGEST_SENTENCE))
    .matchAll(WORDS)) {
    markWord(page, start + index, word, meaning, looksReceived);
  }
}

function markWord(
  page: Page,
  start: number,
  word: string,
  meaning: KeyMeaning,
  isIt: (value: string) => boolean = looksGiven,
): void {
  const value = stripEnd(word, '.:?');
  if (isIt(value)) {
    mark(page, start, start + value.length, 'near-name', meaning.class, STRUCTURE);
  }
}
