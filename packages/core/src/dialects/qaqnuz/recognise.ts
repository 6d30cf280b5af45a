import { ownString } from '../../json.ts';
import type { Wire } from '../../wire/wire.ts';
import { codes } from './codes.ts';
import { envelopeIn } from './read.ts';
import { TEXTS } from './sentences.ts';

/** The envelope declares itself; on the wire only the platform's own sentences give it away. */
export function recognise(wire: Wire): number {
  const envelope = envelopeIn(wire);
  if (envelope !== undefined)
    return codes.some((row) => row.code === ownString(envelope, 'error_class')) ? 1 : 0.6;
  const isText = wire.placement === 'tool' || wire.placement === 'text';
  return isText && (wire.text === TEXTS.rateLimited || wire.text === TEXTS.unreachable) ? 0.5 : 0;
}
