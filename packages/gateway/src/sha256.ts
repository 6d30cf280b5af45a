/** SHA-256 in one go. */
import * as crypto from 'node:crypto';

/** Without an object for each: a third of the time, where Node has it (20.12). */
const inOneGo: typeof crypto.hash | undefined = crypto.hash;

/** A digest as text, in hex unless told otherwise. */
export function sha256(data: string | Uint8Array, encoding: 'hex' | 'base64' | 'base64url' = 'hex'): string {
  return inOneGo?.('sha256', data, encoding) ?? crypto.createHash('sha256').update(data).digest(encoding);
}

/** A digest as bytes. */
export function sha256Bytes(data: string): Buffer {
  return inOneGo?.('sha256', data, 'buffer') ?? crypto.createHash('sha256').update(data).digest();
}
