/** Reads a text or a body that follows no dialect, layer by layer. */
import type { Issue } from '../fault.ts';
import { allowsIssues } from '../http-status.ts';
import { isRetryable, type Kind, TRAITS } from '../kinds.ts';
import { type BodyFacts, gatherBody } from './body.ts';
import { type Cause, causeIn } from './cause.ts';
import { findJson, unslash } from './json-in-text.ts';
import { findAll, type PhraseParts } from './match.ts';
import { clip, scanText } from './scan.ts';
import { isFailureStatus, statusKind, statusWeight } from './status.ts';
import type { ProseContext, ProseReading } from './types.ts';
import { decide, type Finding, PLAIN, ranked, toReading, type Verdict } from './verdict.ts';
import { waitIn } from './waits.ts';

/** What a reader is made of: its phrases, and the looks beside them, of which any may be absent. */
export interface ProseParts extends PhraseParts {
  /** The same text with the names blotted out that its sentences are about, and the kind that they say of those. */
  readonly predicateOf?: (text: string) => { readonly text: string; readonly kind: Kind | undefined };
  /** Is it a field, and what is wrong with it? */
  readonly isComplaint?: (text: string) => boolean;
  /** Does what is not ready become so by itself? */
  readonly passesWithTime?: (text: string) => boolean;
  /** Adds what looks at the whole of a text find. */
  readonly lookAtAll?: (text: string, findings: Finding[], context: ProseContext) => void;
  /** The issues that a text names. */
  readonly issuesIn?: (text: string) => readonly Issue[];
  /** What decided, with the thing that it is about; `said`: the sentences that tell of it. */
  readonly withSubject?: (
    verdict: Verdict,
    text: string,
    context: ProseContext,
    said: readonly string[],
  ) => Finding;
}

/** A body inside a text inside a body …: far enough. */
const NESTING = 4;
/** Up to here a word only leans to a kind: a second look goes inside the quotes. */
const WEAK = 50;
const QUOTED_COST = 6;
/** What is said of a thing with a name. */
const SAID = 88;

interface Read {
  readonly findings: Finding[];
  readonly body: BodyFacts | undefined;
  readonly code: number | undefined;
  /** What is said, in a body and around it, without what else a body holds. */
  readonly said: readonly string[];
}

/** Our own word about whether it happened stands beside every kind, and tells none. */
const OUR_CAUTION = /\s?\bIt may have happened; (?:check|look at the state) before you repeat a change\b/g;

