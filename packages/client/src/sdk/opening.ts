/** Opening the connection, as often as the options of the client allow. */
import { type Attempt, run, type Upstream } from '@mayday/policy';
import { errorOf } from './carry-fault.ts';
import { isMisuse } from './misuse.ts';
import type { ResilientOptions } from './options.ts';
import { faultInSdkError } from './read-failure.ts';
import { unopenedIn } from './start-failure.ts';
import type { Flavour } from './types.ts';

/** Whose connection it is, and how long it may take. */
export interface Opening {
  readonly upstream: Upstream;
  readonly flavour: Flavour;
  readonly options: ResilientOptions<unknown>;
  readonly signal?: AbortSignal | undefined;
}

/** Opens the connection; throws what a call would throw that could not be sent. */
export async function opened(
  open: (attempt: Attempt) => Promise<void>,
  { upstream, flavour, options, signal }: Opening,
): Promise<void> {
  const { outcome } = await run(upstream, { method: 'initialize', signal }, open, {
    ...options,
    attemptTimeoutMs: undefined,
    hedgeAfterMs: undefined,
    faultInThrown: (thrown, now) =>
      unopenedIn(thrown, faultInSdkError(thrown, { now, hadSession: false, began: false })),
  });
  if (outcome.ok) return;
  if (isMisuse(outcome.thrown)) throw outcome.thrown;
  throw await errorOf(outcome, flavour);
}
