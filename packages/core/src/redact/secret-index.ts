/** Which of many texts begins where. Many may begin alike, as keys of one maker do; they are of few lengths. */

/** Called for each place with the longest text that begins there. */
type FoundText = (at: number, text: string) => void;

/** Texts, each with what is known of it. */
export interface SecretIndex<T> {
  readonly isEmpty: boolean;
  readonly texts: ReadonlyMap<string, T>;
  /** The first to add a text says what is known of it. */
  add(text: string, about: T): void;
  find(words: string, found: FoundText): void;
  /** The same in letters by their codes. */
  findIn(codes: Uint16Array, found: FoundText): void;
}

/** So much of the beginning says where it is worth looking closer. No text is shorter. */
const HEAD = 4;
const HEADS = 0xffff;
const NO_HEADS: Uint8Array = /* @__PURE__ */ new Uint8Array(0);
/** Each letter moves those before it on by so much, and what was `HEAD` letters before out. */
const MOVE = 4;

/** None is known yet. */
export function createIndex<T>(): SecretIndex<T> {
  const texts = new Map<string, T>();
  /** Made for the first text: many an index never has one. */
  let heads: Uint8Array = NO_HEADS;
  const lengths = new Map<string, Set<number>>();
  const longest = (part: (length: number) => string): string | undefined => {
    let longest: string | undefined;
    for (const length of lengths.get(part(HEAD)) ?? []) {
      if (length <= (longest?.length ?? 0)) continue;
      const text = part(length);
      // What is cut off at the end may be another of them, and a shorter one.
      if (text.length === length && texts.has(text)) longest = text;
    }
    return longest;
  };
  return {
    get isEmpty() {
      return texts.size === 0;
    },
    texts,
    add(text, about) {
      if (text.length < HEAD || texts.has(text)) return;
      const head = text.slice(0, HEAD);
      if (texts.size === 0) heads = new Uint8Array(HEADS + 1);
      texts.set(text, about);
      heads[headOf(head)] = 1;
      lengths.set(head, (lengths.get(head) ?? new Set()).add(text.length));
    },
    find(words, found) {
      if (texts.size === 0) return;
      let head = 0;
      for (let last = 0; last < words.length; last++) {
        head = ((head << MOVE) ^ words.charCodeAt(last)) & HEADS;
        const at = last + 1 - HEAD;
        if (heads[head] === 0 || at < 0) continue;
        const text = longest((length) => words.slice(at, at + length));
        if (text !== undefined) found(at, text);
      }
    },
    findIn(codes, found) {
      if (texts.size === 0) return;
      let head = 0;
      for (let last = 0; last < codes.length; last++) {
        head = ((head << MOVE) ^ (codes[last] as number)) & HEADS;
        const at = last + 1 - HEAD;
        if (heads[head] === 0 || at < 0) continue;
        const text = longest((length) => String.fromCharCode(...codes.subarray(at, at + length)));
        if (text !== undefined) found(at, text);
      }
    },
  };
}

function headOf(text: string): number {
  let head = 0;
  for (let at = 0; at < HEAD; at++) head = ((head << MOVE) ^ text.charCodeAt(at)) & HEADS;
  return head;
}
