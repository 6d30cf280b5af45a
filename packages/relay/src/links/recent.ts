/** What is remembered of requests for some time after they are over. */
import { setLast } from '@mayday/policy';

/** For so long, and of so many requests. */
const KEPT_MS = 60_000;
const KEPT_AT_MOST = 100;

/** Something for each of the newest requests, by the id that the server knows it by. */
export class Recent<T> {
  readonly #kept: Map<string | number, T> = new Map();

  keep(id: string | number, value: T): void {
    setLast(this.#kept, id, value, KEPT_AT_MOST);
    setTimeout(() => {
      if (this.#kept.get(id) === value) this.#kept.delete(id);
    }, KEPT_MS).unref();
  }

  get(id: string | number): T | undefined {
    return this.#kept.get(id);
  }

  values(): readonly T[] {
    return [...this.#kept.values()];
  }
}
