import { initFromDocument } from '../../document.ts';
import { isRecord, own, type Unknown } from '../../json.ts';
import { isKind } from '../../kinds.ts';
import { FAULT_KEY } from '../../protocol.ts';
import type { Wire } from '../../wire/wire.ts';
import type { Heard } from '../dialect.ts';

/** The fault document: in a tool result's `_meta`, or in an error's `data`. */
export function documentIn(wire: Wire): Unknown | undefined {
  const found = wire.result === undefined ? wire.error?.data : own(own(wire.result, '_meta'), FAULT_KEY);
  return isRecord(found) && isKind(own(found, 'kind')) && own(found, 'reaction') !== undefined
    ? found
    : undefined;
}

/** The document says everything. */
export function read(wire: Wire): Heard | undefined {
  const init = initFromDocument(documentIn(wire));
  if (init === undefined) return undefined;
  return {
    ...init,
    certainty: 1,
    evidence: [{ by: 'document', says: 'a fault document', dialect: 'mayday', kind: init.kind }],
  };
}
