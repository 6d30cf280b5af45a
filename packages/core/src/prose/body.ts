/** The structure layer: what a JSON body says, whoever wrote it. */
import type { Issue } from '../fault.ts';
import type { Kind } from '../kinds.ts';
import { issueFromError, issuesFromFields, issuesFromList } from './issues.ts';
import { isFailureStatus, statusKind, statusWeight } from './status.ts';
import { vendorOf } from './vendors.ts';
import type { Finding } from './verdict.ts';
import { waitOf } from './waits.ts';

type Bag = { readonly [key: string]: unknown };

/** What was gathered from a body. */
export interface BodyFacts {
  readonly findings: Finding[];
  issues: readonly Issue[];
  message: string | undefined;
  /** The member that it stands in. */
  messageIn: string | undefined;
  status: number | undefined;
  retryable: boolean | undefined;
  afterMs: number | undefined;
  /** A JSON-RPC code in the body. */
  code: number | undefined;
  /** Advice stands in it that says nothing of the cause. */
  hasVagueAdvice: boolean;
  /** Its sentences, as they come. */
  readonly said: string[];
  /** Bodies repeat themselves; what was read once is not read again. */
  readonly seen: Set<string>;
}

/** What was read in a text: the findings, and the sentences in it, the first of which is what it says. */
interface TextRead {
  readonly findings: readonly Finding[];
  readonly said: readonly string[];
}

/** How a text inside the body is read; `depth` guards against a body inside a body inside a body. */
export type ReadText = (text: string, depth: number) => TextRead;

const DEPTH = 6;
const WIDTH = 48;
const CODE_BONUS = 4;
const VAGUE = 80;
/** A hint says what may help, which is not what went wrong. */
const ADVICE_COST = 20;
/** … and a word that says little says nothing there: whoever advises names all that it may be. */
const VAGUE_HINT = 70;

// Member names without case, `_` and `-`.
const STATUS_KEYS = words(
  'status statuscode httpstatus httpstatuscode httpcode code errorcode responsecode responsestatus',
);
const CODE_KEYS = words(
  'code type error errorcode errortype name reason status title exception errcode err kind sqlstate category errorname codename subcode statustext errorkey issuetype',
);
const MESSAGE_KEYS = words(
  'message msg error errormessage errordescription detail details description reason title text errors errormessages exception err errmsg body cause statustext defaultmessage hint stderr usermessage developermessage moreinfo causedby response responsebody responsedata',
);
const NESTED_KEYS = words(
  'error errors err body data response details detail cause inner innererror innerexception extensions result issues fault exception responsebody errordetails problem payload rootcause causedby parameters failures violations fieldviolations serviceexception validationerrors fielderrors invalidparams causes info meta output message msg errormessage odataerror responsedata',
);
const RETRYABLE_KEYS = words('retryable isretryable retriable canretry shouldretry transient istransient');
const SECOND_KEYS = words(
  'retryafter retryafterseconds retryin retrydelay retryafters waitseconds backoffseconds',
);
const MILLISECOND_KEYS = words('retryafterms retryaftermilliseconds retryinms retrydelayms waitms backoffms');

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

function plain(key: string): string {
  return /[^a-z]/.test(key) ? key.replace(/[_\-. $@]+/g, '').toLowerCase() : key;
}

/** Gathers what a body says. Total: any value, any nesting; cycles end at the depth limit. */
export function gatherBody(body: unknown, readText: ReadText, depth: number): BodyFacts {
  const facts: BodyFacts = {
    findings: [],
    issues: [],
    message: undefined,
    messageIn: undefined,
    status: undefined,
    retryable: undefined,
    afterMs: undefined,
    code: undefined,
    hasVagueAdvice: false,
    said: [],
    seen: new Set(),
  };
  const by = `body:${vendorOf(body)}`;
  if (Array.isArray(body)) list(body, 'issues', by, facts, readText, depth);
  else if (typeof body === 'object' && body !== null) {
    if (isListed(body as Bag)) fields(body as Bag, by, facts, false);
    walk(body as Bag, by, facts, readText, depth);
  }
  return facts;
}

