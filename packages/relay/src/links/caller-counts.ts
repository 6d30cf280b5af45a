/** How much each caller holds. Who holds nothing is forgotten. */

/** Counts by caller; what belongs to nobody in particular is not counted. */
export class CallerCounts {
  readonly #counts: Map<string, number> = new Map();

  of(caller: string | undefined): number {
    return caller === undefined ? 0 : (this.#counts.get(caller) ?? 0);
  }

  add(caller: string | undefined): void {
    if (caller !== undefined) this.#counts.set(caller, this.of(caller) + 1);
  }

  remove(caller: string | undefined): void {
    if (caller === undefined) return;
    const left = this.of(caller) - 1;
    if (left > 0) this.#counts.set(caller, left);
    else this.#counts.delete(caller);
  }
}
