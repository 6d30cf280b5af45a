/**
 * Starts that failed once they had been told something, by those who have a part of the upstream each. What was said may
 * be why: before that is held against the upstream, one is started that is told nothing of anybody's.
 */
import type { Breaker, Permit, Verdict } from './breaker.ts';

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

  /** One has failed, which had this leave to be made. A probe stands or falls with what is found out. */
  failed(permit: Permit | undefined): void {
    const { reach, most } = this.#options;
    this.#inDoubt += 1;
    const isProbe = reach.state === 'half_open';
    if (!isProbe) permit?.settle('none');
    if (isProbe) void this.#try().then((verdict) => permit?.settle(verdict));
    else if (reach.state === 'closed' && this.#inDoubt >= most) void this.#try();
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
