/** Did you mean …? */

/** The candidate closest to a word, if one is close enough to be a slip of the keys, or begins with it. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const steps = distance(word.toLowerCase().slice(0, 64), candidate.toLowerCase());
    if (steps < least) {
      least = steps;
      best = candidate;
    }
  }
  return best ?? candidates.find((candidate) => word.length >= 3 && candidate.startsWith(word));
}

/** Edits between two words, a swap of neighbours counting as one. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let steps = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) steps = Math.min(steps, (beforeLast[j - 2] ?? 0) + 1);
      row.push(steps);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
