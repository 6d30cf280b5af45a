/** A change of a text: what stands from `start` to `end` becomes `text`. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** What was changed, for a reader. */
  readonly what: string;
}

/** The text with the change in it. */
export function applied(source: string, { start, end, text }: Omit<Change, 'what'>): string {
  return source.slice(0, start) + text + source.slice(end);
}

/** A piece of source on one line. */
export function short(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= 70 ? line : `${line.slice(0, 69)}…`;
}
