/** Did you mean: the valid names closest to a mistyped one. */

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

/** Insertions, deletions, replacements and swaps of neighbours that lead from one to the other. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, at(previous, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, at(before, j - 2) + 1);
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
