/** The phrase layer: which families a scanned text speaks. */
import type { Subject } from '../fault.ts';
import type { Kind } from '../kinds.ts';
import { END, GAP, type Lexicon, type Rule, type Start } from './lexicon.ts';
import type { Look } from './looks.ts';
import type { Scan } from './scan.ts';
import { statusKind, statusWeight } from './status.ts';
import type { Finding } from './verdict.ts';

const GAP_WORDS = 6;
/** After so many words a text explains, lists and advises; what it says there weighs less. */
const FAR = 40;
const FAR_COST = 12;
/** What a phrase weighs that only says how a status came. */
const CARRIER = 60;

/** How phrases are found. */
export interface PhraseParts {
  readonly lexicon: () => Lexicon;
  /** What a phrase means whose family begins with `@`, and the ENOENT of a program that was started (`@spawn`): a look at the text decides. */
  readonly lookAt?: (kind: string, text: string, says: string, scan: Scan) => Look | undefined;
  /** Finds the phrases of languages without blanks between words. */
  readonly findUnspaced?: (text: string, findings: Finding[]) => void;
}

/** Finds statuses and phrases; stronger ones first is not promised. */
export function findAll(text: string, scan: Scan, parts: PhraseParts, findings: Finding[] = []): Finding[] {
  const before = findings.length;
  for (const at of scan.numbers) {
    const status = statusAt(text, scan, at);
    if (status !== undefined) findings.push(status);
  }
  const hasStatus = findings.length > before;
  phrases(text, scan, parts, findings, hasStatus);
  if (scan.unspaced) parts.findUnspaced?.(text, findings);
  return findings;
}

/** The strongest hit of each group: a text that says a thing five times says it once. */
const best: { rule: Rule | undefined; weight: number; at: number; end: number }[] = [];
const touched: number[] = [];
let touchedCount = 0;

function phrases(
  text: string,
  scan: Scan,
  parts: PhraseParts,
  findings: Finding[],
  hasStatus: boolean,
): void {
  const words = parts.lexicon();
  const { starts, classes, classStarts, groups } = words;
  while (best.length < groups) best.push({ rule: undefined, weight: 0, at: 0, end: 0 });
  const { ids, count } = scan;
  matched = text;
  places = scan;
  touchedCount = 0;
  for (let at = 0; at < count; at++) {
    const id = ids[at] as number;
    if (id <= 0) continue;
    const start = starts[id];
    if (start !== undefined) startAt(start, words, ids, at, count);
    const slots = classes[id] as readonly number[];
    for (let one = 0; one < slots.length; one++) {
      const any = classStarts.get(slots[one] as number);
      if (any !== undefined) startAt(any, words, ids, at, count);
    }
  }
  for (let one = 0; one < touchedCount; one++) {
    const hit = best[touched[one] as number] as (typeof best)[number];
    const rule = hit.rule as Rule;
    const said = toFinding(text, scan, rule, hit.weight, hit.at, hit.end, parts.lookAt);
    hit.rule = undefined;
    if (said === undefined) continue;
    // That fetching failed is how the status came.
    const isCarrier = hasStatus && rule.carrier && said.weight > CARRIER;
    findings.push(isCarrier ? { ...said, weight: CARRIER } : said);
  }
}

/** Tries the phrases that start with the word at a place. */
function startAt(start: Start, words: Lexicon, ids: Int32Array, at: number, count: number): void {
  const { next, far, alone } = start;
  for (let one = 0; one < alone.length; one++) keep(alone[one] as Rule, at, at + 1);
  if (at + 1 >= count || ids[at + 1] === END) return;
  if (next !== undefined) tryFiled(next, 2, words, ids, at, at + 1, count);
  if (far === undefined) return;
  const reach = Math.min(count, at + 2 + GAP_WORDS);
  for (let then = at + 1; then < reach && ids[then] !== END; then++)
    tryFiled(far, 3, words, ids, at, then, count);
}

/** Tries the phrases that go on with the word at `then`, or with a class of it. */
function tryFiled(
  filed: ReadonlyMap<number, readonly Rule[]>,
  slot: number,
  { classes }: Lexicon,
  ids: Int32Array,
  at: number,
  then: number,
  count: number,
): void {
  const id = ids[then] as number;
  if (id <= 0) return;
  const rules = filed.get(id);
  if (rules !== undefined) tryAll(rules, slot, ids, at, then + 1, count, classes);
  const slots = classes[id] as readonly number[];
  for (let one = 0; one < slots.length; one++) {
    const any = filed.get(slots[one] as number);
    if (any !== undefined) tryAll(any, slot, ids, at, then + 1, count, classes);
  }
}

