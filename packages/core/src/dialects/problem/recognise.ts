import { own, ownInteger, ownString } from '../../json.ts';
import { isKind } from '../../kinds.ts';
import type { Wire } from '../../wire/wire.ts';

/** The media type declares it; without one, the members of RFC 9457 do. */
export function recognise(wire: Wire): number {
  if (wire.error !== undefined || wire.placement === 'tool') return 0;
  const typed = wire.http?.headers.get('content-type')?.includes('application/problem+json') === true;
  if (typed) return isKind(own(wire.body, 'kind')) ? 0.99 : 0.85;
  const members =
    ownString(wire.body, 'title') !== undefined && ownInteger(wire.body, 'status') !== undefined;
  return members ? 0.75 : 0;
}
