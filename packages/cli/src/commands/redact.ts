/** `mayday redact`: the same value without secrets, personal data, stack traces and internals. */
import { createRedactor } from '@mayday/core/redact';
import { type Flags, noPositionals, parseArguments } from '../arguments.ts';
import type { ExitCode } from '../exit-code.ts';
import { answerInput } from '../io/answer.ts';
import type { Io } from '../io/io.ts';

/** What `--help` prints. */
export const help: string = `mayday redact [--strict] [--jsonl] [--compact]

Removes secrets, personal data, stack traces and internals from text or JSON on standard input:
{value, findings: [{rule, path}]}. Findings say which rule saw something and where, never what it was.

  --strict    also remove high-entropy words without context, and loopback addresses
  --jsonl     one JSON value a line in, one answer a line out
  --compact   the answer on one line
  -h, --help  this text

Example:
  $ echo 'connect to postgres://app:hunter2@db.internal/x failed' | mayday redact
`;

const FLAGS: Flags = {
  strict: { type: 'boolean' },
  jsonl: { type: 'boolean' },
  compact: { type: 'boolean' },
};

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('redact', words, FLAGS);
  noPositionals('redact', parsed);
  const redactor = createRedactor({ level: parsed.values['strict'] === true ? 'strict' : 'standard' });
  return answerInput(io, {
    command: 'redact',
    jsonl: parsed.values['jsonl'] === true,
    compact: parsed.values['compact'] === true,
    answer: (value) => {
      const { value: clean, findings } = redactor.redact(value);
      return { value: clean, findings };
    },
  });
}
