/**
 * A document that declares `no` is believed while everything else in its answer is nothing more than the same failure,
 * said again: in its own words, or in the few that others have for it. What anything beyond that tells, nobody can say.
 */
import { saysAbsence } from './absent-endpoint.ts';
import { isPlaceOfMcp, withoutPlaces } from './asked-address.ts';
import {
  type Beside,
  besideDocument,
  type Declared,
  declaredIn,
  jsonOf,
  repeats,
  withoutTexts,
} from './beside-document.ts';
import { refuses } from './complaints.ts';
import type { Heard } from './dialects/dialect.ts';
import type { Fault, Subject } from './fault.ts';
import { isRecord, own, ownKeys, parseJson } from './json.ts';
import { isRetryable, TRAITS } from './kinds.ts';
import { isMade, tellsOfMade } from './made-things.ts';
import {
  affirms,
  counts,
  isRequestId,
  namesThing,
  statementsIn,
  withoutSilent,
  words,
  wordsOf,
} from './plain-words.ts';
import {
  COUNTS,
  cameThrough,
  isCode,
  isLimit,
  isOwnLimit,
  isOwnRefusal,
  REFUSAL,
  sentences,
} from './refusal-words.ts';
import { hasDone, tellsOfDone } from './render/done.ts';
import { isOfAThing } from './request-ids.ts';
import { isVague } from './vague.ts';
import { makeWire, type Wire } from './wire/wire.ts';

const MAX_DEPTH = 6;
const MOST_MEMBERS = 100;

/** Does an answer that declares `no` tell anything else? `undefined`: it does not declare it in a document. */
export function isSaidOtherwise(heard: Heard, wire: Wire, called?: Subject): boolean | undefined {
  const declared = declaredIn(heard, wire, called);
  if (declared === undefined) return undefined;
  if (tellsOfWorkItself(declared)) return true;
  const beside = besideDocument(declared, wire);
  if (beside.length === 0) return false;
  if (beside.length > MOST_MEMBERS) return true;
  const known = knownFrom(declared);
  return !beside.every((said) => isSaidAgain(said, known) || isOfADoor(said, declared));
}

/**
 * Is it what a door itself would have said, of the same failure? Whoever hands a refusal on says in a document what it
 * comes to, and gives what stood at the door beside that: it refuses there as much as it did alone.
 */
function isOfADoor({ name, value, place }: Beside, { fault }: Declared): boolean {
  if (place === 'thing') return false;
  // Where that stood is nothing that was made.
  const given = withoutPlaces(name === '' ? (parsedIn(value) ?? value) : { [name]: value }, isPlaceOfMcp);
  const isLimit = isRetryable(fault.reaction);
  // What is left of it may be no more than the members around its sentence.
  const said = isRecord(given) && !isLimit ? { message: fault.message, ...given } : given;
  const wire = makeWire('http', true, '', {
    http: { status: TRAITS[fault.kind].http, headers: NO_HEADERS, said },
  });
  const isWell = sentences(wire).some((text) => FORBIDS.test(text) || statementsIn(text).some(isOfTheWell));
  if (isWell) return false;
  return isLimit ? isOwnLimit(wire) || isAbsence(fault, given) : isOwnRefusal(wire);
}

/** Is it what is said where nobody serves an address? */
function isAbsence({ kind }: Fault, given: unknown): boolean {
  if (kind !== 'unavailable') return false;
  const body = typeof given === 'string' ? given : jsonOf(given);
  return body !== '' && saysAbsence({ status: 404, headers: {}, body });
}

/** Who was turned away is not told that it goes on. */
function isOfTheWell(statement: string): boolean {
  return WELL.test(statement);
}

const NO_HEADERS: ReadonlyMap<string, string> = new Map();

/** A text that is a structure. */
function parsedIn(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
}

// The document's own words.

/** How things are, which nobody has done just now: "scheduled maintenance", "the shop is closed". */
const STATES =
  /\bscheduled (?:maintenance|downtime|outages?|windows?|updates?|work)\b|(?:^\W*|\b(?:is|are) (?:(?:currently|temporarily|still|not|already|being) )*)(?:closed|restarted|started|archived|deactivated|installed|deployed)\b/gi;

