import { looksRandom } from '../looks.ts';
import { FORMAT, isAlnum, mark, matchAt, type Page } from '../page.ts';
import { isEmptyForm } from '../placeholders.ts';
import { charSet, runEnd, type Walked } from '../runs.ts';
import type { Trigger } from '../scan.ts';

/** Character sets of the format tables: `{n20}` is twenty or more of set `n` at the end, exactly twenty elsewhere. */
const SETS: Readonly<Record<string, string>> = {
  d: '\\d',
  h: '[a-fA-F0-9]',
  u: '[A-Z0-9]',
  l: '[a-z0-9]',
  a: '[A-Za-z]',
  n: '[A-Za-z0-9]',
  w: '[\\w-]',
  b: '[\\w+/=-]',
  p: '[\\w.~=-]',
  s: '[\\w%.~:/+=-]',
};

const LONGEST = 400;
/** Of a value that must look random no more than this is looked at. */
const JUDGED = 64;
const PART = /\{(\w)(\d+)(?:-(\d+))?\}|\{([^{}]+)\}/g;

/** Turns a format such as `ghp_{n20}` into an expression. Bounded throughout, one way to match only. */
export function formatSource(format: string, longest: number = LONGEST): string {
  let out = '';
  let from = 0;
  for (const part of format.matchAll(PART)) {
    const [whole, set, min, max, choice] = part;
    out += literal(format.slice(from, part.index));
    from = part.index + whole.length;
    const last = from === format.length;
    out += choice
      ? `(?:${choice.split('|').map(literal).join('|')})`
      : `${SETS[set as string]}{${min}${max ? `,${max}` : last ? `,${longest}` : ''}}`;
  }
  return out + literal(format.slice(from));
}

function literal(text: string): string {
  return text.replace(/[.*+?^$()[\]\\|/]/g, '\\$&');
}

const SURNAMES: Readonly<Record<string, string>> = {
  key: 'api-key',
  pat: 'token',
  id: 'api-key',
  url: 'webhook',
  cookie: 'cookie',
};
const CLASSES = /^(?:token|secret|password|webhook|credentials|session|jwt|private-key)$/;

/** The class of a rule is the last word of its id: `github-pat` is a token, `stripe-key` an API key. */
export function classOfRule(id: string): string {
  if (id.endsWith('private-key')) {
    return 'private-key';
  }
  const word = id.slice(id.lastIndexOf('-') + 1);
  return SURNAMES[word] ?? (CLASSES.test(word) ? word : 'api-key');
}

/** Keywords longer than this cost more states than they save false alarms. */
const KEYWORD = 8;

/** One line of a table of formats. */
export interface Format {
  readonly id: string;
  readonly class: string;
  /** What all that has the format starts with. */
  readonly start: string;
  /** How many letters it has at least. */
  readonly shortest: number;
  /** The expression for it, to be tried at an offset. */
  pattern(): RegExp;
  /** Whether a letter or digit may stand before it; whether it is no part of a longer name or of a path. */
  readonly anywhere: boolean;
  readonly alone: boolean;
  /** Whether it must look random. */
  readonly random: boolean;
}

/**
 * A table of formats, one a line: `id format`. The literal start of the format is the keyword. A format in
 * front of which a letter or digit may stand starts with `~`, one that is no part of a longer name or of a path (`cs_live_…`
 * and `/session/live_…` are no keys) with `!`; one that must look random ends with ` ?`.
 */
export function formatsOf(table: string): Format[] {
  return rows(table).map(([id = '', spec = '', check]) => {
    const anywhere = spec.startsWith('~');
    const alone = spec.startsWith('!');
    const format = anywhere || alone ? spec.slice(1) : spec;
    const start = startOf(format);
    let pattern: RegExp | undefined;
    return {
      id,
      class: classOfRule(id),
      start,
      shortest: shortestOf(format),
      pattern: () => {
        pattern ??= new RegExp(formatSource(format, check ? JUDGED : LONGEST), 'y');
        return pattern;
      },
      anywhere,
      alone,
      random: check !== undefined,
    };
  });
}

/** Whether a format may begin at an offset of a text. */
export function mayBegin({ anywhere, alone }: Format, text: string, at: number, isInBytes = false): boolean {
  if (!(anywhere || isInBytes) && at > 0 && isAlnum(text.charCodeAt(at - 1))) return false;
  return !alone || !/(?:[A-Za-z0-9]_|\/)$/.test(text.slice(Math.max(0, at - 2), at));
}

/** What has a format at an offset of a text, random where it must be. */
export function foundAt(format: Format, text: string, at: number): string | undefined {
  const found = matchAt(format.pattern(), text, at)?.[0];
  return found === undefined || (format.random && !looksRandom(found.slice(format.start.length), 8))
    ? undefined
    : found;
}

/** Whether a word is more than the form of a key that somebody has to fill in. */
export function isFilledIn(text: string, start: number, end: number): boolean {
  return end - start > 200 || !isEmptyForm(text.slice(start, end));
}

/** Triggers for a table of formats; see {@link formatsOf}. */
export function formatTriggers(table: string): Trigger[] {
  return formatsOf(table).map((format) => {
    const detect = (page: Page, start: number): void => {
      const { text } = page;
      if (start < page.covered || !mayBegin(format, text, start, page.switches.isInBytes)) return;
      const found = foundAt(format, text, start);
      if (found === undefined) return;
      const end = wordEnd(page, start + found.length);
      if (isFilledIn(text, start, end)) mark(page, start, end, format.id, format.class, FORMAT);
    };
    return [format.start.slice(0, KEYWORD), detect] as const;
  });
}

function startOf(format: string): string {
  return /^[^{]*/.exec(format)?.[0] ?? '';
}

/** How many letters a format has at least. */
function shortestOf(format: string): number {
  let length = format.replace(PART, '').length;
  for (const [, , min, , choice = ''] of format.matchAll(PART)) {
    length += min === undefined ? Math.min(...choice.split('|').map((one) => one.length)) : Number(min);
  }
  return length;
}

/** The fields of each line of a table. */
export function rows(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '));
}

const WORD = charSet(/[\w-]/);

/** The end of the word an offset is in. What hangs on to a secret goes with it. */
export function wordEnd(page: Walked, at: number): number {
  return runEnd(page, WORD, at);
}
