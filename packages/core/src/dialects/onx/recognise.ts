import { own, ownRecord } from '../../json.ts';
import type { Wire } from '../../wire/wire.ts';
import { rangeCategory } from './codes.ts';

/**
 * A result whose `error` has a number in the ranges and declares `retryable`, or has its `details`; and wrong
 * parameters by their name in the document, with the dotted path of the field.
 */
export function recognise(wire: Wire): number {
  const code = wire.error?.code;
  if (code === -32602 && wire.placement === 'protocol') return isInvalidParams(wire) ? 0.75 : 0;
  if (code === undefined || rangeCategory(code) === undefined || wire.result === undefined) return 0;
  const error = own(wire.result, 'error');
  if (typeof own(error, 'retryable') === 'boolean') return 0.95;
  return DETAILS.some((key) => own(ownRecord(error, 'details'), key) !== undefined) ? 0.75 : 0;
}

const DETAILS: readonly string[] = ['field', 'reason', 'suggestion', 'context', 'originalError'];

function isInvalidParams({ error }: Wire): boolean {
  const data = ownRecord(error, 'data');
  if (error?.message !== 'Invalid params' || typeof own(data, 'field') !== 'string') return false;
  return Object.keys(data ?? {}).every((key) => DETAILS.includes(key));
}
