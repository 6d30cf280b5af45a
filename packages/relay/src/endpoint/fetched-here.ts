/** Who takes a stream up again that has ended before its answer. */
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import type { WireCall } from './call.ts';
import { asksForStreams } from './media-types.ts';

/** The answer to a call with a key belongs to the key, whoever comes for it; some callers cannot come for theirs. */
export function isFetchedHere({ cannotResume, meta, revision, headers }: WireCall): boolean {
  if (revision !== '2025-11-25') return false;
  return cannotResume === true || meta?.[IDEMPOTENCY_KEY] !== undefined || !asksForStreams(headers);
}