function scanAll(parts: ProseParts, text: string, findings: Finding[]): number | undefined {
  const clipped = clip(text);
  const head = clipped.includes('It may have happened') ? clipped.replace(OUR_CAUTION, '') : clipped;
  const words = parts.lexicon();
  const predicate = parts.predicateOf?.(head) ?? { text: head, kind: undefined };
  const before = findings.length;
  const cause = causeIn(predicate.text);
  let scan = scanText(cause?.text ?? predicate.text, false, words);
  findAll(head, scan, parts, findings);
  const isExplained = cause !== undefined && explains(findings.slice(before), cause);
  if (cause !== undefined && !isExplained) {
    findings.length = before;
    scan = scanText(predicate.text, false, words);
    findAll(head, scan, parts, findings);
  }
  const { code, markup } = scan;
  if (markup && PAGE.test(head)) page(findings, before);
  if (parts.isComplaint?.(head) === true)
    findings.push({ by: 'phrase', kind: 'invalid_arguments', weight: COMPLAINED, says: head.slice(0, 80) });
  // What was looked for was not found, because of something else.
  if (predicate.kind !== undefined && !isExplained)
    findings.push({ by: 'phrase', kind: predicate.kind, weight: SAID, says: head.slice(0, 80) });
  let strongest = 0;
  for (let at = before; at < findings.length; at++)
    strongest = Math.max(strongest, (findings[at] as Finding).weight);
  if (strongest < WEAK && MAY_NOT.test(head))
    findings.push({ by: 'phrase', kind: 'forbidden', weight: REFUSED, says: head.slice(0, 80) });
  else if (strongest < WEAK && /["'`\u201c]/.test(head)) {
    for (const finding of findAll(head, scanText(predicate.text, true, words), parts))
      findings.push({ ...finding, weight: finding.weight - QUOTED_COST });
  }
  if (findings.some(isStep) && parts.passesWithTime?.(head) === true) withoutSteps(findings, before);
  return code;
}

/** Where time alone is needed, no step is missing. */
function withoutSteps(findings: Finding[], from: number): void {
  for (let at = from; at < findings.length; at++) {
    const finding = findings[at] as Finding;
    if (isStep(finding)) findings[at] = { ...finding, never: undefined };
  }
}

/** Is it told as something that the caller has left out? */
function isStep({ kind, never }: Finding): boolean {
  return kind === 'not_ready' && never === true;
}

/** What somebody may not do to what is quoted: that is a name, and says nothing of why. */
const MAY_NOT =
  /\byou (?:cannot|can't|may not|must not|are not allowed to) (?:edit|delete|remove|rename|change|move|archive|share|update|modify|access|open)\b[^"'`\u201c]{0,60}["'`\u201c]|["'`\u201d] (?:is|are) (?:protected|read-only)\b/i;
const REFUSED = 72;

/** A field, and what is wrong with it: a status of the server's own beside it is that of a framework. */
const COMPLAINED = 84;

/** Does what was found behind an attempt say why it failed? Then the attempt itself says nothing. */
function explains(found: readonly Finding[], { isPlain, isReason, isOfInput, text }: Cause): boolean {
  const best = decide(found)?.best;
  if (best === undefined || best.weight < PLAIN) return false;
  if (isPlain || isReason || found.some(({ by, kind }) => by === 'status' && kind === best.kind)) return true;
  if (isOfInput) return false;
  return isCrash(best, text) || isNobody(best) || isRetryable(TRAITS[best.kind].reaction);
}

/** Who is not known gets nothing, whatever it was. */
function isNobody({ kind, weight }: Finding): boolean {
  return kind === 'unauthenticated' && weight >= SAID;
}

/** A program that broke found nothing, whatever it looked for; one word alone is rather what it looked for. */
function isCrash({ kind }: Finding, cause: string): boolean {
  return kind === 'internal' && (/\S\s+\S/.test(cause) || /Error|Exception/.test(cause));
}

const PAGE = /<!doctype html|<html[\s>]/i;
const PAGE_COST = 10;
/** A page beside a status is how the status was said. */
const BESIDE_STATUS = 58;
const SURE = 95;

/** A web page in place of an answer: its status counts, its words are for people. */
function page(findings: Finding[], from: number): void {
  for (let at = from; at < findings.length; at++) {
    const finding = findings[at] as Finding;
    if (finding.by !== 'status' && finding.weight < SURE)
      findings[at] = { ...finding, weight: finding.weight - PAGE_COST };
  }
  const says = 'a web page in place of an answer';
  const isTold = findings.some((finding, at) => at >= from && finding.by === 'status');
  findings.push({
    by: 'page',
    kind: 'upstream_failed',
    weight: isTold ? BESIDE_STATUS : 84,
    never: true,
    says,
  });
}

function readAll(parts: ProseParts, text: string, depth: number): Read {
  const findings: Finding[] = [];
  if (depth > NESTING) return { findings, body: undefined, code: undefined, said: [text] };
  let said = text;
  let found = findJson(text);
  if (found === undefined && text.includes('\\"')) {
    const plain = unslash(text);
    found = plain === undefined ? undefined : findJson(plain);
    if (found !== undefined && plain !== undefined) said = plain;
  }
  if (found !== undefined) {
    const body = gatherBody(found.value, (inner, deeper) => readAll(parts, inner, deeper), depth);
    const around = `${said.slice(0, found.from)} ${said.slice(found.to)}`;
    const all = [...sentencesOf(body), around];
    if (body.findings.length > 0 || body.code !== undefined || body.hasVagueAdvice) {
      findings.push(...body.findings);
      const code = scanAll(parts, around, findings);
      return { findings, body, code: code ?? body.code, said: all };
    }
    const code = scanAll(parts, text, findings);
    return { findings, body: undefined, code, said: body.said.length > 0 ? all : [text] };
  }
  return { findings, body: undefined, code: scanAll(parts, text, findings), said: [text] };
}

/** What a body says, its message first. */
function sentencesOf({ message, said }: BodyFacts): readonly string[] {
  return message === undefined ? said : [message, ...said.filter((one) => one !== message)];
}

/** What a server says of itself when it says nothing. */
const OWN = /^\s{0,4}(?:mcp error -32603: )?internal (?:server )?error\W{0,4}$/i;

/** What the specification's codes say beside a text. The vague ones (-32603, -32000) say nothing. */
function fromCode(code: number | undefined, text: string): Finding | undefined {
  switch (code) {
    case -32700:
      return { by: 'code', kind: 'parse_error', weight: 96, says: 'code -32700' };
    case -32601:
      return {
        by: 'code',
        kind: 'unsupported',
        weight: 92,
        says: 'code -32601',
        subject: { type: 'method' },
      };
    case -32602:
      return { by: 'code', kind: 'invalid_arguments', weight: 64, says: 'code -32602' };
    case -32600:
      return { by: 'code', kind: 'invalid_request', weight: 54, says: 'code -32600' };
    case -32603:
      return OWN.test(text) ? { by: 'code', kind: 'internal', weight: 90, says: 'code -32603' } : undefined;
    default:
      return isFailureStatus(code) ? fromStatus(code, 'code') : undefined;
  }
}

function fromStatus(status: number, by: string): Finding | undefined {
  let kind = statusKind(status);
  let weight = statusWeight(status);
  if (by === 'status') {
    // Beside the wire, a status is the server's own word: 500 is its own failure, 400 its vaguest.
    if (status === 500) {
      kind = 'internal';
      weight = 90;
    } else if (status === 400) kind = 'invalid_request';
    else weight += 6;
  }
  if (kind === undefined) return undefined;
  return { by, kind, weight: status === 400 ? 52 : weight, says: `HTTP status ${status}`, status };
}

/** All that speaks for a kind: what was found, what the code and the status beside it say, what is left when nothing does. */
function weighAll(parts: ProseParts, text: string, read: Read, context: ProseContext): Finding[] {
  const findings = besideStatus(read.findings, context.status);
  const code = fromCode(context.code, text) ?? fromCode(read.code, text);
  if (code !== undefined) findings.push(code);
  const status = context.status === undefined ? undefined : fromStatus(context.status, 'status');
  if (status !== undefined) findings.push(status);
  const [said = text] = read.said;
  if (said !== text) parts.lookAtAll?.(said, findings, context);
  if (text !== '') parts.lookAtAll?.(text, findings, context);
  return findings.some(({ status: told }) => told === 403) ? findings.map(refused) : findings;
}

/** Who is "unauthorized" under 403 is known, and may not: under 401 nobody knows who it is. */
function refused(finding: Finding): Finding {
  return finding.kind === 'unauthenticated' && /\bunauthori[sz]ed\b/i.test(finding.says)
    ? { ...finding, kind: 'forbidden' }
    : finding;
}

function finish(
  parts: ProseParts,
  text: string,
  read: Read,
  context: ProseContext,
): ProseReading | undefined {
  const { body } = read;
  const verdict = decide(weighAll(parts, text, read, context));
  if (verdict === undefined) return undefined;
  const { kind } = verdict.best;
  let issues: readonly Issue[] = body?.issues ?? [];
  if (issues.length === 0 && OF_INPUT.has(kind))
    issues = firstOf(namingFields(text, read), (said) => parts.issuesIn?.(said) ?? []);
  const retries = isRetryable(TRAITS[kind].reaction);
  const best = parts.withSubject?.(verdict, text, context, read.said) ?? verdict.best;
  return toReading({ ...verdict, best }, {
    retryable: body?.retryable,
    afterMs: retries ? (body?.afterMs ?? waitIn(clip(text))) : undefined,
    status: body?.status,
    issues,
    message: body?.message,
  } as Parameters<typeof toReading>[1]);
}

/** What is wrong with an input may be wrong with a field of it. */
const OF_INPUT: ReadonlySet<Kind> = new Set<Kind>(['invalid_arguments', 'invalid_request']);

/** Where fields are looked for: JSON that says nothing of its own, such as a list of names, belongs to its sentence. */
function namingFields(text: string, { body, said }: Read): readonly string[] {
  if (isBesideError(body)) return [text];
  return body === undefined && said[0] !== text ? [...said, text] : said;
}

/** `{details: …}` beside a code: the words are told as they are, and the code says what they are about. */
function isBesideError(body: BodyFacts | undefined): boolean {
  return body?.messageIn === 'details';
}

/** The issues of the first sentence that names some. */
function firstOf(said: readonly string[], issuesIn: (text: string) => readonly Issue[]): readonly Issue[] {
  for (const one of said) {
    const issues = issuesIn(one);
    if (issues.length > 0) return issues;
  }
  return [];
}

/** What a body may still say beside a failing status: another status, or a list of issues, does not outdo it. */
function besideStatus(findings: Finding[], status: number | undefined): Finding[] {
  if (status === undefined || !isFailureStatus(status)) return findings;
  return findings.filter((finding) => {
    if (finding.listed === true) return allowsIssues(status);
    return !finding.by.startsWith('body:') || finding.status === undefined || finding.status === status;
  });
}

/** Reads failures' texts and bodies, and tells what spoke for what. */
export interface ProseReader {
  readonly readProse: (text: string, context?: ProseContext) => ProseReading | undefined;
  readonly readBody: (body: unknown, context?: ProseContext) => ProseReading | undefined;
  readonly weighProse: (text: string, context?: ProseContext) => readonly Finding[];
  readonly weighBody: (body: unknown, context?: ProseContext) => readonly Finding[];
}

/** A reader of some parts. Total and linear: any value, never throws, the same answer each time. */
export function proseReader(parts: ProseParts): ProseReader {
  const gather = (body: unknown): Read => {
    const facts = gatherBody(body, (text, depth) => readAll(parts, text, depth), 0);
    return { findings: facts.findings, body: facts, code: facts.code, said: sentencesOf(facts) };
  };
  const readProse: ProseReader['readProse'] = (text, context = {}) => {
    const said = text.trim();
    return finish(parts, said, readAll(parts, said, 0), context);
  };
  const weighProse: ProseReader['weighProse'] = (text, context = {}) => {
    const said = text.trim();
    return ranked(weighAll(parts, said, readAll(parts, said, 0), context));
  };
  return {
    readProse,
    weighProse,
    readBody: (body, context = {}) =>
      typeof body === 'string' ? readProse(body, context) : finish(parts, '', gather(body), context),
    weighBody: (body, context = {}) =>
      typeof body === 'string'
        ? weighProse(body, context)
        : ranked(weighAll(parts, '', gather(body), context)),
  };
}
