/** Sentences that ask somebody to open an address, and names of one that is there to be opened. */

/** So much before an address, and after it, is looked at. */
const NEAR = 200;

/** What somebody is asked to do there. */
const ASKS =
  /(?:^|\b(?:please|you (?:can|may|must|should|need to|have to)|to|and|then|or|first) )(?:visit|open|go to|click|sign (?:in|up)|log ?in|register|authori[sz]e|approve|pay|upgrade|subscribe|follow|(?:re-?)?connect|complete|continue|grant|install|link|create it)\b/i;

/** What is called a place to go. */
const NAMED =
  /\b(?:(?:re[-_]?)?(?:auth(?:entication|enticate|ori[sz]ation|ori[sz]e)?|connect)|oauth2?|sso|log[-_ ]?in|sign[-_ ]?in|consent|verification|device|activation|approv(?:al|e)|checkout|pay(?:ment)?|(?:hosted[-_ ]?)?invoice|billing|top[-_ ]?up|subscribe|upgrade|onboarding)[ _-]?(?:ur[il]|link|page|address)(?:[-_ ]?complete)?(?: is)?$/i;

const ASKS_AFTER =
  /^["')\]]{0,2} (?:to|and) (?:visit|sign|log|register|authori[sz]e|approve|pay|upgrade|subscribe|connect|complete|continue|grant|install|link)\b/i;
const FAILED =
  /\b(?:fail(?:ed|ure)?|could not|cannot|can't|unable|error|exception|status|http|fetch(?:ing)?|timed out|refused|returned|responded|[1-5]\d\d)\b/i;

const FAILED_AFTER =
  /^["')\]]{0,2}(?::? (?:has |was )?(?:failed|returned|responded|answered|refused|timed out|gave|said)\b|: (?:(?:permission|access) denied|no such |not found|forbidden|[1-5]\d\d\b))/i;
/** What systems call their errors. */
const CODE_AFTER = /^["')\]]{0,2}: E[A-Z]{3,12}\b/;

/** Where something happened, or by whom. */
const PLACE = /\b(?:fail(?:ed|ure)?|declined|refused|rejected|denied) (?:by|at|from|with)$/i;

/** Is something by such a name there to be opened? */
export function isNamedToOpen(name: string): boolean {
  return NAMED.test(name);
}

/** The last clause before an offset, without what leads to what stands there. */
export function clauseBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - NEAR), at).replace(/[\s:"'`(<[\\]{1,5}$/, '');
  return (before.split(/[.!?;:,\n]\s{1,3}| - |["{},]/).at(-1) ?? '').trim();
}

/** Does a clause, or what follows what it leads to, tell of a failure there? */
export function tellsOfFailure(clause: string, after: string): boolean {
  return FAILED.test(clause) || FAILED_AFTER.test(after) || CODE_AFTER.test(after);
}

/** Does a clause only lead to where something failed, or to who refused it? */
export function leadsToFailed(clause: string): boolean {
  return PLACE.test(clause);
}

/** Is somebody asked to open what stands from one offset to another? */
export function isAskedToOpen(text: string, start: number, end: number): boolean {
  const last = clauseBefore(text, start);
  const after = text.slice(end, end + NEAR);
  if (tellsOfFailure(last, after)) return false;
  return ASKS.test(last) || NAMED.test(last) || ASKS_AFTER.test(after);
}
