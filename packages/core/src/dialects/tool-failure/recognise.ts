import type { Wire } from '../../wire/wire.ts';
import { failureIn } from './read.ts';

/** The `_meta` key declares it. */
export function recognise(wire: Wire): number {
  return failureIn(wire) === undefined ? 0 : 0.99;
}
