/** Is it a text that somebody sends as bytes? */

/** Bytes that no text has, in whatever encoding, but pictures, sounds and archives have among their first. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;

/** Types whose bytes are a text, whatever they look like. */
const TEXTUAL =
  /^(?:text\/|[^;]*[/+](?:json|xml|yaml|javascript|x-www-form-urlencoded|x-sh|sql|toml|csv)\b)/i;

/** The text in base64, if it is one; `mimeType` is what its sender calls it. */
export function textInBase64(encoded: string, mimeType: string | undefined): string | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length === 0) return undefined;
  const wide = declaredText(bytes, mimeType) ?? wideText(bytes);
  if (wide !== undefined) return wide;
  const isDeclared = mimeType !== undefined && TEXTUAL.test(mimeType);
  if (!isDeclared && CONTROLS.test(bytes.toString('latin1'))) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1'); // no UTF-8, and still no controls: an older encoding
  }
}

/** What its sender says it is written in, where that is an encoding of more than bytes. */
function declaredText(bytes: Buffer, mimeType: string | undefined): string | undefined {
  const charset = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(mimeType ?? '')?.[1];
  if (charset === undefined || /^(?:utf-?8|us-ascii|iso-8859-1|latin1)$/i.test(charset)) return undefined;
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined; // nobody knows it, or it is something else
  }
}

/** UTF-16 says so with its first two bytes, or with every second one. */
function wideText(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const pairs = Math.min(bytes.length, LOOKED_AT) >> 1;
  if (pairs < 4 || bytes.length % 2 === 1) return undefined;
  const [even, odd] = [0, 1].map((from) => zeros(bytes, from, pairs)) as [number, number];
  if (even === 0 && odd > pairs * MOSTLY) return new TextDecoder('utf-16le').decode(bytes);
  if (odd === 0 && even > pairs * MOSTLY) return new TextDecoder('utf-16be').decode(bytes);
  return undefined;
}

const LOOKED_AT = 4096;
const MOSTLY = 0.7;

function zeros(bytes: Buffer, from: number, pairs: number): number {
  let count = 0;
  for (let i = 0; i < pairs; i++) if (bytes[from + 2 * i] === 0) count++;
  return count;
}
