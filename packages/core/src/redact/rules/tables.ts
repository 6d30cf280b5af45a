import { isPlain } from '../looks.ts';
import { mark, type Page, STRUCTURE } from '../page.ts';
import { charSet, nextOf, runStart } from '../runs.ts';
import { isAt, signSet } from '../sign-sets.ts';
import { hasSurrogates } from '../surrogates.ts';
import { type KeyMeaning, meaningOfKey } from './keys.ts';

const LINE = charSet(/[^\n]/, () => true);
const LONGEST = 2000;
const TAB = 9;
const RULER = /^[\s|+:=-]+$/;
const HEAD = /^[\p{L}\d_ .#/()-]{1,40}$/u;
const EDGES = signSet(' \t"\'`');
const INNER_EDGES = signSet(' \t\r"\'`');
const HEAD_ENDS = signSet(',;|\n\r');
/** What parts the cells of a row, the surest first. */
const DELIMITERS = ['|', '\t', ',', ';'];

/** A cell of a table: where its content starts and ends in the text. */
interface Cell {
  readonly start: number;
  readonly end: number;
}

/**
 * Removes the values under a telling name at the head of a table: CSV, Markdown, the output of a database's shell. Tells
 * whether the name is such a head.
 */
export function markColumn(page: Page, nameStart: number, nameEnd: number, meaning: KeyMeaning): boolean {
  const { text } = page;
  let next = nameEnd;
  let isHead = false;
  while (next - nameEnd < 24 && isAt(EDGES, text, next)) {
    isHead ||= text.charCodeAt(next) === TAB;
    next++;
  }
  if (meaning.strength < 2 || !(isHead || isAt(HEAD_ENDS, text, next))) {
    return false;
  }
  const start = runStart(page, LINE, nameStart);
  const end = nextOf(page, '\n', nameEnd);
  if (start < page.tableEnd || end - start > LONGEST) {
    return start === page.tableHead;
  }
  page.tableEnd = end;
  const delimiter = DELIMITERS.find((one) => text.slice(start, end).includes(one));
  if (delimiter === undefined) {
    return false;
  }
  const heads = cellsOf(text, start, end, delimiter).map((cell) => text.slice(cell.start, cell.end));
  if (heads.length > 1 && heads.every((head) => HEAD.test(head) || (head === '' && delimiter === '|'))) {
    markRows(page, end, delimiter, heads.map(meaningOfKey));
  }
  page.tableHead = page.tableEnd > end ? start : page.tableHead;
  return page.tableEnd > end;
}

/** Rows go on up to a line that is none. A cell that holds the sign which parts them hides its row, and saves no other. */
function markRows(
  page: Page,
  from: number,
  delimiter: string,
  columns: ReadonlyArray<KeyMeaning | undefined>,
): void {
  const { text } = page;
  const secret = columns.findIndex(isSecretColumn);
  for (let at = from; at < text.length; ) {
    const end = nextOf(page, '\n', at + 1);
    const isRuler = end - at < LONGEST && RULER.test(text.slice(at + 1, end));
    const cells = isRuler || end - at > LONGEST ? [] : cellsOf(text, at + 1, end, delimiter);
    if (!isRuler && cells.length < columns.length && !hasSurrogates(text.slice(at, end))) {
      return;
    }
    const last = cells.at(-1);
    if (cells.length > columns.length && last) {
      mark(
        page,
        cells[secret]?.start ?? last.start,
        last.end,
        'column',
        columns[secret]?.class ?? '',
        STRUCTURE,
      );
    } else if (cells.length === columns.length) {
      markCells(page, cells, columns);
    }
    at = end;
    page.tableEnd = end;
  }
}

function isSecretColumn(meaning: KeyMeaning | undefined): boolean {
  return meaning !== undefined && meaning.strength >= 2;
}

function markCells(page: Page, cells: readonly Cell[], columns: ReadonlyArray<KeyMeaning | undefined>): void {
  cells.forEach(({ start, end }, index) => {
    const meaning = columns[index];
    if (meaning && isSecretColumn(meaning) && !isPlain(page.text.slice(start, end))) {
      mark(page, start, end, 'column', meaning.class, STRUCTURE);
    }
  });
}

/** The head of the table with a secret column that is not over at the end of a text; empty if there is none. */
export function openTable(text: string): string {
  let head = '';
  let delimiter = '';
  let width = 0;
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const line = end - at > LONGEST ? '' : text.slice(at, end);
    if (head !== '' && (RULER.test(line) || line.split(delimiter).length >= width)) {
      at = end + 1;
      continue;
    }
    delimiter = DELIMITERS.find((one) => line.includes(one)) ?? '';
    const cells = delimiter === '' ? [] : cellsOf(line, 0, line.length, delimiter);
    const heads = cells.map((cell) => line.slice(cell.start, cell.end));
    const isHead =
      heads.length > 1 &&
      heads.every((one) => HEAD.test(one) || (one === '' && delimiter === '|')) &&
      heads.map(meaningOfKey).some(isSecretColumn);
    head = isHead ? `${line}\n` : '';
    width = cells.length;
    at = end + 1;
  }
  return head;
}

function cellsOf(text: string, start: number, end: number, delimiter: string): Cell[] {
  const cells: Cell[] = [];
  for (let at = start; at <= end; ) {
    const found = text.indexOf(delimiter, at);
    const stop = found < 0 || found > end ? end : found;
    let from = at;
    let to = stop;
    while (from < to && isAt(INNER_EDGES, text, from)) {
      from++;
    }
    while (to > from && isAt(INNER_EDGES, text, to - 1)) {
      to--;
    }
    cells.push({ start: from, end: to });
    at = stop + 1;
  }
  return cells;
}
