/** Two texts → the lines that differ. */

/** More than this is told as a whole: the table of the comparison would not fit. */
const MAX_CELLS = 4_000_000;

/** The lines that are gone, with a minus, and those that are new, with a plus, in the order of the texts. */
export function lineDiff(before: string, after: string): readonly string[] {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  if (removed.length * added.length > MAX_CELLS)
    return [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return changedLines(removed, added);
}

/** The longest common lines stay; what lies between them has changed. */
function changedLines(old: readonly string[], now: readonly string[]): readonly string[] {
  const table = commonTable(old, now);
  const width = now.length + 1;
  const told: string[] = [];
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i++;
      j++;
      continue;
    }
    const down = i < old.length ? (table[(i + 1) * width + j] ?? 0) : -1;
    const right = j < now.length ? (table[i * width + j + 1] ?? 0) : -1;
    if (down >= right) told.push(`-${old[i++]}`);
    else told.push(`+${now[j++]}`);
  }
  return told;
}

/** How many lines the ends of both have in common, from every pair of places. */
function commonTable(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1;
  const table = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const below = table[(i + 1) * width + j] as number;
      const beside = table[i * width + j + 1] as number;
      const common = table[(i + 1) * width + j + 1] as number;
      table[i * width + j] = old[i] === now[j] ? common + 1 : Math.max(below, beside);
    }
  }
  return table;
}
