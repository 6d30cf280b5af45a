/** Did you mean: the known name that a wrong one was probably meant to be. */

/** A name longer than any of ours is no slip of the keys, and comparing it would only cost time. */
const LONGEST = 64;

/** From so many letters on, the beginning of a name stands for it. */
const PREFIX = 3;

/** The nearest of the known names, if it is near enough to be worth a word. */
export function nearest(wrong: string, known: Iterable<string>): string | undefined {
  return nearestNames(wrong, known, 1)[0];
}

/**
 * The known names within a few slips of the keys, nearest first: one for every three letters. Case and separators do
 * not count, since `maxResults`, `max_results` and `max-results` are one name to a model. Where none is that near, the
 * names that begin with what was typed.
 */
export function nearestNames(wrong: string, known: Iterable<string>, count: number): readonly string[] {
  if (wrong.length > LONGEST) return [];
  const said = plain(wrong);
  const allowed = Math.max(1, Math.floor(said.length / 3));
  const near: { readonly name: string; readonly distance: number }[] = [];
  const longer: string[] = [];
  const seen = new Set<string>();
  for (const name of known) {
    if (name.length > LONGEST) continue;
    const candidate = plain(name);
    if (seen.has(candidate)) continue;
    seen.add(candidate);
    const distance = distanceUpTo(allowed, said, candidate);
    if (distance <= allowed) near.push({ name, distance });
    else if (said.length >= PREFIX && candidate.startsWith(said)) longer.push(name);
  }
  near.sort((a, b) => a.distance - b.distance);
  return (near.length > 0 ? near.map(({ name }) => name) : longer).slice(0, count);
}

function plain(name: string): string {
  return name.replace(/[-_. ]/g, '').toLowerCase();
}

/** Words whose lengths or letters differ too much are not compared: there may be very many of them. */
function distanceUpTo(limit: number, a: string, b: string): number {
  if (Math.abs(a.length - b.length) > limit || lettersApart(a, b) > limit) return Number.POSITIVE_INFINITY;
  return distanceWithin(limit, a, b);
}

/** Letters are counted by their last bits, of which those of a name seldom share any. */
const LETTERS = 32;
const counts = new Int32Array(LETTERS);

/** At least so many changes lead from one to the other: each brings in one letter, and takes one out. */
function lettersApart(a: string, b: string): number {
  counts.fill(0);
  for (let i = 0; i < a.length; i += 1) add(a, i, 1);
  for (let i = 0; i < b.length; i += 1) add(b, i, -1);
  let missing = 0;
  let needless = 0;
  for (const count of counts) {
    if (count > 0) missing += count;
    else needless -= count;
  }
  return Math.max(missing, needless);
}

function add(word: string, index: number, by: number): void {
  const letter = word.charCodeAt(index) % LETTERS;
  counts[letter] = at(counts, letter) + by;
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one to the other. */
export function editDistance(a: string, b: string): number {
  return distanceWithin(Number.POSITIVE_INFINITY, a, b);
}

/** The same; not counted to its end where it is more than this. */
function distanceWithin(limit: number, a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, at(previous, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, at(before, j - 2) + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    // A swap reaches back by two rows.
    if (least > limit && leastBefore >= limit) return Number.POSITIVE_INFINITY;
    leastBefore = least;
    before = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: ArrayLike<number>, index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