/** A call that is not to be made again has come to something. */
const FORBIDS =
  /\b(?:do not|don't|never|must not|mustn't|should not|cannot|can't|no need to)\b[^.,;\n]*\b(?:again|repeat\w*|retry\w*|twice|re-?(?:send|submit|run|try))\b/i;

/** Does the document itself tell that something was done? Who is turned away for good may be told how things are. */
function tellsOfWorkItself({ fault }: Declared): boolean {
  const { message, advice = '', name = '', issues, native, details } = fault;
  if (!isRetryable(fault.reaction)) return tellsOfDone(message);
  const said = [message, advice, name, native?.message ?? '', ...issues.map((issue) => issue.message)];
  return (
    said.some((text) => isOfWork(text) || tellsOfMade(text)) ||
    FORBIDS.test(`${message}\n${advice}`) ||
    holdsWork(details, '', MAX_DEPTH)
  );
}

function isOfWork(text: string): boolean {
  return hasDone(apart(text).replace(STATES, ' '));
}

/** Words that are written as one, apart. */
function apart(text: string): string {
  return text.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll('_', ' ');
}

/** Who asks, and what is counted: their ids are there before any work is. */
const HOLDER =
  /^(?:account|agent|api|app|application|approval|bucket|call|caller|client|connection|correlation|customer|group|key|limit|member|org|organi[sz]ation|plan|policy|project|quota|region|request|role|rule|server|session|span|subscription|task|team|tenant|tool|trace|user|window|workspace|zone)$/;

/** The id of something that was made: `payment_id`, or a value such as `pay_991` under any name. */
function isId(name: string, value: unknown): boolean {
  if (isRequestId(name)) return typeof value === 'string' && isOfAThing(value);
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const parts = wordsOf(name);
  const isNamed = parts.at(-1) === 'id' && !parts.slice(0, -1).some((part) => HOLDER.test(part));
  const isOfHolder = parts.some((part) => HOLDER.test(part));
  return isNamed || (!isOfHolder && typeof value === 'string' && /^[a-z]{2,12}_\w*\d\w*$/i.test(value));
}

/** Is a member called like something that was done, and so; or does it say so, or name what was made? */
function holdsWork(value: unknown, name: string, depth: number): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return false;
  if (depth === 0) return true;
  if (isId(name, value) || isMade(name, value)) return true;
  if (typeof value === 'string') return isOfWork(value) || isOfWork(name);
  if (typeof value !== 'object') return isOfWork(name);
  const members = ownKeys(value);
  if (members.length > MOST_MEMBERS) return true;
  return members.some((inner) =>
    holdsWork(own(value, inner), Array.isArray(value) ? name : inner, depth - 1),
  );
}

// What stands beside it.

/** What the document knows: words that others may use of the same failure. */
interface Known {
  readonly declared: Declared;
  readonly words: ReadonlySet<string>;
  /** Its sentences in plain words, with a dot between them and blanks around each word. */
  readonly sentences: string;
  readonly isInviting: boolean;
}

/** Of what others make sentences about a failure, beside what doors say. */
const FAILING = words(
  `account administrator anything approval approve approved approver attempt attempts available because called calling can't
  capacity changed changes check closed connect connected connecting connection contact cooldown daily denied doesn't don't
  down duration elapsed encountered executed executing execution feature free full goes happened help higher http i
  initializing interrupted isn't issue lack lacks latency left list loading log login look made maintenance make maxed min
  mins moment monthly needed needs next nothing now occurred off offline oops open operation payload permission permissions
  plan please possible processed queue reached read reason recommended refuse refused reject rejected repeat requires
  resets retries right safe saturated sec secs see service services shutting sign slot slots something sorry started
  starting still stop stopped support system tell temporary timed timeout trying unreachable upgrade visit warming weekly
  went were yet`,
);

/** Words of who is content, wherever they stand. */
const CONTENT = words('ok okay success successful successfully complete completed done finished fine');

/** So much of a document is held against what others say. */
const MOST_TEXT = 10_000;
/** Nobody says the same failure again at such length. */
const LONGEST = 1000;

function knownFrom(declared: Declared): Known {
  const found: string[] = [];
  gather([declared.members, declared.labels], MAX_DEPTH, found);
  const sentences = found.map((text) => wordsOf(text).join(' '));
  const all = ` ${sentences.join(' . ').slice(0, MOST_TEXT)} `;
  const own = all.split(' ');
  const both = own.flatMap((word) => [word, `${word}s`, word.replace(/s$/, '')]);
  return {
    declared,
    words: new Set(both.filter((word) => word !== '')),
    sentences: all,
    isInviting: isRetryable(declared.fault.reaction),
  };
}

