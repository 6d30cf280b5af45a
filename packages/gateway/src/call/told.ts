/** What an answer says already, asked of many words: each question is short, and together they have an end. */

/** So many characters are searched for one answer. Beyond, words count as not told: said twice is better than lost. */
const MOST_SEARCHED = 2 ** 25;

/** An answer, to be searched. */
export class Told {
  readonly #text: string;
  #numbers: Set<string> | undefined;
  #texts: Set<string> | undefined;
  #left = MOST_SEARCHED;

  constructor(wire: object) {
    this.#text = JSON.stringify(wire);
  }

  /** Do these words stand in it, alone or among others? */
  has(words: string): boolean {
    const written = JSON.stringify(words).slice(1, -1);
    this.#texts ??= new Set(this.#text.match(/"(?:[^"\\]|\\.)*"/g));
    return this.#texts.has(`"${written}"`) || this.#stands(written);
  }

  /** Does this number stand in it, and not as a part of another? */
  hasNumber(value: number): boolean {
    const digits = String(Math.abs(value));
    if (!/^[\d.]+$/.test(digits)) return this.#stands(digits);
    this.#numbers ??= new Set(this.#text.match(/[\d.]+/g));
    return this.#numbers.has(digits);
  }

  #stands(written: string): boolean {
    if (this.#left <= 0) return false;
    const at = this.#text.indexOf(written);
    this.#left -= at < 0 ? this.#text.length : at;
    return at >= 0;
  }
}
