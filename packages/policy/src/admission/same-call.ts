/** What a key is kept with: what its call asks for, in which round, and what else it was sent with. */

/** Before what is asked in a later round; what an answer is kept with stays when the answer has to go. */
const LATER = 'later ';
/** Before the digest of what the call was sent with, where there is anything. */
const WITH = '~';
const SENT_WITH = /~[\da-f]{64}$/;

/** What a call is kept with; `sentWith` is a SHA-256 in hexadecimal, or empty. */
export function keptWith(fingerprint: string, sentWith: string, isLater: boolean): string {
  const beside = sentWith === '' ? '' : `${WITH}${sentWith}`;
  return `${isLater ? LATER : ''}${fingerprint}${beside}`;
}

/** Was it kept in a later round? */
export function isOfLaterRound(kept: string): boolean {
  return kept.startsWith(LATER);
}

/** Is it the same call, whichever round? */
export function isSameCall(one: string, other: string): boolean {
  return one.replace(LATER, '') === other.replace(LATER, '');
}

/** Do both ask for the same, whatever else they were sent with? */
export function asksTheSame(one: string, other: string): boolean {
  return isSameCall(one.replace(SENT_WITH, ''), other.replace(SENT_WITH, ''));
}
