/** Did you mean …? */
import { editDistance } from '@mayday/core';

/** Longer words are no slips of the keys. */
const MAX_LENGTH = 64;

/** The candidate closest to a word, if one is close enough to be a slip of the keys, or begins with it. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= least) continue; // that many steps at least
    const steps = editDistance(wanted, candidate.toLowerCase());
    if (steps < least) {
      least = steps;
      best = candidate;
    }
  }
  return best ?? candidates.find((candidate) => word.length >= 3 && candidate.startsWith(word));
}
