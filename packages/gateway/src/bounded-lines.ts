/** Lines that others can cause at will: so many in a minute, and then how many more there were, and the last of them. */

/** How much is told. */
export interface LineBounds {
  /** Lines in each minute. */
  readonly perMinute: number;
  /** Tells a line. */
  readonly tell: (line: string) => void;
  /** Says that the rest of this minute is only counted, or how many lines that were. */
  readonly leftOut: (count: number | 'the rest') => string;
}

const MINUTE_MS = 60_000;

/** Takes lines, tells the first of each minute, counts the rest, and tells the last. */
export function boundedLines({ perMinute, tell, leftOut }: LineBounds): (line: string) => void {
  let count = 0;
  let last = '';
  let minute: NodeJS.Timeout | undefined;
  const begin = (): void => {
    const more = count - perMinute;
    count = 0;
    minute = undefined;
    if (more <= 0) return;
    tell(leftOut(more));
    tell(last);
  };
  return (line) => {
    if (minute === undefined) minute = setTimeout(begin, MINUTE_MS).unref();
    count += 1;
    last = line;
    if (count <= perMinute) tell(line);
    else if (count === perMinute + 1) tell(leftOut('the rest'));
  };
}
