import { type Detector, mark, type Page, STRUCTURE } from '../page.ts';
import type { Trigger } from '../scan.ts';
import type { KeyMeaning } from './keys.ts';
import { valueAt } from './value-at.ts';
import { isSecret } from './verdict.ts';

const NEAR = 200;

/** Words with which validators repeat what they were given. */
const WORDS = [
  'input_value=',
  '"input":',
  '\\"input\\":',
  'rejected value ',
  'with value ',
  'for value ',
  'unexpected value: ',
  'got "',
  "got '",
  'received "',
  "received '",
];

/** A value that a validator repeats belongs to the telling name just before it, or to the one that comes next. */
const detectEcho: Detector = (page, start, end) => {
  const { text } = page;
  const from = /["']/.test(text[end - 1] ?? '') && text[end - 2] !== '"' ? end - 1 : end;
  const value = /^(?:\\{0,7}["'`]|\[[^{"'])/.test(text.slice(from, from + 9))
    ? valueAt(page, text[from] === '[' ? from + 1 : from)
    : undefined;
  if (!value || value.end <= value.start) {
    return;
  }
  const { told, toldEnd } = page;
  const between = start - toldEnd < NEAR ? text.slice(toldEnd, start) : '\n\n';
  if (told && !between.includes('}') && /^\n?[^\n]*$/.test(between)) {
    markEcho(page, value.start, value.end, told);
  } else {
    page.echo = { start: value.start, end: value.end };
  }
};

function markEcho(page: Page, start: number, end: number, meaning: KeyMeaning): void {
  const value = page.text.slice(start, Math.min(end, start + 400));
  const isTold = meaning.strength >= 2 && !meaning.isNumber;
  if (isTold && isSecret({ value, meaning, name: '', tie: 'colon', quoted: false, next: '' })) {
    mark(page, start, end, 'echo', meaning.class, STRUCTURE);
  }
}

/** A telling name that follows the repeated value: `failed for value "…" at path "token"`. */
export function markEchoBefore(page: Page, nameStart: number, meaning: KeyMeaning): void {
  const { echo, text } = page;
  if (echo && nameStart - echo.end < 80 && !text.slice(echo.end, nameStart).includes('\n')) {
    markEcho(page, echo.start, echo.end, meaning);
  }
  page.echo = undefined;
}

/** Triggers for repeated values. */
export function echoTriggers(): Trigger[] {
  return WORDS.map((word) => [word, detectEcho] as const);
}
