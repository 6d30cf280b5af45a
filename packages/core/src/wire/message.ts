/** Messages of JSON-RPC, as far as one must know of them to tell them from anything else. */
import { isRecord, type Unknown } from '../json.ts';

/** Is it a JSON-RPC message, or was it meant to be one? Other interfaces number their problems too. */
export function isMessage(value: unknown): value is Unknown {
  if (!isRecord(value)) return false;
  return 'jsonrpc' in value || ('id' in value && ('result' in value || isRecord(value['error'])));
}
