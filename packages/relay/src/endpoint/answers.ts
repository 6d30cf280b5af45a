/** Whose answer is this? */
import { idBytes, idOf } from '../framing/ids.ts';
import type { Peek } from '../framing/peek.ts';
import type { WireCall } from './call.ts';

/**
 * Does a response answer this call? Some servers answer what they could not read with an error without an id: over
 * HTTP it is clear whose that is.
 */
export function answers(call: Pick<WireCall, 'body' | 'peek'>, message: Buffer, seen: Peek): boolean {
  if (idBytes(message, seen).equals(idBytes(call.body, call.peek))) return true;
  const id = idOf(message, seen);
  return id === undefined ? seen.hasError : id === idOf(call.body, call.peek);
}
