/** What a server process wrote last to its standard error, as it may be told. */
import { redact } from '@mayday/core/redact';
import { printable, withoutEscapes } from '../framing/printable.ts';
import { without } from './start-trouble.ts';

/** The last words of a process. */
export interface LastWords {
  /** All of them, printable, without what the process was given. */
  readonly lines: readonly string[];
  /** The last of them, redacted, without those that only say where in a program. */
  readonly said: string;
  /** The line that says most. */
  readonly reason: string | undefined;
}

/** What may be told of these lines, as they came, newest last; `hides` is what the process was given. */
export function lastWords(stderr: readonly string[], hides: readonly string[]): LastWords {
  const { lines, redacted } = tellable(stderr, hides);
  const told = redacted.filter((line) => !FRAME.test(line));
  const said = told.slice(-LAST_LINES).join('\n').slice(-LAST_CHARACTERS);
  return { lines, said, reason: reasonIn(told) };
}

/** Lines of a process, printable, without what it was given: all that they say, and as others may hear it. */
export function tellable(
  came: readonly string[],
  hides: readonly string[],
): { readonly lines: readonly string[]; readonly redacted: readonly string[] } {
  if (came.length === 0) return { lines: [], redacted: [] };
  // A secret may go over the end of a line, and colours may stand in it, or between it and its name.
  const whole = without(withoutEscapes(came.join('\n')), hides);
  // Redacted before a line is chosen, cut or made printable: what has lost its beginning, or the tab before it, is no
  // longer known to be a secret.
  return { lines: linesIn(whole), redacted: linesIn(redact(whole).value) };
}

function linesIn(text: string): readonly string[] {
  return text.split('\n').map((line) => printable(line, Number.POSITIVE_INFINITY));
}

/** Lines that say where in a program, and not what. */
const FRAME =
  /^\s*(?:at .|[\^}\]{[,]*$|node:internal|throw |code: |errno: |syscall: |Node\.js v\d|File ".*line \d)/;
/** Nothing is left of these but what they were. */
const TAKEN_OUT = /^[\s"'[{(]*\[[a-z-]{1,40}:\d{1,9}\][\s"'\]}),]*$/;
const LAST_LINES = 8;
const LAST_CHARACTERS = 2000;
const REASON_CHARACTERS = 300;

/** How exceptions begin, whatever made them. What follows them are mostly their members. */
const THROWN = /^(?:uncaught |unhandled |fatal |caused by: )?(?:[\w$.]{0,100}(?:error|exception)\b|panic: )/i;

/** What npm says after the code of an error, and before where it is logged. */
const OF_NPM = /^npm (?:ERR!|error) (?!code |errno |syscall |path |dest |A complete log )\S/;

/** The line that says most of why a process ended: the last exception, else what was said last. */
function reasonIn(told: readonly string[]): string | undefined {
  const lines = told.filter((line) => line.trim() !== '' && !TAKEN_OUT.test(line));
  const line =
    lines.findLast((one) => THROWN.test(one)) ??
    lines.find((one) => OF_NPM.test(one)) ??
    lines.findLast((one) => !/^\s/.test(one)) ??
    lines.at(-1);
  return line
    ?.trim()
    .slice(0, REASON_CHARACTERS)
    .replace(/[.:;,\s]+$/, '');
}
