import { jsonStart } from './json-bounds.ts';
import { knownLeaf } from './leaves.ts';
import { nameOf } from './node-names.ts';
import { jsonOf, mark, type Page, STRUCTURE } from './page.ts';
import { markExpectedUnder } from './rules/expected.ts';
import { markGivenWords } from './rules/given.ts';
import { isAdvice } from './rules/other-queries.ts';
import { markReceivedUnder } from './rules/received.ts';

const NEAR = 40;

/** Whether a text tells to ask as the JSON around an offset does. */
function isAdvised(page: Page, at: number): boolean {
  const start = jsonStart(jsonOf(page), at);
  return isAdvice(page.text.slice(Math.max(0, start - NEAR), start));
}

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
    if (known?.rule === 'sql-echo' && isAdvised(page, start)) {
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