/** All words and numbers of a document. */
function gather(value: unknown, depth: number, found: string[]): void {
  if (typeof value === 'string' || typeof value === 'number') found.push(String(value));
  if (typeof value !== 'object' || value === null || depth === 0) return;
  for (const name of ownKeys(value).slice(0, MOST_MEMBERS)) {
    gather(own(value, name), depth - 1, found);
  }
}

function isSaidAgain({ name, value, place }: Beside, known: Known): boolean {
  if (place === 'thing') return false;
  if (place === 'note' && OF_MESSAGES.test(name)) return !holdsWork(value, '', MAX_DEPTH);
  return isMemberAgain(name, value, known, MAX_DEPTH);
}

/** How a message came, and through what. */
const OF_MESSAGES =
  /^(?:traceparent|tracestate|baggage|progressToken|v|(?:.*[._-])?(?:version|region|zone|server|host|hostname|node|pod|runtime|environment|server_?info|client_?info))$/i;

function isMemberAgain(name: string, value: unknown, known: Known, depth: number): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (repeats(known.declared, name, value)) return true;
  if (typeof value === 'boolean') return isFlagAgain(name, value, known);
  if (typeof value === 'number') return isNumberAgain(name, value, known);
  if (typeof value === 'string') return isTextAgain(name, value, known, depth);
  if (typeof value !== 'object' || depth === 0) return false;
  const members = ownKeys(value);
  if (members.length > MOST_MEMBERS) return false;
  if (!isRecord(value)) return members.every((at) => isMemberAgain(name, own(value, at), known, depth - 1));
  return members.every(
    (inner) =>
      (`${name} ${inner}` === 'error code' && CODE_OF_ERROR.test(`${own(value, inner)}`)) ||
      isMemberAgain(inner, own(value, inner), known, depth - 1),
  );
}

/** Servers number their errors as they like; only what HTTP has for success is no failure's. */
const CODE_OF_ERROR = /^(?!2..$)-?\d{1,9}$/;

/** What takes something back; that it was not done tells that there is something to take back. */
const TAKES_BACK = /\b(?:refund|revers|revert|roll|undo|compensat|cancel|void)/i;

function isFlagAgain(name: string, value: boolean, { isInviting, words: own }: Known): boolean {
  const said = wordsOf(name);
  const plain = said.join(' ');
  if (/\bretr(?:y|ya?iable|yable|ies)\b/.test(plain)) return value === isInviting;
  if (value) return refuses(plain) && said.every((word) => isKnown(word, own));
  if (TAKES_BACK.test(plain) || refuses(plain)) return false;
  return hasDone(plain) || said.every((word) => isKnown(word, own) || CONTENT.has(word));
}

/** What there is none of. */
const NUMBERED = /^(?:total|count|size|length|items?|rows?|results?|affected|(?:rows|items) \w+)$/;

function isNumberAgain(name: string, n: number, { words: own }: Known): boolean {
  const said = wordsOf(name);
  if (n === 0 && (hasDone(said.join(' ')) || NUMBERED.test(said.join(' ')))) return true;
  if (/^(?:http ?)?(?:status|error)?(?: ?code| ?status)?$/.test(said.join(' ')) && said.length > 0)
    return (n >= 400 && n < 600) || isCode(n) || own.has(String(n));
  return COUNTS.test(name) && said.every((word) => isKnown(word, own));
}

const TIME = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]{4,15}(?:Z|[+-]\d\d:?\d\d)?)?$/;
const OF_TIME =
  /^(?:timestamp|time|date|now|(?:server|response|reset|retry|until|expires?|expir\w+|available|next)(?:[_-]?(?:at|time|date|on|after))?)$/i;
const ID = /^[\w.:/+=@|-]{1,128}$/;

