/** Failures that come as success: a result without `isError` whose text or body is an error. */
import { parseJson } from '../json.ts';
import { readBody, readProse } from './all-prose.ts';
import { callsItself } from './called.ts';
import { isComplaints } from './issue-forms.ts';
import { isFailureStatus } from './status.ts';
import { type Told, tellsAbroad, toldIn } from './told.ts';
import type { ProseReading } from './types.ts';
import { vendorOf } from './vendors.ts';

/** A success that is really a failure: with what probability, and which. */
interface Suspicion {
  readonly probability: number;
  readonly reading: ProseReading;
}

type Bag = { readonly [key: string]: unknown };

const LINE_ERROR = /(?:^|\n)[^\n]{0,200}\b(?:Error|Exception)(?: -|:) /;
/** A success that tells a story is long; a failure is short. */
const LONG = 600;
/** Nothing found is an answer more often than a failure, unless it says what was left out. */
const EMPTY =
  /^\s{0,8}(?:no(?! such| permission| access| rights| api key| token| credential)|none|nothing|0)\b(?!.{0,200}\bfirst[.!]?$)/i;
/** What a server adds to every answer stands in a paragraph of its own, and is not long. */
const PARAGRAPH = /\n\s{0,8}\n/;
const NOTICE = 1200;
/** … and says what it is where it comes first. */
const ANNOUNCED = /^[^\w\n]{0,6}(?:deprecat\w{1,6}|notice|warning|note|important)\b[^\n]{0,600}\n\s{0,8}/i;
/** A heading that says no more than that something failed; what is told of may have failed at another time. */
const HEADING =
  /^(?![^\n]{0,100}\b(?:log|last|latest|recent|previous|common|typical|known|unhandled|sample|example|standard|fix|issue|backup|build|deploy\w*|job|pipeline|run|tests?|how|why|when|what)\b)[^\w\n]{0,8}(?!the )(?:(?:[a-z][a-z'’-]{0,30} ){0,6}(?:error|failed|failure)|(?:error|failure) (?:while )?[a-z]{2,30}ing\b[a-z '’-]{0,60})[^\w\n]{0,4}\n(?:[=-]{3,80}\n)?\s{0,8}(?=\S)/i;
/** A short text that has "Error" for its label, or says what could not be done. */
const LABELLED =
  /^\W{0,6}(?:[Ee]rror|ERROR)(?: \w{1,30}ing\b[\w ]{0,60})?: \S[^\n]{0,200}$|^\W{0,6}(?:Cannot|Can't|Could not|Couldn't|Failed to|Unable to) [a-z][^\n]{1,200}$|^\W{0,6}Command failed with [^\n]{1,60}$|^[^\w\n]{0,6}(?:Fehler|Erreur|Erro|Errore|Fout|Fel|Błąd|Hata|Ошибка|Помилка|错误|錯誤|エラー|오류|에러)(?:が発生[^\n]{0,40}|가 발생[^\n]{0,40}|\s{0,2}[:：]\s{0,2}\S[^\n]{0,200})$|^[一-鿿]{0,8}失败[。！!]?$|^\W{0,6}(?:[A-Z][a-z]+ )?(?:[Aa]ction|[Cc]all|[Cc]ommand|[Ee]xecution|[Ll]ookup|[Oo]peration|[Qq]uery|[Rr]equest|[Ss]earch|[Tt]ool)(?: has)? failed[.!]?(?: [^\n]{1,60})?$/;
/** The protocol's own code, and whatever was said with it. */
const PROTOCOL = /^\W{0,6}(?:(?:mcp|(?:json-?)?rpc) )?error \(?-32\d{3}\)?: \S[^\n]{0,200}$/i;
/** What can be empty, and is looked into: that nothing is in it is the answer. */
const EMPTY_HOLDER =
  /^[^\p{L}\n]{0,6}(?:(?:the|your|this|that) )?(?:[\w-]{1,20} ){0,3}["'`]?(?:agenda|archive|backlog|basket|bin|board|bucket|buffer|cache|calendar|cart|catalog|channel|clipboard|collection|database|directory|feed|folder|history|inbox|index|journal|library|list|log|mailbox|memory|namespace|notebook|outbox|playlist|queue|registry|repository|room|schedule|stack|store|table|timeline|trash|vault|watchlist|wishlist|workspace)["'`]? (?:is|are) (?:currently |now |still )?empty\b(?![^\n]{0,120}\bfirst[.!]?$)/iu;
/** A heading that says that whoever calls is not let in, and what to do about it. */
const SHUT_OUT =
  /^(?:#{1,6} |\*\*)[^\w\n]{0,6}(?:not (?:logged|signed) in|not (?:authenticated|authori[sz]ed|connected|configured|initiali[sz]ed)|unauthori[sz]ed|(?:login|log-in|sign-in|authentication|authori[sz]ation) (?:is )?required|(?:access|permission) denied|session expired)[.!]?(?:\*\*)?\s{0,4}\n\s{0,8}(?=(?:please|log|sign|first|you (?:must|need|have to|are not))\b|(?:run|use|call|set) (?:the |your )?["'`])/i;
/** A page that is nothing but a failing status: its title says so. */
const STATUS_PAGE =
  /^\s{0,8}(?:<!doctype[^>]{0,200}>\s{0,8})?<html[^>]{0,200}>\s{0,8}(?:<head[^>]{0,80}>\s{0,8})?(?:<title>\s{0,4}(?:[45]\d\d [A-Z][A-Za-z -]{2,40}|access denied|attention required!?[^<]{0,40}|bad gateway|error|forbidden|gateway time-?out|internal server error|service (?:temporarily )?unavailable|too many requests|unauthorized)<\/title>|(?:<\/head>\s{0,8})?<body[^>]{0,80}>\s{0,8}(?:<center>)?<h1>\s{0,4}[45]\d\d [A-Z][A-Za-z -]{2,40}<\/h1>)/i;
/** The same as XML has it. */
const XML_ERROR =
  /^\s{0,8}(?:<\?xml[^>]{0,100}\?>\s{0,8})?<(?:\w{1,20}:)?(?:error|errorresponse|fault)\b[^>]{0,100}>/i;
/** A document begins so: it may be about failures, and is none. */
const DOCUMENT = /^\s{0,8}(?:#{1,6}\s|[-*>|]\s|<|\[!|```|`[^`\n]{1,60}`:?\s)/;

/** Is a success really a failure? With what probability, and which. */
export function detectDisguised(given: string, structured?: unknown): Suspicion | undefined {
  const text = given.trim();
  const body = structured ?? bodyOf(text);
  const inner = body === undefined ? undefined : wrapped(body);
  if (inner !== undefined) return detectDisguised(inner);
  if (body !== undefined) return ofBody(body);
  const whole = ofText(text);
  const end = PARAGRAPH.exec(text)?.index ?? -1;
  // The first paragraph is the answer; what a server says every time comes after it.
  const isShort = end > 0 && end < LONG && text.length < NOTICE;
  const isAnswer = isShort && !text.startsWith('#') && isFailing(toldIn(text.slice(0, end)));
  const first = isAnswer ? ofText(text.slice(0, end)) : undefined;
  // Or before it, on a line that says what it is.
  const notice = ANNOUNCED.exec(text);
  const rest = notice === null ? undefined : ofText(text.slice(notice[0].length));
  return [whole, first, rest, beneathHeading(text), shutOut(text), behindLabel(text)].reduce(likelier);
}

/** What a heading says, where it is that nobody is let in. */
function shutOut(text: string): Suspicion | undefined {
  const heading = text.length > LONG ? undefined : SHUT_OUT.exec(text)?.[0].replace(/^[#* ]+|[*\s]+$/g, '');
  const reading = heading === undefined ? undefined : readProse(heading);
  return reading === undefined ? undefined : { probability: Math.max(reading.certainty, LEAST), reading };
}

/** A body behind a word or two, and nothing behind it, is what was answered. */
const BODY_LABEL =
  /^(?!\W{0,6}(?:[\w-]+ ){0,4}(?:builds?|checks?|content|document|events?|examples?|expected|fetched|file|found|got|history|input|jobs?|last|logs?|messages?|page|payload|previous|profile|records?|reports?|request|runs?|sample|source|state|status|stored|tasks?|tests?)\b)[^{}[\]\n"]{1,40}[:：]\s{0,4}(?=\{[\s\S]*\}$)/iu;

function behindLabel(text: string): Suspicion | undefined {
  const label = BODY_LABEL.exec(text)?.[0];
  const body = label === undefined ? undefined : bodyOf(text.slice(label.length));
  return isBare(body) ? ofBody(body) : undefined;
}

/** Is nothing in it but that and what failed? */
function isBare(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    Object.entries(body).every(
      ([key, value]) =>
        value === null || key in FLAGS || ERRORS.test(key) || SAYS.test(key) || BESIDE.test(key),
    )
  );
}

/** What stands beneath a heading, where it says what failed. */
function beneathHeading(text: string): Suspicion | undefined {
  const heading = text.length > LONG ? null : HEADING.exec(text);
  if (heading === null) return undefined;
  const rest = text.slice(heading[0].length);
  const told = toldIn(rest);
  const isSaid = told === 'called a failure' || (told === 'a failure' && SENTENCE.test(rest));
  return isSaid && readProse(rest) !== undefined ? ofText(rest) : undefined;
}

/** One sentence that goes nowhere else. */
const SENTENCE = /^[^\n.,;]{1,120}[.!]?$/;

function likelier(one: Suspicion | undefined, other: Suspicion | undefined): Suspicion | undefined {
  return (other?.probability ?? 0) > (one?.probability ?? 0) ? other : one;
}

function isFailing(told: Told): boolean {
  return told === 'a failure' || told === 'called a failure';
}

/** What a text is worth that has the form of a failure, or only the words. */
const FORMED = 0.95;
const LEAST = 0.75;
const WORDED = 0.5;
const UNLIKELY = 0.3;

function ofText(text: string): Suspicion | undefined {
  const told = toldIn(text);
  const isLabelled = told === 'called a failure';
  const isAlone =
    isLabelled && (LABELLED.test(text) || callsItself(text) || PROTOCOL.test(text) || tellsAbroad(text));
  const reading = readProse(text) ?? (isAlone ? UNNAMED : undefined);
  if (reading === undefined) return undefined;
  const { certainty } = reading;
  if (text.length < NOTICE && (STATUS_PAGE.test(text) || XML_ERROR.test(text)))
    return { probability: FORMED, reading };
  let probability = certainty * WORDED;
  if (told === 'a change' || told === 'about failures') probability = certainty * UNLIKELY;
  else if (isLabelled) probability = isAlone ? Math.max(certainty, LEAST) : certainty;
  else if (text.length > LONG || DOCUMENT.test(text)) probability = certainty * UNLIKELY;
  else if (told === 'a failure' && !EMPTY.test(text) && !EMPTY_HOLDER.test(text))
    probability = Math.max(certainty * FORMED, LEAST);
  if (!isLabelled && LINE_ERROR.test(text.slice(0, 4096))) probability += 0.2;
  return { probability: Math.min(0.99, Math.round(probability * 100) / 100), reading };
}

function bodyOf(text: string): unknown {
  return text.length > 262_144 ? undefined : parseJson(text);
}

/** A whole tool result, written into the text of another. */
function wrapped(body: unknown): string | undefined {
  const content = (body as { readonly content?: unknown } | null)?.content;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const text = (first as { readonly text?: unknown } | null | undefined)?.text;
  return typeof text === 'string' && text.length < LONG * 100 ? text : undefined;
}

const FLAGS: { readonly [key: string]: unknown } = {
  success: false,
  succeeded: false,
  ok: false,
  isError: true,
  is_error: true,
  hasError: true,
  isSuccess: false,
  is_success: false,
};
/** Members whose value calls the whole body an error. */
const VERDICTS = ['status', 'object', 'type', 'result'];
const FAILED = /^(?:failed|failure|fail|rejected)$/i;
/** A thing that failed, such as a job, is told of in a success; it has a name, a number or a time. */
const THING =
  /^(?:id|name|key|url|number|title|build|deployment|job|pipeline|run|stage|task|workflow|duration|ended|finished|started|\w*(?:_id|Id|At|_at|_time|Time))$/;
/** Forms that only errors have: a body of this form is one. */
const ERROR_FORMS = /^(?:problem|aws|notion|spring|nest|json-api|google|graphql)$/;
/** What an answer to a request consists of; who fetches for others hands it over, whatever its status. */
const FETCHED = ['headers', 'body', 'data', 'html', 'content'];
const MOST = 32;

function ofBody(body: unknown): Suspicion | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if (Array.isArray(body)) return ofList(body);
  const bag = body as Bag;
  const named = namesError(bag);
  const isFlagged =
    (flagged(bag) && !isReport(bag)) || reports(bag) || saysNothingElse(bag) || holdsComplaints(bag);
  const reading = readBody(body) ?? (isFlagged || named ? UNKNOWN : undefined);
  if (reading === undefined) return undefined;
  if (!isFlagged && !named) return { probability: Math.min(0.3, reading.certainty * 0.3), reading };
  return { probability: Math.max(0.8, reading.certainty), reading };
}

/** A list is a failure when each of its items is one. */
function ofList(items: readonly unknown[]): Suspicion | undefined {
  if (items.length === 0 || items.length > MOST) return undefined;
  const complaints = isComplaints(items) ? readBody(items) : undefined;
  if (complaints !== undefined)
    return { probability: Math.max(0.8, complaints.certainty), reading: complaints };
  const found = items.map(ofBody);
  const least = Math.min(...found.map((item) => item?.probability ?? 0));
  const [first] = found;
  return first === undefined ? undefined : { probability: least, reading: first.reading };
}

function flagged(bag: Bag): boolean {
  if (Object.entries(FLAGS).some(([key, value]) => bag[key] === value)) return true;
  if (VERDICTS.some((key) => bag[key] === 'error')) return true;
  const { status, state } = bag;
  const isFailed = (typeof status === 'string' && FAILED.test(status)) || state === 'error';
  return isFailed && !isOfThing(bag);
}

function isOfThing(bag: Bag): boolean {
  return Object.keys(bag).some((key) => THING.test(key));
}

/** What a checker found in what it was given, or of several things: its work is done. */
function isReport(bag: Bag): boolean {
  const isSilent = !Object.keys(bag).some((key) => SAYS.test(key) || ERRORS.test(key) || key === 'error');
  if (isSilent && tellsOfSeveral(bag)) return true;
  return Object.values(bag).some(
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((item) => hasSeverity(item) || (isSilent && typeof item === 'object')),
  );
}

/** Are there several things in it, or in what it has one list of? */
function tellsOfSeveral(bag: Bag): boolean {
  const things = Object.values(bag).filter(isThing);
  return things.length > 1 || things.some((one) => Object.values(one as Bag).filter(isThing).length > 1);
}

/** Something that is told of, with members of its own. */
function isThing(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  );
}

const ERRORS = /^errors?$/;
/** Under which names a body says what happened, and what stands beside it that is of no weight. */
const SAYS = /^(?:message|msg|detail|details|errmsg|error_description|reason|title)$/i;
const BESIDE =
  /^(?:(?:err|error_?)?code|status|documentation_url|request_?id|trace_?id|timestamp|path|data|type)$/i;

/** What is said of a file is what a checker found in it. */
const FILE = /\.[a-z]\w{0,4}$/i;

/** A body that says what failed, and nothing else: `{"message": "Not Found", "documentation_url": …}`. */
function saysNothingElse(bag: Bag): boolean {
  const keys = Object.keys(bag).filter((key) => bag[key] !== null);
  const said = keys.filter((key) => SAYS.test(key)).map((key) => bag[key]);
  if (typeof bag['path'] === 'string' && FILE.test(bag['path'])) return false;
  const [first] = said;
  if (
    said.length !== 1 ||
    typeof first !== 'string' ||
    !keys.every((key) => SAYS.test(key) || BESIDE.test(key))
  )
    return false;
  return (
    !('data' in bag && bag['data'] !== null) && isFailing(toldIn(first)) && readProse(first) !== undefined
  );
}

/** A body that is a list of what is wrong with the input, and at most a name for it. */
function holdsComplaints(bag: Bag): boolean {
  const { issues, detail, ...beside } = bag;
  const list = issues ?? detail;
  return (
    Array.isArray(list) &&
    isComplaints(list) &&
    Object.keys(beside).every((key) => key === 'name' || SAYS.test(key) || BESIDE.test(key))
  );
}

function hasSeverity(item: unknown): boolean {
  return (
    typeof item === 'object' && item !== null && ('severity' in item || 'ruleId' in item || 'line' in item)
  );
}

function namesError(bag: Bag): boolean {
  if (!isOfThing(bag) && isNamedOtherwise(bag)) return true;
  const error = bag['error'] ?? (typeof bag['errors'] === 'number' ? undefined : bag['errors']);
  if (error === undefined || error === null || error === false || error === '' || error === 0) return false;
  return !Array.isArray(error) || (error.length > 0 && !error.every(hasSeverity));
}

/** Under which other names platforms say what failed. */
const SAYS_ERROR = ['errorMessage', 'error_message', 'errorDescription', 'faultstring'];

function isNamedOtherwise(bag: Bag): boolean {
  const { __type: type, fault } = bag;
  if (typeof type === 'string' && /(?:Error|Exception)$/.test(type)) return true;
  if (typeof fault === 'object' && fault !== null && isNamedOtherwise(fault as Bag)) return true;
  return SAYS_ERROR.some((key) => typeof bag[key] === 'string' && bag[key] !== '');
}

/** A document of a failing status, and not an answer that somebody fetched. */
function reports(bag: Bag): boolean {
  const status = bag['status'] ?? bag['statusCode'] ?? bag['status_code'] ?? bag['code'];
  if (!isFailureStatus(Number(status)) || FETCHED.some((key) => (bag[key] ?? null) !== null)) return false;
  return 'message' in bag || 'msg' in bag || 'detail' in bag || ERROR_FORMS.test(vendorOf(bag));
}

const UNNAMED: ProseReading = {
  kind: 'unknown',
  certainty: 0.4,
  evidence: [{ by: 'disguise', says: 'the text calls itself an error', kind: 'unknown' }],
};

const UNKNOWN: ProseReading = {
  kind: 'unknown',
  certainty: 0.4,
  evidence: [{ by: 'disguise', says: 'the body names an error', kind: 'unknown' }],
};
