/** How the process before ended: what is told until it may be started again, and how the next one is met. */
import type { Explanation } from './explanation.ts';
import type { LinkFault } from './link.ts';
import { describeExit, type ProcessExit } from './process-exit.ts';
import { restartsLater } from './refuse.ts';

/** The last of a link's processes that has ended. */
export class LastRun {
  #words = '';
  /** Why it ended, where it had not answered anything. */
  #start: LinkFault | undefined;
  #wasProcess = true;
  #isTriedNext = false;
  /** Why the one that runs, or has just run, could not be opened. */
  #wrong: LinkFault | undefined;

  /** The one that runs cannot be opened, and is to be ended for it. */
  opensNothing(wrong: LinkFault): void {
    this.#wrong = wrong;
  }

  /** The next process is asked something of the link's own first: why it ends can be told to all if it ends before that. */
  get isTriedNext(): boolean {
    return this.#isTriedNext;
  }

  /** It ended so; `explanation` is what was seen of it. Why it could not be opened, where it could not. */
  ended(exit: ProcessExit, explanation: Explanation): LinkFault | undefined {
    const wrong = this.#wrong;
    this.#words = describeExit(exit);
    this.#wasProcess = exit.fault === undefined;
    this.#start = exit.fault ?? wrong ?? explanation.faultForAll(exit);
    this.#wrong = undefined;
    this.#isTriedNext = !explanation.hasAnswered && (this.#isTriedNext || explanation.isMuddled);
    return wrong;
  }

  /** What those are told who ask before it is started again. */
  startsLater(waitMs: number): LinkFault {
    return restartsLater(waitMs, this.#words, this.#start, this.#wasProcess ? 'started' : 'tried');
  }
}
