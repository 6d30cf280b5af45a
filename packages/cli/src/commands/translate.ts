/** `mayday translate`: wire in one dialect in, wire in another out, with what was lost. */
import { type DialectId, look, type ReadOptions, read, type WriteOptions, write } from '@mayday/core';
import { type Flags, noPositionals, parseArguments, stringFlag } from '../arguments.ts';
import { dialectFlag } from '../dialect-flag.ts';
import type { ExitCode } from '../exit-code.ts';
import { answerInput } from '../io/answer.ts';
import type { Io } from '../io/io.ts';
import { UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday translate --to DIALECT [--from DIALECT] [--jsonl] [--compact]

Says a failure in another dialect: {wire, losses}. What the dialect cannot say is listed in losses.
A success passes through unchanged.

  --to DIALECT    the dialect to write: closient, onx, erlmcp, qaqnuz, platica, mcp, mcp@2026-07-28,
                  mcp@2025-11-25, mcp@draft, problem, tool-failure or mayday
  --from DIALECT  the dialect that comes in, if you know it; detected otherwise
  --jsonl         one JSON value a line in, one answer a line out
  --compact       the answer on one line
  -h, --help      this text

Example:
  $ mayday translate --from erlmcp --to mayday < failure.json
`;

const FLAGS: Flags = {
  to: { type: 'string' },
  from: { type: 'string' },
  jsonl: { type: 'boolean' },
  compact: { type: 'boolean' },
};

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('translate', words, FLAGS);
  noPositionals('translate', parsed);
  const target = stringFlag(parsed, 'to');
  if (target === undefined) {
    throw new UsageError('`mayday translate` needs a target; add `--to <dialect>`, for example --to mayday');
  }
  const to = dialectFlag('--to', target);
  const source = stringFlag(parsed, 'from');
  const options: ReadOptions = source === undefined ? {} : { from: dialectFlag('--from', source) };
  return answerInput(io, {
    command: 'translate',
    jsonl: parsed.values['jsonl'] === true,
    compact: parsed.values['compact'] === true,
    answer: (value) => translate(value, to, options),
  });
}

function translate(value: unknown, to: DialectId, options: ReadOptions): unknown {
  const reading = read(value, options);
  if (!reading.failure) return { wire: value, losses: [] };
  const { id } = look(value);
  const { placement } = reading;
  const context: WriteOptions = {
    ...(id === undefined ? {} : { id }),
    ...(placement === 'protocol' || placement === 'tool' ? { placement } : {}),
  };
  const { wire, losses, envelope } = write(reading.fault, to, context);
  return { wire, losses, ...(envelope === undefined ? {} : { envelope }) };
}
