import { own, ownRecord } from '../../json.ts';
import type { Wire } from '../../wire/wire.ts';
import { rangeCategory } from './codes.ts';

/** A result whose `error` has a number in the ranges and declares `retryable`, or has its `details`. */
export function recognise(wire: Wire): number {
  const code = wire.error?.code;
  if (code === undefined || rangeCategory(code) === undefined || wire.result === undefined) return 0;
  const error = own(wire.result, 'error');
  if (typeof own(error, 'retryable') === 'boolean') return 0.95;
  return DETAILS.some((key) => own(ownRecord(error, 'details'), key) !== undefined) ? 0.75 : 0;
}

const DETAILS: readonly string[] = ['field', 'reason', 'suggestion', 'context', 'originalError'];
