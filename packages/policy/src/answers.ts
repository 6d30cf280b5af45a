/**
 * What functions and stores that are handed in answer. One that answers what nobody can go by has a mistake, which costs a
 * call rather than a limit: no answer is taken for a yes because it was not understood.
 */
import { shown } from './check.ts';

/** A function or a store that is handed in answers what nobody can go by: no caller can mend that. */
export class Misused extends TypeError {}

/** Refuses an answer that is not what a sentence names. */
export function expectAnswer<T>(
  name: string,
  answer: unknown,
  wanted: string,
  is: (answer: unknown) => boolean,
): asserts answer is T {
  if (!is(answer)) throw new Misused(`Expected \`${name}\` to give ${wanted}, got ${shown(answer)}`);
}

/** Under which name a call is counted. Whoever has none is counted with all the others that have none. */
export function countedUnder(answer: unknown): string {
  const name = answer ?? '';
  expectAnswer<string | number>('per', name, 'a text', (one) => ['string', 'number'].includes(typeof one));
  return String(name);
}

/** The digest of what a call asks for. An empty one would be that of every call. */
export function digestIn(answer: unknown): string {
  expectAnswer<string>(
    'fingerprint',
    answer,
    'a text that is not empty',
    (one) => typeof one === 'string' && one !== '',
  );
  return answer;
}

/** How long a call has to wait, in milliseconds. */
export function waitIn(answer: unknown): number {
  expectAnswer<number>('take', answer, '0 or milliseconds', (one) => typeof one === 'number' && one >= 0);
  return answer;
}
