/** What a record of a call with a key says, as far as it can be read. */
import type { KeyState } from '@mayday/policy';

/** The state of a call that a record is kept of; `answer` is `null` where it had to go, or there is none. */
export function keptState(
  state: 'running' | 'lost' | 'done',
  packedFingerprint: unknown,
  packedAnswer: unknown,
): KeyState {
  const fingerprint = unpacked(packedFingerprint);
  // Somebody has written over it; that a call was made is all that is left.
  if (fingerprint === undefined) return { state: 'unreadable' };
  return state === 'done'
    ? { state, fingerprint, answer: unpacked(packedAnswer) ?? '' }
    : { state, fingerprint };
}

function unpacked(text: unknown): string | undefined {
  try {
    const value: unknown = JSON.parse(text as string);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
