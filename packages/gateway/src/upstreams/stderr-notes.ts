/** What a server process writes to its standard error, for the operator: a key that spans lines is taken out whole. */
import { createRedactor } from '@mayday/core/redact';

/** After this time without a line, what was held back until its end is told. */
const QUIET_MS = 200;

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