function isTextAgain(name: string, text: string, known: Known, depth: number): boolean {
  if (name !== '' && hasDone(apart(name))) return false;
  if (isRequestId(name) && ID.test(text)) return !isOfAThing(text);
  if (OF_TIME.test(name) && TIME.test(text)) return true;
  if (name === 'type' && text === 'text') return true;
  const said = text.trim();
  if (/^[[{]/.test(said)) {
    const parsed = parseJson(said);
    if (parsed !== undefined) return depth > 0 && isMemberAgain('', parsed, known, depth - 1);
  }
  return saysAgain(said, known);
}

const ADDRESS = /\b(?:https?:\/\/|about:)[^\s"'<>)\]]+|(?<=^|\s)\/[\w./~-]*(?=$|\s)/gi;

/** Pages to sign in or to agree at have names of their own; any other address may be that of what was made. */
function withoutAddresses(text: string, { declared }: Known): string {
  const isAsked = declared.fault.reaction === 'permission';
  return text.replace(ADDRESS, (address) => (isAsked || !namesThing(address) ? ' ' : ` ${address} `));
}

function saysAgain(text: string, known: Known): boolean {
  const rest = withoutTexts(known.declared, text);
  if (rest.length > LONGEST || affirms(rest)) return false;
  const bare = withoutSilent(withoutAddresses(rest, known));
  const found = wordsOf(bare);
  const isPlain = found.every(
    (word, at) =>
      isKnown(word, known.words) && (!/^\d+$/.test(word) || known.words.has(word) || counts(found, at)),
  );
  if (!isPlain || (known.isInviting && FORBIDS.test(bare))) return false;
  return statementsIn(bare).every((statement) => isSameFailure(statement, known));
}

function isKnown(word: string, own: ReadonlySet<string>): boolean {
  if (own.has(word)) return true;
  if (CONTENT.has(word)) return false;
  return FAILING.has(word) || REFUSAL.words.has(word) || FRAME.has(word) || /^\d+(?:ms|s|m|h|d)?$/.test(word);
}

/** Of what answers are built. */
const FRAME = words(
  'code data description detail details error errors exception http https info message reason response status title type',
);

/** That nothing was done, of the call itself. Of anything else it would tell which step failed. */
const DENIES =
  /^(?:nothing|no (?:changes?|request|call|operation|action)|(?:the|this|your) (?:request|call|operation|action|tool)|it) (?:was|were|is|has been|have been|will be) (?:not )?(?:executed|processed|made|changed|started|done|accepted|called)$/;
const DENIED = /\bnot\b|^no/;

/** What somebody is told to do. */
const ADVISES =
  /^(?:(?:please|then|and|or|you|it|can|may|must|should|have|has|need|needs|is|to|first|safe|next|to) )*(?:ask|authenticate|back|call|change|check|connect|contact|correct|do not|don't|get|list|log|login|look|provide|read|reduce|repeat|request|retry|see|sign|slow|stop|tell|try|upgrade|use|visit|wait)\b/;

/** Failures of which doors have no words. */
const FAILS =
  /\b(?:refused|rejected|denied|down|offline|unreachable|timed out|timeout|starting|initializing|loading|warming|full|closed|interrupted|stopped|saturated|maintenance|lacks?|expired)\b/;

/** What a number stands for, or what its limit is: "HTTP 429", "max 1000 bytes", "resets in 5 s". */
const MEASURES =
  /^(?:(?:api|code|error|http|mcp|status) )*(?:[45]\d\d|32\d\d\d)?$|^\d+\w* (?:requests?|calls?|times|ms|s|secs?|seconds?|mins?|minutes?|hours?)\b|^(?:per |a |an )?(?:second|minute|hour|day|month)$|^(?:max|maximum|limit|at most|up to|only|resets?|available|free)\b/;

/** That nothing is wrong, or that somebody sees to it already. */
const WELL =
  /\b(?:no|not|without|never)(?: an?| any)? (?:errors?|problems?|failures?|issues?|faults?)\b|^(?:(?:we|is|are|it|now) )*retrying\b/;

/** The request itself did not come through. */
const TURNED_AWAY =
  /\b(?:request|call) (?:was|is|were|has been) (?:blocked|denied|dropped|refused|rejected)\b/;

/** "60 of 60 requests used". */
const ALL_OF = /^(\d+) (?:out )?of (?:the )?(\d+)(?: \w+)? used$/;

function isSameFailure(statement: string, { sentences, isInviting }: Known): boolean {
  if (isVague(statement)) return true;
  if (DENIES.test(statement)) return DENIED.test(statement);
  if (WELL.test(statement)) return false;
  if (isOfWork(statement)) return false;
  if (sentences.includes(` ${statement} `)) return true;
  const [, some, all] = ALL_OF.exec(statement) ?? [];
  if (some !== undefined) return Number(some) >= Number(all);
  if (isInviting && !TURNED_AWAY.test(statement) && cameThrough(statement)) return false;
  return isLimit(statement) || refuses(statement) || SAME.some((form) => form.test(statement));
}

const SAME: readonly RegExp[] = [FAILS, ADVISES, MEASURES];
