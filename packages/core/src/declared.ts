/** Where an answer holds a fault document. */
import { isRecord, own, type Unknown } from './json.ts';
import { FAULT_KEY } from './protocol.ts';
import type { Wire } from './wire/wire.ts';

/** The fault document of an answer: in a result's `_meta`, in an error's `data`, or as the body. */
export function documentIn({
  result,
  error,
  body,
}: Pick<Wire, 'result' | 'error' | 'body'>): Unknown | undefined {
  const places = [own(own(result, '_meta'), FAULT_KEY), result === undefined ? error?.data : undefined, body];
  return places.find(isDocument);
}

function isDocument(value: unknown): value is Unknown {
  return isRecord(value) && own(value, 'kind') !== undefined && own(value, 'reaction') !== undefined;
}
