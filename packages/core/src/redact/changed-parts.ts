/**
 * Which parts of a text are read again once something of it was replaced. No rule looks further than some thousand
 * characters, so far from all that has changed it would find what it found before: nothing that is still there.
 */

/** From where to where. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Shorter texts are read as a whole. */
export const SHORTEST_IN_PARTS: number = 1 << 16;
/** So much is read again on either side of a change: as far as any rule looks. */
const REACH = 1 << 13;

/** The parts of a text that are near to its changes, which come in order; `undefined` where that is most of it. */
export function partsNear(text: string, changes: readonly Part[]): readonly Part[] | undefined {
  const parts: Part[] = [];
  let size = 0;
  for (const change of changes) {
    const last = parts.at(-1);
    const start = wordStart(text, change.start - REACH);
    const end = wordEnd(text, change.end + REACH);
    if (last && start <= last.end) {
      parts.pop();
      size -= last.end - last.start;
      parts.push({ start: last.start, end: Math.max(last.end, end) });
    } else {
      parts.push({ start, end });
    }
    const newest = parts.at(-1) as Part;
    size += newest.end - newest.start;
    if (size > text.length / 2) {
      return undefined;
    }
  }
  return parts;
}

/** Where to begin to read, so that nothing is cut in two. */
function wordStart(text: string, at: number): number {
  return at <= 0 ? 0 : Math.max(text.lastIndexOf(' ', at), text.lastIndexOf('\n', at)) + 1;
}

function wordEnd(text: string, at: number): number {
  const ends = [text.indexOf(' ', at), text.indexOf('\n', at)].filter((end) => end >= 0);
  return Math.min(text.length, ...ends);
}
