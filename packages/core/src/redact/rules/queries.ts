/**
 * Values in queries that are no SQL, and in what is told of their parameters: `MATCH (p:Person {name: '…'})`,
 * `db.users.find({ name: "…" })`, `Parameters: ['…', 12]`.
 */
import { type Detector, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import type { Trigger } from '../scan.ts';
import { build } from './patterns.ts';

/** A node with properties, as Cypher writes it. */
const NODE = /(?:MATCH|MERGE|CREATE)\s{1,3}\(\s?\w{0,30}(?::[\w:|`]{1,60})?\s?\{/iy;
/** A call of MongoDB with a document. */
const CALL =
  /\.(?:find|findOne|findOneAndUpdate|findOneAndDelete|findOneAndReplace|updateOne|updateMany|deleteOne|deleteMany|insertOne|insertMany|insert|replaceOne|countDocuments|aggregate|distinct)\(\s?(?:\[\s?)?\{/iy;
/** A list of parameters, at the start of a line or behind what calls it so. */
const LIST =
  /(?:query |bind |-- )?(?:parameters|params|bindings|bind values|binds)["']?: ?[[({](?=\s?["'\w])/iy;
/** What a database was loading. */
const ROW = /(?:at |in )?row \d{1,9}(?: of [\w."`]{1,60})?: (?=["'])/iy;
const OF_ROWS = /load data|data too long|truncated|incorrect|import|csv|copy|column/i;
const USING = /execute\s{1,3}\w{1,60}\s{1,3}using\s{1,3}(?=["'])/iy;

/** A text in quotes: behind a colon, or an item of a list. */
const LITERAL = build(`(?<=[:,[(]\\s{0,3})(["'])([^"'\\n]{1,300})\\1`, 'g');
const FIRST = /(["'])([^"'\n]{1,300})\1/y;
const NEXT_NAME = /^\s?:/;
/** A statement stands before the values of its parameters; elsewhere their names are listed. */
const STATEMENT = /(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|EXEC|CALL|MATCH|MERGE|UNWIND)\s|\[SQL: /;
const STATEMENT_REACH = 600;
const LONGEST = 600;
const NEAR = 60;

/** Marks the texts in quotes as far as brackets close, but no names of members. */
function markTexts(page: Page, from: number): void {
  const part = page.text.slice(from, Math.min(page.text.length, from + LONGEST));
  const to = closingOf(part);
  page.queryDone = from + to;
  LITERAL.lastIndex = 0;
  for (const { 0: whole, 2: value = '', index } of ` ${part.slice(0, to)}`.matchAll(LITERAL)) {
    const end = index - 1 + whole.length;
    if (!NEXT_NAME.test(part.slice(end, end + 2)) && !/^[$%:?{]/.test(value)) {
      mark(page, from + end - 1 - value.length, from + end - 1, 'sql-literal', 'sql', STRUCTURE);
    }
  }
}

const OPENERS = '([{';
const CLOSERS = ')]}';

/** Where the bracket closes that was opened before a text; its end, if nowhere. */
function closingOf(part: string): number {
  let depth = 1;
  for (let at = 0; at < part.length; at++) {
    const char = part.charAt(at);
    depth += OPENERS.includes(char) ? 1 : CLOSERS.includes(char) ? -1 : 0;
    if (depth === 0) {
      return at;
    }
  }
  return part.length;
}

/** `back`: how much of the match is part of what is read. */
function detectorOf(head: RegExp, back: number, before?: RegExp): Detector {
  return (page, start) => {
    if (start < page.covered || start < page.queryDone || !matchAt(head, page.text, start)) {
      return;
    }
    if (before === undefined || before.test(page.text.slice(Math.max(0, start - STATEMENT_REACH), start))) {
      markTexts(page, head.lastIndex - back);
    }
  };
}

/** One text in quotes behind a head. */
function firstDetector(head: RegExp, speaks?: RegExp): Detector {
  return (page, start) => {
    const { text } = page;
    const isSaid =
      speaks === undefined ||
      speaks.test(text.slice(Math.max(0, start - NEAR), start) + text.slice(start, start + LONGEST));
    const value =
      start >= page.covered && isSaid && matchAt(head, text, start)
        ? matchAt(FIRST, text, head.lastIndex)?.[2]
        : undefined;
    if (value !== undefined) {
      mark(page, FIRST.lastIndex - 1 - value.length, FIRST.lastIndex - 1, 'sql-literal', 'sql', STRUCTURE);
    }
  };
}

/** Triggers for queries. */
export function queryTriggers(): Trigger[] {
  return [
    ...['match (', 'merge (', 'create ('].map((word): Trigger => [word, detectorOf(NODE, 1)]),
    ...'find findone findoneandupdate findoneanddelete findoneandreplace updateone updatemany deleteone deletemany insertone insertmany insert replaceone countdocuments aggregate distinct'
      .split(' ')
      .map((name): Trigger => [`.${name}(`, detectorOf(CALL, 1)]),
    ...['parameters', 'params', 'bindings', 'bind values', 'binds'].map(
      (word): Trigger => [word, detectorOf(LIST, 1, STATEMENT)],
    ),
    ['row 0', firstDetector(ROW, OF_ROWS)],
    ['execute ', firstDetector(USING)],
  ];
}
