import { isUtf8 } from 'node:buffer';

/** The position of the first byte that is not UTF-8; `undefined` when all are. */
export function invalidUtf8At(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  let at = 0;
  for (const character of bytes.toString('utf8')) {
    // Decoding puts U+FFFD where bytes make no sense; a U+FFFD that was really sent is three good bytes.
    if (character === '\uFFFD' && bytes.indexOf('\uFFFD', at, 'utf8') !== at) return at;
    at += Buffer.byteLength(character);
  }
  return at;
}
