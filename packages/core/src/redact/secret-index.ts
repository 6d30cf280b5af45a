/** Which of many texts begins where. Many may begin alike, as keys of one maker do; they are of few lengths. */

/** Texts, each with what is known of it. */
export interface SecretIndex<T> {
  readonly isEmpty: boolean;
  readonly texts: ReadonlyMap<string, T>;
  /** The first to add a text says what is known of it. */
  add(text: string, about: T): void;
  /** The longest that begins there; `undefined` where none does. */
  longestAt(words: string, at: number): string | undefined;
}

/** So much of the beginning says where it is worth looking closer. No text is shorter. */
export const HEAD = 4;
const HEADS = 0xffff;

/** None is known yet. */
export function createIndex<T>(): SecretIndex<T> {
  const texts = new Map<string, T>();
  const heads = new Uint8Array(HEADS + 1);
  const lengths = new Map<string, Set<number>>();
  return {
    get isEmpty() {
      return texts.size === 0;
    },
    texts,
    add(text, about) {
      if (text.length < HEAD || texts.has(text)) return;
      const head = text.slice(0, HEAD);
      texts.set(text, about);
      heads[headOf(text, 0)] = 1;
      lengths.set(head, (lengths.get(head) ?? new Set()).add(text.length));
    },
    longestAt(words, at) {
      if (heads[headOf(words, at)] === 0) return undefined;
      let longest: string | undefined;
      for (const length of lengths.get(words.slice(at, at + HEAD)) ?? []) {
        // What is cut off at the end may be another of them, and a shorter one.
        if (at + length > words.length || length <= (longest?.length ?? 0)) continue;
        const text = words.slice(at, at + length);
        if (texts.has(text)) longest = text;
      }
      return longest;
    },
  };
}

function headOf(words: string, at: number): number {
  let head = 0;
  for (let i = 0; i < HEAD; i++) head = head * 31 + words.charCodeAt(at + i);
  return head & HEADS;
}
