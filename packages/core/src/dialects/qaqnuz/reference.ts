/** What qaqnuz's document asks of a client: how long to wait, and how to sort an outcome it only has as text. */
import { retryFrom } from '../../document.ts';
import type { Fault, JsonObject, Retry } from '../../fault.ts';
import { type Kind, type Reaction, TRAITS } from '../../kinds.ts';
import { redact } from '../../redact/index.ts';
import { redactFault } from '../../redact-fault.ts';
import { sanitize as withoutProviders } from './sanitize.ts';
import { sentenceKind } from './sentences.ts';
import { envelopeFor as envelopeOf } from './write.ts';

const DEFAULT_JITTER = 0.2;

/** A hint as a fault has it, or to the letter as an envelope does: `retry_after_ms`, `max_attempts`. */
export type RetryHint = Partial<Retry> | JsonObject;

/** A hint in either spelling; a wait that is no length of time is none. */
export function hintIn(hint: RetryHint): Partial<Retry> {
  const { afterMs, ...rest }: Partial<Retry> = { ...retryFrom(hint), ...hint };
  const isLength = typeof afterMs === 'number' && afterMs >= 0 && Number.isFinite(afterMs);
  return isLength ? { ...rest, afterMs } : rest;
}

/**
 * The wait before the n-th further attempt (counted from 1), or `undefined` when the hint allows no more.
 * Jitter is symmetric, and the document's where the hint has none in [0, 1); `random` is in [0, 1).
 */
export function retryDelay(hint: RetryHint, attempt: number, random: number): number | undefined {
  const { afterMs = 0, maxAttempts, backoff, jitter = DEFAULT_JITTER } = hintIn(hint);
  if (maxAttempts !== undefined && attempt > maxAttempts) return undefined;
  const base = Math.min(
    afterMs * (backoff === 'exponential' ? 2 ** (attempt - 1) : 1),
    Number.MAX_SAFE_INTEGER,
  );
  const spread = base * (jitter >= 0 && jitter < 1 ? jitter : DEFAULT_JITTER);
  return Math.max(0, Math.round(base - spread + 2 * spread * random));
}

/** Sorts an outcome by `isError` and text, the way the document's samples do: total, and a guess. */
export function classify(outcome: {
  readonly isError?: boolean;
  readonly text?: string;
}): Reaction | 'success' {
  // Total: what a wire holds is not always what the types say.
  const { isError, text }: { isError?: unknown; text?: unknown } = outcome ?? {};
  if (isError !== true) return 'success';
  const kind = typeof text === 'string' ? sentenceKind(text) : undefined;
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
