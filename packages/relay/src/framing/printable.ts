/** Foreign text on its way to an operator. */

const MAX_LENGTH = 400;

/**
 * What programs write for a terminal alone, whole: colours and moves of the cursor (CSI), titles and links (OSC and the
 * other strings), and the short ones. Of a string without an end only its opening goes.
 */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes begin with one
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|$)|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])(?:[^\x07\x1b\x80-\x9f\r\n]*(?:\x07|\x1b\\|\x9c))?|\x1b[ -/]*[0-~]/gm;

/** The text without the escapes of a terminal: what they stood between is side by side, as its reader would see it. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, '');
}

/**
 * Text that cannot move a cursor, recolour a terminal, reverse its direction or break a line of a log: escapes are
 * taken out, other characters that are not seen but do something are replaced, what is too long is cut. Secrets are not
 * its business, and have to be taken out before: what was joined or cut is no longer known to be one.
 */
export function printable(text: string, maxLength: number = MAX_LENGTH): string {
  const plain = withoutEscapes(text);
  const cut = plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain;
  return cut.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
