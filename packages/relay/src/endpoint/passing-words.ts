const NOTHING: Buffer = Buffer.alloc(0);

/** Looks for words in bytes that pass by, of which nothing is kept. */
export class PassingWords {
  readonly found: Set<string> = new Set();
  readonly #sought: readonly string[];
  readonly #reach: number;
  /** The last of what has passed: a word may begin in one piece and end in another. */
  #end: Buffer = NOTHING;

  constructor(sought: readonly string[]) {
    this.#sought = sought;
    this.#reach = Math.max(1, ...sought.map((word) => Buffer.byteLength(word))) - 1;
  }

  see(piece: Buffer): void {
    const seen = Buffer.concat([this.#end, piece]);
    for (const word of this.#sought) if (seen.includes(word)) this.found.add(word);
    this.#end = Buffer.from(seen.subarray(Math.max(0, seen.length - this.#reach)));
  }
}
