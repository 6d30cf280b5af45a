/** Did you mean: the valid name closest to a mistyped one, as the end of a sentence. */
import { nearest } from '@mayday/core/names';

/** `did you mean …?`; the list of valid names when nothing is near. */
export function didYouMean(typed: string, valid: readonly string[]): string {
  const best = nearest(typed, valid);
  return best === undefined ? `use one of ${valid.join(', ')}` : `did you mean ${best}?`;
}
