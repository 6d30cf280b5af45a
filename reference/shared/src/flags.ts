import { parseArgs } from 'node:util';

/** How a server was started. */
export interface Flags {
  /** The port to serve HTTP on, 0 for any; stdio, if absent. */
  readonly http: number | undefined;
  /** The folder that holds everything that survives a restart. */
  readonly data: string;
  /** Flags of the server's own. */
  readonly own: { readonly [name: string]: string | undefined };
}

/** Flags of a server's own: their names, and what each is for. */
export type FlagSpec = { readonly [name: string]: string };

/** Reads `--stdio` (the default), `--http PORT`, `--data DIR` and a server's own flags; exits with 2 on others. */
export function parseFlags(
  server: string,
  own: FlagSpec = {},
  args = process.argv.slice(2),
  also = '',
): Flags {
  try {
    const { values } = parseArgs({
      args: withValues(args, own),
      options: {
        stdio: { type: 'boolean' },
        help: { type: 'boolean' },
        http: { type: 'string' },
        data: { type: 'string', default: `.cache/reference/${server}` },
        ...Object.fromEntries(Object.keys(own).map((name) => [name, { type: 'string' as const }])),
      },
    });
    const { stdio, help, http, data, ...rest } = values;
    if (help === true) {
      process.stdout.write(`${usage(server, own)}${also}`);
      process.exit(0);
    }
    if (stdio === true && http !== undefined) refuse('Expected --stdio or --http, got both');
    return { http: http === undefined ? undefined : portFrom('http', http), data, own: rest };
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.\s/);
    return refuse(`${sentence}; npm run reference -- ${server} --help lists the flags`);
  }
}

/** `--flag -1` as `--flag=-1`: a number may be negative, and whoever wants another says so in better words. */
function withValues(args: readonly string[], own: FlagSpec): string[] {
  const takes = (word: string | undefined): boolean =>
    /^--(?:http|data)$/.test(word ?? '') || own[word?.slice(2) ?? ''] !== undefined;
  return args.flatMap((word, at) => {
    if (/^-\d/.test(word) && takes(args[at - 1])) return [];
    const next = args[at + 1];
    return takes(word) && next !== undefined && /^-\d/.test(next) ? [`${word}=${next}`] : [word];
  });
}

/** Ends the process with 2 and one line. */
export function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

/** Runs an operator's command on a store: prints what it says, or ends the process with 2 and the sentence that it throws. */
export function runCommand<S extends { close(): void }>(store: S, command: (store: S) => string): void {
  try {
    process.stdout.write(`${command(store)}\n`);
  } catch (error) {
    refuse((error as Error).message);
  } finally {
    store.close();
  }
}

/** A whole number from a flag, at least 1; `usual` where the flag is not given. Exits with 2 on anything else. */
export function countFrom(name: string, text: string | undefined, usual: number): number {
  const count = Number(text ?? usual);
  if (text === undefined || (/^\d{1,12}$/.test(text) && count >= 1)) return count;
  return refuse(`Expected --${name} to be a whole number from 1, got ${text.slice(0, 100)}`);
}

/** A port from a flag. Exits with 2 on anything else. */
export function portFrom(name: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    refuse(`Expected --${name} to be a port from 0 to 65535, got ${text.slice(0, 100)}`);
  return port;
}

/** A web address from a flag, if it is given. Exits with 2 on anything else. */
export function urlFrom(name: string, text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  if (/^https?:/.test(text) && URL.canParse(text)) return new URL(text);
  return refuse(`Expected --${name} to be an http or https address, got ${text.slice(0, 100)}`);
}

function usage(server: string, own: FlagSpec): string {
  const lines = Object.entries({
    stdio: 'speak MCP on standard input and output (the default)',
    'http PORT': 'serve HTTP on 127.0.0.1, 0 for any free port',
    'data DIR': 'keep everything in this folder',
    ...own,
  });
  return `npm run reference -- ${server} [flags]\n${lines.map(([flag, does]) => `  --${flag.padEnd(20)} ${does}\n`).join('')}`;
}
