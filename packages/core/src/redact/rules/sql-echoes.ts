import { type Detector, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { nextOf } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { isAnybodys } from './anybodys-values.ts';
import { sqlTongues } from './sql-tongues.ts';

/**
 * A sentence in which a database repeats a row or a value: the key word where it starts, what stands before the value,
 * and what ends it. A value that ends with its quote ends with the one that opened it, which is the first group.
 */
export interface Echo {
  readonly keyword: string;
  readonly head: RegExp;
  readonly close: 'quote' | 'parenthesis' | 'last parenthesis' | 'bracket' | 'brace' | 'line';
  /** What must follow the end; otherwise the end of a part of a sentence. */
  readonly after?: RegExp;
  /** Whether it tells nothing without a statement before it. */
  readonly needsStatement?: boolean;
  /** Whether the statement has to have places for values: in a sentence, names follow. Such a list may be long. */
  readonly isBound?: boolean;
  /** Which values stay: they tell what is wrong, and nobody by it. */
  readonly leaves?: (value: string, rest: string) => boolean;
}

const NEAR = 80;
/** Columns by whose values somebody is known. */
const OF_SOMEBODY = /mail|phone|mobile|ssn|tax|card|iban|account|passport|birth|pin|code/i;

/** A key word, written large as those are, and the name behind it. */
const isGrammar = (value: string): boolean => /^[A-Z]{2,12}(?: [a-z_]{1,30})?$/.test(value);
const isCount = (value: string): boolean => /^\d{1,6}$/.test(value);

/** A key of numbers alone, where no column before it speaks of somebody. */
const isOfNumbers = (value: string, rest: string): boolean =>
  /^\d{1,9}(?:-\d{1,9}){0,3}$/.test(value) && !OF_SOMEBODY.test(rest);

const isOfCounts = (value: string): boolean => /^[\d, ]{1,40}$/.test(value);

const CLOSERS = { parenthesis: ')', bracket: ']', brace: '}' } as const;
const LONGEST = 1000;
const STATEMENT_REACH = 3000;
const MOST_INSIDE = 12;

const ECHOES: readonly Echo[] = [
  // PostgreSQL and what speaks like it
  { keyword: 'failing row', head: /failing row contains \(/iy, close: 'last parenthesis' },
  {
    keyword: 'invalid input',
    head: /invalid input syntax for(?: type)? [\w ."]{1,60}: \\{0,3}(["'])/iy,
    close: 'quote',
    leaves: isCount,
  },
  {
    keyword: 'value for enum',
    head: /value for enum [\w ."]{1,60}: \\{0,3}(["'])/iy,
    close: 'quote',
    leaves: (value) => /^[A-Za-z][a-z_-]{1,20}$/.test(value),
  },
  { keyword: 'out of range: ', head: /out of range: \\{0,3}(["'])/iy, close: 'quote' },
  { keyword: 'value "', head: /value \\{0,3}(")/iy, close: 'quote', after: / is out of range/iy },
  {
    keyword: 'copy ',
    head: /copy \w{1,63}, line \d{1,9}(?:, column \w{1,63})?: \\{0,3}(")/iy,
    close: 'quote',
  },
  { keyword: 'detail:  parameters', head: /detail: {1,2}parameters: /iy, close: 'line' },
  { keyword: 'json data, line', head: /json data, line \d{1,9}: /iy, close: 'line' },
  { keyword: 'or near ', head: /or near \\{0,3}(")/iy, close: 'quote', leaves: isGrammar },
  { keyword: 'array literal: ', head: /malformed array literal: \\{0,3}(")/iy, close: 'quote' },
  { keyword: "$0 = '", head: /\$\d = (')/y, close: 'quote' },
  { keyword: 'keyvalue', head: /keyValue\\{0,3}"?: ?\{ ?/iy, close: 'brace' },
  {
    keyword: "couldn't find ",
    head: /couldn't find \w{1,40} with \[?["']?[\w.]{1,40}["']? ?= ?["']?/iy,
    close: 'line',
  },
  // MySQL
  {
    keyword: 'duplicate entry',
    head: /duplicate entry \\{0,3}(['"])/iy,
    close: 'quote',
    after: / for key/iy,
    leaves: isOfNumbers,
  },
  { keyword: 'incorrect ', head: /incorrect \w{1,20} value: \\{0,3}(['"])/iy, close: 'quote' },
  {
    keyword: 'data too long',
    head: /data too long for column \\{0,3}['"`]\w{1,64}\\{0,3}['"`] ?: \\{0,3}(['"])/iy,
    close: 'quote',
  },
  { keyword: 'truncated value', head: /truncated value: \\{0,3}(['"])/iy, close: 'quote' },
  { keyword: "near '", head: /near (')/iy, close: 'quote', after: /'? at line \d/iy, leaves: isGrammar },
  {
    keyword: 'near \\"',
    head: /near \\{1,3}(")/iy,
    close: 'quote',
    after: /(?: at line \d|: syntax error)/iy,
    leaves: isGrammar,
  },
  // SQL Server
  { keyword: 'duplicate key value is (', head: /duplicate key value is \(/iy, close: 'parenthesis' },
  { keyword: 'char value ', head: /char value \\{0,3}(')/iy, close: 'quote' },
  { keyword: 'after the character', head: /after the character string \\{0,3}(')/iy, close: 'quote' },
  { keyword: 'syntax near ', head: /syntax near \\{0,3}(')/iy, close: 'quote', leaves: isGrammar },
  { keyword: 'near "', head: /near (")/iy, close: 'quote', after: /: syntax error/iy, leaves: isGrammar },
  // Oracle, SQLite, MongoDB, Cassandra, DuckDB
  { keyword: 'column values (', head: /column values \(/iy, close: 'parenthesis' },
  { keyword: 'unrecognized token', head: /unrecognized token: \\{0,3}("['"]?)/iy, close: 'quote' },
  { keyword: 'dup key: {', head: /dup key: \{ ?/iy, close: 'brace' },
  { keyword: ' constant (', head: / constant \(/y, close: 'parenthesis', after: / for \\{0,3}"/y },
  {
    keyword: 'duplicate key "',
    head: /duplicate key \\{0,3}(")/iy,
    close: 'quote',
    after: / violates/iy,
  },
  // Mappers of documents
  {
    keyword: 'failed for value ',
    head: /failed for value \\{0,3}(["'])/iy,
    close: 'quote',
    after: /\\{0,3} (?:\(type|at path)/iy,
    leaves: (value) => /^[a-z\d_-]{1,20}$/.test(value),
  },
  { keyword: 'failed for path', head: /failed for path `[^`\n]{1,80}` with value (`)/iy, close: 'quote' },
  // Warehouses and search engines
  { keyword: 'failed to parse query [', head: /failed to parse query \[/iy, close: 'bracket' },
  {
    keyword: 'cannot parse ',
    head: /cannot parse \\{0,3}(['"])/iy,
    close: 'quote',
    after: /: Encountered|: Lexical/y,
  },
  {
    keyword: 'for input string: ',
    head: /for input string: \\{0,3}(["'])/iy,
    close: 'quote',
    leaves: isCount,
  },
  { keyword: 'the value ', head: /the value \\{0,3}(')/iy, close: 'quote', after: / of the type/iy },
  { keyword: 'cannot cast ', head: /cannot cast \\{0,3}(')/iy, close: 'quote', after: / to [A-Z]/y },
  { keyword: 'unable to make ', head: /unable to make \w{1,20} from \\{0,3}(')/iy, close: 'quote' },
  {
    keyword: 'bad ',
    head: /bad (?:u?int|float|double|bool|numeric|date|timestamp|bytes)\d{0,3} value: /iy,
    close: 'line',
  },
  {
    keyword: "date '",
    head: /date (')/iy,
    close: 'quote',
    after: / is not recognized/iy,
  },
  { keyword: "boolean value '", head: /boolean value (')/iy, close: 'quote', after: / is not recognized/iy },
  { keyword: 'could not cast literal', head: /could not cast literal \\{0,3}(["'])/iy, close: 'quote' },
  { keyword: 'numeric value ', head: /numeric value \\{0,3}(')/iy, close: 'quote' },
  { keyword: 'variant value ', head: /variant value \\{0,3}(["'])/iy, close: 'quote' },
  {
    keyword: 'could not ',
    head: /could not (?:parse|convert string|cast) \\{0,3}(["'])/iy,
    close: 'quote',
    after: / (?:as|to) (?:type [A-Za-z]|[A-Z])/y,
  },
  { keyword: 'cannot parse ', head: /cannot parse string \\{0,3}(["'])/iy, close: 'quote' },
  { keyword: "field's value", head: /field's value: \\{0,3}(["'])/iy, close: 'quote' },
  // What drivers and mappers bind
  { keyword: '[parameters: ', head: /\[parameters: (?=[([{])/iy, close: 'line' },
  { keyword: '[parameters=', head: /\[parameters=\[/iy, close: 'bracket' },
  { keyword: 'parameters: [', head: /parameters: \[/iy, close: 'bracket', needsStatement: true },
  { keyword: 'bindings: [', head: /bindings: \[/iy, close: 'bracket', needsStatement: true },
  { keyword: 'params: [', head: /params: \[/iy, close: 'bracket', needsStatement: true },
  {
    keyword: 'params: ',
    head: /params: (?=[^\s[({])/iy,
    close: 'line',
    needsStatement: true,
    isBound: true,
    leaves: isOfCounts,
  },
  ...(['parameters', 'bindings'] as const).map(
    (name): Echo => ({
      keyword: `${name}: `,
      head: /(?:parameters|bindings): (?=[^\s[({])/iy,
      close: 'line',
      needsStatement: true,
      isBound: true,
      leaves: isOfCounts,
    }),
  ),
  { keyword: "\n{'", head: /\n(?=\{')/y, close: 'line', needsStatement: true, isBound: true },
  { keyword: 'args=[', head: /args=\[/iy, close: 'bracket', needsStatement: true },
  { keyword: 'parameter value [', head: /parameter value \[/iy, close: 'bracket', after: / did not match/iy },
  {
    keyword: 'identifier exists: [',
    head: /identifier exists: \[[\w.$]{1,160}#/iy,
    close: 'bracket',
    leaves: isCount,
  },
  { keyword: 'and property `', head: /and property `[^`\n]{1,80}` = (')/iy, close: 'quote' },
  { keyword: 'params: (', head: /params: \(/iy, close: 'parenthesis', needsStatement: true },
  { keyword: 'arguments: [', head: /arguments: \[/iy, close: 'bracket', needsStatement: true },
  { keyword: 'values: [', head: /values: \[/iy, close: 'bracket', needsStatement: true },
  { keyword: 'args: [', head: /args: \[/iy, close: 'bracket', needsStatement: true },
  { keyword: 'with params [', head: /with params \[/iy, close: 'bracket' },
  { keyword: 'binds: [', head: /binds: \[/iy, close: 'bracket' },
  {
    keyword: 'binding parameter',
    head: /binding parameter (?:\[\d{1,4}\] as \[\w{1,30}\] - |\(\d{1,4}:\w{1,30}\) <- )\[/iy,
    close: 'bracket',
  },
  { keyword: '==> parameters: ', head: /==> parameters: /iy, close: 'line' },
  {
    keyword: "with the key value '{",
    head: /with the key value '\{/iy,
    close: 'brace',
    leaves: (value) => /^(?:\w{0,40}_)?Id: [\d-]{1,12}$/i.test(value),
  },
  {
    keyword: 'expected a number',
    head: /(?<=field '\w{1,60}' )expected a number but got (')/iy,
    close: 'quote',
  },
  {
    keyword: ' value: ',
    head: / (?:int64|float64|bool|numeric|timestamp) value: (?=\S)/iy,
    close: 'line',
    leaves: isCount,
  },
  { keyword: ' [["', head: / \[\[(?=\\{0,3}")/y, close: 'line', needsStatement: true },
];

type Ending = Pick<Echo, 'close' | 'after'>;

/** The offset of what closes a value, or -1; line breaks are spelled out in JSON, too. */
function closeAt(page: Page, { close, after }: Ending, from: number, opened: string): number {
  const line = Math.min(nextOf(page, '\n', from), nextOf(page, '\\n', from));
  if (close === 'line') return line;
  const literal =
    close === 'quote' ? closerOf(opened.charAt(0)) : close === 'last parenthesis' ? ')' : CLOSERS[close];
  if (nextOf(page, literal, from) - from > LONGEST) return -1;
  const part = page.text.slice(from, Math.min(line, from + LONGEST) + 1);
  if (close === 'last parenthesis') return from + part.lastIndexOf(literal);
  const follows = after ?? ENDS[close];
  let at = part.indexOf(literal);
  // A quote or parenthesis in the value is followed by more of it.
  for (let i = 0; i < MOST_INSIDE && at >= 0 && !matchAt(follows, page.text, from + at + 1); i++) {
    at = part.indexOf(literal, at + 1);
  }
  return at < 0 ? -1 : from + at;
}

/** What closes a quote: most do so themselves, those of some languages have a fellow. */
const closerOf = (quote: string): string => FELLOWS[quote] ?? quote;
const FELLOWS: Readonly<Record<string, string>> = { '»': '«', '«': '»', '„': '“', '“': '”' };

const ENDS = {
  quote: /['"]{0,2}\\{0,3}["']?(?:[\s.,;:)\]}\u3000-\uffff]|$|\\n)/y,
  parenthesis: /(?:[\s.,;:"'\]}\\\u3000-\uffff]|$)/y,
  bracket: /(?:[\s.,;:"')}\\\]]|$)/y,
  brace: /(?:[\s.,;:"')\\\]]|$)/y,
} as const;

/** Places for values in a statement: `$1`, `?`, `:1`. */
const PLACE = /[\s(=,](?:\$\d|\?|:\d|%s|%\(\w)/;

function hasPlaces(text: string, at: number): boolean {
  return PLACE.test(text.slice(Math.max(0, at - STATEMENT_REACH), at));
}

function echo(row: Echo): Detector {
  return (page, start) => {
    if (start < page.covered || (row.needsStatement && page.sqlFrom < 0)) return;
    const { text } = page;
    const head = matchAt(row.head, text, start);
    if (!head || (row.isBound && !hasPlaces(text, start))) return;
    const from = start + head[0].length;
    let end = closeAt(page, row, from, head[1] ?? '');
    if (end <= from || (end - from > LONGEST && !row.isBound)) return;
    while (
      end > from &&
      (row.close === 'quote' || row.close === 'brace') &&
      /[\\ ]/.test(text.charAt(end - 1))
    )
      end--;
    const value = text.slice(from, end);
    const stays = isAnybodys(value) || row.leaves?.(value, text.slice(end, end + NEAR));
    if (/\w/.test(value) && (page.switches.strict || !stays)) {
      mark(page, from, end, 'sql-echo', 'sql', STRUCTURE);
    }
  };
}

const LONGEST_KEY = 300;

/** `Key (lower(email::text))=(…) already exists`. */
const detectKey: Detector = (page, start, end) => {
  const sign = nextOf(page, ')=(', end);
  const from = sign + 3;
  if (start < page.covered || sign - end > LONGEST_KEY || nextOf(page, '\n', end) < sign) return;
  const stop = closeAt(page, { close: 'parenthesis' }, from, '');
  if (stop > from && stop - from <= LONGEST_KEY && !isOfIds(page, end, sign, from, stop)) {
    mark(page, from, stop, 'sql-echo', 'sql', STRUCTURE);
  }
};

const IDS = /^(?:(?:\w{1,60}_)?(?:id|uuid|version|position|seq)(?:, ?|$)){1,6}$/;
const OF_IDS = /^(?:(?:\d{1,10}|[0-9a-f]{8}-[0-9a-f-]{27})(?:, ?|$)){1,6}$/;

/** Whether a key is made of identifiers, which the reader needs and which tell nobody. */
function isOfIds(page: Page, names: number, namesEnd: number, from: number, stop: number): boolean {
  const { text, switches } = page;
  return !switches.strict && IDS.test(text.slice(names, namesEnd)) && OF_IDS.test(text.slice(from, stop));
}

const NAMES = /^[\w"$.,: ()]{1,300}$/;

/** The columns in brackets that a text ends with, without the last bracket. */
function columnsAtEnd(text: string): string | undefined {
  let depth = 1;
  for (let at = text.length - 1; at >= 0; at--) {
    depth += text[at] === ')' ? 1 : text[at] === '(' ? -1 : 0;
    if (depth === 0) {
      const names = text.slice(at + 1);
      return NAMES.test(names) && !/[\w)]/.test(text[at - 1] ?? '') ? names : undefined;
    }
  }
  return undefined;
}

const OF_KEYS =
  /key|schlüssel|clé|llave|clave|chiave|chave|klucz|ключ|キー|键|鍵|키|nyckel|nøgle|nøkkel|klíč|kľúč|anahtar|sleutel|kulcs|cheie|avain|κλειδί|det[aä]|détail|ayrıntı|szcz/i;

/** The same in any language: only databases set columns and values against one another so. */
const detectPairs: Detector = (page, start, end) => {
  const { text } = page;
  const before = text.slice(Math.max(0, start - LONGEST_KEY), start);
  const columns = start < page.covered ? undefined : columnsAtEnd(before);
  const stop =
    columns === undefined ? -1 : closeAt(page, { close: 'parenthesis', after: AFTER_PAIRS }, end, '');
  if (columns === undefined || stop <= end || stop - end > LONGEST_KEY) return;
  const around = before.slice(0, -columns.length).slice(-NEAR) + text.slice(stop, stop + NEAR);
  const isSaid = OF_KEYS.test(around) || !/^(?:[a-z]{1,20}|[\d,. -]{1,40})$/.test(text.slice(end, stop));
  if (isSaid && !isOfIds(page, start - columns.length, start, end, stop)) {
    mark(page, end, stop, 'sql-echo', 'sql', STRUCTURE);
  }
};
const AFTER_PAIRS = /(?:[\s.,;:"'\]}\\«»“”」）)\u3040-\uffff]|$)/y;

/** MySQL in Japanese says the value first. */
const detectTwice: Detector = (page, start) => {
  const before = page.text.slice(Math.max(0, start - LONGEST_KEY), start);
  const value = before.slice(before.lastIndexOf("'") + 1);
  if (value !== before && !value.includes('\n') && start >= page.covered && !/^[\d-]{1,20}$/.test(value)) {
    mark(page, start - value.length, start, 'sql-echo', 'sql', STRUCTURE);
  }
};

/** Triggers for rows and values that databases repeat. */
export function sqlEchoTriggers(): Trigger[] {
  return [
    ['key (', detectKey],
    [')=(', detectPairs],
    ["' は索引 '", detectTwice],
    ...[...ECHOES, ...sqlTongues(isCount, isOfNumbers)].map((row) => [row.keyword, echo(row)] as const),
  ];
}