function tryAll(
  rules: readonly Rule[],
  slot: number,
  ids: Int32Array,
  at: number,
  from: number,
  count: number,
  classes: Lexicon['classes'],
): void {
  for (const rule of rules) {
    const end = rule.slots.length === slot ? from : matchRest(rule.slots, slot, ids, from, count, classes);
    if (end > 0 && !(rule.strict && isDivided(at, end))) keep(rule, at, end);
  }
}

/** What is matched, where its words stand. */
let matched = '';
let places: Scan | undefined;

/** Is there a colon between the first and the last word of a match? */
function isDivided(at: number, end: number): boolean {
  const { from, to } = places as Scan;
  return /:\s/.test(matched.slice(from[at], to[end - 1]));
}

function keep(rule: Rule, at: number, end: number): void {
  const weight = at > FAR ? rule.weight - FAR_COST : rule.weight;
  const hit = best[rule.group] as (typeof best)[number];
  if (hit.rule === undefined) touched[touchedCount++] = rule.group;
  else if (hit.weight >= weight) return;
  hit.rule = rule;
  hit.weight = weight;
  hit.at = at;
  hit.end = end;
}

/** The position after the last word of a match whose first slots are matched, or -1. */
function matchRest(
  slots: readonly number[],
  from: number,
  ids: Int32Array,
  start: number,
  count: number,
  classes: Lexicon['classes'],
): number {
  let at = start;
  for (let slot = from; slot < slots.length; slot++) {
    let wanted = slots[slot] as number;
    let reach = 0;
    if (wanted === GAP) {
      wanted = slots[++slot] as number;
      reach = GAP_WORDS;
    }
    for (;;) {
      if (at >= count) return -1;
      const id = ids[at] as number;
      if (id === END) return -1;
      at++;
      if (id === wanted || (wanted < 0 && id > 0 && (classes[id] as readonly number[]).includes(wanted)))
        break;
      if (reach-- === 0) return -1;
    }
  }
  return at;
}

function quote(text: string, from: number, to: number): string {
  return `"${text.slice(from, Math.min(to, from + 80))}"`;
}

function toFinding(
  text: string,
  scan: Scan,
  rule: Rule,
  weight: number,
  at: number,
  end: number,
  lookAt: PhraseParts['lookAt'],
): Finding | undefined {
  const { kind } = rule;
  const says = quote(text, scan.from[at] as number, scan.to[end - 1] as number);
  if (kind === 'invalid_arguments' && EXPECTED_SUCCESS.test(says)) return undefined;
  const cost = weight - rule.weight;
  const isLook = kind.startsWith('@');
  // A part of a longer name: `MongoServerError` is any error of that server.
  if (says === '"ServerError"' && /\w/.test(text[(scan.from[at] as number) - 1] ?? '')) return undefined;
  const look =
    isLook || says === '"ENOENT"' ? lookAt?.(isLook ? kind : '@spawn', text, says, scan) : undefined;
  if (look !== undefined) return finding('phrase', look.kind, look.weight + cost, says, look.never);
  if (isLook) return undefined;
  const subject = rule.subject === undefined ? undefined : { type: rule.subject };
  return finding('phrase', kind as Kind, weight, says, rule.never || undefined, subject);
}

/** What was expected is no argument, but that it went well: "expected 200, got 503". */
const EXPECTED_SUCCESS = /expected\W+(?:(?:a|an|http|status|code|response)\W+){0,3}2(?:\d\d|xx)\b/i;

/** One shape for all findings, so that what reads them stays fast. */
export function finding(
  by: string,
  kind: Kind,
  weight: number,
  says: string,
  never?: boolean,
  subject?: Subject,
  status?: number,
): Finding {
  return { by, kind, weight, says, never, subject, status };
}

/** Words before a status: who said it, or how. Also at the end of a longer name: `AxiosError`, `response_status`. */
const TELLING =
  /(?:status(?:text|code)?|code|http|err(?:or)?s?|response|returned|returns|received|failed|failure|with|got|answered|responded|replied|said|says|api|exception|upstream|backend|gateway|non-(?:2xx|200)|http\/\d(?:\.\d)?|uncaught|unexpected|rc|gave|gives|状态码?|狀態碼?|错误码?|錯誤碼?|ステータス(?:コード)?|エラー(?:コード)?|상태(?: ?코드)?|오류(?: ?코드)?|estado|statut|статус|fehler|fout|erreur|ошибка)$/i;
/** The same in two words. */
const TELLING_PAIR =
  /(?:status|code|response) (?:is|was|of)$|due to$|because of$|caused by$|err(?:or)? (?:no\.?|number)$|(?:gave|sent) (?:back|me|us)$/i;
