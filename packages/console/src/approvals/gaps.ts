/** Gaps within texts, by which a text could be made to look like the lines of several arguments. */

/** The same value; of its texts, gaps are told by their length. */
export function withoutGaps(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/ {3,}/g, (gap) => `⟨${gap.length} spaces⟩`);
  if (Array.isArray(value)) return value.map(withoutGaps);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutGaps(member)]));
}
