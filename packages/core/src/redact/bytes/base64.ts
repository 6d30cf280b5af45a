/** Base64 to bytes and back, wherever JavaScript runs. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NONE = 64;
const END = 61;
const CHUNK = 8192;

const VALUES: Uint8Array = new Uint8Array(128).fill(NONE);
for (let value = 0; value < NONE; value++) VALUES[DIGITS.charCodeAt(value)] = value;
VALUES['-'.charCodeAt(0)] = DIGITS.indexOf('+');
VALUES['_'.charCodeAt(0)] = DIGITS.indexOf('/');

/** The bytes, as those who are lenient read them: in either alphabet, and past whatever is none of its letters. */
export function bytesOf(encoded: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((encoded.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let at = 0; at < encoded.length; at++) {
    const code = encoded.charCodeAt(at);
    if (code === END) break;
    const value = VALUES[code] ?? NONE;
    if (value === NONE) continue;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[length++] = (bits >> held) & 0xff;
  }
  return bytes.subarray(0, length);
}

/** Base64 of bytes, filled up to fours. */
export function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += CHUNK * 3) {
    const part = bytes.subarray(from, from + CHUNK * 3);
    let text = '';
    for (let at = 0; at < part.length; at += 3) text += three(part, at);
    parts.push(text);
  }
  return parts.join('');
}

function three(bytes: Uint8Array, at: number): string {
  const [first = 0, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
  const digit = (shift: number): string => DIGITS.charAt((bits >> shift) & 63);
  const last = third === undefined ? '=' : digit(0);
  return digit(18) + digit(12) + (second === undefined ? '=' : digit(6)) + last;
}
