/** The command line: finds the command, runs it, and turns what is thrown into an exit status. */
import type { Command } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Io } from './io/io.ts';
import { didYouMean } from './nearest.ts';
import { Unreachable, UsageError } from './usage-error.ts';
import { VERSION } from './version.ts';

interface Entry {
  readonly summary: string;
  /** Loaded when needed: a command must not pay for the others. */
  load(): Promise<Command>;
}

/** Every command, in the order in which the overview has them. */
export const COMMANDS: { readonly [name: string]: Entry } = {
  read: {
    summary: 'say what went wrong in a message, and what to do',
    load: () => import('./commands/read.ts'),
  },
  translate: { summary: 'say a failure in another dialect', load: () => import('./commands/translate.ts') },
  explain: {
    summary: 'what a code, a name or a message means, and what to do',
    load: () => import('./commands/explain.ts'),
  },
  redact: {
    summary: 'remove secrets, personal data and internals',
    load: () => import('./commands/redact.ts'),
  },
  catalog: {
    summary: 'all kinds and codes, and the check that none was broken',
    load: () => import('./commands/catalog.ts'),
  },
  gateway: {
    summary: 'stand in front of MCP servers and give their callers one kind of failure',
    load: () => import('./commands/gateway.ts'),
  },
  wrap: {
    summary: 'stand in front of one server, as a plain command in its place',
    load: () => import('./commands/wrap.ts'),
  },
  import: {
    summary: 'take the servers of a client and put the gateway in their place',
    load: () => import('./commands/import.ts'),
  },
  doctor: {
    summary: 'look at all that a gateway needs, its servers too, and say what is wrong',
    load: () => import('./commands/doctor.ts'),
  },
  keys: {
    summary: 'make, list, exchange and revoke the keys of a gateway’s callers',
    load: () => import('./commands/keys.ts'),
  },
  credentials: {
    summary: 'what each caller has of its own for a server: set, listed by name, and removed',
    load: () => import('./commands/credentials.ts'),
  },
  approvals: {
    summary: 'the calls that wait for a person’s consent, and the decision about them',
    load: () => import('./commands/approvals.ts'),
  },
  audit: {
    summary: 'what was changed in a store, by whom, and whether the log of it is whole',
    load: () => import('./commands/audit.ts'),
  },
  store: {
    summary: 'copy the store of a gateway that runs, and bring a copy back',
    load: () => import('./commands/store.ts'),
  },
  faults: {
    summary: 'what has failed at the gateways on one store, one by one or in groups',
    load: () => import('./commands/faults.ts'),
  },
  status: {
    summary: 'how a gateway is that runs: its servers, sessions, circuits and store',
    load: () => import('./commands/status.ts'),
  },
  demo: {
    summary: 'the gateway with five servers behind it, and a little traffic',
    load: () => import('./commands/demo.ts'),
  },
};

/** Runs one invocation. Never throws: whatever happens is an exit status and a sentence. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(words, io);
  } catch (error) {
    if (error instanceof UsageError) {
      io.note(`mayday: ${error.message}`);
      return error instanceof Unreachable ? EXIT.negative : EXIT.usage;
    }
    const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    io.note(`mayday: this is a bug in mayday (${said}); please report it with the command you ran`);
    return EXIT.bug;
  }
}

async function dispatch(words: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rest] = words;
  if (name === undefined || name === '--help' || name === '-h') return print(io, overview());
  if (name === '--version' || name === '-v' || name === '-V') return print(io, `${VERSION}\n`);
  if (name === 'help') return rest[0] === undefined ? print(io, overview()) : printHelp(rest[0], io);
  const command = await find(name).load();
  const flags = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  if (flags.includes('--help') || flags.includes('-h')) return print(io, command.help);
  return command.run(rest, io);
}

function find(name: string): Entry {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name] as Entry;
  const what = name.startsWith('-') ? 'flag' : 'command';
  const valid = what === 'flag' ? ['--help', '--version'] : Object.keys(COMMANDS);
  // What a flag was given may be a secret.
  const [said = ''] = what === 'flag' ? name.split('=') : [name];
  throw new UsageError(`there is no ${what} ${JSON.stringify(said)}; ${didYouMean(said, valid)}`);
}

async function printHelp(name: string, io: Io): Promise<ExitCode> {
  return print(io, (await find(name).load()).help);
}

async function print(io: Io, text: string): Promise<ExitCode> {
  await io.write(text);
  return EXIT.done;
}

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `mayday: one error language for the Model Context Protocol

Usage: mayday <command> [flags]

${lines.join('\n')}

\`mayday <command> --help\` explains one command. \`mayday --version\` prints the version.

Example:
  $ mayday explain -32001

Exit status: 0 done, 1 the answer is negative, 2 wrong usage, 70 a bug in mayday.
`;
}
