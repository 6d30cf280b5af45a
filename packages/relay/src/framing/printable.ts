/** Foreign text on its way to an operator. */

const MAX_LENGTH = 400;

/**
 * Text that cannot move a cursor, recolour a terminal, reverse its direction or break a line of a log: characters that
 * are not seen but do something are replaced, what is too long is cut. Secrets are not its business.
 */
export function printable(text: string, maxLength: number = MAX_LENGTH): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
