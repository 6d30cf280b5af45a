/** Words as they are read: each letter that is written otherwise, once, and without what splits them. */

import { letterNamed } from './html-names.ts';
import { build } from './rules/patterns.ts';

/** A reading, and where each of its characters stands in what was written. */
export interface AsRead {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** What nobody sees: joiners, marks of direction, selectors, tags. */
const UNSEEN = /^\p{DI}$/u;

/** In JSON inside of JSON more of them stand before each escape; a longer row is none. */
const BACKSLASHES = String.raw`\\{1,32}`;

/** A colour may have lost its first character, or have a blank in its place: where texts are made printable, it is gone. */
const COLOUR = String.raw`(?:[\p{Cc} ]|${BACKSLASHES}(?:u00|x)[19]b)?\[[\d;]{0,16}m`;

/** A line may end in the sign of a shell, or of mail, that it goes on. */
const BREAK = String.raw`(?:${BACKSLASHES}\r?[\n\v\f\x85\u2028\u2029]|=(?:\r?\n|${BACKSLASHES}r${BACKSLASHES}n|${BACKSLASHES}n)(?=\S)|[\r\n\v\f\x85\u2028\u2029]|${BACKSLASHES}[rnvft]|${BACKSLASHES}u000[abcd]|${BACKSLASHES}u0085|${BACKSLASHES}u202[89])+[ \t]*`;

/** Between two texts in quotes that are put together: a sign, or nothing but space. */
const JOINT = String.raw`\\{0,8}["'\x60] ?[+.&~|<>]{0,2}(?:\s|\\{1,8}[rn]){0,8}\\{0,8}["'\x60]`;

/** Marks of a page, which its reader does not see. */
const TAG = String.raw`</?[a-z][a-z\d]{0,9}\s?/?>`;

const UNSEEN_AS_ESCAPES = String.raw`\p{DI}+|(?:${BACKSLASHES}udb40${BACKSLASHES}ud[cd][0-9a-f]{2})+`;

const SPLITS = `${COLOUR}|${BREAK}|${JOINT}|${TAG}|${UNSEEN_AS_ESCAPES}`;

/**
 * Escapes of HTML, of addresses and of languages, in JSON inside of JSON too, where more backslashes stand before each; some
 * write the `&` of HTML as an escape of its own. Letters of double width.
 */
const ESCAPED = [
  String.raw`(?:&|${BACKSLASHES}u0026)(?:#x([0-9a-f]{1,6});|#(\d{1,7});?|([a-z][a-z0-9]{1,7});)`,
  String.raw`${BACKSLASHES}(?:u(000[01][0-9a-f]{4})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([0-3][0-7]{2})|([^\p{DI}\w\s\\]| )|)`,
  '%([0-9a-f]{2})',
  String.raw`([\u3000\uff01-\uff5e])`,
].join('|');

const WRITTEN_OTHERWISE = build(`${SPLITS}|${ESCAPED}`, 'giu');

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
const PARTS = 11;

/** What is read there; nothing, where the words are split. */
function letterOf(written: string, parts: Parts): string {
  const [entity, decimal, name, long, unit, point, byte, octal, sign, percent, wide] = parts;
  if (name !== undefined) return letterNamed(name) ?? written;
  if (sign !== undefined) return sign;
  if (wide !== undefined) return wide.normalize('NFKC');
  const hex = entity ?? long ?? unit ?? point ?? byte ?? percent;
  if (hex !== undefined) return letterAt(Number.parseInt(hex, 16), written);
  if (decimal !== undefined) return letterAt(Number(decimal), written);
  if (octal !== undefined) return letterAt(Number.parseInt(octal, 8), written);
  return /^\\+$/.test(written) ? '\\' : '';
}

function letterAt(code: number, written: string): string {
  return code > 0x10ffff ? written : String.fromCodePoint(code).replace(UNSEEN, '');
}
