/** What qaqnuz's document asks of a client: how long to wait, and how to sort an outcome it only has as text. */
import type { Fault, JsonObject, Retry } from '../../fault.ts';
import { type Kind, type Reaction, TRAITS } from '../../kinds.ts';
import { redact } from '../../redact/index.ts';
import { redactFault } from '../../redact-fault.ts';
import { sanitize as withoutProviders } from './sanitize.ts';
import { sentenceKind } from './sentences.ts';
import { envelopeFor as envelopeOf } from './write.ts';

const DEFAULT_JITTER = 0.2;

/**
 * The wait before the n-th further attempt (counted from 1), or `undefined` when the hint allows no more.
 * Jitter is symmetric, and the document's where the hint has none in [0, 1); `random` is in [0, 1).
 */
export function retryDelay(hint: Partial<Retry>, attempt: number, random: number): number | undefined {
  if (hint.maxAttempts !== undefined && attempt > hint.maxAttempts) return undefined;
  const base = (hint.afterMs ?? 0) * (hint.backoff === 'exponential' ? 2 ** (attempt - 1) : 1);
  const { jitter = DEFAULT_JITTER } = hint;
  const spread = base * (jitter >= 0 && jitter < 1 ? jitter : DEFAULT_JITTER);
  return Math.max(0, Math.round(base - spread + 2 * spread * random));
}

/** Sorts an outcome by `isError` and text, the way the document's samples do: total, and a guess. */
export function classify(outcome: {
  readonly isError?: boolean;
  readonly text?: string;
}): Reaction | 'success' {
  if (outcome.isError !== true) return 'success';
  const kind = sentenceKind(outcome.text ?? '');
  return kind === undefined ? 'terminal' : TRAITS[kind].reaction;
}

/** The envelope behind a text that crosses: redacted like it. */
export function envelopeFor(fault: Fault): JsonObject {
  return envelopeOf(redactFault(fault));
}

/** A text as it may cross: no secrets, no people, no words of a database or an HTTP client, no hosts or rows. */
export function sanitize(text: string, kind: Kind): string {
  return withoutProviders(redact(text).value, kind);
}