const BETWEEN = '"\' \n\t\r:=([!–—,_-*：';
/** How most of them are told: by words that no number of something else follows. */
const TOLD_AT_ONCE = /(?:code|status|http|error):? $/i;
const ARTICLE = /\s{1,2}an?$/i;

/** Does what stands before a number say that it is a status? */
function isTold(before: string): boolean {
  let end = before.length;
  while (end > 0 && before.length - end < 5 && BETWEEN.includes(before.charAt(end - 1))) end--;
  let said = before.slice(Math.max(0, end - 25), end);
  const article = ARTICLE.exec(said);
  if (article !== null) said = said.slice(0, article.index);
  if (said.endsWith('->') || said.endsWith('→')) return true;
  return TELLING.test(said.slice(-16)) || TELLING_PAIR.test(said);
}

/** Where a request went, before what came of it. */
const REQUESTED = /(?:^|\s)(?:[A-Z]{3,7} )?(?:https?:\/)?\/\S{0,90} $/;
/** The page of a failing status names it in its title. */
const TITLED = /<(?:title|h1)>\s{0,4}$/i;
const COUNTED_AFTER =
  /^[\s-]{0,2}(?:ms\b|sec|min\b|minutes|hours|days|char|items?\b|rows?\b|bytes?\b|kb\b|mb\b|results?\b|entries|tokens?\b|words?\b|px\b|records?\b|%|points|requests?\b per)/i;
/** Verbs that are followed by as many things as by a status. */
const COUNTING =
  /(?:returned|returns|received|gave|gives|got|with|failed|uncaught|unexpected)(?: back| me| us)?(?: an?)? $/i;
const COUNTED_THING =
  /^ (?!errors?\b|status|response|http|code|from|when|while|for|on|and|but|instead|after|at|by|in\b|as|because|with|unknown|is\b|was\b|-)[a-z]/;
const ALONE_BEFORE =
  /(?:^|[([\n]|(?::|[–—→|]|[-=]>|\p{Extended_Pictographic}\uFE0F?) )\s{0,4}$|(?:[Ee]rror|[Ff]ail(?:ed|ure)|[Uu]nable|not)\b[^\n\d]{0,90} - $/u;
/** What has a number of its own, or is one. */
const NUMBERED =
  /\b(?:(?:line|row|page|room|order|item|index|chapter|user) |(?:ports?|limit|max|maximum|size|count|total|ids?|(?<!err )(?<!error )number|offset|quantity|amount|price|width|height|length|year|value|position)["'`]?(?:: ?|=| ))$/i;
const CLOSED_AFTER = /^(?:[\])]|:|[.!]?\s{0,2}$|\s{0,2}[-–—](?:\s|$)|\/[45]\d\d\b| \(| \||\s?\{)/;
const NAMED_AFTER =
  /^ (?:[A-Z][a-z]|OK\b|(?:unknown |http )?error\b|ERROR\b|response\b|status\b|http\b|from (?:the )?(?:server|api|API|upstream|backend)\b)/;
/** What a status is called, in whatever letters: behind a number of something else it says how that is. */
const CALLED_AFTER =
  /^ (?:bad request|unauthori[sz]ed|forbidden|not found|conflict|too many requests|internal (?:server )?error|bad gateway|(?:service |temporarily )?unavailable|gateway time-?out)\b/i;

function isCount(before: string, after: string): boolean {
  return COUNTED_AFTER.test(after) || (COUNTED_THING.test(after) && COUNTING.test(before));
}

/** A number is a status when its neighbours say so. */
function statusAt(text: string, scan: Scan, at: number): Finding | undefined {
  const from = scan.from[at] as number;
  const status = Number(text.slice(from, from + 3));
  const before = text.slice(Math.max(0, from - 100), from);
  const after = text.slice(from + 3, from + 30);
  const isToldAtOnce = TOLD_AT_ONCE.test(before.slice(-8));
  if (!isToldAtOnce && NUMBERED.test(before.slice(-16))) return undefined;
  if (after !== '' && isCount(before, after)) return undefined;
  const isAlone = ALONE_BEFORE.test(before);
  const named = after !== '' && (NAMED_AFTER.test(after) || (isAlone && CALLED_AFTER.test(after)));
  const told =
    isToldAtOnce || isTold(before) || TITLED.test(before) || (before.includes('/') && REQUESTED.test(before));
  if (!named && !told && !(isAlone && CLOSED_AFTER.test(after))) return undefined;
  const kind = statusKind(status);
  if (kind === undefined) return undefined;
  const weight =
    statusWeight(status) + (named && told ? 3 : 0) - (told || named ? 0 : 6) - (at > FAR ? 6 : 0);
  return finding('status', kind, weight, `HTTP status ${status}`, undefined, undefined, status);
}
