/**
 * What a refusal carries beside itself. A server's own door says little: too many requests, no such method, the amount
 * is missing. Whoever tells of a backend, of another answer or of something that was done had let the request in.
 */

import { addressOf, isAskedPlace, withoutPlaces } from './asked-address.ts';
import { COMPLAINTS, refuses } from './complaints.ts';
import type { Heard } from './dialects/dialect.ts';
import { inPlainWords } from './door-sentences.ts';
import { isRecord, own, ownArray, ownString } from './json.ts';
import { ADVICE } from './kinds.ts';
import { isLimitOfAnother } from './limits-of-others.ts';
import { namesNumbered } from './made-things.ts';
import { marksSuccess } from './marks-of-success.ts';
import { MAX_LENGTH, saysOnly, statementsIn, type Vocabulary, words, wordsOf } from './plain-words.ts';
import { areOfTheDoor, withoutConnection } from './refusal-headers.ts';
import { remembering } from './remember.ts';
import { isVague } from './vague.ts';
import { type HttpPart, makeWire, type Wire } from './wire/wire.ts';

const MAX_DEPTH = 6;
/** How deep the data of an error lie in its message. */
const AROUND = 2;

/** Somebody further away, an answer of theirs, or something of a network. */
const ELSEWHERE =
  /\b(?:upstream|downstream|back-?end|third[- ]party|provider|dependenc(?:y|ies)|remote|answered|responded|replied|returned|partial(?:ly)?|afterwards?|after (?:this|that|the|your) (?:call|request|one)|fetch failed|socket hang up|connection (?:refused|reset|closed|lost))\b|\bE(?:CONN|AI_|HOST|NET|PIPE|TIMEDOUT|NOTFOUND|ADDR|SOCKET|PROTO)|\b(?:UND|ERR)_[A-Z]/i;

/** What a router says of a request that is none of MCP, which posts: it was somebody else's, to somebody else. */
const OTHERS_REQUEST = /\b(?:cannot |route )(?:get|head|put|patch|delete|options)[ :]\//i;

/** Work that was done, unless it is denied or a list of what is allowed. */
const DONE =
  /(?<!\b(?:not|only|are|is|be|never) )\b(?:accepted(?! (?:values?|types?|formats?|by))|registered|added|applied|approved|confirmed|scheduled|started|issued|published|posted)\b|\b(?:booked|captured|charged|credited|debited|paid|placed|ordered|reserved|refunded|shipped|transferred|purchased|settled|created|inserted|updated|deleted|removed|saved|stored|written|wrote|uploaded|sent|delivered|queued|submitted|committed|processed|completed|executed|performed|succeeded|done|deployed|launched|triggered|merged|installed|provisioned|archived|cancell?ed|invoiced|withdrawn|made)\b/i;

/** The same in other languages: a handler's words, no door's. */
const DONE_ELSEWHERE =
  /(?<![\p{L}])(?:gebucht|bezahlt|erstellt|angelegt|gespeichert|gesendet|versendet|verschickt|gelöscht|ausgeführt|abgebucht|bestellt|erledigt|créée?|payée?|enregistrée?|envoyée?|réservée?|effectuée?|supprimée?|pagad[oa]|cread[oa]|guardad[oa]|enviad[oa]|reservad[oa]|realizad[oa]|cobrad[oa]|pag[oa]t[oa]|creat[oa]|salvat[oa]|inviat[oa]|prenotat[oa]|betaald|geboekt|verzonden|aangemaakt|criad[oa]|pago|salv[oa])(?![\p{L}])/iu;

/** Words of which a door that counts its visitors makes its sentences; those of our own document among them. Tokens are what models count. */
const LIMIT: Vocabulary = {
  words: words(
    `a about access action after again al all allowed an and any api apikey are at back backoff be been before being busy by caller
  calls call can client cloudflare concurrent connections count current currently day days demand due early endpoint
  errorcode exceed exceeded exceeds exceeding exhausted failed fault faultstring for frequency from future had has have heavy high hit hour hours
  html in interval into ip is it its key kind later least less limit limited limiter limiting limits load local many max
  maximum mcp minimum minute minutes moment month more ms msec much nginx no not number of on one only openresty or origin over
  overloaded parallel per period permitted please posting quickly quota rate ratelimit reached reaction ready reduce remaining
  request requested requests reset resource retry retryable retrying s same sec second seconds server session sessions shortly
  simultaneous since slow down soon streamable temporarily tenant that the then there this threshold throttle throttled
  throttling time times to today tomorrow too traffic try unavailable until up usage use used user very wait was we when
  while will window with within you your advice issues`,
  ),
};

