/** Is it a text that somebody sends as bytes? */

/** Of the platform, wherever JavaScript runs. */
declare const TextDecoder: new (
  label: string,
  options?: { readonly fatal?: boolean },
) => { decode(bytes: Uint8Array): string };

/** Bytes that no text has, in whatever encoding, but pictures, sounds and archives have among their first. */
const CONTROLS: ReadonlySet<number> = new Set(
  Array.from({ length: 128 }, (_, code) => code).filter(
    (code) => code < 9 || (code > 13 && code < 32 && code !== 27) || code === 127,
  ),
);

/** Types whose bytes are a text, whatever they look like. */
const TEXTUAL = /^[^;]*[/+](?:json|xml|yaml|javascript|x-www-form-urlencoded|x-sh|sql|toml|csv)\b/i;

/** A text, and how it was written. */
export interface TextOfBytes {
  readonly text: string;
  /** Each byte was a letter by itself: nobody said in which encoding, and none need be known to write it back. */
  readonly isByLetter: boolean;
  /** It is read as UTF-16: whoever reads a letter in each byte sees another text. */
  readonly isWide: boolean;
}

/** The text that bytes are, if they are one; `mimeType` is what its sender calls it. */
export function textOfBytes(bytes: Uint8Array, mimeType: string | undefined): TextOfBytes | undefined {
  if (bytes.length === 0) return undefined;
  const declared = declaredText(bytes, mimeType);
  if (declared !== undefined) return declared;
  const wide = wideText(bytes);
  if (wide !== undefined) return { text: wide, isByLetter: false, isWide: true };
  const isDeclared = mimeType !== undefined && (/^text\//i.test(mimeType) || TEXTUAL.test(mimeType));
  if (!isDeclared && bytes.some((byte) => CONTROLS.has(byte))) return undefined;
  try {
    return { text: decoded(bytes, 'utf-8', true), isByLetter: false, isWide: false };
  } catch {
    return { text: byLetter(bytes), isByLetter: true, isWide: false }; // no UTF-8: an older encoding, or not all of it is one
  }
}

/** What its sender says it is written in, where that is an encoding of more than bytes. */
function declaredText(bytes: Uint8Array, mimeType: string | undefined): TextOfBytes | undefined {
  const charset = CHARSET.exec(mimeType ?? '')?.[1];
  if (charset === undefined || /^(?:utf-?8|us-ascii|iso-8859-1|latin1)$/i.test(charset)) return undefined;
  try {
    const text = decoded(bytes, charset, true);
    return { text, isByLetter: false, isWide: /16|ucs|unicode/i.test(charset) };
  } catch {
    return undefined; // nobody knows it, or it is something else
  }
}

/** Where a type names its encoding. */
export const CHARSET: RegExp = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i;

/** UTF-16 says so with its first two bytes, or with every second one. */
function wideText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded(bytes, 'utf-16be');
  const pairs = Math.min(bytes.length, LOOKED_AT) >> 1;
  if (pairs < 4 || bytes.length % 2 === 1) return undefined;
  const [even, odd] = [0, 1].map((from) => zeros(bytes, from, pairs)) as [number, number];
  if (even === 0 && odd > pairs * MOSTLY) return decoded(bytes, 'utf-16le');
  if (odd === 0 && even > pairs * MOSTLY) return decoded(bytes, 'utf-16be');
  return undefined;
}

const LOOKED_AT = 4096;
const MOSTLY = 0.7;

function zeros(bytes: Uint8Array, from: number, pairs: number): number {
  let count = 0;
  for (let i = 0; i < pairs; i++) if (bytes[from + 2 * i] === 0) count++;
  return count;
}

function decoded(bytes: Uint8Array, encoding: string, fatal = false): string {
  return new TextDecoder(encoding, { fatal }).decode(bytes);
}

const CHUNK = 8192;

/** Bytes as text, each a letter of its own. */
export function byLetter(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return parts.join('');
}
