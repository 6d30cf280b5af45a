/** Did-you-mean: the known name that a wrong one was probably meant to be. */
import { editDistance } from '@mayday/core';

const LONGEST = 64;

/** The nearest of the known names, if it is near enough to be worth a word. */
export function nearest(wrong: string, known: Iterable<string>): string | undefined {
  if (wrong.length > LONGEST) return undefined;
  const said = normal(wrong);
  let best: string | undefined;
  let least = Math.floor(Math.max(wrong.length, 3) / 3) + 1;
  for (const name of known) {
    if (name.length > LONGEST) continue;
    const distance = normal(name) === said ? 0 : distanceBelow(least, said, normal(name));
    if (distance < least) {
      best = name;
      least = distance;
    }
  }
  return best;
}

/** `maxResults`, `max_results` and `max-results` are one name to a model. */
function normal(name: string): string {
  return name.replace(/[-_. ]/g, '').toLowerCase();
}

/** The distance, as far as it matters: words whose lengths differ that much are not compared. */
function distanceBelow(limit: number, a: string, b: string): number {
  return Math.abs(a.length - b.length) >= limit ? limit : editDistance(a, b);
}
