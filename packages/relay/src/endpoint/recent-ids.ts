/** The ids of requests that are not ended by a cancellation. */

/** More of one session are not remembered. */
const MAX_IDS = 1000;

/** Ids of late; the oldest are forgotten. */
export class RecentIds {
  readonly #ids: Set<string | number> = new Set();

  /** A request has this id from now on; `isMeant`: it is one of those. */
  note(id: string | number | undefined, isMeant: boolean): void {
    if (id === undefined) return;
    this.#ids.delete(id);
    if (!isMeant) return;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MAX_IDS && oldest !== undefined) this.#ids.delete(oldest);
  }

  has(id: string | number): boolean {
    return this.#ids.has(id);
  }
}
