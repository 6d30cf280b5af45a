/**
 * Things that are cancelled: an order, a meeting, a job with a number. They are in the way of what was asked for; only
 * when the call itself was cancelled, nobody waits for an answer any more.
 */
import { type Form, formOf } from './forms.ts';

/** A glance, since few texts say anything of the kind. */
export const CANCELLED: Form = /* @__PURE__ */ formOf(/cancel|abort/i);

const WORD = '(?<word>cancell?ed|aborted)';

/** Things of which it is said. */
const SAID: readonly RegExp[] = [
  new RegExp(
    `(?<subject>(?:^|[.;:!?\\n(,] ?|\\bbecause |\\bsince )[^.;:!?\\n(,]{2,80}?) (?:is|are|was|were|got|(?:has|have|had) (?:already )?been)(?: (?:already|now|just|currently))? ${WORD}\\b`,
    'gid',
  ),
  new RegExp(
    `(?:cannot|can't|can not|could not|couldn't|can no longer|may not|must not) be ${WORD}\\b`,
    'gid',
  ),
  // What is described by it: "a cancelled order", "Cancelled invoices cannot be paid".
  new RegExp(`(?:\\b(?:a|an|the|this|that|any|for|of) |^)${WORD}(?<subject> [a-z]{3,30})\\b(?! user)`, 'gid'),
  // Who did it, and to what.
  new RegExp(
    `\\b(?!user|client|caller|you\\b)\\w{3,30} (?:has|have) (?:already )?${WORD}(?<subject> (?:this|the|that|their|its) [a-z]{3,30})\\b`,
    'gid',
  ),
];
const CANNOT =
  /^(?:error: )?(?:you |we )?(?:cannot|can't|can not) (?<word>cancel|abort) (?!the (?:request|call)\b)\S/dgi;

/** What a call is called. */
const CALL =
  /\b(?:requests?|operations?|calls?|context|quer(?:y|ies)|statements?|actions?|commands?|execution|fetch|streams?|connections?|navigation|prompt|dialog|elicitation|confirmation|input|transactions?|signal|process|upload|download|handshake|it|by|due|user|client|timeout)\b/i;
/** What may be a call or a thing; a thing has a name, or is somebody's. */
const TASK = /^(?:an? |the )?(?:tasks?|jobs?)$/i;

/** Where a text says of a thing that it is, or cannot be, cancelled. */
export function cancelledThings(text: string): readonly (readonly [from: number, to: number])[] {
  if (!CANCELLED.test(text)) return [];
  const found: (readonly [number, number])[] = [];
  for (const form of [...SAID, CANNOT])
    for (const { groups, indices } of text.matchAll(form)) {
      const at = indices?.groups?.['word'];
      if (at !== undefined && isThing(groups?.['subject'])) found.push(at);
    }
  return found;
}

function isThing(subject: string | undefined): boolean {
  const thing = subject?.replace(/^\W+/, '').trim();
  return thing === undefined || (thing !== '' && !CALL.test(thing) && !TASK.test(thing));
}
