/** The phrase layer: which families a scanned text speaks. */
import type { Kind } from '../kinds.ts';
import { UNSPACED } from './languages.ts';
import { END, GAP, lexicon, type Rule } from './lexicon.ts';
import { isSpawn, type Look, lookAtCrash, lookAtJson, namesEnvironment } from './looks.ts';
import type { Scan } from './scan.ts';
import { reasonWord, statusKind, statusWeight } from './status.ts';
import type { Finding } from './verdict.ts';

const GAP_WORDS = 6;
/** After so many words a text explains, lists and advises; what it says there weighs less. */
const FAR = 40;
const FAR_COST = 12;

/** Finds statuses and phrases; stronger ones first is not promised. */
export function findAll(text: string, scan: Scan): Finding[] {
  const findings: Finding[] = [];
  for (const at of scan.numbers) {
    const finding = statusAt(text, scan, at);
    if (finding !== undefined) findings.push(finding);
  }
  phrases(text, scan, findings);
  if (scan.unspaced) unspaced(text, findings);
  return findings;
}

/** Keeps the best hit of each kind: a text that says a thing five times says it once. */
function phrases(text: string, scan: Scan, findings: Finding[]): void {
  const { starts, classes } = lexicon();
  const { ids, count } = scan;
  const hits: { rule: Rule; weight: number; at: number; end: number }[] = [];
  for (let at = 0; at < count; at++) {
    const id = ids[at] as number;
    if (id <= 0) continue;
    const rules = starts[id];
    if (rules === undefined) continue;
    for (const rule of rules) {
      const cost = at > FAR ? FAR_COST : 0;
      const weight = rule.weight + longer(rule.slots) - cost;
      const known = hits.find((hit) => hit.rule.kind === rule.kind && hit.rule.subject === rule.subject);
      if (known !== undefined && known.weight >= weight) continue;
      const end = matchAt(rule.slots, ids, at, count, classes);
      if (end < 0) continue;
      if (known === undefined) hits.push({ rule, weight, at, end });
      else Object.assign(known, { rule, weight, at, end });
    }
  }
  for (const hit of hits) {
    const finding = toFinding(text, scan, hit.rule, hit.weight, hit.at, hit.end);
    if (finding !== undefined) findings.push(finding);
  }
}

/** The position after the last word of a match, or -1. */
function matchAt(
  slots: readonly number[],
  ids: Int32Array,
  start: number,
  count: number,
  classes: readonly number[],
): number {
  let at = start + 1;
  for (let slot = 1; slot < slots.length; slot++) {
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
      if (id === wanted || (wanted < 0 && id > 0 && ((classes[id] as number) & (1 << (-10 - wanted))) !== 0))
        break;
      if (reach-- === 0) return -1;
    }
  }
  return at;
}

/** Of two phrases at one place, the longer knows more: "method not allowed" is not "not allowed". */
function longer(slots: readonly number[]): number {
  return slots.length > 2 ? Math.min(6, (slots.length - 2) * 2) : 0;
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
): Finding | undefined {
  const says = quote(text, scan.from[at] as number, scan.to[end - 1] as number);
  const cost = weight - rule.weight;
  let { kind } = rule;
  let look: Look | undefined;
  if (kind === '@json') look = lookAtJson(text);
  else if (kind === '@crash') look = lookAtCrash(text);
  else if (kind === '@env') {
    if (!scan.env || !namesEnvironment(text)) return undefined;
    look = { kind: 'misconfigured', weight: 86 };
  } else if (says === '"ENOENT"' && isSpawn(text)) look = { kind: 'misconfigured', weight: 93 };
  if (look !== undefined) {
    kind = look.kind;
    return { by: 'phrase', kind, weight: look.weight + cost, says, never: look.never };
  }
  return {
    by: 'phrase',
    kind: kind as Kind,
    weight,
    says,
    never: rule.never || undefined,
    subject: rule.subject === undefined ? undefined : { type: rule.subject },
  };
}

const STATUS_BEFORE =
  /(?:status(?:[ _-]?code|text)?|code|http(?:\/\d(?:\.\d)?)?|error|errors?|response|returned|failed|failure|with|got|answered|responded|api)["'\s:=#([!-]{0,5}$/i;
const COUNTED_AFTER =
  /^[\s-]{0,2}(?:ms\b|sec|min\b|minutes|hours|days|char|items?\b|rows?\b|bytes?\b|kb\b|mb\b|results?\b|entries|tokens?\b|words?\b|px\b|records?\b|%|points|requests?\b per)/i;
const ALONE_BEFORE = /(?:^|[([\n])\s{0,4}$/;
const CLOSED_AFTER = /^(?:[\])]|:|\s{0,2}$|\s{0,2}[-–—]\s)/;

/** A number is a status when its neighbours say so. */
function statusAt(text: string, scan: Scan, at: number): Finding | undefined {
  const from = scan.from[at] as number;
  const status = Number(text.slice(from, from + 3));
  const before = text.slice(Math.max(0, from - 24), from);
  const after = text.slice(from + 3, from + 30);
  if (COUNTED_AFTER.test(after)) return undefined;
  const reason = reasonWord(status);
  const named = reason !== '' && after.trimStart().toLowerCase().startsWith(reason);
  const told = STATUS_BEFORE.test(before);
  const alone = ALONE_BEFORE.test(before) && CLOSED_AFTER.test(after);
  if (!named && !told && !alone) return undefined;
  const kind = statusKind(status);
  if (kind === undefined) return undefined;
  const weight =
    statusWeight(status) + (named && told ? 3 : 0) - (told || named ? 0 : 6) - (at > FAR ? 6 : 0);
  return { by: 'status', kind, weight, says: `HTTP status ${status}`, status };
}

function unspaced(text: string, findings: Finding[]): void {
  for (const line of UNSPACED) {
    const colon = line.indexOf(': ');
    const [name = '', weight] = line.slice(0, colon).split(' ');
    const hit = line
      .slice(colon + 2)
      .split('|')
      .find((phrase) => text.includes(phrase));
    if (hit === undefined) continue;
    const [kind, type] = name.split('/');
    findings.push({
      by: 'phrase',
      kind: kind as Kind,
      weight: Number(weight),
      says: `"${hit}"`,
      subject: type === undefined ? undefined : { type },
    });
  }
}
