/** Words whose letters are written otherwise than they are read: escaped without need, as HTML, or of double width. */

/**
 * From the first backslash of a row: from each of them, a long row without an escape behind it would be gone through again.
 * Some write the `&` of HTML into JSON as an escape of its own.
 */
const ESCAPED =
  /(?:&|(?<!\\)\\+u0026)(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));|(?<!\\)\\+(?:u([0-9a-f]{4})|x([2-7][0-9a-f])|\/)|%([2-7][0-9a-f])|[\u3000\uff01-\uff5e]+/gi;

/** What stands in secrets, and has a name in HTML. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{
      amp: '&',
      lt: '<',
      gt: '>',
      quot: '"',
      apos: "'",
      nbsp: ' ',
      sol: '/',
      bsol: '\\',
      plus: '+',
      equals: '=',
    },
    ...{
      num: '#',
      dollar: '$',
      percnt: '%',
      excl: '!',
      quest: '?',
      commat: '@',
      lowbar: '_',
      period: '.',
      comma: ',',
    },
    ...{ colon: ':', semi: ';', ast: '*', lpar: '(', rpar: ')', lsqb: '[', rsqb: ']', lcub: '{', rcub: '}' },
    ...{ vert: '|', hat: '^', grave: '`' },
  }),
);

/** The words as they are read: each letter that is written otherwise, once. What is JSON still is. */
export function unescaped(words: string): string {
  return words.replace(
    ESCAPED,
    (written: string, ...[hex, decimal, name, unit, byte, percent]: (string | undefined)[]) => {
      const letter =
        name === undefined
          ? letterOf(written, hex ?? unit ?? byte ?? percent, decimal)
          : NAMED.get(name.toLowerCase());
      return letter === undefined ? written : JSON.stringify(ofOneWidth(letter)).slice(1, -1);
    },
  );
}

function letterOf(written: string, hex: string | undefined, decimal: string | undefined): string | undefined {
  if (hex === undefined && decimal === undefined) return written.endsWith('/') ? '/' : written;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0x10ffff ? undefined : String.fromCodePoint(code);
}

/** Letters of double width, or one that was written as such in JSON, as those of ASCII. */
function ofOneWidth(letters: string): string {
  return WIDE.test(letters) ? letters.normalize('NFKC') : letters;
}

const WIDE = /^[\u3000\uff01-\uff5e]/;
