import { looksRandom } from '../looks.ts';
import { FORMAT, isAlnum, mark, matchAt, type Page } from '../page.ts';
import { isEmptyForm } from '../placeholders.ts';
import { charSet, runEnd } from '../runs.ts';
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

/**
 * Triggers for a table of formats, one a line: `id format`. The literal start of the format is the keyword. A format in
 * front of which a letter or digit may stand starts with `~`, one that is no part of a longer name or of a path (`cs_live_…`
 * and `/session/live_…` are no keys) with `!`; one that must look random ends with ` ?`.
 */
export function formatTriggers(table: string): Trigger[] {
  return rows(table).flatMap(([id = '', spec = '', check]) => {
    const anywhere = spec.startsWith('~');
    const alone = spec.startsWith('!');
    const format = anywhere || alone ? spec.slice(1) : spec;
    const keyword = startOf(format);
    const cls = classOfRule(id);
    let pattern: RegExp | undefined;
    const detect = (page: Page, start: number): void => {
      const { text } = page;
      if (start < page.covered || (!anywhere && start > 0 && isAlnum(text.charCodeAt(start - 1)))) {
        return;
      }
      if (alone && /(?:[A-Za-z0-9]_|\/)$/.test(text.slice(Math.max(0, start - 2), start))) return;
      pattern ??= new RegExp(formatSource(format, check ? JUDGED : LONGEST), 'y');
      const found = matchAt(pattern, text, start);
      if (found && (!check || looksRandom(found[0].slice(keyword.length), 8))) {
        const end = wordEnd(page, start + found[0].length);
        if (end - start > 200 || !isEmptyForm(text.slice(start, end))) {
          mark(page, start, end, id, cls, FORMAT);
        }
      }
    };
    return [[keyword.slice(0, KEYWORD), detect] as const];
  });
}

/** The literal starts of the formats of a table. */
export function prefixesOf(table: string): string[] {
  return rows(table).map(([, spec = '']) => startOf(spec.replace(/^[~!]/, '')));
}

function startOf(format: string): string {
  return /^[^{]*/.exec(format)?.[0] ?? '';
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
export function wordEnd(page: Page, at: number): number {
  return runEnd(page, WORD, at);
}
