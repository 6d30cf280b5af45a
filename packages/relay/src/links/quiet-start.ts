/**
 * A process that nobody opens a conversation with, and that has not said anything since it was started. A call may take
 * long: such a process is asked whether anybody is there before it is given up.
 */
import type { FaultInit } from '@mayday/core';
import { peek } from '../framing/peek.ts';
import { changesNothing } from './explanation.ts';
import { OWN_QUESTION } from './own-opening.ts';
import type { Pending } from './pending.ts';
import type { ServerProcess } from './stdio-process.ts';

/** Why such a process is ended. */
export const NEVER_ANSWERED = 'it had not answered anything since it was started';

/** What is done about it. */
export interface QuietStartOptions {
  readonly process: Pick<ServerProcess, 'send' | 'kill'>;
  /** It was asked already. */
  readonly isAsked: boolean;
  /** How long whoever calls waits for a first word. */
  readonly openMs: number;
  /** How long the process may take for it. */
  readonly startMs: number;
  /** Nobody waits any longer. */
  readonly giveUp: () => void;
}

/** One process, until its first message. */
export class QuietStart {
  #isLate = false;
  #isQuiet = true;
  readonly #timers: readonly NodeJS.Timeout[];

  constructor({ process, isAsked, openMs, startMs, giveUp }: QuietStartOptions) {
    const ask = (): void => {
      if (!isAsked) process.send(OWN_QUESTION);
    };
    const late = (): void => {
      this.#isLate = true;
      giveUp();
    };
    const end = (): void => process.kill(NEVER_ANSWERED);
    this.#timers = [
      setTimeout(ask, openMs / 2).unref(),
      setTimeout(late, openMs).unref(),
      setTimeout(end, Math.max(openMs, startMs)).unref(),
    ];
  }

  /** Has nobody waited any longer? */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** It wrote a line. What is no message is no sign that it will answer. */
  wrote(line: Buffer): void {
    if (this.#isQuiet && peek(line).kind !== 'invalid') this.stop();
  }

  /** It has spoken, or is gone. */
  stop(): void {
    this.#isQuiet = false;
    this.#isLate = false;
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

/** What those are told who have waited for it: it may have read what was written, and do it later. */
export function unheard(fault: FaultInit): (pending: Pending) => FaultInit {
  return ({ written, method }) =>
    written && !changesNothing(method) ? { ...fault, executed: 'maybe' } : fault;
}
