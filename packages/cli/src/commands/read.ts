/** `mayday read`: wire in, reading out. */
import { type Flags, noPositionals, parseArguments, stringFlag } from '../arguments.ts';
import { dialectFlag } from '../dialect-flag.ts';
import type { ExitCode } from '../exit-code.ts';
import { answerInput } from '../io/answer.ts';
import type { Io } from '../io/io.ts';
import { languageFlag } from '../language-flag.ts';
import { readingDocument } from '../reading-document.ts';

/** What `--help` prints. */
export const help: string = `mayday read [--from DIALECT] [--with FILE] [--disguised] [--jsonl] [--compact]

Reads a message from standard input and says what went wrong and what to do now.

It takes a JSON-RPC response, a tool result, a qaqnuz envelope, {"http": {status, headers, body}},
a problem document, an exception {"thrown": {name, code, message}}, or plain text.

  --from DIALECT  the dialect, if you know it; detected otherwise
  --with FILE     a JavaScript module that exports dialects of your own
  --disguised     also read failures that a server reports as a plain success (a guess)
  --jsonl         one JSON value a line in, one answer a line out
  --compact       the answer on one line
  -h, --help      this text

Example:
  $ echo '{"thrown": {"code": "ECONNREFUSED", "message": "connect"}}' | mayday read
`;

const FLAGS: Flags = {
  from: { type: 'string' },
  with: { type: 'string' },
  disguised: { type: 'boolean' },
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
  return answerInput(io, {
    command: 'read',
    jsonl: parsed.values['jsonl'] === true,
    compact: parsed.values['compact'] === true,
    answer: (value) => readingDocument(language.read(value, options)),
  });
}
