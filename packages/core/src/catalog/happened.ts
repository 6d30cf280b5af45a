/** What a kind alone tells of whether the work was done. */
import { withoutEvidence } from '../executed.ts';
import { type Executed, type Kind, TRAITS } from '../kinds.ts';

const WORDS: { readonly [E in Executed]: string } = {
  no: 'Refused before the work, nothing was done; said by a tool that had begun, it may have been.',
  maybe: 'It may have been done: check before a change is repeated.',
  yes: 'It was done: a repetition would do it again.',
};

/** Was the work done, as far as the kind alone tells? That nothing was, only the answer that says the kind can prove. */
export function happenedBy(kind: Kind): { readonly executed: Executed; readonly words: string } {
  return { executed: withoutEvidence(kind), words: WORDS[TRAITS[kind].executed] };
}
