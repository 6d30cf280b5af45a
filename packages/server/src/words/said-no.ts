/** Somebody who was asked has said no. That is an answer: nobody has to change anything, and nobody is to be asked again. */

const WHO = '(?:the |your )?(?:user|owner|approver|reviewer|human|operator)';
const REFUSED = '(?:declined|rejected|refused|denied|dismissed|cancell?ed)';
const AGREE = '(?:approve|confirm|agree|consent|accept|allow)';
/** What a program cancels for its own reasons. */
const INNER = '(?!quer|statement|transaction|connection|fetch|process|job|stream)';
const WORDS = '(?: [a-z]+){0,5}';

const NO: readonly RegExp[] = [
  new RegExp(`^${WHO} (?:has )?(?:${REFUSED}|said no)${WORDS}[.!]?$`, 'i'),
  new RegExp(
    `^${WHO} (?:did not|didn't|has not|hasn't|does not|doesn't) ${AGREE}(?:e?d)?${WORDS}[.!]?$`,
    'i',
  ),
  new RegExp(
    `^(?:the |this )?${INNER}[a-z]+(?: [a-z]+)? (?:was |is |has been )?${REFUSED} by ${WHO}[.!]?$`,
    'i',
  ),
  new RegExp(
    `^(?:the )?(?:elicitation|confirmation|approval|consent)(?: request| dialog| prompt)? (?:was |is |has been )?${REFUSED}[.!]?$`,
    'i',
  ),
];

/** What to do about it. */
export const AFTER_NO = 'The answer was no; do not ask again unless told to.';

/** Is that all that a sentence says? Whoever adds a reason asks for something else. */
export function saysNo(words: string): boolean {
  return words.length <= LONGEST && NO.some((form) => form.test(words.trim()));
}

const LONGEST = 120;
