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
export function parseFlags(server: string, own: FlagSpec = {}, args = process.argv.slice(2)): Flags {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        stdio: { type: 'boolean' },
        http: { type: 'string' },
        data: { type: 'string', default: `.cache/reference/${server}` },
        ...Object.fromEntries(Object.keys(own).map((name) => [name, { type: 'string' as const }])),
      },
    });
    const { stdio: _stdio, http, data, ...rest } = values;
    return { http: http === undefined ? undefined : portFrom(http), data, own: rest };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage(server, own)}`);
    process.exit(2);
  }
}

function portFrom(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new TypeError(`Expected --http to be a port from 0 to 65535, got ${text}`);
  return port;
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
