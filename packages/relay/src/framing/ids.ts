/** The id of a message, as a value and as bytes. */
import { splice, stringAt } from './members.ts';
import type { Peek } from './peek.ts';
import { OPEN_OBJECT, QUOTE } from './scan.ts';

/** The id of a message, decoded; `undefined` when it has none, or `null`. */
export function idOf(bytes: Buffer, seen: Peek): string | number | undefined {
  if (seen.idStart < 0) return undefined;
  if (bytes[seen.idStart] === QUOTE) return stringAt(bytes, seen.idStart, seen.idEnd);
  const id = Number(bytes.toString('latin1', seen.idStart, seen.idEnd));
  return Number.isNaN(id) ? undefined : id;
}

/** The id of a message as the bytes that came; `null` where there is none. */
export function idBytes(bytes: Buffer, seen: Peek): Buffer {
  return seen.idStart < 0 ? NULL : bytes.subarray(seen.idStart, seen.idEnd);
}

/** The same message under another id, whether it had one or not. */
export function withId(bytes: Buffer, seen: Peek, id: Buffer): Buffer {
  if (seen.idStart >= 0) return inPlace(bytes, seen, id);
  const open = bytes.indexOf(OPEN_OBJECT);
  if (open < 0) return bytes;
  return splice(bytes, [{ start: open + 1, end: open + 1 }], Buffer.concat([ID, id, COMMA]));
}

/** In one piece: this is done twice with every call to an HTTP server. */
function inPlace(bytes: Buffer, { idStart, idEnd }: Peek, id: Buffer): Buffer {
  const whole = Buffer.allocUnsafe(bytes.length - (idEnd - idStart) + id.length);
  bytes.copy(whole, 0, 0, idStart);
  id.copy(whole, idStart);
  bytes.copy(whole, idStart + id.length, idEnd);
  return whole;
}

/** Is this, to the letter, the id of a message? */
export function hasIdBytes(bytes: Buffer, { idStart, idEnd }: Peek, id: Buffer): boolean {
  if (idEnd - idStart !== id.length) return false;
  for (let i = 0; i < id.length; i++) if (bytes[idStart + i] !== id[i]) return false;
  return true;
}

const NULL: Buffer = Buffer.from('null');
const ID: Buffer = Buffer.from('"id":');
const COMMA: Buffer = Buffer.from(',');
