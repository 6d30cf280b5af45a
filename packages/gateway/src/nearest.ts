/** Did you mean …? */
import { editDistance } from '@mayday/core';

/** The candidate closest to a word, if one is close enough to be a slip of the keys, or begins with it. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const steps = editDistance(word.toLowerCase().slice(0, 64), candidate.toLowerCase());
    if (steps < least) {
      least = steps;
      best = candidate;
    }
  }
  return best ?? candidates.find((candidate) => word.length >= 3 && candidate.startsWith(word));
}
