import { type Detector, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import type { Trigger } from '../scan.ts';

const REACH = 3000;
const START =
  /(?:select\s|insert\s+(?:ignore\s+)?into\s|update\s+[\w."`[\]]{1,80}\s+(?:\w{1,30}\s+)?set\s|delete\s+from\s|merge\s+into\s|replace\s+into\s|exec(?:ute)?\s+[\w.[\]]{1,80}\s+@|call\s+\w{1,80}\s?\(|with\s+\w{1,80}\s+as\s?\()/iy;
const BEFORE =
  /(?:[=<>(,]|\b(?:like|ilike|in|values|between|and|then|else|set|is|or|when|regexp|rlike|concat))\s{0,3}(?:[nNeE]|_utf8)?\\{0,3}$/i;
const INSIDE = { "'": /(?:[^'\\\n]|''|\\[^'\n]){1,500}/y, '"': /[^"\\\n]{1,500}/y };
const NUMBER = /[=<>(,]\s?(\d{4,20})(?![\w.])/g;

/** Remembers where a statement starts. */
const detectStart: Detector = (page, start) => {
  const { text } = page;
  // In a sentence somebody calls or updates something; in SQL they are written large.
  const isProse = /^(?:call|exec)/.test(text.slice(start, start + 4));
  if (!isProse && !/\w/.test(text[start - 1] ?? '') && matchAt(START, text, start)) {
    page.sqlFrom = start;
  }
};

/** Takes literals out of the part of a statement that holds values, once a word has come that only SQL puts there. */
const detectClause: Detector = (page, start) => {
  const { text } = page;
  const from = page.sqlFrom;
  if (from < 0 || start - from > REACH || start < page.sqlDone || /\w/.test(text[start - 1] ?? '')) {
    return;
  }
  const head = text.slice(from, start);
  if (/^select/i.test(head) ? !/\sfrom\s/i.test(head) : false) {
    return;
  }
  const stop = statementEnd(text, start);
  page.sqlDone = stop;
  const body = text.slice(start, stop);
  for (const quote of ["'", '"'] as const) {
    for (let at = body.indexOf(quote); at >= 0; at = body.indexOf(quote, at + 1)) {
      if (BEFORE.test(body.slice(Math.max(0, at - 16), at)) && matchAt(INSIDE[quote], body, at + 1)) {
        mark(page, start + at + 1, start + INSIDE[quote].lastIndex, 'sql-literal', 'sql', STRUCTURE);
        at = INSIDE[quote].lastIndex;
      }
    }
  }
  for (const found of body.matchAll(NUMBER)) {
    const value = found[1] as string;
    const at = start + found.index + found[0].length - value.length;
    mark(page, at, at + value.length, 'sql-literal', 'sql', STRUCTURE);
  }
};

function statementEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + REACH);
  for (let at = start; at < limit; at++) {
    const char = text[at];
    if (char === ';' || (char === '\n' && text[at + 1] === '\n')) {
      return at;
    }
  }
  return limit;
}

/** Sentences in which databases repeat a row or a value: `[expression, group]`. */
const ECHOES: ReadonlyArray<readonly [keyword: string, pattern: RegExp]> = [
  ['duplicate entry', /Duplicate entry \\{0,3}'(.{1,300}?)\\{0,3}' for key/iy],
  ['key (', /Key \([^()\n]{1,200}\)=\(([^()\n]{1,300})\)/iy],
  ['failing row', /Failing row contains \(([^\n]{1,1000}?)\)(?=[.\n"\\]|$)/iy],
  ['duplicate key value is (', /duplicate key value is \(([^\n]{1,300}?)\)/iy],
  ["near '", /near '(.{1,400}?)' at line \d/iy],
  ['incorrect ', /Incorrect \w{1,20} value: '([^'\n]{1,300})'/iy],
  ['truncated ', /Truncated incorrect \w{1,20} value: '([^'\n]{1,300})'/iy],
  ['dup key: {', /dup key: \{ ([^{}\n]{1,300}) \}/iy],
  ['parameters: [', /(?:parameters|bindings|params): \[([^[\]\n]{1,500})\]/iy],
  ['bindings: [', /bindings: \[([^[\]\n]{1,500})\]/iy],
  ['params: [', /params: \[([^[\]\n]{1,500})\]/iy],
  ['[parameters: (', /\[parameters: \(([^()\n]{1,500})\)\]/iy],
];

function echo(pattern: RegExp): Detector {
  const isList = /param|bindings/.test(pattern.source);
  return (page: Page, start: number) => {
    const value =
      start < page.covered || (isList && page.sqlFrom < 0)
        ? undefined
        : matchAt(pattern, page.text, start)?.[1];
    if (value !== undefined && /['"\d@=]|^\w+$/.test(value)) {
      const at = start + page.text.slice(start, pattern.lastIndex).lastIndexOf(value);
      mark(page, at, at + value.length, 'sql-echo', 'sql', STRUCTURE);
    }
  };
}

/** Triggers for echoed SQL. */
export function sqlTriggers(): Trigger[] {
  return [
    ...['select', 'insert', 'update', 'delete', 'merge', 'replace', 'exec', 'call'].map(
      (word) => [`${word} `, detectStart] as const,
    ),
    ['select\n', detectStart],
    ...['where', 'values', 'having', 'like', 'set', 'on', 'exec', 'call'].flatMap((word) =>
      [' ', '\n'].map((end) => [`${word}${end}`, detectClause] as const),
    ),
    ['values(', detectClause],
    ...ECHOES.map(([keyword, pattern]) => [keyword, echo(pattern)] as const),
  ];
}
