/** Words that colours of a terminal, ends of lines or characters without width stand in. */

/** A text without what splits its words, and where each of its characters stood before. */
export interface Whole {
  readonly text: string;
  /** One more than there are characters: the last is the end of what they came from. */
  readonly at: Uint32Array;
}

/**
 * A colour may have lost its first character, or have a blank in its place: where texts are made printable, it is gone.
 * In a message of JSON, the others are escaped.
 */
const SPLITS =
  /(?:[\p{Cc} ]|\\u00[19]b)?\[[\d;]{0,16}m|(?:[\r\n]|\\[rn])+[ \t]*|[\xad\u200b-\u200f\u2060\ufeff]+|(?:\\u(?:00ad|200[b-f]|2060|feff))+/giu;

/** The words as if nothing split them; `undefined` where nothing does. */
export function joinedWords(words: string): Whole | undefined {
  let at: Uint32Array | undefined;
  let length = 0;
  let from = 0;
  const keep = (to: number): void => {
    at ??= new Uint32Array(words.length + 1);
    for (let each = from; each < to; each++) at[length++] = each;
  };
  // Called back, as an object for each of very many splits takes longer than all else.
  const text = words.replace(SPLITS, (split: string, index: number) => {
    keep(index);
    from = index + split.length;
    return '';
  });
  if (at === undefined) return undefined;
  keep(words.length);
  at[length] = words.length;
  return { text, at };
}
