/** Words as they are read: each letter that is written otherwise, once, and without what splits them. */

/** A reading, and where each of its characters stands in what was written. */
export interface AsRead {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** What nobody sees: joiners, marks of direction, selectors, tags. */
const UNSEEN = /^\p{DI}$/u;

/** A colour may have lost its first character, or have a blank in its place: where texts are made printable, it is gone. */
const SPLITS =
  /(?:[\p{Cc} ]|\\+(?:u00|x)[19]b)?\[[\d;]{0,16}m|(?:[\r\n]|\\+[rn])+[ \t]*|\p{DI}+|(?:\\+udb40\\+ud[cd][0-9a-f]{2})+/u;

/**
 * Escapes of HTML, of addresses and of languages, in JSON inside of JSON too, where more backslashes stand before each; some
 * write the `&` of HTML as an escape of its own. Letters of double width.
 */
const ESCAPED =
  /(?:&|\\+u0026)(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));|\\+(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([^\w\s\\]| )|)|%([0-9a-f]{2})|([\u3000\uff01-\uff5e])/u;

const WRITTEN_OTHERWISE = new RegExp(`${SPLITS.source}|${ESCAPED.source}`, 'giu');

/** What stands in secrets, and has a name in HTML. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', sol: '/', bsol: '\\', plus: '+' },
    ...{ equals: '=', num: '#', dollar: '$', percnt: '%', excl: '!', quest: '?', commat: '@', lowbar: '_' },
    ...{ period: '.', comma: ',', colon: ':', semi: ';', ast: '*', lpar: '(', rpar: ')', lsqb: '[' },
    ...{ rsqb: ']', lcub: '{', rcub: '}', vert: '|', hat: '^', grave: '`' },
  }),
);

type Parts = readonly (string | undefined)[];

/** `undefined` where they are written as they are read. */
export function asRead(words: string): AsRead | undefined {
  let places: Pick<AsRead, 'starts' | 'ends'> | undefined;
  let length = 0;
  let from = 0;
  const put = (start: number, end: number): void => {
    places ??= { starts: new Uint32Array(words.length), ends: new Uint32Array(words.length) };
    places.starts[length] = start;
    places.ends[length++] = end;
  };
  const keep = (to: number): void => {
    for (; from < to; from++) put(from, from + 1);
  };
  // Called back, as an object for each of very many takes longer than all else.
  const text = words.replace(WRITTEN_OTHERWISE, (written: string, ...rest: (string | number)[]) => {
    const index = rest[PARTS] as number;
    const letter = letterOf(written, rest as Parts);
    keep(index);
    from = index + written.length;
    for (let at = 0; at < letter.length; at++) put(index, from);
    return letter;
  });
  if (from === 0) return undefined;
  keep(words.length);
  return places === undefined ? undefined : { text, ...places };
}

/** So many parts has what is escaped; where it stands comes behind them. */
const PARTS = 8;

/** What is read there; nothing, where the words are split. */
function letterOf(written: string, parts: Parts): string {
  const [entity, decimal, name, unit, byte, sign, percent, wide] = parts;
  if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? written;
  if (sign !== undefined) return sign;
  if (wide !== undefined) return wide.normalize('NFKC');
  const hex = entity ?? unit ?? byte ?? percent;
  if (hex === undefined && decimal === undefined) return /^\\+$/.test(written) ? '\\' : '';
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0x10ffff ? written : String.fromCodePoint(code).replace(UNSEEN, '');
}