function walk(bag: Bag, by: string, facts: BodyFacts, readText: ReadText, depth: number): void {
  if (depth > DEPTH) return;
  for (const key of Object.keys(bag).slice(0, WIDTH)) {
    const value = bag[key];
    const name = plain(key);
    if (typeof value === 'number') number(name, value, by, facts);
    else if (typeof value === 'boolean') {
      if (RETRYABLE_KEYS.has(name)) facts.retryable ??= value;
    } else if (typeof value === 'string') string(name, value, by, facts, readText, depth);
    else if (Array.isArray(value)) {
      if (NESTED_KEYS.has(name) || MESSAGE_KEYS.has(name)) list(value, name, by, facts, readText, depth);
    } else if (typeof value === 'object' && value !== null && NESTED_KEYS.has(name)) {
      if (FIELDS_KEYS.has(name)) fields(value as Bag, by, facts, name !== 'details');
      if (WORDING_KEYS.has(name)) wording(value as Bag, by, facts, readText, depth);
      walk(value as Bag, by, facts, readText, depth + 1);
    }
  }
  const issue = issueFromError(bag);
  if (issue !== undefined) named([issue], by, facts);
}

const FIELDS_KEYS = words('errors details validationerrors fielderrors');
/** Messages that are told in some language, or beside something else. */
const WORDING_KEYS = words('message msg errormessage');

function wording(bag: Bag, by: string, facts: BodyFacts, readText: ReadText, depth: number): void {
  const said = bag['text'] ?? bag['value'] ?? bag['en'] ?? bag['content'];
  if (typeof said === 'string') message('message', said, by, facts, readText, depth);
}

function number(name: string, value: number, by: string, facts: BodyFacts): void {
  if (STATUS_KEYS.has(name)) {
    if (isFailureStatus(value)) status(value, by, facts);
    else if (value <= -32_000 && value >= -32_768) facts.code ??= value;
    else if (by === 'body:discord' && name === 'code') discord(value, by, facts);
  }
  if (SECOND_KEYS.has(name)) facts.afterMs ??= waitOf(value, 1000);
  else if (MILLISECOND_KEYS.has(name)) facts.afterMs ??= waitOf(value, 1);
}

function status(value: number, by: string, facts: BodyFacts): void {
  facts.status ??= value;
  const kind = statusKind(value);
  if (kind === undefined) return;
  facts.findings.push({
    by,
    kind,
    weight: statusWeight(value) + 1,
    says: `status ${value} in the body`,
    status: value,
  });
}

/** Discord numbers its errors: 10xxx unknown things, 20xxx limits, 3xxxx too many, 4xxxx and 5xxxx rules. */
function discord(value: number, by: string, facts: BodyFacts): void {
  let kind: Kind | undefined;
  if (value >= 10_001 && value < 20_000) kind = 'not_found';
  else if (value === 50_001 || value === 50_013) kind = 'forbidden';
  else if (value === 40_001 || value === 50_014) kind = 'unauthenticated';
  else if (value === 50_035) kind = 'invalid_arguments';
  if (kind !== undefined) facts.findings.push({ by, kind, weight: 92, says: `Discord code ${value}` });
}

function string(
  name: string,
  value: string,
  by: string,
  facts: BodyFacts,
  readText: ReadText,
  depth: number,
): void {
  if (SECOND_KEYS.has(name)) facts.afterMs ??= waitOf(value, 1000);
  else if (MILLISECOND_KEYS.has(name)) facts.afterMs ??= waitOf(value, 1);
  if (STATUS_KEYS.has(name) && /^[45]\d\d$/.test(value) && isFailureStatus(Number(value)))
    status(Number(value), by, facts);
  else if (CODE_KEYS.has(name) && value.length <= 96 && !/\s/.test(value.trim()))
    machine(value, by, facts, readText, depth);
  else if (MESSAGE_KEYS.has(name)) message(name, value, by, facts, readText, depth);
}

/** A code made for machines says its words on purpose, so they weigh more than in a sentence. */
function machine(value: string, by: string, facts: BodyFacts, readText: ReadText, depth: number): void {
  for (const finding of readText(value, depth + 1).findings) {
    if (finding.weight < 60) continue;
    // `INVALID_ARGUMENT` and `connection_error` are what a service says when it has nothing better to say.
    const vague =
      finding.kind === 'invalid_arguments' || finding.kind === 'invalid_request' || isWay(finding, value);
    facts.findings.push({
      ...finding,
      by,
      weight: vague ? Math.min(VAGUE, finding.weight) : Math.min(97, finding.weight + CODE_BONUS),
      says: `code ${value.slice(0, 80)}`,
    });
  }
}

/** Kinds that tell on which way something failed, and not why. */
const WAYS: ReadonlySet<Kind> = new Set<Kind>(['unavailable', 'disconnected', 'upstream_failed', 'timeout']);
/** What the system calls its errors is exact: `ECONNREFUSED`. */
const ERRNO = /^E[A-Z]{3,}$/;

