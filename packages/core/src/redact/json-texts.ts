import { knownLeaf } from './leaves.ts';
import { nameOf } from './node-names.ts';
import { jsonOf, mark, type Page, STRUCTURE } from './page.ts';
import { markExpectedUnder } from './rules/expected.ts';
import { markGivenWords } from './rules/given.ts';
import { markReceivedUnder } from './rules/received.ts';

/** Marks what the structure of JSON in a text gives away: it is read as the value that it is. */
export function markJson(page: Page): void {
  const { text } = page;
  const { places } = jsonOf(page);
  if (places.length === 0) {
    return;
  }
  const spans = [...page.spans].sort((a, b) => a.start - b.start);
  let at = 0;
  for (const { node, entry, token } of places) {
    const { start, end, quote } = token;
    while (at < spans.length && (spans[at]?.end ?? 0) <= start) {
      at++;
    }
    const isFound = (spans[at]?.start ?? text.length) < end;
    const known = knownLeaf(node, entry, entry.leaf);
    // What other rules found in it is enough, but a line of a trace goes as a whole.
    if (isFound && known?.rule !== 'stack') {
      continue;
    }
    if (known) {
      mark(page, start, end, known.rule, known.class, STRUCTURE, quote);
    } else if (typeof entry.leaf === 'string') {
      const name = nameOf(node, entry);
      markGivenWords(page, start, end, name);
      markReceivedUnder(page, start, end, name);
      markExpectedUnder(page, start, end, name);
    }
  }
}
