/** Lists that take longer than anybody waits for: what was listed at last is shown, and listed anew meanwhile. */
import { isDeepStrictEqual } from 'node:util';
import { isMembers } from '@mayday/relay';
import type { PartList } from './lists.ts';

/** What became of a list. */
interface Renewed {
  /** Is there something new to be shown? */
  readonly isNew: boolean;
  /** Would somebody who waits have had it? */
  readonly isInTime: boolean;
}

/** What one conversation has of them, by method. */
export class KeptLists {
  readonly #lists: Map<string, PartList> = new Map();
  readonly #running: Set<string> = new Set();

  /** The whole list, as it was at last; nothing where it comes in time. */
  of(method: string): PartList | undefined {
    return this.#lists.get(method);
  }

  /**
   * Lists without hurry, one at a time. One that came within `wholeMs` is not kept: whoever lists next waits for it.
   */
  async renew(method: string, wholeMs: number, list: () => Promise<PartList>): Promise<Renewed> {
    if (this.#running.has(method)) return { isNew: false, isInTime: false };
    this.#running.add(method);
    const since = performance.now();
    const listed = await list();
    const before = this.#lists.get(method);
    this.#running.delete(method);
    this.#lists.delete(method);
    if (listed.failed !== undefined) return { isNew: before !== undefined, isInTime: false };
    const isInTime = performance.now() - since <= wholeMs;
    if (!isInTime) this.#lists.set(method, listed);
    return { isNew: !isDeepStrictEqual(before && namesIn(before), namesIn(listed)), isInTime };
  }

  /** What was listed counts no more. */
  forget(): void {
    this.#lists.clear();
  }
}

/** Words that change from list to list are no news: whoever is told lists again. */
function namesIn({ items }: PartList): readonly unknown[] {
  return items.map((item) => {
    const { uri, uriTemplate, taskId, name } = isMembers(item) ? item : {};
    return uri ?? uriTemplate ?? taskId ?? name;
  });
}
