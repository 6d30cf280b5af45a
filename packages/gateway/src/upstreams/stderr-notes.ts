/** What a server process writes to its standard error, for the operator: a key that spans lines is taken out whole. */
import { createRedactor } from '@mayday/core/redact';
import { boundedLines } from '../bounded-lines.ts';

/** After this time without a line, what was held back until its end is told. */
const QUIET_MS = 200;

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

/** Takes lines, tells them redacted. */
export function stderrNotes(note: (text: string) => void): (line: string) => void {
  const redactor = createRedactor();
  let stream = redactor.stream();
  let quiet: NodeJS.Timeout | undefined;
  const tell = (text: string): void => {
    for (const line of text.split('\n')) if (line !== '') note(`stderr: ${line}`);
  };
  return (line) => {
    tell(stream.push(`${line}\n`));
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      tell(stream.end());
      stream = redactor.stream();
    }, QUIET_MS);
  };
}
