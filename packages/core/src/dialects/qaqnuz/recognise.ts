import { ownString } from '../../json.ts';
import type { Wire } from '../../wire/wire.ts';
import { codes, TEXTS } from './codes.ts';

/** The envelope declares itself; on the wire only the platform's own sentence gives it away. */
export function recognise(wire: Wire): number {
  if (wire.envelope !== undefined)
    return codes.some((row) => row.code === ownString(wire.envelope, 'error_class')) ? 1 : 0;
  return wire.placement === 'tool' && wire.text === TEXTS.rateLimited ? 0.5 : 0;
}
