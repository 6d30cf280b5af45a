import { own } from '../../json.ts';
import type { Wire } from '../../wire/wire.ts';
import { rowFor } from './read.ts';

/** By number and message, or by number and the members of `data`: a number alone proves nothing. */
export function recognise(wire: Wire): number {
  const error = wire.error;
  if (
    error?.code === undefined ||
    (error.code <= -32600 && error.code >= -32700) ||
    wire.placement === 'tool'
  )
    return 0;
  const row = rowFor(error.code);
  if (row === undefined) return 0;
  const keyed = row.keys.length > 0 && row.keys.every((key) => own(error.data, key) !== undefined);
  if (error.message === row.title) return keyed ? 0.95 : 0.8;
  return keyed && row.keys[0] !== 'reason' ? 0.75 : 0;
}
