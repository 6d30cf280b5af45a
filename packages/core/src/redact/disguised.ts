import { isInJsonName, LOOKS, mark, type Page } from './page.ts';
import type { Detect } from './parts.ts';
import { disguisedPart, reveal } from './rules/disguise.ts';

/** How many disguises are taken off one another. */
const DEEPEST = 2;

/** Marks what the rules find once the signs between the letters of a text are gone. */
export function markDisguised(page: Page, detect: Detect): void {
  if (page.disguiseFrom < 0 || page.depth >= DEEPEST) {
    return;
  }
  const [from, to] = disguisedPart(page);
  const part = page.text.slice(from, to);
  const { plain, placeStart, placeEnd } = reveal(part, page.isSplit);
  for (const { start, end, rule, class: cls } of plain === part ? [] : detect(plain)) {
    const first = from + placeStart(start);
    const last = from + placeEnd(end);
    // Only part of the text was looked at, in which a name of JSON need not look like one.
    if (last - first !== end - start || !isInJsonName(page, first)) {
      mark(page, first, last, rule, cls, LOOKS);
    }
  }
}
