/** Did-you-mean: the known name that a wrong one was probably meant to be. */

const LONGEST = 64;

/** The nearest of the known names, if it is near enough to be worth a word. */
export function nearest(wrong: string, known: Iterable<string>): string | undefined {
  if (wrong.length > LONGEST) return undefined;
  const said = normal(wrong);
  let best: string | undefined;
  let least = Math.floor(Math.max(wrong.length, 3) / 3) + 1;
  for (const name of known) {
    if (name.length > LONGEST) continue;
    const distance = normal(name) === said ? 0 : editDistance(said, normal(name), least);
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

/** Edits from one to the other, a swap of neighbours counting once; gives up at the limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(before, j - 2) + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] as number;
}
