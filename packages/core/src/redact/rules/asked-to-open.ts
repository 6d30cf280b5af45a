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
  /^["')\]]{0,2}:? (?:has |was )?(?:failed|returned|responded|refused|timed out|gave|said)\b/i;

/** Is something by such a name there to be opened? */
export function isNamedToOpen(name: string): boolean {
  return NAMED.test(name);
}

/** Is somebody asked to open what stands from one offset to another? */
export function isAskedToOpen(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - NEAR), start).replace(/[\s:"'`(<[\\]{1,5}$/, '');
  const last = (before.split(/[.!?;:,\n]\s{1,3}| - |["{},]/).at(-1) ?? '').trim();
  const after = text.slice(end, end + NEAR);
  if (FAILED.test(last) || FAILED_AFTER.test(after)) return false;
  return ASKS.test(last) || NAMED.test(last) || ASKS_AFTER.test(after);
}
