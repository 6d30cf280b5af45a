/** Who takes a stream up again that has ended before its answer. */
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import type { WireCall } from './call.ts';

/** The answer to a call with a key belongs to the key, whoever comes for it; some callers cannot come for theirs. */
export function isFetchedHere({ cannotResume, meta, revision }: WireCall): boolean {
  return revision === '2025-11-25' && (cannotResume === true || meta?.[IDEMPOTENCY_KEY] !== undefined);
}
