/** Longer texts are seldom the same twice. */
const LONGEST = 200;
/** Names come from anywhere; so many of them, with so many texts in all, are remembered. */
const MOST = 1000;

/** Texts in which nothing was found, under the name they stood under: failures repeat themselves, and so do their keys. */
export class CleanTexts {
  readonly #byName = new Map<string, Set<string>>();
  #count = 0;

  has(text: string, name: string): boolean {
    return text.length <= LONGEST && this.#byName.get(name)?.has(text) === true;
  }

  add(text: string, name: string): void {
    if (text.length > LONGEST || name.length > LONGEST) return;
    if (this.#count >= MOST) {
      this.#byName.clear();
      this.#count = 0;
    }
    const texts = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, texts.add(text));
    this.#count += 1;
  }
}