/** That there are too many of them. */
const TOO_MANY =
  /\btoo (?:many|much|early|quickly)\b|\brate ?limit|\bratelimit|\b(?:limit|quota|maximum|max|threshold|requests|calls|usage) (?:\w+ ){0,5}(?:reached|hit)\b|\b(?:reached|hit) (?:\w+ ){0,4}(?:limit|quota|maximum|max|threshold)\b|\bexceed|\bexhausted\b|\bthrottl|\blimited\b|\boverloaded\b|\bbusy\b|\bunavailable\b|\bnot (?:allowed|permitted|ready)\b|\bno more\b|\bonly \w+ .*\b(?:allowed|permitted|per)\b|\b(?:high|heavy) (?:load|traffic|demand|usage)\b/;

/** What to do about it. */
const WAIT =
  /^(?:(?:please|you|can|may|will|have|to|be|is|it|again|available|caller) )*(?:try|retry|retrying|retryable|wait|back ?off|slow down|reduce|later|soon|shortly|less|tomorrow|until|after|in)\b/;

/** One word of a door's own: a name of what it counts. */
const COUNTED =
  /^(?:error |http )*(?:api|calls?|client|connections?|ip|key|limit|limiter|local|mcp|nginx|openresty|cloudflare|quota|rate|requests?|resource|server|sessions?|tenant|traffic|usage|user|html|http|error)$/;

/** Words in which a request is told to have come through, or this very one is said to be counted. */
const CAME_THROUGH =
  /(?<!\bnot )\bready\b|\b(?:used|had|action)\b|\b(?:before|within|after) (?!\d|an? |one |some |the (?:last|time|window|reset|next)|retry|try|send|mak|more|reset)|\b(?:with|by|for|has|have|in|on|at|up) (?:this|that|your|the|the same) (?:request|call|one)\b|\b(?:requests?|calls?|one) (?:has|have|is|was|were|are) (?!(?:been |being |currently |temporarily )*(?:rate |not |too |throttled|limited|over|exceed|allowed|permitted|unavailable))/;

/** One of several requests, or a limit that was met by trying again: the others may have come through. */
const ONE_OF_SEVERAL =
  /\b(?:second|last|\d+(?:st|nd|rd|th)) (?:request|call|one)\b|\bone (?:request|call) (?:was|is|has|got|were|had)\b|\bafter (?:the |an? |one )?retry\b(?! after)/;

