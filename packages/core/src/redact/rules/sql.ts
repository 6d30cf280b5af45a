import { type Detector, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { knownNext, nextOf } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { build } from './patterns.ts';
import { sqlEchoTriggers } from './sql-echoes.ts';

const REACH = 3000;
/** Blanks, or a line break as JSON spells it. */
const GAP = String.raw`(?:\s|\\[nrt]){1,4}`;
const START = build(
  `select${GAP}|update${GAP}|(?:insert(?:${GAP}ignore|${GAP}overwrite)?|merge|replace|upsert)${GAP}into${GAP}|delete${GAP}from${GAP}|exec(?:ute)?${GAP}[\\w.[\\]]{1,80}${GAP}N?[@']|call${GAP}[\\w.]{1,80}\\s?\\(|declare${GAP}@`,
  'iy',
);
const SET = /(?:\s|\\[nrt])set(?:\s|\\[nrt])/i;
const NEAR = 120;
const FROM = /(?:\s|\\[nrt])from(?:\s|\\[nrt])/gi;
const BEFORE =
  /(?:[=<>(,[~+|]|\b(?:like|ilike|in|values|between|and|then|else|set|is|or|when|regexp|rlike|concat|similar to|glob|date|timestamp|interval))\s{0,3}(?:[nNeExXbB]|_utf8|_utf8mb4)?\\{0,3}$/i;
const INSIDE = { "'": /(?:[^'\\\n]|''|\\[^'\n]){1,500}/y, '"': /[^"\\\n]{1,500}/y };
const NUMBER = /(?:[=<>(,]|\b(?:between|and))\s?(-?\d{4,20}(?:\.\d{1,6})?)(?![\w.])/gi;
/** After a name in quotes something is compared with it, or taken from it. */
const AFTER_NAME = /"\s{0,3}(?:[=<>!.]|(?:is|in|like|ilike|between)\b)/iy;
const PROCEDURE = /^exec(?:ute)?\s{1,4}[\w.[\]]{1,80}\s{1,4}N?$/i;
const BARE_VALUES = /values\s?\(([^()'"?:$\n]{3,600})\)/iy;

/** Whether the letter before an offset belongs to a word, and not to a line break as JSON spells it. */
function isInWord(text: string, at: number): boolean {
  return /\w/.test(text[at - 1] ?? '') && !(/[nrt]/.test(text.charAt(at - 1)) && text[at - 2] === '\\');
}

/** Remembers where a statement starts. */
const detectStart: Detector = (page, start) => {
  const { text } = page;
  // In a sentence somebody calls or updates something; in SQL they are written large.
  const isProse =
    /^(?:call|exec|decl)/.test(text.slice(start, start + 4)) ||
    (/^upd/i.test(text.slice(start, start + 3)) && !SET.test(text.slice(start, start + NEAR)));
  if (!isProse && !isInWord(text, start) && matchAt(START, text, start)) {
    page.sqlFrom = start;
  }
};

/** Whether the statement has come to the part that holds values. */
function hasBegun(page: Page, start: number): boolean {
  const { text, sqlFrom } = page;
  if (!/^select/i.test(text.slice(sqlFrom, sqlFrom + 6))) {
    return true;
  }
  const from = knownNext(page, 'sql from', sqlFrom, () => {
    FROM.lastIndex = sqlFrom;
    return FROM.exec(text)?.index ?? text.length;
  });
  return from < start;
}

/** Takes literals out of the part of a statement that holds values, once a word has come that only SQL puts there. */
const detectClause: Detector = (page, start) => {
  const { text, sqlFrom } = page;
  if (sqlFrom < 0 || start - sqlFrom > REACH || start < page.sqlDone || isInWord(text, start)) {
    return;
  }
  if (!hasBegun(page, start)) {
    return;
  }
  const stop = Math.min(nextOf(page, '\n\n', start), start + REACH);
  let end = markLiterals(page, start, Math.min(nextOf(page, ';', start), stop), stop);
  const bare = /sql: ?$/i.test(text.slice(Math.max(0, sqlFrom - 6), sqlFrom))
    ? matchAt(BARE_VALUES, text, start)?.[1]
    : undefined;
  if (bare !== undefined) {
    // Laravel puts the values in without their quotes.
    end = Math.max(end, BARE_VALUES.lastIndex);
    const from = BARE_VALUES.lastIndex - 1 - bare.length;
    mark(page, from, from + bare.length, 'sql-literal', 'sql', STRUCTURE);
  }
  page.sqlDone = end;
};

/** Marks the literals of a statement. A semicolon ends it, but not one inside of a literal. Returns where it ends. */
function markLiterals(page: Page, start: number, end: number, most: number): number {
  const { text } = page;
  let stop = end;
  for (const quote of ["'", '"'] as const) {
    for (let at = nextOf(page, quote, start); at < stop; at = nextOf(page, quote, at + 1)) {
      const isValue =
        BEFORE.test(text.slice(Math.max(start, at - 16), at)) ||
        (at - start < 100 && PROCEDURE.test(text.slice(start, at)));
      if (isValue && matchAt(INSIDE[quote], text, at + 1)) {
        const after = INSIDE[quote].lastIndex;
        if (quote === '"' && matchAt(AFTER_NAME, text, after)) {
          at = after;
          continue;
        }
        mark(page, at + 1, after, 'sql-literal', 'sql', STRUCTURE);
        at = after;
        stop = after > stop ? Math.min(nextOf(page, ';', after), most) : stop;
      }
    }
  }
  for (const found of text.slice(start, stop).matchAll(NUMBER)) {
    const value = found[1] as string;
    const at = start + found.index + found[0].length - value.length;
    mark(page, at, at + value.length, 'sql-literal', 'sql', STRUCTURE);
  }
  return stop;
}

/** Triggers for echoed SQL. */
export function sqlTriggers(): Trigger[] {
  const ends = [' ', '\n', '\\n', '\t'];
  const starts = 'select,insert,update,delete,merge,replace,upsert,exec,execute,call,declare'.split(',');
  const clauses = 'where,values,having,like,ilike,set,on,exec,execute,call,declare'.split(',');
  return [
    ...starts.flatMap((word) => ends.map((end) => [word + end, detectStart] as const)),
    ...clauses.flatMap((word) => ends.map((end) => [word + end, detectClause] as const)),
    ['values(', detectClause],
    ['where(', detectClause],
    ...sqlEchoTriggers(),
  ];
}
