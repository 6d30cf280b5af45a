/** A sentence about a value that the caller sent: it is quoted, stands behind the name of its argument, or is no word. */
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
  const rest = withoutOdd(withoutQuoted(withoutNamed(words, sent), sent), sent);
  // A value alone is no sentence.
  return rest !== words && /[a-z]{3}/i.test(rest) && !speaksOfMachines(rest);
}

function withoutQuoted(words: string, sent: unknown): string {
  const texts = textsIn(sent);
  return words.replaceAll(QUOTED, (quoted, _sign, value: string) => (texts.includes(value) ? '' : quoted));
}

/** What nobody writes by chance: letters or signs among digits, a path, an address. */
const ODD = /^(?=.*\d)(?=.*[a-z+_-])[\w+ ().-]{6,100}$|^[\w-]+(?:[./@][\w-]+)+$|^\/[\w./ -]{4,200}$/i;
const LONGEST_ODD = 200;

/** Without what was sent and is no word, where it stands by itself. */
function withoutOdd(words: string, sent: unknown): string {
  let rest = words;
  for (const text of textsIn(sent).slice(0, MOST_ARGUMENTS)) {
    if (text.length > LONGEST_ODD || text.length < SHORTEST_ODD || !ODD.test(text)) continue;
    const at = rest.indexOf(text);
    const isAlone = at >= 0 && !/[\w/]/.test(rest[at - 1] ?? '') && !/\w/.test(rest[at + text.length] ?? '');
    if (isAlone) rest = rest.slice(0, at) + rest.slice(at + text.length);
  }
  return rest;
}

const SHORTEST_ODD = 6;

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
