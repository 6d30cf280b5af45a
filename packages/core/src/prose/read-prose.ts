/** Reads a text or a body that follows no dialect, layer by layer. */
import type { Issue, Subject } from '../fault.ts';
import { allowsIssues } from '../http-status.ts';
import { isRetryable, type Kind, TRAITS } from '../kinds.ts';
import { unusableIn } from './answers.ts';
import { type BodyFacts, gatherBody } from './body.ts';
import { type Cause, causeIn } from './cause.ts';
import { codedThing } from './coded-things.ts';
import { issuesInText } from './issues.ts';
import { findJson, unslash } from './json-in-text.ts';
import {
  isBug,
  isComplaint,
  isKeptFromYou,
  isOfInput,
  isShell,
  lacksFunds,
  lacksInstallation,
  offersOthers,
  resetsSoon,
  saysAbsent,
  saysUnknown,
} from './looks.ts';
import { findAll } from './match.ts';
import { numberIn } from './numbers.ts';
import { predicateOf } from './predicate.ts';
import { hasChangedMeanwhile } from './races.ts';
import { passesWithTime, readinessIn } from './readiness.ts';
import { saysNo } from './said-no.ts';
import { clip, scanText } from './scan.ts';
import { laterIn, sentenceIn } from './sentences.ts';
import { isFailureStatus, statusKind, statusWeight } from './status.ts';
import { ofProtocol, withId } from './subject.ts';
import { thingIn } from './things.ts';
import type { ProseContext, ProseReading } from './types.ts';
import { decide, type Finding, ranked, toReading, type Verdict } from './verdict.ts';
import { waitIn } from './waits.ts';

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
}

/** Our own word about whether it happened stands beside every kind, and tells none. */
const OUR_CAUTION = /\s?\bIt may have happened; (?:check|look at the state) before you repeat a change\b/g;

function scanAll(text: string, findings: Finding[]): number | undefined {
  const clipped = clip(text);
  const head = clipped.includes('It may have happened') ? clipped.replace(OUR_CAUTION, '') : clipped;
  const predicate = predicateOf(head);
  const before = findings.length;
  const cause = causeIn(predicate.text);
  let scan = scanText(cause?.text ?? predicate.text, false);
  findAll(head, scan, findings);
  const isExplained = cause !== undefined && explains(findings.slice(before), cause);
  if (cause !== undefined && !isExplained) {
    findings.length = before;
    scan = scanText(predicate.text, false);
    findAll(head, scan, findings);
  }
  const { code, markup } = scan;
  if (markup && PAGE.test(head)) page(findings, before);
  if (isComplaint(head))
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
    for (const finding of findAll(head, scanText(predicate.text, true)))
      findings.push({ ...finding, weight: finding.weight - QUOTED_COST });
  }
  if (findings.some(isStep) && passesWithTime(head)) withoutSteps(findings, before);
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

/** From here on a cause speaks for itself. */
const PLAIN = 60;

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

function readAll(text: string, depth: number): Read {
  const findings: Finding[] = [];
  if (depth > NESTING) return { findings, body: undefined, code: undefined };
  let said = text;
  let found = findJson(text);
  if (found === undefined && text.includes('\\"')) {
    const plain = unslash(text);
    found = plain === undefined ? undefined : findJson(plain);
    if (found !== undefined && plain !== undefined) said = plain;
  }
  if (found !== undefined) {
    const body = gatherBody(found.value, readString, depth);
    if (body.findings.length > 0 || body.code !== undefined) {
      findings.push(...body.findings);
      const code = scanAll(`${said.slice(0, found.from)} ${said.slice(found.to)}`, findings);
      return { findings, body, code: code ?? body.code };
    }
  }
  return { findings, body: undefined, code: scanAll(text, findings) };
}

