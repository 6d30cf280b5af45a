/** So much of the end of a finding is looked at for a bracket too many. */
const LAST_LINE = 700;
/** What closes the thing that a whole message stands in: an element, a value of a log, a member of a printed map. */
const CLOSES = /<\/([A-Za-z][\w:.-]{2,40})>|["'](?= [\w.-]{1,40}=|, ?["'][\w.-]{1,60}["']: )/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal start with one
const COLOUR = /\x1b(?:\[[\d;]{0,10})?$/;
const COLOUR_END = /^\[?[\d;]{0,10}m/;
const QUOTES = '"\'`';
const AFTER = /[\s.,;:!?"'<]/;

/**
 * Where a finding ends at the latest: before what closes the element, the value or the bracket that the text around it
 * stands in, and before the stop of its sentence. What stands in quotes ends with them.
 */
export function endOfFinding(text: string, start: number, end: number): number {
  const before = text.charAt(start - 1);
  if (before !== '' && QUOTES.includes(before) && text.charAt(end) === before) {
    return end;
  }
  const found = withoutBracket(text, start, closeBefore(text, start, end));
  const isStop = text.charAt(found - 1) === '.' && (found === text.length || AFTER.test(text.charAt(found)));
  return isStop && found - start > 1 ? found - 1 : found;
}

/** Where a finding starts at the earliest: behind the rest of a colour that it begins with. */
export function startOfFinding(text: string, start: number): number {
  if (!'\x1b[;'.includes(text.charAt(start - 1) || ' ')) {
    return start;
  }
  const colour = COLOUR.exec(text.slice(Math.max(0, start - 12), start))?.[0] ?? '';
  return start + (colour === '' ? 0 : (COLOUR_END.exec(text.slice(start, start + 12))?.[0].length ?? 0));
}

function closeBefore(text: string, start: number, end: number): number {
  const part = text.slice(start, end);
  // Most findings hold none of them, and are asked no more than this.
  if (!(part.includes('</') || part.includes('"') || part.includes("'"))) {
    return end;
  }
  // A look behind the end: the quote that closes may be the last that was found.
  const near = text.slice(start, Math.min(text.length, end + 104));
  CLOSES.lastIndex = 0;
  for (let found = CLOSES.exec(near); found && found.index < part.length; found = CLOSES.exec(near)) {
    const [whole, name] = found;
    const isOwn =
      name === undefined
        ? near[found.index - 1] === '\\' || isOpen(near.slice(0, found.index), whole)
        : near.slice(0, found.index).includes(`<${name}`);
    if (!isOwn && found.index > 0) {
      return start + found.index;
    }
  }
  return end;
}

/** Whether a quote was opened in a text and not closed; what a backtick opens, an apostrophe closes. */
function isOpen(text: string, quote: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    count += (char === quote || (quote === "'" && char === '`')) && text[at - 1] !== '\\' ? 1 : 0;
  }
  return count % 2 === 1;
}

/** Without the bracket that closes one from before the last line, and without what follows it. */
function withoutBracket(text: string, start: number, end: number): number {
  const near = Math.max(start, end - LAST_LINE);
  const from = near + text.slice(near, end).lastIndexOf('\n') + 1;
  let depth = 0;
  for (let at = from; at < end; at++) {
    const char = text[at];
    depth += char === '(' ? 1 : char === ')' ? -1 : 0;
    if (depth < 0) {
      return at - from > 1 && (at + 1 === text.length || AFTER.test(text.charAt(at + 1))) ? at : end;
    }
  }
  return end;
}
