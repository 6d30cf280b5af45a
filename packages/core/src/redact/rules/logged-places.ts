/**
 * Places of code in the head of a log's line, as loggers print them: `09:00:01 ERROR [ledger] close.py:58 - …`,
 * `E1118 09:00:01.120301 1 close.go:58] …`, `| ERROR | ledger.close:run:58 - …`. A line that says when and how grave was
 * written by a program about itself; a linter says neither.
 */
import { BLOCK, type Detector, mark, matchAt } from '../page.ts';
import { nextOf } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';

const LEVELS =
  'TRACE|DEBUG|INFO|NOTICE|SUCCESS|WARN(?:ING)?|WRN|ERR(?:OR?)?|EROR|CRIT(?:ICAL)?|FATAL|SEVERE|D?PANIC|ALERT|EMERG';
const LEVEL = build(`(?:^|[^\\w-])(?:${LEVELS}|(?<=\\[)[Ee]rror(?=\\]))(?![\\w-])`, 'g');
const FIRST_LEVEL = build(`^[^\\w\\n]{0,12}(?:${LEVELS})(?![\\w-])`, '');
const LEVEL_BEHIND = build(`^[\\]})|\\s]{1,4}(?:${LEVELS})(?![\\w-])`, '');
const TIME = /\d{1,2}:\d\d(?::\d\d)?(?:[.,:]\d{1,9})?(?: ?[AP]M)?/g;
/** The level as one letter beside the time: that of Google's loggers, and of one for Ruby. */
const LETTER = /(?:^|\s|\\n)[IWEFDCVT](?:\d{4}|\d{6}|\d{8}) \d\d:\d\d:\d\d|\d\d:\d\d:\d\d\.\d{1,9} [EWIDFT] /;
const BREAK = /\n|\\n/;
/** So many words stand between what tells a log and the place; what is said there is no sentence. */
const MOST_WORDS = 7;
const WORD = /^[A-Za-z]{2,}[:,]?$/;
const NO_HEAD = /["'!?=]|[.;,]$/;

/** Where the last match of an expression ends, -1 without one. */
function lastEnd(pattern: RegExp, text: string): number {
  let end = -1;
  for (const { 0: whole, index } of text.matchAll(pattern)) end = index + whole.length;
  return end;
}

/** Are these the names, numbers and signs that loggers print before a place, and no sentence? */
function isHead(between: string, mostWords: number): boolean {
  const words = between.split(/[\s|]+/).filter((word) => word !== '');
  return (
    words.length <= MOST_WORDS &&
    !words.some((word) => NO_HEAD.test(word)) &&
    words.filter((word) => WORD.test(word)).length <= mostWords
  );
}

/** Whether a place is in the head of a log's line, by what stands before it and behind. */
export function isInLogHead(before: string, after: string): boolean {
  const line = before.split(BREAK).at(-1) ?? '';
  const time = lastEnd(TIME, line);
  const level = lastEnd(LEVEL, line);
  if (time < 0) {
    return FIRST_LEVEL.test(line) && isHead(line.slice(level), 0);
  }
  return (
    (level >= 0 || LETTER.test(line) || LEVEL_BEHIND.test(after) || isHead(line.slice(time), -1)) &&
    isHead(line.slice(Math.max(time, level)), 1)
  );
}

/** Whether it ends such a line, in a column of its own. */
export function isInLogMargin(before: string, after: string): boolean {
  const line = before.split(BREAK).at(-1) ?? '';
  return /\s{3}$/.test(line) && /^\s{0,8}(?:$|\n|\\n)/.test(after) && LEVEL_AHEAD.test(line);
}
const LEVEL_AHEAD = build(`^(?:\\[?[\\d:/. -]{5,24}\\]?)?\\s{0,20}(?:${LEVELS})\\s`, '');

const NOT_CALLED =
  '(?! (?:is|are|was|has|have|must|should|cannot|can|may|not|missing|required|does|of|in|=)(?!\\w))';
/** The function there, behind the place: `:run_month:`, `(run_month)`, `main.run()`, `run_month`. */
const FUNCTION_BEHIND = build(
  `:[a-z_]\\w{1,60}(?=:)|[ \\t]\\([a-z_]\\w{1,60}\\)|[ \\t](?:[\\w.$]{1,80}\\(\\)|\\w{1,40}(?:::\\w{1,60}){1,6}|[a-z]{2,30}(?:_[a-z\\d]{2,30}){1,6}(?<!_id)${NOT_CALLED}|[a-z]{2,30}(?:[A-Z][a-z]{1,30}){1,6}(?<!Id)${NOT_CALLED})(?=[\\s\\])]|$)`,
  'y',
);

/** The length of the function's name beside a place, before it and behind. */
export function functionsBeside(
  text: string,
  from: number,
  end: number,
): readonly [before: number, behind: number] {
  const word =
    text
      .slice(Math.max(0, from - 90), from)
      .split(/[ \t]/)
      .at(-2) ?? '';
  const before = /^[A-Za-z_][\w.$]{0,80}\(\)$/.test(word) ? word.length + 1 : 0;
  return [before, matchAt(FUNCTION_BEHIND, text, end)?.[0].length ?? 0];
}

const NEAR = 60;
const LONGEST = 200;
/** `CloseJob:58`, `c.a.CloseJob.run:58`, `CloseJob#run:58`, `MapStore.load():61`, `ledger.close:run_month:58`. */
const NAMED = /^[([]?((?:[\w$<>]{1,60}[.#:]){0,9}[\w$<>]{1,80}(?:\(\))?:\d{1,6})[)\]]?$/;
const OF_CODE = /(?:^|[.#:$])[A-Z][\w$]*[a-z]|[a-z]_[a-z]|[<$#]/;
const SIGN = /^(?:-{1,3}|[:|>»]|>>)$/;

/** A line's number at the end of a word. */
const LINED = /:\d{1,6}[)\]]?(?:\s|$)/;

/** A class or a function and a line, behind the level of a log that says its time. */
const detectNamed: Detector = (page, start) => {
  const { text } = page;
  const first = text.charCodeAt(start);
  // Most of these words stand in sentences, in small letters.
  if (first < 65 || first > 90 || start < page.covered || /[\w.-]/.test(text[start - 1] ?? '')) {
    return;
  }
  // A first look: a number behind a colon, in the same line.
  const colon = nextOf(page, ':', start);
  if (colon - start > LONGEST || colon > nextOf(page, '\n', start)) {
    return;
  }
  const line = text.slice(start, start + LONGEST).split(BREAK)[0] ?? '';
  if (!LINED.test(line)) {
    return;
  }
  const words = [...line.matchAll(/\S+/g)];
  const hasTime = (part: string): boolean => part.search(TIME) >= 0;
  const isTimed = hasTime(text.slice(Math.max(0, start - NEAR), start)) || hasTime(line.slice(0, NEAR));
  for (let i = 1; i < Math.min(words.length, MOST_WORDS) && isTimed; i++) {
    const { 0: word = '', index = 0 } = words[i] ?? {};
    const name = NAMED.exec(word)?.[1];
    const next = words[i + 1]?.[0] ?? '';
    if (name !== undefined && isPlace(name, word, words[i - 1]?.[0] ?? '', next)) {
      const from = start + index + word.indexOf(name);
      mark(page, from, from + name.length, 'stack', 'stack', BLOCK);
      return;
    }
    if (WORD.test(word) || NO_HEAD.test(word)) {
      return;
    }
  }
};

/** `close.run_month:58`: no name of a machine has such a part. */
function isFunction(name: string): boolean {
  const last = name.split(/[.#:]/).at(-2) ?? '';
  return last.includes('_') && /^[a-z]\w{2,80}$/.test(last);
}

function isPlace(name: string, word: string, before: string, next: string): boolean {
  const isSet = SIGN.test(next) || word !== name;
  const parts = name.split(/[.#:]/).length - 1;
  // `Redis:6379` is a machine and its port.
  const isCode = OF_CODE.test(name) && (parts > 1 || name.search(/:\d{1,3}$/) > 0);
  const isOfModule = before === '|' && /^[\w.]+:[\w.<>]+:\d+$/.test(name);
  return (isSet && (isCode || isOfModule)) || (parts > 1 && isFunction(name));
}

/** Places by the form of one logger. */
const PLACES: readonly Pattern[] = [
  // Tornado
  ...['e', 'w', 'i', 'd', 'c'].map(
    (level): Pattern => [`[${level} 0`, /\[[EWIDC] \d{6} \d\d:\d\d:\d\d ([\w.]{1,60}:\d{1,6})(?=\])/y],
  ),
  // Lager
  ['>@', />@([a-z]\w{0,60}:[a-z]\w{0,60}:\d{1,6})(?!\w)/y],
  // Java's own
  ...['am', 'pm'].map(
    (half): Pattern => [
      `:00 ${half} `,
      /:\d\d [AP]M ((?:[a-z]\w{0,40}\.){1,8}[A-Z][\w$]{0,80} [a-z<][\w$<>]{0,80})(?=\r?\n|\\n)/y,
    ],
  ),
  // Logrus
  ['func=', /func=\\{0,3}"?([\w./*()$-]{3,160})(?=\\{0,3}"? file=)/y],
  ['file=', /(?<= func=\S{3,160} )file=\\{0,3}"?([^\s"\\]{1,200}:\d{1,7})(?!\w)/y],
  ['file=', /(?<=tid=\d{1,9} )file=([^\s"\\]{1,200}\.nim:\d{1,7})(?!\w)/y],
  // Haskell's monad-logger
  ['@(', /@\(([\w.-]{1,60}:[\w.]{1,80} [^\s()]{1,200}\.hs:\d{1,7}:\d{1,7})(?=\))/y],
];

/** Triggers for places in the heads of logs. */
export function loggedPlaceTriggers(): Trigger[] {
  const levels = 'error,warn,info,debug,fatal,critical,severe,err],err ,notice,success,trace'.split(',');
  return [
    ...levels.map((level) => [level, detectNamed] as const),
    ...patternTriggers({ rule: 'stack', class: 'stack', weight: BLOCK, accepts: () => true }, PLACES),
  ];
}