function readString(text: string, depth: number): readonly Finding[] {
  return readAll(text, depth).findings;
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

/** What a look at the whole of a text tells, and how much that weighs. */
const LOOKS: readonly {
  readonly isSo: (text: string) => boolean;
  readonly kind: Kind;
  readonly weight: number;
  readonly says: string;
}[] = [
  { isSo: isShell, kind: 'misconfigured', weight: 94, says: 'a shell misses a program' },
  { isSo: isBug, kind: 'internal', weight: 90, says: 'a mistake in a program' },
  { isSo: lacksInstallation, kind: 'misconfigured', weight: 91, says: 'something has to be installed' },
  { isSo: isKeptFromYou, kind: 'forbidden', weight: 93, says: 'not for whoever asks' },
  { isSo: offersOthers, kind: 'invalid_arguments', weight: 93, says: 'values that would do' },
  { isSo: lacksFunds, kind: 'unprocessable', weight: 97, says: 'somebody’s means' },
  { isSo: isOfInput, kind: 'invalid_arguments', weight: 93, says: 'a part of the input' },
  { isSo: resetsSoon, kind: 'rate_limited', weight: 97, says: 'more in seconds or minutes' },
  { isSo: saysNo, kind: 'cancelled', weight: 97, says: 'somebody who was asked has said no' },
  { isSo: hasChangedMeanwhile, kind: 'conflict', weight: 92, says: 'somebody else was faster' },
];

/** All that speaks for a kind: what was found, what the code and the status beside it say, what is left when nothing does. */
function weighAll(text: string, read: Read, context: ProseContext): Finding[] {
  const findings = besideStatus(read.findings, context.status);
  const clipped = clip(text);
  const code = fromCode(context.code, text) ?? fromCode(read.code, text);
  if (code !== undefined) findings.push(code);
  const status = context.status === undefined ? undefined : fromStatus(context.status, 'status');
  if (status !== undefined) findings.push(status);
  if (findings.length === 0 && saysAbsent(text))
    findings.push({ by: 'phrase', kind: 'not_found', weight: 72, says: clipped.slice(0, 80) });
  if (saysUnknown(clipped))
    findings.push({ by: 'phrase', kind: 'not_found', weight: 86, says: clipped.slice(0, 80) });
  for (const { isSo, kind, weight, says } of LOOKS)
    if (isSo(clipped)) findings.push({ by: 'phrase', kind, weight, says });
  const number = numberIn(clipped);
  if (number !== undefined) findings.push({ by: 'phrase', ...number, says: 'the number of a known system' });
  const unusable = unusableAnswer(clipped, findings, context);
  if (unusable !== undefined) findings.push(unusable);
  const sentence = sentenceIn(text, findings);
  const readiness =
    sentence === undefined || sentence.kind === 'not_ready' ? readinessIn(text, findings) : undefined;
  const people = readiness ?? sentence ?? laterIn(text, findings);
  if (people !== undefined) findings.push(people);
  return findings.some(({ status: told }) => told === 403) ? findings.map(refused) : findings;
}

/** Kinds by which a program that cannot use an answer words its complaint: they are about the answer, not the call. */
const OF_FORM: ReadonlySet<Kind> = new Set<Kind>([
  'invalid_arguments',
  'invalid_request',
  'parse_error',
  'unprocessable',
  'upstream_failed',
  'internal',
  'unknown',
]);
/** "EOF" alone is how a parser says that there was nothing to parse. */
const SURELY = 80;
/** A parser's words may be about what the caller wrote; a program that names the answer leaves no doubt. */
const UNUSABLE = { unparsed: 92, 'ill-formed': 97, misshapen: 97 } as const;

/** An answer that came, and is of no use; nothing where a status or another failure says why. */
function unusableAnswer(
  text: string,
  found: readonly Finding[],
  { code }: ProseContext,
): Finding | undefined {
  if (code === -32602 || code === -32700 || found.some(({ status }) => status !== undefined))
    return undefined;
  const how = unusableIn(text);
  if (how === undefined) return undefined;
  const others = found.filter(({ kind, weight }) => weight >= PLAIN && !OF_FORM.has(kind));
  if (
    how === 'misshapen'
      ? others.length > 0
      : others.some(({ kind, weight }) => weight >= SURELY && isRetryable(TRAITS[kind].reaction))
  )
    return undefined;
  const says = 'an answer that cannot be used';
  return { by: 'phrase', kind: 'upstream_failed', weight: UNUSABLE[how], says, never: true };
}

/** Who is "unauthorized" under 403 is known, and may not: under 401 nobody knows who it is. */
function refused(finding: Finding): Finding {
  return finding.kind === 'unauthenticated' && /\bunauthori[sz]ed\b/i.test(finding.says)
    ? { ...finding, kind: 'forbidden' }
    : finding;
}

/** Below this, what it is about is as doubtful as what it is. */
const BELIEVED = 0.5;

/** The thing that is named, or that a code beside the words names. */
function thingOf({ best, evidence }: Verdict, text: string): Subject | undefined {
  const thing = thingIn(best.kind, text);
  if (thing !== undefined) return thing;
  const code = evidence.find(({ by, kind }) => kind === best.kind && by.startsWith('body:'));
  return code === undefined ? undefined : codedThing(best.kind, code.says);
}

function finish(text: string, read: Read, context: ProseContext): ProseReading | undefined {
  const { body } = read;
  const verdict = decide(weighAll(text, read, context));
  if (verdict === undefined) return undefined;
  const { kind } = verdict.best;
  let issues: readonly Issue[] = body?.issues ?? [];
  if (issues.length === 0 && kind === 'invalid_arguments' && text !== '') issues = issuesInText(text);
  const retries = isRetryable(TRAITS[kind].reaction);
  const best = withId(ofProtocol(verdict.best, text, context), text, context);
  const subject =
    best.subject ?? (verdict.certainty < BELIEVED ? undefined : thingOf(verdict, body?.message ?? text));
  return toReading({ ...verdict, best: subject === best.subject ? best : { ...best, subject } }, {
    retryable: body?.retryable,
    afterMs: retries ? (body?.afterMs ?? waitIn(clip(text))) : undefined,
    status: body?.status,
    issues,
    message: body?.message,
  } as Parameters<typeof toReading>[1]);
}

/** What a body may still say beside a failing status: another status, or a list of issues, does not outdo it. */
function besideStatus(findings: Finding[], status: number | undefined): Finding[] {
  if (status === undefined || !isFailureStatus(status)) return findings;
  return findings.filter((finding) => {
    if (finding.listed === true) return allowsIssues(status);
    return !finding.by.startsWith('body:') || finding.status === undefined || finding.status === status;
  });
}

/**
 * Reads a failure's text; nothing when nothing is recognised.
 *
 * Total and linear: any string, never throws, the same answer each time.
 *
 * @example
 * readProse('Request failed with status code 429: retry in 7 seconds')
 * // { kind: 'rate_limited', afterMs: 7000, status: 429, certainty: 0.9, … }
 */
export function readProse(text: string, context: ProseContext = {}): ProseReading | undefined {
  const said = text.trim();
  return finish(said, readAll(said, 0), context);
}

/** Every finding of a text with its weight, strongest first: why `readProse` says what it says. */
export function weighProse(text: string, context: ProseContext = {}): readonly Finding[] {
  const said = text.trim();
  return ranked(weighAll(said, readAll(said, 0), context));
}

/** Every finding of a body with its weight, strongest first: why `readBody` says what it says. */
export function weighBody(body: unknown, context: ProseContext = {}): readonly Finding[] {
  if (typeof body === 'string') return weighProse(body, context);
  const facts = gatherBody(body, readString, 0);
  return ranked(weighAll('', { findings: facts.findings, body: facts, code: facts.code }, context));
}

/** Reads a parsed JSON body: `structuredContent`, an HTTP body, `error.data`. */
export function readBody(body: unknown, context: ProseContext = {}): ProseReading | undefined {
  if (typeof body === 'string') return readProse(body, context);
  const facts = gatherBody(body, readString, 0);
  return finish('', { findings: facts.findings, body: facts, code: facts.code }, context);
}
