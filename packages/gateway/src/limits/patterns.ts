/** Patterns of `upstream/name`: `*` stands for any characters, everything else for itself. */

/** Does a text fit? */
export type Pattern = (text: string) => boolean;

/** Reads a pattern. What it has to look at grows with the text and with the pattern, whatever stands in them. */
export function patternOf(written: string): Pattern {
  const [start = '', ...rest] = written.split('*');
  const end = rest.pop();
  if (end === undefined) return (text) => text === written;
  return (text) => {
    if (!text.startsWith(start) || text.length < start.length + end.length || !text.endsWith(end))
      return false;
    const last = text.length - end.length;
    let at = start.length;
    // The first place where a part is found leaves the most room for the others.
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > last) return false;
      at = found + part.length;
    }
    return true;
  };
}

/** Does one of these patterns fit? All texts do where there are none. */
export function anyOf(written: readonly string[] | undefined): Pattern {
  if (written === undefined) return () => true;
  const patterns = written.map(patternOf);
  return (text) => patterns.some((fits) => fits(text));
}
