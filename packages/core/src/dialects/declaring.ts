/** Documents whose answers say of every failure whether it is worth another try; a code alone says nothing of it. */
const DECLARING: ReadonlySet<string> = new Set(['closient', 'onx']);

/** Does an answer in this dialect say in so many words whether to repeat the call? */
export function declaresRepetition(dialect: string | undefined): boolean {
  return DECLARING.has(dialect ?? '');
}
