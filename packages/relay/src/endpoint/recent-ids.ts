/** The ids of requests that are not ended by a cancellation. */

import { addLast } from '@mayday/policy';
import { shortKey } from '../framing/short-key.ts';

/** More of one session are not remembered. */
const MAX_IDS = 1000;

/** Ids of late; the oldest are forgotten. */
export class RecentIds {
  readonly #ids: Set<string | number> = new Set();

  /** A request has this id from now on; `isMeant`: it is one of those. */
  note(id: string | number | undefined, isMeant: boolean): void {
    if (id === undefined) return;
    const kept = keptOf(id);
    if (isMeant) addLast(this.#ids, kept, MAX_IDS);
    else this.#ids.delete(kept);
  }

  has(id: string | number): boolean {
    return this.#ids.has(keptOf(id));
  }
}

function keptOf(id: string | number): string | number {
  return typeof id === 'string' ? shortKey(id) : id;
}
