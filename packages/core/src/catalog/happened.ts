/** What a kind or a code alone tells of whether the work was done. */
import { type Executed, type Kind, TRAITS } from '../kinds.ts';

const WORDS: { readonly [E in Executed]: string } = {
  no: 'Refused before the work, nothing was done; said by a tool that had begun, it may have been.',
  maybe: 'It may have been done: check before a change is repeated.',
  yes: 'It was done: a repetition would do it again.',
};

/**
 * Was the work done, as far as a row of the catalogue alone tells, be it of a kind or of a code? That nothing was, only
 * the answer that says it can prove.
 */
export function happenedBy(row: Row): { readonly executed: Executed; readonly words: string } {
  const stands = row.executed === 'no' ? 'no' : TRAITS[row.kind].executed;
  return { executed: stands === 'no' ? 'maybe' : stands, words: WORDS[stands] };
}

interface Row {
  readonly kind: Kind;
  /** What it stands for where it refuses. */
  readonly executed: Executed;
}
