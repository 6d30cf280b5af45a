/** `mayday wrap`: one server as a plain command, as a client’s configuration has it. */
import type { Flags } from '../arguments.ts';
import type { ExitCode } from '../exit-code.ts';
import { parseServed } from '../gateway/source.ts';
import { asCommand } from '../gateway/tell-client.ts';
import type { Io } from '../io/io.ts';
import { UsageError } from '../usage-error.ts';
import { run as runGateway } from './gateway.ts';

export const help: string = `mayday wrap [--dialect D] [--with FILE] [--quiet] (URL | -- command…)

Stands in front of one MCP server and is used in its place as a plain command: messages come on standard input, answers
go to standard output. The server's failures are read, stripped of secrets, retried where that is safe, and passed on.
The same as mayday gateway --stdio with a URL or a command.

  URL          a server over HTTP
  -- command…  a server over standard input and output
  --dialect D  the dialect to speak; mayday if absent
  --with FILE  a JavaScript module that exports dialects of your own
  --quiet      log nothing on standard error
  -h, --help   this text

Example, as the configuration of a client has it:
  {"mcpServers": {"files": {"command": "mayday",
    "args": ["wrap", "--", "npx", "-y", "@modelcontextprotocol/server-filesystem", "/tmp"]}}}
`;

const FLAGS: Flags = { dialect: { type: 'string' }, with: { type: 'string' }, quiet: { type: 'boolean' } };

/** Runs the command until its caller has nothing more to say. */
export function run(words: readonly string[], io: Io): Promise<ExitCode> {
  return asCommand(io, () => wrap(words, io));
}

async function wrap(words: readonly string[], io: Io): Promise<ExitCode> {
  const options = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const port = options.find((word) => /^--(?:port|config|stdio|serve)(?:=|$)/.test(word));
  if (port !== undefined) throw new UsageError(`${port} is none of wrap's; use mayday gateway --stdio`);
  parseServed('wrap', options, FLAGS);
  if (words.length === 0 || words.at(-1) === '--')
    throw new UsageError('nothing to stand in front of; give a URL, or a command after --');
  return runGateway(['--stdio', ...words], io);
}
