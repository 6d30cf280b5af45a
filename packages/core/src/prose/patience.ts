/** Nothing but a request to come back: "Please try again later", "Something went wrong. Try again in 1 second". */
import { isVague } from '../vague.ts';
import type { Finding } from './verdict.ts';

/** What asks for it; "again" alone may be what somebody did. */
const ASKS = /\b(?:try|retry|wait|come back|check back|call back|hold on|stand by)\b/i;

/** Words of such a request, and of how long it is. */
const WORDS: ReadonlySet<string> = new Set(
  (
    'please kindly try trying retry retrying again later soon shortly wait waiting hold stand by on back come check call then and or so just now ' +
    'a an in after before for about at least within some few couple of more once one two three five ten thirty ' +
    'moment moments minute minutes min mins second seconds sec secs s m h ms hour hours while bit time day days tomorrow ' +
    'your the this that it request operation call action'
  ).split(' '),
);

const LONGEST = 160;
/** More than a sentence of people to people: there is nothing else that it could be about. */
const WEIGHT = 82;
/** What a phrase tells is known better. */
const KNOWN = 70;

/** Does a text ask for patience, and tell of nothing but that something went wrong? */
export function asksForPatience(text: string): boolean {
  if (text.length > LONGEST || !ASKS.test(text)) return false;
  const rest = text.replaceAll(/\d+(?:\.\d+)?|\p{L}+/gu, (word) => (isOfRequest(word) ? '' : word));
  return !/[\p{L}\d]/u.test(rest) || isVague(rest);
}

function isOfRequest(word: string): boolean {
  return /^\d/.test(word) || WORDS.has(word.toLowerCase());
}

/** That it may work later, where nothing else is said. */
export function patienceIn(text: string, found: readonly Finding[]): Finding | undefined {
  if (!asksForPatience(text) || found.some(({ weight }) => weight >= KNOWN)) return undefined;
  return { by: 'phrase', kind: 'unavailable', weight: WEIGHT, says: text.slice(0, 80) };
}
