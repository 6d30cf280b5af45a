/** Why a message is read as it is: who claims it, and every finding with its weight. */
import type { Language, Reading } from '@mayday/core';
import { look } from '@mayday/core/dialects';
import { foreign, type Weighed, weigh } from '@mayday/core/prose';

/** A dialect that takes the message for its own. */
interface Claim {
  readonly dialect: string;
  /** 0 … 1. The strongest reads; below 0.5 it only decides who reads. */
  readonly claim: number;
}

/** All that speaks for and against a reading. */
export interface Why {
  readonly claims: readonly Claim[];
  /** The heaviest of the body, then of the text. */
  readonly findings: readonly Weighed[];
}

/** All that speaks for and against the reading of a value. Nothing throws that reading does not throw. */
export function whyOf(value: unknown, language: Language): Why {
  try {
    const wire = look(value, foreign.thrown);
    const claims = language.dialects
      .map((dialect) => ({ dialect: dialect.id, claim: dialect.recognise(wire) }))
      .filter(({ claim }) => claim > 0)
      .sort((one, other) => other.claim - one.claim);
    return { claims, findings: weigh(wire) };
  } catch {
    return { claims: [], findings: [] };
  }
}

/** The evidence that decided, where it is none of the findings: a dialect's code, an exception's class, a form. */
export function decidedElsewhere(reading: Reading, why: Why): string | undefined {
  const first = reading.failure ? reading.evidence[0] : undefined;
  if (first === undefined) return undefined;
  const isFound = why.findings.some(({ by, says }) => by === first.by && says === first.says);
  return isFound ? undefined : `${first.by}: ${first.says}`;
}
