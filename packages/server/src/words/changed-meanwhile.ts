/** What others have changed since it was read, whatever the caller calls it: a name in the sentence may have any signs in it. */
import type { Language, Reading } from '@mayday/core';
import { namedBy } from './files.ts';
import { textsIn } from './sent.ts';

/** Longer texts are no such sentence. */
const LONGEST = 1000;
const SHORTEST_NAME = 3;
const MOST_NAMES = 100;

/** Is it said that something has changed meanwhile, once the names that the caller has sent are left out? */
export function saysChanged(words: string, sent: unknown, language: Language): Reading | undefined {
  if (words.length > LONGEST || !/\b(?:changed|modified|edited|updated)\b/i.test(words)) return undefined;
  const names = textsIn(sent)
    .filter((text) => text.length >= SHORTEST_NAME && words.includes(text))
    .sort((one, other) => other.length - one.length)
    .slice(0, MOST_NAMES);
  if (names.length === 0) return undefined;
  // "The document … has changed", and "… has changed".
  for (const instead of ['', 'the item']) {
    const plain = names.reduce((rest, name) => rest.replaceAll(name, instead), words);
    const reading = language.read(plain.replace(/(["'`])\1|\s+/g, ' ').trim());
    if (reading.failure && isChange(reading)) return reading;
  }
  return undefined;
}

/** Is it a change by others that a reading tells? */
export function isChange(reading: Reading): boolean {
  return reading.failure && reading.evidence.some(({ says }) => says === 'somebody else was faster');
}

/** A path from wherever the program is. */
const RELATIVE = /(?<![\w./\\:@-])(?:[\w.@-]{1,100}[/\\]){1,20}[\w.@-]{0,100}\.[a-z]\w{0,7}\b/gi;

/** Are there files by their paths, and has the caller named none of them? */
export function namesForeignFile(words: string, sent: unknown): boolean {
  const paths = words.slice(0, LONGEST).match(RELATIVE) ?? [];
  if (paths.length === 0) return false;
  const isNamed = namedBy(textsIn(sent));
  return !paths.some((path) => isNamed({ path, code: 'ENOENT' }));
}
