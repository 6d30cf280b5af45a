/**
 * What this process knows of calls whose kept answer is none: that one can go on where it was refused, and what one came
 * to that was made again. Nothing of it is needed to make no call twice; with it, nobody is asked twice.
 */
import { type Outcome, setLast } from '@mayday/policy';
import type { Wire } from '@mayday/relay';
import { isOver, plain } from './kept-answers.ts';

/** So many calls are known; the oldest are forgotten. */
const MAX_CALLS = 1000;
/** A longer answer is not held here: the server is asked for it once more. */
const MAX_BYTES = 64 * 1024;

/** By the name of a call: its key, and whatever tells it from others under the same key. */
export class Afterwards {
  /** `undefined`: it can go on. */
  readonly #calls = new Map<string, Outcome<Wire> | undefined>();

  /** The call has failed in a round that was refused before anybody executed it. */
  canGoOn(name: string): boolean {
    return this.#calls.has(name) && this.#calls.get(name) === undefined;
  }

  /** What it came to in the end. */
  end(name: string): Outcome<Wire> | undefined {
    return this.#calls.get(name);
  }

  /** A call is made, or was made again, and this became of it. */
  note(name: string, outcome: Outcome<Wire>): void {
    const { ok, value } = outcome;
    if (!ok) {
      this.#calls.delete(name);
      if (value?.type === 'nothing' && value.canGoOn === true) this.#set(name, undefined);
    } else if (value.type === 'answer' && isOver(outcome)) {
      const answer = plain(value);
      if (answer.body.length <= MAX_BYTES) this.#set(name, { ok, value: answer, replayed: true });
    }
  }

  /** The call begins: what is known is about another with the same name. */
  forget(name: string): void {
    this.#calls.delete(name);
  }

  #set(name: string, known: Outcome<Wire> | undefined): void {
    setLast(this.#calls, name, known, MAX_CALLS);
  }
}
