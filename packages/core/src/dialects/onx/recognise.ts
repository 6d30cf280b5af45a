import { own } from '../../json.ts';
import type { Wire } from '../../wire/wire.ts';
import { rangeCategory } from './codes.ts';

/** A result whose `error` has a number in the ranges and declares `retryable`. */
export function recognise(wire: Wire): number {
  const code = wire.error?.code;
  if (code === undefined || rangeCategory(code) === undefined || wire.result === undefined) return 0;
  return typeof own(own(wire.result, 'error'), 'retryable') === 'boolean' ? 0.95 : 0.6;
}
