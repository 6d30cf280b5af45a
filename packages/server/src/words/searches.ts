/** Searches in the language of a database that the caller wrote: what could not be read of them is its own. */
import type { Described } from './describe.ts';
import { isDatabase } from './operator.ts';
import { textsIn } from './sent.ts';

/** What SQLite says of a search, and of which text it can be true. */
const FORMS: readonly (readonly [RegExp, (text: string, found: string) => boolean])[] = [
  [
    /\bfts5: syntax error near "([^\n]{0,200})"$/,
    (text, near) => (near === '' ? isOpen(text) : text.includes(near)),
  ],
  [/\bmalformed MATCH expression: \[([^\n]{0,200})\]$/, (text, whole) => text === whole],
  [/^(?:SQLITE_ERROR: )?unterminated string$/, (text) => text.split('"').length % 2 === 0],
  [/^(?:SQLITE_ERROR: )?unknown special query: /, (text) => text.trimStart().startsWith('*')],
  // What stands before a colon, or behind a minus, is a column.
  [/\bno such column: (\w{1,100})$/, (text, name) => isNamed(text, name)],
];

/** Is it the caller's search that could not be read? */
export function isOverSearch(reason: unknown, about: Described, sent: unknown): boolean {
  if (!isDatabase(reason, about)) return false;
  return FORMS.some(([form, isTrueOf]) => {
    const found = form.exec(about.message);
    return (
      found !== null && textsIn(sent).some((text) => text.length <= LONGEST && isTrueOf(text, found[1] ?? ''))
    );
  });
}

const LONGEST = 1000;

/** Does something have to follow? */
function isOpen(text: string): boolean {
  return (
    text.trim() === '' ||
    /(?:\b(?:AND|OR|NOT|NEAR)|[(^:+-])\s*$/.test(text) ||
    text.split('(').length !== text.split(')').length
  );
}

function isNamed(text: string, name: string): boolean {
  return [...text.matchAll(/([\w-]*?)(\w+)(\s*:)?/g)].some(
    ([, before = '', word, colon]) => word === name && (colon !== undefined || before.endsWith('-')),
  );
}