/** What comes out of work, or is done about it later: who speaks of it had let the request in. */
const OUTCOME =
  /\b(?:results?|responses?|outputs?|output ?schema|structured ?content|return (?:value|type)s?|must return|execut(?:ing|ion)|handlers?|receipts?|elicitation|sampling|post-?processing|step \d+|rpc error: code)\b|\b(?:requests?|calls?|steps?|items?|parts?|pages?|chunks?|batch(?:es)?|stages?) (?:#|no\.? ?)?\d+ (?:of|\/) ?\d+\b|\bby (?:this|your|the) (?:call|request)\b|\b(?:request|call) is (?:in|on|up)\b(?! (?:the|a|an|progress)\b)|\bused before\b|\bwill be used\b|\bmust not \w+ again\b|\bis not (?:a function|iterable|defined)\b|\bcannot (?:read|set) propert|\bin your account\b|\bmust be confirmed\b|\b(?:to|must|should|needs?|cannot|can not|can't) be (?:reversed|undone|rolled back|compensated|reconciled)\b|\b(?:refund|reversal|rollback|reconciliation|compensation|clean-?up|chargeback) (?:(?:is|was|will be) )?(?:required|needed|necessary|pending|due)\b|\b(?:unable to|could not|couldn't) (?:complete|finish|finali[sz]e|send|e?-?mail|deliver|notify|capture|charge|commit|save|store|write|call|run|serialize)\b/i;

/** When it happened: behind a step of the work, or in the middle of one. A date that is to be later is the request's. */
const SINCE_WORK =
  /\b(?:after|behind|during|following|once|post|since|upon|while|in the middle of)[ -](?:the |your |this |an? |its |we |it (?:was|is) )?(?:pay(?:ment|ing|out)|paid|charg(?:e|ed|ing)|captur\w{1,4}|book(?:ing|ed)|order(?:s|ed|ing)?|commit\w{0,5}|sav(?:e|ed|ing)|creat\w{1,4}|insert\w{0,4}|sen(?:t|ding)|transfer\w{0,5}|purchas\w{1,4}|delet\w{1,4}|updat\w{1,4}|submi\w{1,8}|step|work|authori[sz](?:ation|ing|ed)|debit\w{0,4}|deduct\w{0,4}|deposit\w{0,4}|withdr\w{1,6}|reserv\w{1,6}|checkout|confirm\w{1,6}|approv\w{1,4}|settl\w{1,6}|fulfil\w{1,6}|ship\w{1,5}|deliver\w{0,4}|upload\w{0,4}|publi(?:sh|c)\w{1,6}|deploy\w{0,5}|execut\w{1,4}|refund\w{0,4}|invoic\w{1,3}|issuing|issuance|posting|writ(?:e|ing|ten)|stor(?:e|ing|ed)|persist\w{0,5}|process(?:ing|ed)|register\w{0,4}|registration|placing|placed)\b(?![ _-]?(?:date|time|day|header|code|server|endpoint)s?\b)/i;

/** Something failed that is not the look at the request. */
const FAILED =
  /(?<!\b(?:validation|verification|parsing|parse|authentication|authori[sz]ation|auth|login|check|schema|deserialization|decoding|request|assertion|precondition|signature|handshake|negotiation) (?:has |have )?)\bfailed\b(?! (?:to (?:parse|deserialize|validate|decode|authenticate|authori[sz]e|read|convert)|validation|schema|with status)\b)/i;

/** Does the refusal tell of somebody further away, or of something that was done, in its words or beside them? */
export function tellsOfMore(wire: Wire): boolean {
  if (wire.http !== undefined && isToldAround(wire.http)) return true;
  if ([wire.http?.said, wire.body, wire.error?.data].some((said) => marksSuccess(said))) return true;
  return sentences(wire).some(tells) || numbersIn(wire.http?.said).some(isSuccess);
}

/** Is it told around the answer, by its headers or the words of its status line? */
export function isToldAround({ headers, reason = '' }: HttpPart): boolean {
  return !areOfTheDoor(headers) || headersTell(headers) || tells(reason);
}

/** Does an answer under a refusing code of some document tell of something that was done, or of somebody further away? */
export function tellsOfWork({ error, text, result }: Wire): boolean {
  const isBeside = own(result, 'error') !== undefined && own(result, 'structuredContent') !== undefined;
  const found: string[] = [text];
  for (const said of [error?.message, error?.data, own(result, 'content')]) gather(said, MAX_DEPTH, found);
  return isBeside || found.some((said) => tells(withoutAdvice(said)));
}

/** Does something that stands in a result beside a declaration's own words, in whatever form, tell of work that was done? */
export function isContradicted({ message = '' }: Heard, { result }: Wire): boolean {
  const blocks = (ownArray(result, 'content') ?? []).map((block) => ownString(block, 'text') ?? '');
  const beside = blocks.filter((text) => message === '' || !text.includes(message));
  const isDone = (text: string): boolean => WORK.some((done) => done.test(apart(withoutAdvice(text))));
  return beside.some(isDone) || isDoneIn(own(result, 'structuredContent'), isDone, MAX_DEPTH);
}

/** Is a member called like that, and so, or says it in its value? */
function isDoneIn(value: unknown, isDone: (text: string) => boolean, depth: number): boolean {
  if (typeof value === 'string') return isDone(value);
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  return Object.entries(value)
    .slice(0, MOST_MEMBERS)
    .some(
      ([name, member]) =>
        isDoneIn(member, isDone, depth - 1) || (isSo(member) && !Array.isArray(value) && isDone(name)),
    );
}

function isSo(value: unknown): boolean {
  return value !== false && value !== null && value !== 0 && value !== '' && value !== 'no';
}

const MOST_MEMBERS = 100;

/** Our own words about what to do tell of nothing. */
export function withoutAdvice(text: string): string {
  return Object.values(ADVICE).reduce((rest, advice) => rest.replace(advice, ''), text);
}

/** A status of success in a refusal is about something else. */
function isSuccess([name, n]: readonly [string, number]): boolean {
  return /status|code$/i.test(name) && n >= 200 && n < 300;
}

/** Headers in which a server speaks; the others have values of a form of their own. */
const SPOKEN = /(?:^|-)(?:error|errors|failure|reason|message|status|state|warning|debug|info|detail)(?:-|$)/;

/** What a challenge says in words; the rest of it are names. */
const DESCRIPTION = /\berror(?:_description)?\s*=\s*"((?:[^"\\]|\\.)*)"/gi;

