/** What a store says of a key. */
import type { KeyState } from './idempotency-store.ts';

/** In the place of an answer that is too long, as stores have it that had to let one go; no codec can read it. */
export const NOT_KEPT: string = '';

/** A store that says one of these has looked, and says all that it has to. */
const BARE: readonly unknown[] = ['claimed', 'full', 'unreadable'];
/** These are of a call, and by which it was made. */
const MADE: readonly unknown[] = ['running', 'unheard', 'done', 'lost'];

/** What a store says, if it says anything. That a call was made is believed whatever else of it cannot be used. */
export function keyState(found: KeyState): KeyState {
  const said = Object(found) as { readonly [name in 'state' | 'fingerprint' | 'answer']?: unknown };
  const { state, fingerprint, answer } = said;
  if (BARE.includes(state)) return found;
  if (!MADE.includes(state))
    throw new TypeError('Expected `claim` of the store to say what is known about the key');
  if (typeof fingerprint !== 'string') return { state: 'unreadable' };
  return state === 'done' && typeof answer !== 'string' ? { state, fingerprint, answer: NOT_KEPT } : found;
}
