import { own, ownString } from '../../json.ts';
import type { Wire } from '../../wire/wire.ts';
import { problemIn } from './read.ts';

const TYPE = 'https://closient.com/docs/errors/';

/** Its problem documents name Closient in `type`, or carry `error_code` beside `retryable`. */
export function recognise(wire: Wire): number {
  const problem = problemIn(wire);
  if (problem === undefined) return 0;
  if (ownString(problem, 'type')?.startsWith(TYPE) === true) return 0.98;
  if (ownString(problem, 'error_code') === undefined) return 0;
  return typeof own(problem, 'retryable') === 'boolean' ? 0.9 : 0;
}
