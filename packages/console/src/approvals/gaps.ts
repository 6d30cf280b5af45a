/** Gaps within texts, by which a text could be made to look like the lines of several arguments. */

/** The same text; gaps are told by their length. */
export function withoutGaps(text: string): string {
  return text.replace(/ {3,}/g, (gap) => `⟨${gap.length} spaces⟩`);
}
