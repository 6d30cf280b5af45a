/** `mayday read`: wire in, reading out. */
import { type Flags, noPositionals, parseArguments, stringFlag } from '../arguments.ts';
import { dialectFlag } from '../dialect-flag.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { answerInput } from '../io/answer.ts';
import { readValue } from '../io/input.ts';
import type { Io } from '../io/io.ts';
import { languageFlag } from '../language-flag.ts';
import { renderWhy } from '../read/render-why.ts';
import { whyOf } from '../read/why.ts';
import { readingDocument } from '../reading-document.ts';
import { createStyle } from '../style.ts';

/** What `--help` prints. */
export const help: string = `mayday read [--from DIALECT] [--with FILE] [--disguised] [--why] [--jsonl] [--compact]

Reads a message from standard input and says what went wrong and what to do now.

It takes a JSON-RPC response, a tool result, a qaqnuz envelope, {"http": {status, headers, body}},
a problem document, an exception {"thrown": {name, code, message}}, or plain text.

  --from DIALECT  the dialect, if you know it; detected otherwise
  --with FILE     a JavaScript module that exports dialects of your own
  --disguised     also read failures that a server reports as a plain success (a guess)
  --why           why: every finding with its weight, in columns; with --json, in the answer
  --json          with --why: the answer as JSON, as always without --why
  --jsonl         one JSON value a line in, one answer a line out
  --compact       the answer on one line
  -h, --help      this text

Example:
  $ echo '{"thrown": {"code": "ECONNREFUSED", "message": "connect"}}' | mayday read
  $ echo 'Could not send: 401 Unauthorized' | mayday read --why
`;

const FLAGS: Flags = {
  from: { type: 'string' },
  with: { type: 'string' },
  disguised: { type: 'boolean' },
  why: { type: 'boolean' },
  json: { type: 'boolean' },
  jsonl: { type: 'boolean' },
  compact: { type: 'boolean' },
};

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('read', words, FLAGS);
  noPositionals('read', parsed);
  const language = await languageFlag(parsed);
  const name = stringFlag(parsed, 'from');
  const from = name === undefined ? undefined : dialectFlag('--from', name, language);
  const options = { from, disguised: parsed.values['disguised'] === true };
  const { why, json, jsonl, compact } = parsed.values;
  if (why === true && json !== true && jsonl !== true && compact !== true) {
    const value = await readValue(io, 'read');
    const reading = language.read(value, options);
    await io.write(renderWhy(reading, whyOf(value, language), createStyle(io.colours)));
    return EXIT.done;
  }
  return answerInput(io, {
    command: 'read',
    jsonl: jsonl === true,
    compact: compact === true,
    answer: (value) => {
      const document = readingDocument(language.read(value, options));
      return why === true ? { ...document, why: whyOf(value, language) } : document;
    },
  });
}
