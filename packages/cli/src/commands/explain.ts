/** `mayday explain`: every meaning of a code, and what to do. */
import { buildCatalogue } from '@mayday/core/catalog';
import { type Flags, parseArguments } from '../arguments.ts';
import { catalogueDialect, narrowed } from '../dialect-flag.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { explanationDocument } from '../explain/document.ts';
import { explain } from '../explain/explanation.ts';
import { renderExplanation } from '../explain/render.ts';
import { readText } from '../io/input.ts';
import type { Io } from '../io/io.ts';
import { toJsonText } from '../io/json-text.ts';
import { languageFlag } from '../language-flag.ts';
import { createStyle } from '../style.ts';
import { UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday explain <code | kind | text> [--dialect D] [--json]

Shows every meaning of an error code in every dialect, how to tell them apart, and what to do.

It takes codes (-32001, 3002), HTTP statuses (404), names (RATE_LIMIT_EXCEEDED, unauthorized),
kinds (rate_limited), system errors (ECONNREFUSED), SDK errors (REQUEST_TIMEOUT), a pasted JSON
message, or plain text; without an argument, standard input.

  --dialect D  only what it means in one dialect
  --with FILE  a JavaScript module that exports dialects of your own
  --json       the explanation as JSON
  -h, --help   this text

Exit status 1 means that nothing is known about it.

Example:
  $ mayday explain -32001
  $ mayday explain -32001 --dialect platica
`;

const FLAGS: Flags = {
  dialect: { type: 'string' },
  with: { type: 'string' },
  json: { type: 'boolean' },
};

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('explain', words, FLAGS);
  const query = await queryOf(parsed.positionals, io);
  const spoken = await languageFlag(parsed);
  const dialect = catalogueDialect(parsed, spoken);
  const catalogue = narrowed(buildCatalogue({ dialects: spoken.dialects }), dialect);
  const explanation = explain(query, { catalogue, language: spoken, dialect });
  const text =
    parsed.values['json'] === true
      ? `${toJsonText(explanationDocument(explanation), 2)}\n`
      : renderExplanation(explanation, { style: createStyle(io.colours), columns: io.columns });
  await io.write(text);
  const known = explanation.meanings.length > 0 || explanation.as === 'kind' || explanation.as === 'message';
  return known ? EXIT.done : EXIT.negative;
}

async function queryOf(positionals: readonly string[], io: Io): Promise<string> {
  const query = positionals.join(' ');
  if (query.trim() !== '') return query;
  const piped = io.inputIsTerminal || positionals.length > 0 ? '' : await readText(io, 'explain');
  if (piped.trim() !== '') return piped;
  throw new UsageError('`mayday explain` needs something to explain; try `mayday explain -32001`');
}