/** How a credential is, and what to do about it: whole sentences of those who look at nothing else. */
const OF_CREDENTIAL =
  /^(?:the |your |this )?(?:(?:access|bearer|id|auth(?:entication)?|oauth) )?(?:token|jwt|credentials?|issuer|audience|signature) (?:(?:is|are|was|were|has|have|been|not|no longer|yet) )*(?:active|expired|known|revoked|trusted|valid|verified)[.!]?$|^(?:expired|inactive|revoked|untrusted) (?:(?:access|bearer) )?(?:token|jwt|credentials?)[.!]?$|^(?:please )?(?:sign|log) in(?: again)?[.!]?$/i;

/** Does a challenge say nothing but what is wrong with the credential? One word more may tell of work. */
function complainsOnly(said: string): boolean {
  const text = said.trim();
  const isCode = ERROR_CODE.test(text) && refuses(text);
  return text === '' || isCode || OF_CREDENTIAL.test(text) || refusesAlone(text);
}

/** A name that a document has for an error. */
const ERROR_CODE = /^[a-z]+(?:[_-][a-z]+)*$/i;

/** What a challenge asks for, in names of the server's own. */
const SCOPES = /\bscope\s*=\s*"[^"]*"/gi;

function headersTell(headers: ReadonlyMap<string, string> = new Map()): boolean {
  for (const [name, value] of headers) {
    if (SPOKEN.test(name) && tells(value)) return true;
    const isChallenge = name === 'www-authenticate';
    if (
      isChallenge &&
      [...value.matchAll(DESCRIPTION)].some(([, said = '']) => tells(said) || !complainsOnly(said))
    )
      return true;
    // Whatever its form is: `PaymentCaptured`, `receipt-7.pdf`. Names of headers are what any answer may have.
    if (
      !name.startsWith('access-control-') &&
      WORK.some((done) =>
        done.test(apart(withoutConnection(isChallenge ? value.replace(SCOPES, '') : value))),
      )
    )
      return true;
  }
  return false;
}

/** Words that are written as one, apart. */
function apart(value: string): string {
  return value.replace(/(?<=[a-z])(?=[A-Z\d])/g, ' ').replaceAll('_', ' ');
}

function tells(text: string): boolean {
  return (
    text.length > MAX_LENGTH ||
    TELLING.some((more) => more.test(text)) ||
    (FAILED.test(text) && !isBare(text))
  );
}

const TELLING: readonly RegExp[] = [ELSEWHERE, OTHERS_REQUEST, DONE, DONE_ELSEWHERE, OUTCOME, SINCE_WORK];
/** Of these, the words that are in no header of a door. */
const WORK: readonly RegExp[] = [DONE, DONE_ELSEWHERE, /\breceipts?\b/i];

/** "Failed", "Error: request failed": nothing is said to have been tried. */
function isBare(text: string): boolean {
  return /^\W*(?:error\W+)?(?:(?:the )?(?:request|call) )?failed\W*$/i.test(text);
}

