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
  const wide = wideText(bytes);
  if (wide !== undefined) return wide;
  const isDeclared = mimeType !== undefined && TEXTUAL.test(mimeType);
  if (!isDeclared && CONTROLS.test(bytes.toString('latin1'))) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1'); // no UTF-8, and still no controls: an older encoding
  }
}

/** UTF-16 says so with its first two bytes. */
function wideText(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return undefined;
}
