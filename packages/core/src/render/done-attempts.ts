/**
 * What somebody tried to do, and what it was to be done to: "Error marking task as done: …", "Error adding created item: …". Words
 * for work in it name a state that was to be, or the thing; what was done stands elsewhere.
 */

const VERBS = String.raw`(?:(?:trying|attempting|attempts?) to [\w-]{2,30}|[\w-]{2,30}ing)`;
const WHILE = `(?: (?:has |was )?(?:occurred|happened|raised|encountered))?(?: (?:while|when|whilst|in|on|during|with))?`;
/** "Error marking", "an error occurred while marking", "failed to mark", "could not mark". */
const TRIED = String.raw`\b(?:(?:errors?|exception|failure|failed|problem|trouble)(?: -?\d{1,6})?${WHILE} ${VERBS}|(?:failed|unable|not able) to [\w-]{2,30}|(?:could not|couldn't|can ?not|can't) [\w-]{2,30})\b`;
/** As far as the clause goes. A dot or a colon inside a name ends nothing. */
const OBJECT = String.raw`(?:[^,;!?()\n.:]|[.:](?!\s|$)){0,200}`;
const ATTEMPT = new RegExp(`(${TRIED})(${OBJECT})`, 'gi');

/** Behind these somebody tells of something else. */
const TURN =
  /\s[-–—]+\s|\b(?:but|however|yet|though|although|then|after(?:wards)?|before|while|because|when|except|so)\b/i;

const WORK = '(?:[a-z]{2,20}ed|done|paid|sent|written|withdrawn)';
const WORKS = `${WORK}(?:,? (?:and|or) ${WORK})?`;
/** "as done", "to completed": what it was to be. */
const TO_BE = new RegExp(String.raw`\b(as|to) (?:already |being )?["'\x60]?${WORKS}\b`, 'gi');
const WHICH =
  '(?: (?:the|an?|all|any|some|your|my|their|its|this|that|these|those|new|newly|recently|previously|just))';
/** "created item", "the newly created user": what it was to be done to. A name has to follow. */
const DONE_TO = new RegExp(
  String.raw`^(${WHICH}{0,3}) ${WORKS}(?= (?!(?:as|at|by|in|on|with|to|for|from|into|and|or|is|was|were|has|have)\b)[\w"'#])`,
  'i',
);

/** The same without the words for work in what was only tried. */
export function withoutAttempts(text: string): string {
  return text.replace(ATTEMPT, (_whole, tried: string, rest: string) => {
    const turn = rest.search(TURN);
    const object = turn < 0 ? rest : rest.slice(0, turn);
    const named = object.replace(DONE_TO, '$1').replace(TO_BE, '$1');
    return tried + named + rest.slice(object.length);
  });
}
