/** Values in queries of databases that speak no SQL, as drivers and servers repeat them. */
import { type Detector, jsonStringEnd, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { REDIS_WRITES } from '../queried.ts';
import { nextOf } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { isAnybodys } from './anybodys-values.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';

const LONGEST = 600;
const NEAR = 160;
/** A text in quotes, those of JSON in JSON too. */
const QUOTED = /\\{0,3}(["'`])([^"'`\n\\]{1,300})\\{0,3}\1/g;
/** Places for values, and what is no value. */
const PLACE = /^[$%:?{]/;

const OPENERS = '([{';
const CLOSERS = ')]}';

/** Where the bracket closes that was opened before an offset, or the end of what is read. */
function closingOf(text: string, from: number, to: number): number {
  let depth = 1;
  for (let at = from; at < to; at++) {
    const char = text.charAt(at);
    depth += OPENERS.includes(char) ? 1 : CLOSERS.includes(char) ? -1 : 0;
    if (depth === 0) {
      return at;
    }
  }
  return to;
}

/** Marks the texts in quotes between two offsets, as far as `isValue` says that they are values. */
function markQuoted(
  page: Page,
  from: number,
  to: number,
  isValue: (before: string, after: string) => boolean,
): void {
  const part = page.text.slice(from, to);
  for (const { 0: whole, 2: value = '', index } of part.matchAll(QUOTED)) {
    const after = part.slice(index + whole.length, index + whole.length + 3);
    if (
      !PLACE.test(value) &&
      !isAnybodys(value) &&
      isValue(part.slice(Math.max(0, index - 4), index), after)
    ) {
      const start = from + index + whole.indexOf(value);
      mark(page, start, start + value.length, 'sql-literal', 'sql', STRUCTURE);
    }
  }
}

const isMember = (before: string, after: string): boolean =>
  /[:,[(=]\s{0,3}$/.test(before) && !/^\s?:/.test(after);
const isArgument = (before: string, after: string): boolean => /, ?$/.test(before) && /^\)/.test(after);

/** Who advises says how to ask, and repeats nothing. */
const ADVICE = /(?:^|[\s(])(?:use|try|example|like|as|expected|write|add|such|e\.g\.)[:,]? [[{( ]{0,4}$/i;

/** Whether what stands before a query tells that somebody should ask so. */
export function isAdvice(before: string): boolean {
  return ADVICE.test(before);
}

interface Head {
  readonly words: readonly string[];
  /** Ends with the bracket that opens what is read. */
  readonly head: RegExp;
  /** What has to be said before it. */
  readonly before?: RegExp;
  readonly isValue?: (before: string, after: string) => boolean;
}

const OF_MONGO =
  /mongo|command|fail|find|aggregat|operator|prisma|entity|quer|executor|pipeline|invocation|index/i;

const HEADS: readonly Head[] = [
  // MongoDB: a document with an operator; a filter behind the word for it
  { words: ['{ $', '{$', '{"$', '{ "$'], head: /\{ ?["']?(?=\$[a-z]{2,24}["']?:)/iy },
  {
    words: ['filter: {', 'query: {', 'q: {', 'u: {', 'where: {', 'data: {', 'matching: {', 'invocation: {'],
    head: /(?:filter|query|q|u|where|data|matching|invocation): \{/iy,
    before: OF_MONGO,
  },
  { words: ['pipeline: ['], head: /pipeline: \[/iy },
  // DynamoDB
  { words: ['expressionattributevalues: {'], head: /expressionattributevalues: \{/iy },
  {
    words: ['item: {', 'key: {', 'item={', 'key={'],
    head: /(?:item|key)(?:: |=)\{(?=[^{}\n]{1,80}\{ ?(?:\\{0,3}["'])?[SNB]{1,2}(?:\\{0,3}["'])?: ?\\{0,3}["'])/iy,
  },
  // Mappers: Ecto, MikroORM
  { words: ['changes: %{', 'params: %{'], head: /(?:changes|params): %\{/iy },
  { words: ['not found ({'], head: /not found \(\{/iy },
  // GraphQL
  {
    words: ['query {', 'query(', 'query ', 'mutation {', 'mutation(', 'mutation ', 'subscription {'],
    head: /(?:query|mutation|subscription)(?: \w{1,60})? ?(?:\([^(){}\n]{0,300}\) ?)?\{/y,
    isValue: (before) => /: ?\[?$/.test(before),
  },
  // SPARQL
  { words: ['where {'], head: /WHERE \{/y, isValue: (before) => /\w\s$/.test(before) },
  // Flux
  { words: ['filter(fn'], head: /filter\((?=fn:)/y, isValue: (before) => /[=!][=~] ?$/.test(before) },
  // Django
  {
    words: ['.objects.'],
    head: /\.objects\.(?:\w{1,40}\(\)\.){0,3}\w{1,40}\(/y,
    isValue: (before) => /=$/.test(before),
  },
];

function headDetector({ head, before, isValue = isMember }: Head): Detector {
  return (page, start) => {
    const { text } = page;
    if (start < page.covered || start < page.queryDone || !matchAt(head, text, start)) {
      return;
    }
    const from = head.lastIndex;
    const said = text.slice(Math.max(0, start - NEAR), start);
    if (isAdvice(said) || (before && !before.test(said))) {
      return;
    }
    const to = closingOf(text, from, Math.min(text.length, from + LONGEST));
    page.queryDone = to;
    markQuoted(page, from, to, isValue);
  };
}

const GREMLIN = /g\.(?:V|E|addV|addE)\(/y;

/** `g.V().has('person', 'name', '…')`: the last argument of each step. */
const detectGremlin: Detector = (page, start) => {
  if (start >= page.covered && start >= page.queryDone && matchAt(GREMLIN, page.text, start)) {
    page.queryDone = Math.min(nextOf(page, '\n', start), start + LONGEST);
    markQuoted(page, start, page.queryDone, isArgument);
  }
};

const REDIS = build(
  `(?:${REDIS_WRITES.join('|').replace('.', '\\.').toUpperCase()}) ["']?([^\\s"'\`]{1,200})["']? `,
  'y',
);
const OF_REDIS =
  /[Rr]edis|valkey|WRONGTYPE|READONLY|MOVED|CROSSSLOT|EXECABORT|ReplyError|ResponseError|(?:^|[\s:(])(?:ERR|OOM) /;

/** `SET person:1 "…"`: what a command of Redis writes. */
const detectRedis: Detector = (page, start) => {
  const { text } = page;
  const key = start < page.covered || start < page.queryDone ? undefined : matchAt(REDIS, text, start)?.[1];
  if (key === undefined || /\w/.test(text[start - 1] ?? '')) {
    return;
  }
  const from = REDIS.lastIndex;
  const end = Math.min(
    ...['\n', '\\n', ')'].map((sign) => nextOf(page, sign, from)),
    jsonStringEnd(page, from),
    from + LONGEST,
  );
  const isSure = OF_REDIS.test(text.slice(Math.max(0, start - NEAR), start));
  if (!isSure && !key.includes(':')) {
    return;
  }
  page.queryDone = end;
  if (/["'`]/.test(text.slice(from, end))) {
    markQuoted(page, from, end, () => true);
  } else if (isSure) {
    mark(page, from, end, 'sql-literal', 'sql', STRUCTURE);
  }
};

const ARGS = build(
  `args: ?\\[(?<=name: ?["'](?:${REDIS_WRITES.join('|').replace('.', '\\.')})["'], ?args: ?\\[)`,
  'iy',
);
const BEGINNING = /with args beginning with: /iy;

/** The arguments of a command, all but the key: `{ name: 'set', args: ['person:1', '…'] }`. */
const detectArguments: Detector = (page, start) => {
  const { text } = page;
  const head = [ARGS, BEGINNING].find((one) => start >= page.covered && matchAt(one, text, start));
  if (head) {
    const from = head.lastIndex;
    const end = Math.min(nextOf(page, head === ARGS ? ']' : '\n', from), from + LONGEST);
    const key = text.slice(from, end).search(/["'`],? /);
    markQuoted(page, key < 0 ? end : from + key + 1, end, () => true);
  }
};

/** Single values, told by what stands around them. */
const VALUES: readonly Pattern[] = [
  // What SDKs of DynamoDB print of an item
  ['attributevalue(s=', /AttributeValue\(S=([^()\n]{1,200})(?=\))/iy],
  ['{s: ', /\{S: ([^,{}\n]{1,200})(?=,\})/y],
  ['members{value:', /MemberS\{Value: ?\\{0,3}"([^"\\\n]{1,200})/y],
  // Sequelize
  ["value: '", /(?<=violation', path: '\w{1,60}', )value: '([^'\n]{1,300})(?=')/y],
  ...'cn uid sn givenname mail samaccountname userprincipalname displayname employeeid'
    .split(' ')
    .map((name): Pattern => [`(${name}=`, build(`\\(${name}=([^()*\\n=]{1,200})(?=\\*?\\))`, 'iy')]),
  [
    '.where(',
    /\.where\(\s?["'][\w.]{1,80}["'], ?["'](?:[=!<>]{1,2}=?|in|not-in|array-contains(?:-any)?)["'], ?["']([^"'\n]{1,300})(?=["'])/y,
  ],
];

const RECORD = /#<[A-Z][\w:]{0,60} id: \d{1,18}, (?=[a-z_]\w{0,60}: )/y;
const DATE = /^\d{4}-\d\d-\d\d/;

/** A record as Ruby prints it: `#<Staff id: 9, name: "…">`. */
const detectRecord: Detector = (page, start) => {
  const { text } = page;
  if (start < page.covered || start < page.queryDone || !matchAt(RECORD, text, start)) {
    return;
  }
  const from = RECORD.lastIndex;
  const end = Math.min(nextOf(page, '>', from), nextOf(page, '\n', from), from + LONGEST);
  page.queryDone = end;
  for (const { 0: whole, 2: value = '', index } of text.slice(from, end).matchAll(QUOTED)) {
    const at = from + index + whole.indexOf(value);
    if (!DATE.test(value)) {
      mark(page, at, at + value.length, 'sql-literal', 'sql', STRUCTURE);
    }
  }
};

/** Laravel puts what was bound into the statement without quotes. */
const LARAVEL = /SQL: (?:insert|update|delete|select|replace)/y;
const COMPARED = /[`"\]] (?:=|<>|!=|>|<|like) /gi;
const VALUE_END = /,? [`"]| where | and | or | limit | order |\)|$/i;
const KEYWORD = /^(?:[\d.\s?'"`(]|(?:null|true|false|now|select|current_timestamp)$)/i;

const detectLaravel: Detector = (page, start) => {
  const { text } = page;
  const before = text.slice(Math.max(0, start - NEAR), start);
  const isAside = before.lastIndexOf('(') > Math.max(before.lastIndexOf(')'), before.lastIndexOf('\n'));
  if (start < page.covered || !isAside || !matchAt(LARAVEL, text, start)) {
    return;
  }
  const from = start + 'SQL: '.length;
  const end = Math.min(nextOf(page, '\n', from), nextOf(page, '\\n', from), from + LONGEST);
  const statement = text.slice(from, end);
  const found = [...statement.matchAll(COMPARED)].map(({ 0: whole, index }): [number, string] => {
    const at = index + whole.length;
    const rest = statement.slice(at, at + 200);
    return [at, rest.slice(0, rest.search(VALUE_END))];
  });
  const list = statement.search(/ values \(/i);
  let at = list < 0 ? statement.length : list + ' values ('.length;
  for (const value of statement.slice(at).split(/[),]/)) {
    const indent = value.length - value.trimStart().length;
    found.push([at + indent, value.trim()]);
    at += value.length + 1;
  }
  for (const [place, value] of found) {
    if (value !== '' && !KEYWORD.test(value)) {
      mark(page, from + place, from + place + value.length, 'sql-literal', 'sql', STRUCTURE);
    }
  }
};

/** Triggers for these queries. */
export function otherQueryTriggers(): Trigger[] {
  return [
    ...HEADS.flatMap((head) => {
      const detector = headDetector(head);
      return head.words.map((word): Trigger => [word, detector]);
    }),
    ...['g.v(', 'g.e(', 'g.addv(', 'g.adde('].map((word): Trigger => [word, detectGremlin]),
    ...REDIS_WRITES.map((word): Trigger => [`${word} `, detectRedis]),
    ['#<', detectRecord],
    ['sql: ', detectLaravel],
    ['args: [', detectArguments],
    ['with args beginning', detectArguments],
    ...patternTriggers({ rule: 'sql-literal', class: 'sql', accepts: () => true }, VALUES),
  ];
}
