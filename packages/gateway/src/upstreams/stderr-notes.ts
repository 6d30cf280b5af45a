/** What a server process writes to its standard error, for the operator: a key that spans lines is taken out whole. */
import { createRedactor } from '@mayday/core/redact';
import { printable, withoutEscapes } from '@mayday/relay';
import { boundedLines } from '../bounded-lines.ts';
import type { Hide } from '../call/hiding.ts';

/** After this time without a line, what was held back until its end is told. */
const QUIET_MS = 200;

/** Nobody reads further in one line. */
const MAX_LINE = 8 * 1024;

/** Of one server, this many lines are told in a minute, and its last words. */
const PER_MINUTE = 200;

/** The standard error of all processes of one server, as far as an operator can read it. */
export function boundedNotes(note: (text: string) => void): (text: string) => void {
  return boundedLines({
    perMinute: PER_MINUTE,
    tell: note,
    leftOut: (count) =>
      count === 'the rest'
        ? `stderr: more than ${PER_MINUTE} lines in a minute; the rest of them is left out`
        : `stderr: ${count} lines were left out; the last of them:`,
  });
}

/** Takes lines as they came, tells them redacted and printable; `hide` takes out what the server was given, also where it goes over the end of a line. */
export function stderrNotes(
  note: (text: string) => void,
  hide: Hide = (words) => words,
): (line: string) => void {
  const redactor = createRedactor();
  let stream = redactor.stream();
  let quiet: NodeJS.Timeout | undefined;
  /** The line before, which may be the beginning of something. */
  let held: string | undefined;
  const tell = (text: string): void => {
    for (const line of text.split('\n')) if (line !== '') note(`stderr: ${printable(line, MAX_LINE)}`);
  };
  const take = (line: string): void => {
    const both = held === undefined ? line : hide(`${held}\n${line}`);
    const end = both.lastIndexOf('\n');
    if (end >= 0) tell(stream.push(both.slice(0, end + 1)));
    held = both.slice(end + 1);
  };
  return (line) => {
    take(withoutEscapes(line));
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      tell(stream.push(`${held ?? ''}\n`));
      tell(stream.end());
      held = undefined;
      stream = redactor.stream();
    }, QUIET_MS);
  };
}
