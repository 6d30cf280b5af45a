/**
 * Can a server be started at all? Those who open sessions with it start it with their own words, and may fail by those. So
 * it is started once in the gateway's own name, told nothing of anybody's, and ended when it has answered.
 */
import { type Fault, makeFault } from '@mayday/core';
import type { Verdict } from '@mayday/policy';
import { type Link, OWN_OPENING, peek } from '@mayday/relay';
import { hiddenFault } from '../call/hide-given.ts';
import type { Hide } from '../call/hiding.ts';

interface OwnStartOptions {
  /** A conversation with a process of its own. */
  readonly connect: () => Link;
  /** How long it may take to answer. */
  readonly limitMs: number;
  readonly hide: Hide | undefined;
}

/** Starts of one upstream, one at a time. */
export class OwnStart {
  /** Why it does not start, whoever asks; nothing where it may. */
  why: Fault | undefined;
  readonly #options: OwnStartOptions;
  #link: Link | undefined;

  constructor(options: OwnStartOptions) {
    this.#options = options;
  }

  /** What one proves. That nothing was heard in time proves nothing. */
  async try(): Promise<Verdict> {
    const link = this.#options.connect();
    this.#link = link;
    const why = await this.#opened(link);
    await this.close();
    if (why === 'late') return 'none';
    this.why = why;
    return why === undefined ? 'success' : 'failure';
  }

  /** Ends the one that runs. */
  async close(): Promise<void> {
    const link = this.#link;
    this.#link = undefined;
    await link?.close();
  }

  #opened(link: Link): Promise<Fault | 'late' | undefined> {
    const { limitMs, hide } = this.#options;
    const body = OWN_OPENING.initialize;
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve('late'), limitMs).unref();
      const settle = (why: Fault | 'late' | undefined): void => {
        clearTimeout(late);
        resolve(why);
      };
      link.request(
        { body, peek: peek(body), revision: '2025-11-25' },
        {
          answered: () => settle(undefined), // be it no
          related: () => {
            // Nobody has asked for it.
          },
          lost: (fault) => {
            const why = makeFault(fault);
            const isEnd = why.kind === 'unavailable' || why.kind === 'misconfigured';
            if (!isEnd || this.#link !== link) settle('late');
            else settle(hide === undefined ? why : hiddenFault(why, hide));
          },
        },
      );
    });
  }
}
