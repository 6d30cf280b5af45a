/** `mayday translate`: wire in one dialect in, wire in another out, with what was lost. */
import type { DialectId, Language, ReadOptions } from '@mayday/core';
import { look } from '@mayday/core/dialects';
import { type Flags, noPositionals, parseArguments, stringFlag } from '../arguments.ts';
import { dialectFlag } from '../dialect-flag.ts';
import type { ExitCode } from '../exit-code.ts';
import { answerInput } from '../io/answer.ts';
import type { Io } from '../io/io.ts';
import { languageFlag } from '../language-flag.ts';
import { UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday translate --to DIALECT [--from DIALECT] [--with FILE] [--jsonl] [--compact]

Says a failure in another dialect: {wire, losses}. What the dialect cannot say is listed in losses.
A success passes through unchanged.

  --to DIALECT    the dialect to write: closient, onx, erlmcp, qaqnuz, platica, mcp, mcp@2026-07-28,
                  mcp@2025-11-25, mcp@draft, problem, tool-failure or mayday
  --from DIALECT  the dialect that comes in, if you know it; detected otherwise
  --with FILE     a JavaScript module that exports dialects of your own
  --jsonl         one JSON value a line in, one answer a line out
  --compact       the answer on one line
  -h, --help      this text

Example:
  $ mayday translate --from erlmcp --to mayday < failure.json
`;

const FLAGS: Flags = {
  to: { type: 'string' },
  from: { type: 'string' },
  with: { type: 'string' },
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
  const language = await languageFlag(parsed);
  const to = dialectFlag('--to', target, language);
  const source = stringFlag(parsed, 'from');
  const from = source === undefined ? undefined : dialectFlag('--from', source, language);
  return answerInput(io, {
    command: 'translate',
    jsonl: parsed.values['jsonl'] === true,
    compact: parsed.values['compact'] === true,
    answer: (value) => translate(language, value, to, { from }),
  });
}

function translate(language: Language, value: unknown, to: DialectId, options: ReadOptions): unknown {
  const reading = language.read(value, options);
  if (!reading.failure) return { wire: value, losses: [] };
  const { id } = look(value);
  const { placement } = reading;
  const place = placement === 'protocol' || placement === 'tool' ? placement : undefined;
  const { wire, losses, envelope } = language.write(reading.fault, to, { id, placement: place });
  return { wire, losses, ...(envelope === undefined ? {} : { envelope }) };
}
