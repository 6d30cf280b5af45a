import { stripEnd } from '../looks.ts';
import { type Detector, jsonStringEnd, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { knownNext, nextOf } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { build } from './patterns.ts';
import { sqlEchoTriggers } from './sql-echoes.ts';
import { isSentence, isSpoken, setsNothing } from './sql-sentences.ts';

const REACH = 3000;
/** Blanks, or a line break as JSON spells it. */
const GAP = String.raw`(?:\s|\\[nrt]){1,4}`;
const START = build(
  `select${GAP}|update${GAP}|(?:insert(?:${GAP}ignore|${GAP}overwrite)?|merge|replace|upsert)${GAP}into${GAP}|delete${GAP}from${GAP}|exec(?:ute)?${GAP}[\\w.[\\]]{1,80}${GAP}N?[@']|call${GAP}[\\w.]{1,80}\\s?\\(|declare${GAP}@|(?:create|alter)${GAP}(?:or${GAP}replace${GAP})?(?:table|view|policy|materialized|trigger|domain|type)${GAP}|comment${GAP}on${GAP}`,
  'iy',
);
const NEAR = 120;
const FROM = /(?:\s|\\[nrt])from(?:\s|\\[nrt])/gi;
const BEFORE =
  /(?:[=<>(,[~+|]|~\*|\b(?:like|ilike|contains|in|values|between|and|then|else|set|is|or|when|regexp|rlike|concat|similar to|glob|date|timestamp|interval|select|distinct|all|returning|default|using|top \d{1,4}))\s{0,3}(?:[neExbr]|n?q|u&|_\w{2,12} ?)?\\{0,3}$/i;
const INSIDE = { "'": /(?:[^'\\\n]|''|\\[^'\n]|\\'(?=\w)){1,500}/y, '"': /[^"\\\n]{1,500}/y };
/** Inside of a text whose quotes are escaped, an escaped quote ends the literal. */
const INSIDE_ESCAPED = { "'": /(?:[^'\\\n]|''|\\[^'\n]){1,500}/y, '"': INSIDE['"'] };
/** A statement that is itself a literal doubles the quotes of its own. */
const INSIDE_DOUBLED = /'([^'\n]{1,500})''/y;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')', '<': '>' };
/** Says how a value is written or counted, and not which it is. */
const SAYS_HOW =
  /^(?:[^\p{L}]*|(?:micro|milli)?seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|epoch|dow|utc|[YMDHISymdhisTZ24:/ .-]{2,24}|\$[.[].*)$/u;
const NUMBER = /(?:[=<>(,]|\b(?:between|and))\s?(-?\d{4,20}(?:\.\d{1,6})?)(?![\w.])/gi;
/** After a name in quotes something is compared with it, or taken from it. */
const AFTER_NAME = /"\s{0,3}(?:[=<>!.]|(?:is|in|like|ilike|between)\b)/iy;
const PROCEDURE = /^exec(?:ute)?\s{1,4}[\w.[\]]{1,80}\s{1,4}N?$/i;
const NEXT_MEMBER = /["'], ?(?:'[\w.-]{1,60}'|[A-Za-z_]\w{0,60}): /;
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
    /^(?:call|exec|decl|crea|alte|comm)/.test(text.slice(start, start + 4)) ||
    (/^upd/i.test(text.slice(start, start + 3)) && setsNothing(text, start, NEAR));
  if (isProse || isInWord(text, start)) {
    return;
  }
  const verb = matchAt(START, text, start)?.[0];
  if (verb === undefined || (verb !== verb.toUpperCase() && isSentence(text, start + verb.length))) {
    return;
  }
  const isInner =
    page.sqlFrom >= 0 && start - page.sqlFrom < REACH && nextOf(page, ';', page.sqlFrom) > start;
  page.sqlFrom = start;
  if (
    /^select/i.test(text.slice(start, start + 6)) &&
    start >= page.sqlDone &&
    isSelect(page, start, isInner)
  ) {
    markStatement(page, start);
  }
};

/** Words that only SQL writes large. */
const SQL_WORD = /\b(?:FROM|AS|UNION|WHERE|CASE|INTO)\b/g;
const LONGEST_LIST = 600;
const LARGE_SELECT = /^SELECT\s{1,4}(?:[\w.]{1,80}\s?\(|[EN]?'[^'\n]{0,200}'.{0,3}$)/;
const SMALL_SELECT =
  /select\s{1,4}(?:[\w.]{1,80}\(|case when |distinct '|[en]?'[^'\n]{0,200}'(?:, ?['\d]| as \w))/y;
const BEFORE_INNER = /\b(?:as|using|in|from|exists|any|all|join|union|not)$|[=<>,]$/i;

/** Whether `select` starts a statement: people select things, too. */
function isSelect(page: Page, start: number, isInner: boolean): boolean {
  const { text } = page;
  const outer = stripEnd(text.slice(Math.max(0, start - 70), start), '( \t\n');
  const isOfStatement =
    isInner && (BEFORE_INNER.test(outer) || outer.split(/\s/).at(-2)?.toLowerCase() === 'into');
  const isLarge = text.startsWith('SELECT', start);
  return (
    (isOfStatement && (isLarge || text.startsWith('select', start))) ||
    (isLarge ? isLargeSelect(page, start) : !!matchAt(SMALL_SELECT, text, start))
  );
}

function isLargeSelect(page: Page, start: number): boolean {
  const { text } = page;
  const word = knownNext(page, 'sql word', start, () => {
    SQL_WORD.lastIndex = start;
    return SQL_WORD.exec(text)?.index ?? text.length;
  });
  return (
    (word < text.length && word - start < LONGEST_LIST) ||
    LARGE_SELECT.test(text.slice(start, start + LONGEST_LIST))
  );
}

/** Where a statement ends at the latest: with the paragraph, or with the string that it stands in. */
function statementEnd(page: Page, start: number): number {
  const stop = Math.min(nextOf(page, '\n\n', start), jsonStringEnd(page, start), start + REACH);
  // Python and JavaScript print values with either quote, and the next member behind it.
  const end = page.text.slice(start, stop).search(NEXT_MEMBER);
  return end < 0 ? stop : start + end;
}

/** Takes the literals out of all of a statement, those of what it selects too. */
function markStatement(page: Page, start: number): void {
  const stop = statementEnd(page, start);
  page.sqlDone = markLiterals(page, start, Math.min(nextOf(page, ';', start), stop), stop, valuesFrom(page));
}

/** Where the part of the last statement starts that holds values; before it, names stand in quotes. */
function valuesFrom(page: Page): number {
  const { text, sqlFrom } = page;
  if (!/^select/i.test(text.slice(sqlFrom, sqlFrom + 6))) {
    return sqlFrom;
  }
  return knownNext(page, 'sql from', sqlFrom, () => {
    FROM.lastIndex = sqlFrom;
    return FROM.exec(text)?.index ?? text.length;
  });
}

/** Takes literals out of the part of a statement that holds values, once a word has come that only SQL puts there. */
const detectClause: Detector = (page, start) => {
  const { text, sqlFrom } = page;
  if (sqlFrom < 0 || start - sqlFrom > REACH || start < page.sqlDone || isInWord(text, start)) {
    return;
  }
  if (sqlFrom !== start && isSpoken(text, start)) {
    return;
  }
  if (sqlFrom !== start && (valuesFrom(page) >= start || jsonStringEnd(page, sqlFrom) < start)) {
    return;
  }
  const stop = statementEnd(page, start);
  let end = markLiterals(page, start, Math.min(nextOf(page, ';', start), stop), stop, start);
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

/** A part of a statement that is told without its verb; nobody writes these words large in a sentence. */
const FRAGMENT =
  /(?:WHERE|AND|HAVING|SET)\s{1,4}[\w.`"()[\]]{1,80}\s{0,2}(?:[=~]|<>|!=|(?:NOT )?I?LIKE|IN\s?\()\s{0,2}[NE]?\\{0,3}['"]|VALUES\s?\(\s?[NE]?'/y;

/** Takes the literals out of such a part. */
const detectFragment: Detector = (page, start) => {
  if (
    page.sqlFrom < 0 &&
    start >= page.sqlDone &&
    !isInWord(page.text, start) &&
    matchAt(FRAGMENT, page.text, start)
  ) {
    page.sqlFrom = start;
    markStatement(page, start);
  }
};

/** Where the text of the literal starts and ends that a quote opens, or undefined if it opens none. */
function literalAt(
  text: string,
  at: number,
  quote: "'" | '"',
): readonly [from: number, to: number] | undefined {
  if (quote === "'" && /q/i.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + 1))) {
    // Oracle lets whoever writes choose the quotes: `q'[…]'`.
    const opened = text.charAt(at + 1);
    const to = text.slice(at + 2, at + REACH).indexOf(`${CLOSING[opened] ?? opened}'`);
    return to < 0 ? undefined : [at + 2, at + 2 + to];
  }
  const doubled = quote === "'" ? matchAt(INSIDE_DOUBLED, text, at + 1)?.[1] : undefined;
  if (doubled !== undefined) return [at + 2, at + 2 + doubled.length];
  const inside = (text[at - 1] === '\\' ? INSIDE_ESCAPED : INSIDE)[quote];
  return matchAt(inside, text, at + 1) ? [at + 1, inside.lastIndex] : undefined;
}

/**
 * Marks the literals of a statement; before a place, of those in single quotes only. A semicolon ends it, but not one
 * inside of a literal. Returns where it ends.
 */
function markLiterals(page: Page, start: number, end: number, most: number, values: number): number {
  const { text } = page;
  let stop = end;
  for (const quote of ["'", '"'] as const) {
    const from = quote === "'" ? start : values;
    for (let at = nextOf(page, quote, from); at < stop; at = nextOf(page, quote, at + 1)) {
      const before = text.slice(Math.max(start, at - 20), at);
      const isValue = BEFORE.test(before) || (at - start < 100 && PROCEDURE.test(text.slice(start, at)));
      const literal = isValue ? literalAt(text, at, quote) : undefined;
      if (literal === undefined) continue;
      const [first, after] = literal;
      at = after;
      const isName = quote === '"' && matchAt(AFTER_NAME, text, after);
      const isPlain = first < values && (/->>?\s?$/.test(before) || SAYS_HOW.test(text.slice(first, after)));
      if (!isName && !isPlain) {
        mark(page, first, after, 'sql-literal', 'sql', STRUCTURE);
        stop = after > stop ? Math.min(nextOf(page, ';', after), most) : stop;
      }
    }
  }
  stop = markDollars(page, start, stop, most);
  for (const found of text.slice(values, stop).matchAll(NUMBER)) {
    const value = found[1] as string;
    const at = values + found.index + found[0].length - value.length;
    mark(page, at, at + value.length, 'sql-literal', 'sql', STRUCTURE);
  }
  return stop;
}

const DOLLARS = /\$(?:[A-Za-z_]\w{0,20})?\$/y;

/** PostgreSQL and Snowflake quote with dollars: `$$…$$`, `$tag$…$tag$`. */
function markDollars(page: Page, start: number, end: number, most: number): number {
  const { text } = page;
  let stop = end;
  for (let at = nextOf(page, '$', start); at < stop; at = nextOf(page, '$', at + 1)) {
    const tag = matchAt(DOLLARS, text, at)?.[0];
    const from = at + (tag?.length ?? 0);
    const to = tag === undefined ? -1 : text.slice(from, most).indexOf(tag);
    if (tag === undefined) continue;
    if (to < 0) break;
    mark(page, from, from + to, 'sql-literal', 'sql', STRUCTURE);
    at = from + to + tag.length - 1;
    stop = at > stop ? Math.min(nextOf(page, ';', at), most) : stop;
  }
  return stop;
}

/** Triggers for echoed SQL. */
export function sqlTriggers(): Trigger[] {
  const ends = [' ', '\n', '\\n', '\t'];
  const starts =
    'select,insert,update,delete,merge,replace,upsert,exec,execute,call,declare,create,alter,comment'.split(
      ',',
    );
  const clauses = 'where,values,having,like,ilike,set,on,exec,execute,call,declare,default,check'.split(',');
  return [
    ...starts.flatMap((word) => ends.map((end) => [word + end, detectStart] as const)),
    ...clauses.flatMap((word) => ends.map((end) => [word + end, detectClause] as const)),
    ...['where ', 'and ', 'having ', 'set ', 'values ', 'values('].map(
      (word) => [word, detectFragment] as const,
    ),
    ['values(', detectClause],
    ['where(', detectClause],
    ['check(', detectClause],
    ...sqlEchoTriggers(),
  ];
}
