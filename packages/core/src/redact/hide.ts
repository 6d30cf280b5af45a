/** Values that the caller of a redaction knows to be secret, or that another part of the message gives away: they go wherever they stand. */
import type { ToldSecret } from './distinctive.ts';
import { BLOCK, LOOKS, mark, type Page } from './page.ts';
import { isSurelyReference } from './placeholders.ts';
import { isOdd, isWordAt } from './places.ts';
import { isPlainWord } from './plain-words.ts';
import { createSecretFinder } from './secret-finder.ts';

/** Shorter ones stand in any text by chance. */
const SHORTEST = 4;
const MOST = 50;

/** As what it goes. */
interface As {
  readonly rule: string;
  readonly class: string;
  readonly weight: number;
}

/** Marks such values in a page; `undefined` where there are none. What is told goes under its own class, where nothing else says what it is. */
export function hiding(
  values: readonly string[],
  told: readonly ToldSecret[] = [],
): ((page: Page) => void) | undefined {
  const known = values
    .filter((value) => value.trim().length >= SHORTEST && !holdsAPlace(value))
    .slice(0, MOST);
  const finder = createSecretFinder<As>();
  for (const value of known) finder.add(value, { rule: 'hidden', class: 'secret', weight: BLOCK }, SHORTEST);
  for (const { text, class: cls } of told.slice(0, MOST))
    finder.add(text, { rule: 'repeated', class: cls, weight: LOOKS }, SHORTEST);
  if (finder.isEmpty) return undefined;
  return (page) => {
    let from = 0;
    for (const { start, end, form, quote, about } of finder.places(page.text)) {
      // Of those that begin within another, what goes over its end.
      if (end <= from || !(isOdd(form) || isWordAt(page.text, start, end))) continue;
      if (quote === '') mark(page, Math.max(start, from), end, about.rule, about.class, about.weight);
      else if (page.switches.isOn(about.rule) && page.switches.takes(about.class))
        // A list of numbers goes as one, and not each of them as a value by itself.
        page.spans.push({ start, end, quote, ...about });
      from = end;
    }
  };
}

/** A word of every text, or a value that is still to be filled in. */
function holdsAPlace(value: string): boolean {
  return isPlainWord(value) || isSurelyReference(value);
}
