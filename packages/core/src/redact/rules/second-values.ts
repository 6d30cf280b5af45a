/**
 * More values behind one name: `changed from … to …`, `passwords: …, …`, `… (was …)`. What was found first says what
 * they are; each of them has to look like one by itself.
 */
import { isSaidName, stripEnd } from '../looks.ts';
import { mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { isAt, signSet } from '../sign-sets.ts';
import { markAlike, markBelow } from './alike-values.ts';
import { isOdd } from './odd-words.ts';
import { build } from './patterns.ts';
import { looksReceived } from './received.ts';

const WORDS =
  'and|or|vs\\.?|to|by|with|und|oder|auf|durch|et|ou|en|par|y|o|a|e|differs from|is not|does not (?:match|equal)|does not equal confirmation|not|now|is now|was|were|previously|formerly|before|old|new|new one|expected|got|received|instead of|then';
/** What may stand between a value and the next: a sign, a word, a line of a list. */
const BETWEEN = build(
  `["'\`”»)\\]}]{0,2}(?:[ \\t]{0,2}(?:,|/|\\||->|=>|→|⇒|!==?|==|≠|<>)[ \\t]{0,2}|(?=[ ,(]))(?:[ ,(]{0,2}(?:(?:${WORDS}):? ){1,2}|(?<=[,/|>=→⇒≠] {0,2})|\\r?\\n[ \\t]{0,40}- )?["'\`“«(\\[{]{0,2}([^\\s"'\`,;()\\[\\]{}<>|]{6,120})`,
  'iy',
);
const STARTS = signSet('"\'`”»)]} \t,/|-=→⇒!≠<\r\n(');
const ITEM = /\r?\n[ \t]{0,40}- ["'`]?([^\s"'`,;()[\]{}<>|:]{6,120})["'`]?[ \t]{0,4}(?=\r?\n|$)/y;
const SECRETS = /^(?:password|secret|token|api-key|private-key|credentials|session)$/;
/** A value that looks like nothing in particular is one behind a name; formats say themselves what they are. */
const NAMED = /^(?:assignment|near-name|echo|expected|query-secret|command-line)$/;

/** Marks them. A value that is found leads to the next. */
export function markSeconds(page: Page): void {
  const { spans, text } = page;
  const done = new Set<number>();
  markBelow(page);
  for (let i = 0; i < spans.length; i++) {
    const span = spans[i];
    if (!span || done.has(span.end)) {
      continue;
    }
    if (markAlike(page, span)) {
      done.add(span.end);
    } else if (NAMED.test(span.rule) && SECRETS.test(span.class)) {
      done.add(span.end);
      const pattern = isAt(STARTS, text, span.end) ? BETWEEN : undefined;
      const found =
        (pattern && matchAt(ITEM, text, span.end)) ?? (pattern && matchAt(pattern, text, span.end));
      const value = stripEnd(found?.[1] ?? '', '.:!?');
      if (found && isSecond(value, span.class)) {
        const start = span.end + found[0].length - (found[1]?.length ?? 0);
        mark(page, start, start + value.length, 'near-name', span.class, STRUCTURE);
      }
    }
  }
}

function isSecond(value: string, cls: string): boolean {
  return (
    !/=|^[a-z][a-z\d+.-]{1,20}:/i.test(value) &&
    (looksReceived(value) || (cls === 'password' && isOdd(value) && !isSaidName(value)))
  );
}
