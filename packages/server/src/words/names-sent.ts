/** A sentence about a value that the caller sent: it is quoted, or stands behind the name of its argument. */
import { speaksOfMachines } from './instructs.ts';
import { isRecord } from './look.ts';
import { textsIn } from './sent.ts';

const LONGEST = 200;
const QUOTED = /(["'`])([^"'`\n]{1,100})\1/g;
const QUOTES = ['', '"', "'", '`'];
const MOST_ARGUMENTS = 100;

/** Does it name such a value, and speak of nothing that only an operator has? */
export function complainsOfSent(words: string, sent: unknown): boolean {
  if (words.length > LONGEST || words.includes('\n')) return false;
  const rest = withoutQuoted(withoutNamed(words, sent), sent);
  // A value alone is no sentence.
  return rest !== words && /[a-z]{3}/i.test(rest) && !speaksOfMachines(rest);
}

function withoutQuoted(words: string, sent: unknown): string {
  const texts = textsIn(sent);
  return words.replaceAll(QUOTED, (quoted, _sign, value: string) => (texts.includes(value) ? '' : quoted));
}

/** `Version 3` of `{ version: 3 }`, and `Node "cube"` of `{ node: 'cube' }`. */
function withoutNamed(words: string, sent: unknown): string {
  if (!isRecord(sent)) return words;
  let rest = words;
  for (const [name, value] of Object.entries(sent).slice(0, MOST_ARGUMENTS)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    for (const quote of QUOTES) {
      const named = `${name} ${quote}${value}${quote}`.toLowerCase();
      const at = rest.toLowerCase().indexOf(named);
      if (at < 0 || /\w/.test(rest[at - 1] ?? '') || /\w/.test(rest[at + named.length] ?? '')) continue;
      rest = rest.slice(0, at) + rest.slice(at + named.length);
    }
  }
  return rest;
}