/** Is all that it says what a door says that counts its visitors? */
export function isOwnLimit(answer: Wire): boolean {
  if (sentences(answer).some(namesNumbered)) return false;
  const wire = inPlainWords(withoutAskedPlace(answer));
  if (tellsOfMore(wire) || forbidsRepetition(wire) || isLimitOfAnother(wire)) return false;
  if (!saysOnly(wire, LIMIT) || !isSpoken(wire) || !countsOnly(wire)) return false;
  return sentences(wire).flatMap(statementsIn).every(limits);
}

/** A limit is over some time: who wants nobody to try again means something else. */
export function forbidsRepetition({ http, body, error }: Wire): boolean {
  return [...new Set([http?.said, body, error?.data])].some((said) => forbidsIn(said, MAX_DEPTH));
}

/** Members that say whether to try again, and those that say that nobody is to. */
const REPEATED =
  /^(?:(?:is|can|may|should|allow|allows) )?retr(?:y|yable|iable)(?: allowed)?$|^(?:is )?(?:recoverable|temporary|transient)$/;
/** Few members have such a name: the others need no second look. */
const MAY_FORBID = /retr|final|permanent|recoverable|temporary|transient/i;
const NEVER_REPEATED = /^(?:is )?(?:(?:no|non|not|never|dont|do not) retr(?:y|yable|iable)|final|permanent)$/;
const NO = /^(?:false|never|no)$/i;
const YES = /^(?:1|true|yes)$/i;

function forbidsIn(said: unknown, depth: number): boolean {
  if (typeof said !== 'object' || said === null || depth === 0) return false;
  return Object.entries(said).some(([name, value]) => forbids(name, value) || forbidsIn(value, depth - 1));
}

function forbids(name: string, value: unknown): boolean {
  if (typeof value === 'object' || !MAY_FORBID.test(name)) return false;
  const called = wordsOf(name).join(' ');
  if (NEVER_REPEATED.test(called)) return YES.test(String(value));
  // A bare `retry: 0` is a time.
  return REPEATED.test(called) && (NO.test(String(value)) || (value === 0 && called !== 'retry'));
}

/** Signs and compressed bytes may tell of anything: a body says so in words, or is none. */
function isSpoken({ http }: Wire): boolean {
  const said = http?.said;
  return typeof said !== 'string' || said.trim() === '' || /\p{L}/u.test(said);
}

/** Numbers that count nothing may be those of something that was made. */
export function countsOnly({ http }: Wire): boolean {
  const said = http?.said;
  const isRpc = isRecord(said) && said['jsonrpc'] === '2.0';
  return numbersIn(said).every(
    ([key, n]) =>
      COUNTS.test(key) || n === http?.status || (CODE.test(key) && isCode(n)) || (isRpc && key === 'id'),
  );
}

const CODE = /^(?:error_?)?code$/i;
/** What gRPC calls what a 429 means. */
const RESOURCE_EXHAUSTED = 8;

/** A number of JSON-RPC's own, or of gRPC's. */
export function isCode(n: number): boolean {
  return n === RESOURCE_EXHAUSTED || (n >= -32_768 && n <= -32_000);
}

/** Names of numbers that count requests or time. */
export const COUNTS: RegExp =
  /retry|after|wait|reset|until|limit|remaining|quota|rate|max|count|requests?|calls?|window|interval|seconds?|minutes?|time|ms$/i;