/** Only on which way: a sentence beside it that says why knows better. */
function isWay({ kind }: Finding, code: string): boolean {
  return WAYS.has(kind) && !ERRNO.test(code);
}

/** What frameworks call a status, beside the sentence that says why. */
const STATUS_NAME =
  /^(?:bad request|unauthorized|forbidden|not found|not acceptable|conflict|gone|(?:payload|content|request entity) too large|unsupported media type|unprocessable (?:entity|content)|too many requests|internal server error|bad gateway|service unavailable|gateway timeout)$/i;

function message(
  name: string,
  value: string,
  by: string,
  facts: BodyFacts,
  readText: ReadText,
  depth: number,
): void {
  if (value === '' || facts.seen.has(value)) return;
  facts.seen.add(value);
  const { findings, said } = readText(value, depth + 1);
  // A body that was written into a text of another speaks for itself.
  const told = BODY.test(value) ? (said[0] ?? value) : value;
  if (facts.message === undefined || STATUS_NAME.test(facts.message)) {
    facts.message = told;
    facts.messageIn = name;
  }
  if (facts.said.length < MOST_SAID) facts.said.push(...(told === value ? [value] : said));
  const isHint = name === 'hint';
  for (const finding of findings) {
    if (isHint && finding.weight < VAGUE_HINT) {
      facts.hasVagueAdvice = true;
      continue;
    }
    facts.findings.push({ ...finding, by, weight: isHint ? finding.weight - ADVICE_COST : finding.weight });
  }
}

const BODY = /^\s{0,8}[{[]/;
/** Whoever says what failed says it first. */
const MOST_SAID = 6;

function list(
  items: readonly unknown[],
  name: string,
  by: string,
  facts: BodyFacts,
  readText: ReadText,
  depth: number,
): void {
  if (depth > DEPTH) return;
  const issues = issuesFromList(items);
  if (issues.length > 0 && (name !== 'details' || issues.some((issue) => issue.path.length > 0))) {
    if (facts.issues.length === 0) facts.issues = issues;
    const known = by !== 'body:json';
    const weight = known || name !== 'errors' ? 93 : 84;
    const first = issues[0] as Issue;
    facts.findings.push({
      by,
      kind: 'invalid_arguments',
      weight,
      says: `${issues.length} issue(s), first at "${first.path.join('.')}"`,
      listed: true,
    });
    facts.message ??= first.message;
  }
  for (const item of items.slice(0, 8)) {
    if (typeof item === 'string') message(name, item, by, facts, readText, depth);
    else if (typeof item === 'object' && item !== null && !Array.isArray(item) && issues.length === 0)
      walk(item as Bag, by, facts, readText, depth + 1);
  }
}

/** What an error consists of; a field of an input is called otherwise. */
const OF_ERRORS = words('message msg error errors code status statuscode detail errormessage errorcode type');

/** Messages by field. Where anything else may stand too, only sentences are messages, and only fields are fields. */
function fields(value: Bag, by: string, facts: BodyFacts, isOfErrors: boolean): void {
  const isOther = Object.entries(value).some(([key, said]) => {
    const name = plain(key);
    if (OF_ERRORS.has(name)) return !isOfErrors || !Array.isArray(said);
    return (
      !isOfErrors && (typeof said === 'string' ? !isSentence(said) : NESTED_KEYS.has(name) && !isTexts(said))
    );
  });
  const issues = isOther ? [] : issuesFromFields(value);
  if (isOfErrors || issues.some(({ message }) => isSentence(message))) named(issues, by, facts);
}

function isSentence(text: string): boolean {
  return /\s/.test(text.trim());
}

function isTexts(said: unknown): boolean {
  return Array.isArray(said) && said.every((item) => typeof item === 'string');
}

/** Is nothing in it but lists, and what holds lists, as in Django's answers to a form? */
function isListed(body: Bag): boolean {
  return Object.values(body).every(
    (value) => typeof value === 'object' && value !== null && (Array.isArray(value) || !('message' in value)),
  );
}

function named(issues: readonly Issue[], by: string, facts: BodyFacts): void {
  if (issues.length === 0) return;
  if (facts.issues.length === 0) facts.issues = issues;
  facts.findings.push({
    by,
    kind: 'invalid_arguments',
    weight: 80,
    says: `${issues.length} field(s) with messages`,
    listed: true,
  });
}
