/** English words with which something begins, found without an expression at every letter. */

const CASE = 32;

/** Words of small letters, as the codes of these, by the code of the first. */
export type WordStarts = ReadonlyArray<readonly Uint8Array[]>;

/** Prepares words that `|` parts. */
export function wordStarts(words: string): WordStarts {
  const byLetter: Uint8Array[][] = Array.from({ length: 128 }, () => []);
  for (const word of words.split('|')) {
    const codes = Uint8Array.from(word, (char) => char.charCodeAt(0));
    const first = codes[0] ?? 0;
    byLetter[first]?.push(codes);
    byLetter[first - CASE]?.push(codes);
  }
  return byLetter;
}

/** Whether one of the words, in whatever case, stands at an offset and ends before another. */
export function startsWord(starts: WordStarts, text: string, at: number, to: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 128) {
    return false;
  }
  const words = starts[code] as readonly Uint8Array[];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Uint8Array;
    let length = 1;
    while (length < word.length && (text.charCodeAt(at + length) | CASE) === word[length]) {
      length++;
    }
    if (length === word.length && at + length <= to) {
      return true;
    }
  }
  return false;
}

const IN_WORDS = new Uint8Array(128).fill(1, 48, 58).fill(1, 65, 91).fill(1, 97, 123);
IN_WORDS[95] = 1;

/** Where in a part of a text one of the words starts, and no other word goes on. */
export function wordsIn(starts: WordStarts, text: string, from: number, to: number): number[] {
  const places: number[] = [];
  let isInside = false;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    const isLetter = code < 128 && IN_WORDS[code] === 1;
    if (isLetter && !isInside && startsWord(starts, text, at, to)) {
      places.push(at);
    }
    isInside = isLetter;
  }
  return places;
}
