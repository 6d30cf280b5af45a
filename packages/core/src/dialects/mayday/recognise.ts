import type { Wire } from '../../wire/wire.ts';
import { documentIn } from './read.ts';

/** The document declares itself. */
export function recognise(wire: Wire): number {
  return documentIn(wire) === undefined ? 0 : 1;
}
