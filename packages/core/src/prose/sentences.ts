/**
 * Sentences of people to people: who may, what is taken, what comes first. They have no word of their own that tells the
 * kind, but they are built alike, whatever they speak of.
 */
import { matchesOne, sentenceForm } from './forms.ts';
import { SENTENCES } from './sentence-forms.ts';
import type { Finding } from './verdict.ts';

/** Longer texts explain; what they say in passing is no verdict, and what they begin with is. */
const LONGEST = 200;

/** The sentences that a text begins with, as far as they are not long; nothing where the first one is. */
function beginningOf(text: string): string | undefined {
  if (text.length <= LONGEST) return text;
  const end = text.slice(0, LONGEST).search(/[.!](?= [A-Z])/);
  return end < 0 ? undefined : text.slice(0, end + 1);
}
/** Less than any phrase of software's own, and enough to be believed where there is none. */
const WEIGHT = 72;

/** Nothing but that it did not work, and a wait that is asked for. */
const LATER = /* @__PURE__ */ sentenceForm(
  /\b(?:try|retry|come back|check back)\b(?: (?:it|this|your request|the request|the operation))?(?: again)? (?:later|shortly|soon|in (?:a|an|\d|some)|after (?:a|some|\d(?!\d?:\d)))|\b(?:right now|at the moment|at this time|for a (?:moment|short time))\b[^\n]{0,60}\b(?:again|retry)\b|\b(?:request|operation|call) (?:can|may|should) (?:safely )?be (?:safely )?(?:retried|repeated)\b(?! (?:after|once|only))/i,
);
/** Whoever only says that something failed leaves it to the advice. */
const VAGUE = 61;

/** That it may work later, where nothing that was found says what is wrong. */
export function laterIn(text: string, found: readonly Finding[]): Finding | undefined {
  if (text.length > LONGEST || found.some(({ weight }) => weight >= VAGUE) || !LATER.test(text))
    return undefined;
  return { by: 'sentence', kind: 'unavailable', weight: WEIGHT, says: text.slice(0, 80) };
}

/** What a sentence of everyday language says, where nothing that was found says more. */
export function sentenceIn(text: string, found: readonly Finding[]): Finding | undefined {
  if (found.some(({ weight }) => weight >= WEIGHT)) return undefined;
  const begin = beginningOf(text);
  const told = begin === undefined ? undefined : SENTENCES.find(({ said }) => matchesOne(said, begin));
  if (told === undefined) return undefined;
  return { by: 'sentence', kind: told.kind, weight: WEIGHT, says: text.slice(0, 80), never: told.never };
}
