/** How the outcome of a call becomes a text that a store can keep, and a text an outcome. */
import type { Fault } from '@mayday/core';
import type { Outcome } from '../outcome.ts';

/** Writes and reads outcomes. */
export interface AnswerCodec<T> {
  /** The text; `undefined` for what has none. */
  encode(outcome: Outcome<T>): string | undefined;
  /** The outcome; `undefined` for a text of somebody else's. */
  decode(text: string): Outcome<T> | undefined;
}

/** Outcomes as JSON: for values that are JSON. */
export function jsonAnswers<T>(): AnswerCodec<T> {
  return {
    encode(outcome) {
      const { ok, value } = outcome;
      const told = ok ? { ok, value } : { ok, value, fault: outcome.fault, answered: outcome.answered };
      try {
        return JSON.stringify(told);
      } catch {
        return undefined; // cyclic, or otherwise no JSON
      }
    },
    decode(text) {
      try {
        const told = JSON.parse(text) as { ok: boolean; value: T; fault?: Fault; answered?: boolean };
        if (told.ok === true) return { ok: true, value: told.value };
        const { fault, value, answered } = told;
        return fault === undefined ? undefined : { ok: false, fault, value, answered };
      } catch {
        return undefined;
      }
    },
  };
}
