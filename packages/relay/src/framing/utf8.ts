/** What a server sends, as text that everybody reads alike. */
import { isUtf8 } from 'node:buffer';

/**
 * The same bytes without a byte order mark, and with U+FFFD where they were no UTF-8. A server that speaks Latin-1 by
 * mistake keeps its answer: structure is ASCII and does not change.
 */
export function toUtf8(bytes: Buffer): Buffer {
  const body = withoutMark(bytes);
  return isUtf8(body) ? body : Buffer.from(body.toString('utf8'), 'utf8');
}

/** Some write a byte order mark in front of JSON, and some cannot read one. */
export function withoutMark(bytes: Buffer): Buffer {
  return isMarked(bytes) ? bytes.subarray(3) : bytes;
}

/** Does it begin with a byte order mark? */
export function isMarked(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
