/** Did you mean: the valid names closest to a mistyped one. */
import { editDistance } from '@mayday/core';

/** A name this much longer than any of ours is no typing mistake; comparing it would only cost time. */
const MAX_LENGTH = 64;

/** The valid names within a few typing mistakes, nearest first. */
export function nearest(typed: string, valid: readonly string[], count = 1): readonly string[] {
  if (typed.length > MAX_LENGTH) return [];
  const name = typed.toLowerCase();
  const allowed = Math.max(1, Math.floor(name.length / 3));
  const ranked: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of new Set(valid)) {
    const distance = editDistance(name, candidate.toLowerCase());
    if (distance <= allowed) ranked.push({ candidate, distance });
  }
  ranked.sort((a, b) => a.distance - b.distance);
  return ranked.slice(0, count).map((item) => item.candidate);
}

/** ` Did you mean …?` as the end of a sentence; the list of valid names when nothing is near. */
export function didYouMean(typed: string, valid: readonly string[]): string {
  const [best] = nearest(typed, valid);
  return best === undefined ? `use one of ${valid.join(', ')}` : `did you mean ${best}?`;
}
