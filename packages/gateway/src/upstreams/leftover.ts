/** Processes whose clients have gone and that still run tasks: bounded like sessions, ended when nobody needs them. */
import { untilIdle } from '@mayday/relay';
import { NOBODY } from '../call/owner.ts';
import type { KeptLink } from './kept-link.ts';

/** How many there may be: as many as sessions. */
export interface LeftoverLimits {
  readonly max: number;
  readonly perCaller: number;
}

/** Those of one upstream. */
export class Leftover {
  readonly #links: Set<KeptLink> = new Set();
  #isClosed = false;

  /** Its client has gone: it is ended, at once or when nobody needs it any more. */
  async end(link: KeptLink, limits: LeftoverLimits): Promise<void> {
    link.isLeft = true;
    if (this.#isClosed || !link.isNeeded(Date.now())) {
      await link.stop();
      return;
    }
    this.#links.add(link);
    this.#makeRoom(limits);
    void untilIdle(() => !this.#links.has(link) || !link.isNeeded(Date.now()), Infinity).then(() =>
      this.#stop(link),
    );
  }

  /** Ends all; from now on nothing is kept. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#links].map((link) => this.#stop(link)));
  }

  async #stop(link: KeptLink): Promise<void> {
    if (this.#links.delete(link)) await link.stop();
  }

  /** Of too many, the oldest of the caller that has most. */
  #makeRoom({ max, perCaller }: LeftoverLimits): void {
    for (;;) {
      const [most = []] = this.#byCaller().sort((a, b) => b.length - a.length);
      const [oldest] = most;
      const isMany = most.length > perCaller && oldest !== undefined && workedFor(oldest) !== NOBODY;
      if (oldest === undefined || (!isMany && this.#links.size <= max)) return;
      void this.#stop(oldest);
    }
  }

  #byCaller(): KeptLink[][] {
    const known = new Map<string, KeptLink[]>();
    for (const link of this.#links) {
      const caller = workedFor(link);
      known.set(caller, [...(known.get(caller) ?? []), link]);
    }
    return [...known.values()];
  }
}

/** Whom it works for. */
function workedFor({ tasks }: KeptLink): string {
  return [...tasks.values()].at(-1)?.owner ?? NOBODY;
}
