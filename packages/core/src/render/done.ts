/**
 * Failures that tell of something that was done: "Payment booked as pay_991, but the receipt mail failed". Who reads
 * that has to know what was done, and must not be told to try again. Words are no proof that nothing was done, but
 * they are reason enough to be careful.
 */
import { type Fault, makeFault } from '../fault.ts';
import type { Language } from '../language.ts';
import { formsTogether, mayMatchOne } from '../prose/forms.ts';
import { cautioned } from './caution.ts';
import {
  BETWEEN_ABROAD,
  DONE_ABROAD,
  DONE_IN_CHINESE,
  FAILED_ABROAD,
  FAILED_IN_CHINESE,
  TAKEN_BACK_ABROAD,
  UNDONE_ABROAD,
} from './done-abroad.ts';
import { isAmissBehindWork } from './done-amiss.ts';
import { withoutAttempts } from './done-attempts.ts';
import { PARTLY_DONE } from './for-model.ts';

/** What work is called when it is over. */
const DONE =
  /\b(?:booked|charged|paid|captured|confirmed|finali[sz]ed|appended|refunded|debited|credited|transferred|withdrawn|created|inserted|added|updated|changed|modified|replaced|deleted|removed|saved|stored|written|wrote|recorded|logged|sent|emailed|mailed|delivered|queued|enqueued|scheduled|submitted|committed|pushed|merged|published|posted|uploaded|moved|renamed|copied|registered|reserved|ordered|shipped|dispatched|placed|processed|completed|executed|performed|succeeded|successful(?:ly)?|applied|deployed|imported|exported|signed|issued|cancelled|canceled|approved|accepted|done|activated|deactivated|enabled|provisioned|allocated|migrated|granted|revoked|archived|closed|opened|assigned|invited|started|restarted|installed|rotated|synced|synchroni[sz]ed|went through|(?:payment|charge|booking|transfer|purchase|order|donation|deposit|reservation|refund|withdrawal|change)s?(?: (?:was|were|has been|have been))? made|(?:payment|money|fee|charge|deposit|donation|order|booking|reservation)s?(?: (?:was|were|has been|have been))? taken|(?:payment|money|fee|deposit|donation)s?(?: (?:was|were|has been|have been))? received|exists now|is (?:live|in place))\b/i;

/** What makes it something that was not done, or is still to do, or was somebody else's. */
const UNDONE =
  /\b(?:not|never|no|none|nothing|any|anything|cannot|can|could|would|should|must|may|might|will|shall|be|being|if|unless|until|before|fail\w*|unable|without|too (?:many|much)|at most|invalid|unexpected|required|expected|allowed|please|by (?:another|somebody|someone)|(?:changed|modified|updated|edited|replaced|overwritten|deleted|removed) by (?!\d|(?:id|name|key|hand|default)\b)|elsewhere|since)\b|n't\b|\b0 ?(?:of|out of|\/) ?\d/i;

/** What makes it so, unless parts of it are counted. */
const QUALIFIED = /\b(?:already|only)\b/i;

/** `to be added` is still to do; `added to the cart` is not. */
const STILL_TO = /\bto\b/i;

/** What speaks of the way, not of the work. */
const ON_THE_WAY =
  /\b(?:requests?|quer(?:y|ies)|packets?|headers?|bytes|connections?|sockets?|handshakes?|sessions?|process(?:es)?|workers?|threads?|servers?|streams?|quota|limits?)\b|^\s*(?:(?:the|a|an|new|connection|database|db|thread|http|redis|agent) )*pool\b/i;

/** Parts of it, counted: `3 of 5 rows written`, `2/5 uploaded`, `partially applied`. */
const COUNTED =
  /\b[1-9]\d{0,8} ?(?:of|out of|\/) ?\d{1,9}\b|\bpartial(?:ly)?\b|\bhalf[- ](?:done|finished|written)\b/i;

const A_OF_B = /(?<![\d.,])([1-9]\d{0,8}) ?(?:of|out of|\/|von|de|di|sur|van) ?(\d{1,9})(?![\d./])/i;

const FAILED =
  /\b(?:fail(?:ed|s|ure|ing)?|errors?|errored|exception|timed out|time-?out|unavailable|unreachable|refused|rejected|lost|crashed|aborted|broke|bounced|is down|went wrong|could not|couldn't|cannot|can't|unable|not (?:been )?(?:sent|delivered|written|updated|created|saved|stored|confirmed|reached|completed)|duplicate|conflict|rate[- ]limit\w*|limit exceeded|too many requests|throttl(?:ed|ing)|[45]\d\d)\b|\bE(?:CONN|AI_|HOST|NET|PIPE|TIMEDOUT|NOTFOUND)/i;

/** Whoever took it back has done nothing. */
const TAKEN_BACK =
  /\b(?:roll(?:ed|ing) back|rollback|reverted|undone|compensated|no changes? (?:was|were|has|have)|nothing (?:was|were|has|have) )/i;

