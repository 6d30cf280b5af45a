/**
 * Bare words with digits in sentences about connections: machines are called so (`db01`, `SQLPRD04`, `srv2`), and so are
 * products (`n8n`, `Auth0`, `S3`, `M365`, `neo4j`). Nothing but its form tells one from the other.
 */

/** Only machines are counted with a nought before: `web07`. */
const PADDED = /(?<!\d)0\d/;
/** Letters of one case, and a number: `ams14`, `LON14`. Names of products have a capital, or fewer letters. */
const NUMBERED = /^(?:[a-z]{3,}|[A-Z]{3,})\d{2,}$/;
/** Products are written like a name, or are older than their number: `Supabase2`, `MySQL8`, `Office365`. */
const OF_PRODUCT = /^[A-Z]\w*[a-z]|365$|^(?:[Dd][Bb]2|[Ww]eb3)$/;
/** What machines are for. */
const PURPOSE =
  /^(?:app|db|dc|es|fs|gw|lb|mq|ora|pg|qa|vm|web|ws|zk)\d|(?:broker|cache|esx|host|kafka|ldap|mail|master|mongo|mysql|nas|node|postgres|prd|prod(?!uct)|proxy|rabbit|redis|replica|server|sql|srv|worker)[a-z]{0,12}\d/i;

/** Is a word the name of a machine, rather than that of a product? */
export function isMachineName(word: string): boolean {
  if (/[_-]/.test(word) || PADDED.test(word)) return true;
  return !OF_PRODUCT.test(word) && (NUMBERED.test(word) || PURPOSE.test(word));
}
