/**
 * Starts that failed once they had been told something, by those who have a part of the upstream each. What was said may
 * be why: before that is held against the upstream, one is started that is told nothing of anybody's.
 */
import type { Breaker, CircuitOpen, Permit, Verdict } from './breaker.ts';

/** What is found out, and for whom. */
export interface StartsOptions {
  /** Everybody's circuit. */
  readonly reach: Breaker;
  /** As many in a row are looked into. */
  readonly most: number;
  /** Starts one for nobody: can it be done? */
  readonly tryStart: () => Promise<Verdict>;
}

/** Starts in doubt. */
export class Starts {
  readonly #options: StartsOptions;
  #inDoubt = 0;
  #trying: Promise<Verdict> | undefined;

  constructor(options: StartsOptions) {
    this.#options = options;
  }

  /** One has worked. */
  worked(): void {
    this.#inDoubt = 0;
  }

  /** One has failed. */
  failed(): void {
    const { reach, most } = this.#options;
    this.#inDoubt += 1;
    if (reach.state === 'closed' && this.#inDoubt >= most) void this.#try();
  }

  /** Who would start one is held back until one that was started for nobody works: a crowd is not let loose on what may still be dead. */
  heldBack(): CircuitOpen | undefined {
    const { reach } = this.#options;
    if (reach.state === 'closed') return undefined;
    const leaves = leavesOf(reach);
    if (leaves.length > 0)
      void this.#try().then((verdict) => {
        // Where nothing is proven, those who want it find out.
        for (const leave of leaves) leave.settle(verdict === 'none' ? 'neutral' : verdict);
      });
    return reach.check() ?? { admitted: false, afterMs: 1, failedProbes: 0 };
  }

  #try(): Promise<Verdict> {
    this.#trying ??= this.#options
      .tryStart()
      .catch((): Verdict => 'none')
      .then((verdict) => {
        this.#trying = undefined;
        this.#found(verdict);
        return verdict;
      });
    return this.#trying;
  }

  /** It was the upstream, each time; or never. */
  #found(verdict: Verdict): void {
    const { reach, most } = this.#options;
    if (verdict === 'success') this.#inDoubt = 0;
    if (verdict !== 'failure') return;
    for (let left = most; left > 0 && reach.state === 'closed'; left -= 1) {
      const leave = reach.admit();
      if (leave.admitted) leave.settle('failure');
    }
  }
}

/** Leave for all the probes that are due: one start answers for them. */
function leavesOf(reach: Breaker): readonly Permit[] {
  const leaves: Permit[] = [];
  for (let leave = reach.admit(); leave.admitted; leave = reach.admit()) leaves.push(leave);
  return leaves;
}