/** A dot or a colon inside a name, a path or an address ends nothing. */
const BETWEEN =
  /[.:]+(?=[\s"'`)\]]|$)|[;,!?()\n，；。]+|\s[-–—]+\s|\b(?:but|however|yet|though|although|then|after(?:wards)?|(?=before\b)|while|because|when|and|except|so|with)\b/i;

/**
 * How a thing is, and what can therefore not be done with it: "Order 7 was cancelled and cannot be refunded", "Cannot
 * edit invoice 12: it has been sent". Nothing of it is this call's work; a step that failed has a subject of its own.
 */
const STATES: readonly RegExp[] = [
  /\b\w+[^.;:!?\n]{0,80}?(?:,? (?:and|so|hence|therefore)|[,;]) (?:(?:it|they|this|these|that) )?(?:(?:therefore|thus|now|so|hence) )?(?:cannot|can ?not|can't|could not|couldn't|can no longer|may not|must not) (?:\w+ly )?be\b/gi,
  /\b(?:cannot|can't|can not|(?:refused|rejected|declined|denied|not (?:possible|allowed|permitted))(?=:))[^.;:!?\n]{0,80}(?::| because| since| as) [^.;:!?\n]{0,60}\b(?:is|are|was|were|(?:has|have) been)\b[^.;!?\n]*/gi,
];

const LONGEST = 2000;

/** Does it tell of something that was done before something failed? */
export function tellsOfDone(words: string): boolean {
  const cut = withoutQueries(words.slice(0, LONGEST));
  if (!mayTell(cut)) return false;
  const text = withoutAttempts(withoutStates(cut));
  if (TAKEN_BACK.test(text) || TAKEN_BACK_ABROAD.test(text)) return false;
  const spoken = clausesOf(text);
  if (spoken.some(isPart) || failsAfterIt(text) || isAmissBehindWork(text, clausesOf, isDone)) return true;
  const done = spoken.findIndex(isDone);
  return done >= 0 && spoken.some((clause, at) => at !== done && hasFailed(clause));
}

/** Does it tell of something that was done, whether or not something failed? */
export function hasDone(words: string): boolean {
  const cut = withoutQueries(words.slice(0, LONGEST));
  if (!mayTell(cut)) return false;
  const text = withoutStates(cut);
  return clausesOf(text).some((clause) => isDone(clause) || isPart(clause)) || failsAfterIt(text);
}

/** What an address asks for, without what ends the sentence around it. */
const QUERY = /(:\/\/[^\s?#"'`<>]{1,1000})[?#][^\s"'`<>]{0,1000}/g;

/** No sign in the query of an address ends a clause, and nothing in it is told. */
function withoutQueries(text: string): string {
  return text.replace(QUERY, (address, page: string) => page + (/[.,;:!?)]{0,3}$/.exec(address)?.[0] ?? ''));
}

function clausesOf(text: string): string[] {
  const clauses = text.split(BETWEEN).flatMap((part) => part.split(BETWEEN_ABROAD));
  return clauses.filter((clause) => clause.trim() !== '');
}

/** "Internal server error after commit": it is the step that is named, not that it was done. */
const AFTER_IT =
  /\bafter (?:the |your )?(?:commit|payment|charge|booking|transfer|refund|insert)\b(?!\W+(?:is|was|has|had|fail|declin|expir|time|date|confirm|due|limit))/i;

function failsAfterIt(text: string): boolean {
  return AFTER_IT.test(text) && hasFailed(text) && !isUndone(text);
}

const formOf = formsTogether();
const TELLING = [DONE, DONE_ABROAD, AFTER_IT, ...STATES].map(formOf);

/** A glance, since few failures tell of any work: without a word of it, nothing below finds any. */
function mayTell(text: string): boolean {
  return mayMatchOne(TELLING, text) || text.includes('\u5df2');
}

/** Who begins with what was done speaks of himself: "Saved the file; it could not be indexed". */
function withoutStates(text: string): string {
  if (text.search(DONE) === 0) return text;
  return STATES.reduce((rest, state) => rest.replace(state, ' '), text);
}

function hasFailed(words: string): boolean {
  return FAILED.test(words) || FAILED_ABROAD.test(words) || FAILED_IN_CHINESE.test(words);
}

/** Something was done, or at least a part that is counted. */
function isDone(clause: string): boolean {
  const counted = COUNTED.test(clause);
  return saysDone(clause) && (counted || !(isUndone(clause) || QUALIFIED.test(clause)));
}

/** A count of what was done says by itself that the rest was not. */
function isPart(clause: string): boolean {
  const [, some, all] = A_OF_B.exec(clause) ?? [];
  return Number(some) < Number(all) && saysDone(clause) && !isUndone(clause);
}

function saysDone(clause: string): boolean {
  const at = clause.search(DONE);
  const isSaid = at >= 0 ? !STILL_TO.test(clause.slice(0, at)) : isDoneAbroad(clause);
  return isSaid && !ON_THE_WAY.test(clause);
}

function isDoneAbroad(clause: string): boolean {
  return DONE_ABROAD.test(clause) || DONE_IN_CHINESE.test(clause);
}

function isUndone(clause: string): boolean {
  return UNDONE.test(clause) || UNDONE_ABROAD.test(clause);
}

/** The fault of a call that did a part of its work: nobody is told to make it again. */
export function partlyDone(fault: Fault): Fault {
  const advice = fault.advice ?? PARTLY_DONE;
  return makeFault({ ...fault, reaction: 'terminal', retryable: false, retry: { when: 'never' }, advice });
}

/** The language that a fault was read in. */
type ReadIn = Pick<Language, 'dialects'>;

/** Has whoever sent it said in so many words whether to repeat it? */
function saysOfRepetition({ native, details }: Fault, { dialects }: ReadIn): boolean {
  const declares = dialects.find(({ id }) => id === native?.dialect)?.declaresRepetition === true;
  return declares || typeof details?.['retryable'] === 'boolean';
}

/**
 * `cautioned`, for a fault that was read in words of others: of work that was partly done nobody is told to do it again.
 * What somebody has said of repetitions decides, and so does advice that somebody has given.
 */
export function warned(fault: Fault, readIn: ReadIn): Fault {
  const isOpen = fault.advice === undefined && fault.executed !== 'no' && !saysOfRepetition(fault, readIn);
  return cautioned(isOpen && tellsOfDone(fault.message) ? partlyDone(fault) : fault);
}