/** All numbers, with what they are called. */
function numbersIn(value: unknown, key = '', depth = MAX_DEPTH): readonly (readonly [string, number])[] {
  if (typeof value === 'number') return [[key, value]];
  if (typeof value === 'string') return /^\d{1,9}$/.test(value) ? [[key, Number(value)]] : [];
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.slice(0, 100).flatMap((item) => numbersIn(item, key, depth - 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => numbersIn(item, name, depth - 1));
}

/** "2 of 3": less than all. All of them, or more, are what a limit is about. */
function isPartOf(statement: string): boolean {
  const [, some, all] = /\b(\d+) (?:out )?of (?:the )?(\d+)\b/.exec(statement) ?? [];
  return Number(some) < Number(all);
}

/** Is this a complaint about too many, a wait, or a number? A sentence that is none of these may tell of anything. */
function limits(statement: string): boolean {
  if (isVague(statement) || COUNTED.test(statement)) return true;
  if (cameThrough(statement)) return false;
  return isLimit(statement) || /\d/.test(statement);
}

/** Does a statement tell that this request, or some of several, came through? */
export function cameThrough(statement: string): boolean {
  return CAME_THROUGH.test(statement) || ONE_OF_SEVERAL.test(statement) || isPartOf(statement);
}

/** Does it say that there are too many, or how long to wait? */
export function isLimit(statement: string): boolean {
  return TOO_MANY.test(statement) || WAIT.test(statement);
}

/** Is all that it says what is wrong with the request? A status or a number alone, without words, says so too. */
export function isOwnRefusal(wire: Wire): boolean {
  const { text, body, error, http } = wire;
  const isAlone = http === undefined && body === undefined && error?.data === undefined;
  return isAlone && text === error?.message ? refusesAlone(text) : judge(withoutAskedPlace(wire));
}

/** The address that was posted to tells nothing new: frameworks put it into their pages. */
function withoutAskedPlace(wire: Wire): Wire {
  const { http, body } = wire;
  if (http?.askedAt === undefined) return wire;
  const asked = addressOf(http.askedAt);
  const isAsked = (place: unknown): boolean => typeof place === 'string' && isAskedPlace(place, asked);
  const said = withoutPlaces(http.said, isAsked);
  return { ...wire, body: body === http.said ? said : withoutPlaces(body, isAsked), http: { ...http, said } };
}

/** Servers refuse in the same few sentences, mostly with nothing beside them. */
const refusesAlone = /* @__PURE__ */ remembering((text) => judge(makeWire('protocol', true, text)));

function judge(wire: Wire): boolean {
  return !tellsOfMore(wire) && saysOnly(wire, REFUSAL) && saysSo(wire) && !isOfAnother(wire);
}

/** That a session is not there, or that something has not begun. */
const NOT_THERE =
  /\b(?:no|not|unknown|expired|find)\b[^.;\n]{0,60}\bsessions?\b|\bsessions?\b[^.;\n]{0,60}\b(?:not (?:found|exist|known|valid)|unknown|expired|gone|no longer)\b|\b(?:not|isn't|hasn't)(?: been| yet)? initiali[sz]ed\b/i;

/** A door says that of its own alone, and names nobody: a name is that of somebody whom the server has asked. */
function isOfAnother(wire: Wire): boolean {
  return sentences(wire).some((said) => NOT_THERE.test(said)) && !saysOnly(wire, DOORS_OWN);
}

function saysSo(wire: Wire): boolean {
  const said = sentences({ ...wire, http: wire.http && { ...wire.http, reason: undefined } });
  const spoken = said.filter((text) => /\p{L}/u.test(text) && !isVague(text));
  return spoken.length === 0 || spoken.some(refuses);
}

/** What doors say, and what is said of a request. */
export const REFUSAL: Vocabulary = {
  ...COMPLAINTS,
  words: new Set([...LIMIT.words, ...COMPLAINTS.words, 'tokens']),
};

const DOORS_OWN: Vocabulary = {
  words: new Set([
    ...REFUSAL.words,
    ...words(
      `begin connection couldn't create establish first headers id initialization initialize initializing known longer mcp-session-id
  new reinitialize rpc send sessionid start terminated transport was yet`,
    ),
  ]),
};

/** All texts of the answer. */
export function sentences({ text, body, error, http }: Wire): readonly string[] {
  const found: string[] = [http?.reason ?? ''];
  if (text !== error?.message) found.push(text);
  for (const said of [body, error?.message, error?.data]) gather(said, MAX_DEPTH, found);
  gather(http?.said, MAX_DEPTH + AROUND, found);
  return found;
}

function gather(value: unknown, depth: number, found: string[]): void {
  if (typeof value === 'string') found.push(value);
  // Deeper than anybody refuses: then it is no refusal.
  else if (depth === 0) found.push('x'.repeat(MAX_LENGTH + 1));
  else if (Array.isArray(value)) for (const item of value.slice(0, 100)) gather(item, depth - 1, found);
  else if (isRecord(value)) for (const item of Object.values(value)) gather(item, depth - 1, found);
}
