/** `mayday gateway`: stands in front of MCP servers and gives their callers one kind of failure. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import {
  ConfigError,
  createLineWriter,
  type Gateway,
  type GatewayConfig,
  readConfig,
  watchConfig,
} from '@mayday/gateway';
import { type Arguments, type Flags, parseArguments, stringFlag } from '../arguments.ts';
import { dialectFlag } from '../dialect-flag.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { portFrom, startOn, untilStopped } from '../gateway/start.ts';
import type { Io } from '../io/io.ts';
import { UsageError } from '../usage-error.ts';

export const help: string = `mayday gateway [--config FILE] [--port N] [--dialect D] [--quiet] [URL | -- command…]

Stands in front of MCP servers that already exist. Their failures are read, stripped of secrets, retried where
that is safe, and passed on in the dialect that the caller asks for (header Mayday-Dialect).

  URL          one server over HTTP, served at /mcp
  -- command…  one server over standard input and output, served at /mcp
  --config F   servers from a YAML file (mayday.yaml if it is there); it is read again when it changes
  --port N     listen on this port instead of 7350; 0 takes any that is free
  --dialect D  the dialect of callers who ask for none; mayday if absent
  --quiet      do not log faults and notes on standard error
  -h, --help   this text

Example:
  $ mayday gateway -- npx -y @modelcontextprotocol/server-everything
`;

const FLAGS: Flags = {
  config: { type: 'string' },
  port: { type: 'string' },
  dialect: { type: 'string' },
  quiet: { type: 'boolean' },
};

const DEFAULT_FILE = 'mayday.yaml';

/** Where a configuration came from. */
interface Source {
  readonly config: GatewayConfig;
  /** The file to watch. */
  readonly file?: string;
  /** The one upstream that `/mcp` serves. */
  readonly root?: string;
}

/** Runs the command until it is told to stop. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const split = words.indexOf('--');
  const parsed = parseArguments('gateway', split < 0 ? words : words.slice(0, split), FLAGS);
  const source = await sourceOf(parsed, split < 0 ? [] : words.slice(split + 1));
  const log = createLineWriter((text) => io.note(text.trimEnd()));
  const onLog = parsed.values['quiet'] === true ? undefined : log.line;
  const gateway = await start(source, onLog);
  await io.write(banner(gateway, source));
  const watch = source.file === undefined ? undefined : follow(source.file, parsed, gateway, log.line);
  await untilStopped();
  watch?.close();
  await gateway.close();
  log.flush();
  return EXIT.done;
}

async function sourceOf(parsed: Arguments, command: readonly string[]): Promise<Source> {
  const [url, extra] = parsed.positionals;
  const named = stringFlag(parsed, 'config');
  if (extra !== undefined)
    throw new UsageError(`one URL is enough; put several servers in a file and name it with --config`);
  if ([url !== undefined, named !== undefined, command.length > 0].filter(Boolean).length > 1) {
    throw new UsageError('a URL, --config and a command exclude each other; put several servers in a file');
  }
  if (url !== undefined) {
    if (URL.parse(url)?.protocol.startsWith('http') !== true) {
      throw new UsageError(`${JSON.stringify(url)} is no http URL; write a command after --`);
    }
    return {
      config: withFlags({ upstreams: { server: { url } }, joined: { enabled: false } }, parsed),
      root: 'server',
    };
  }
  const [first, ...args] = command;
  if (first !== undefined) {
    const config = { upstreams: { server: { command: first, args } }, joined: { enabled: false } };
    return { config: withFlags(config, parsed), root: 'server' };
  }
  const file = resolve(named ?? DEFAULT_FILE);
  if (named === undefined && !existsSync(file)) {
    throw new UsageError(
      `nothing to stand in front of; give a URL, a command after --, or a file with --config`,
    );
  }
  return { config: withFlags(await load(file), parsed), file };
}

async function load(file: string): Promise<GatewayConfig> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}); check the path`);
  }
  try {
    return readConfig(text, { file, env: process.env });
  } catch (error) {
    if (error instanceof ConfigError)
      throw new UsageError(`the configuration cannot be used\n${error.message}`);
    throw error;
  }
}

/** What was typed wins over what the file says. */
function withFlags(config: GatewayConfig, parsed: Arguments): GatewayConfig {
  const port = portFrom(stringFlag(parsed, 'port'));
  const named = stringFlag(parsed, 'dialect');
  const dialect = named === undefined ? undefined : dialectFlag('--dialect', named);
  return {
    ...config,
    ...(dialect === undefined ? {} : { dialect }),
    listen: { ...config.listen, ...(port === undefined ? {} : { port }) },
  };
}

function start(source: Source, onLog: ((line: string) => void) | undefined): Promise<Gateway> {
  return startOn(source.config, {
    baseDir: source.file === undefined ? process.cwd() : dirname(source.file),
    ...(onLog === undefined ? {} : { onLog }),
    ...(source.root === undefined ? {} : { root: source.root }),
  });
}

function banner(gateway: Gateway, source: Source): string {
  const lines = gateway.upstreams.map((name) => `  ${gateway.url}/${name}/mcp`);
  const all =
    source.root === undefined ? `  ${gateway.url}/mcp (all of them, names prefixed)` : `  ${gateway.url}/mcp`;
  return `Mayday gateway, listening:\n${[...(source.root === undefined ? lines : []), all].join('\n')}\n`;
}

function follow(
  file: string,
  parsed: Arguments,
  gateway: Gateway,
  log: (line: string) => void,
): { close(): void } {
  return watchConfig(
    file,
    (config) => gateway.reload(withFlags(config, parsed)),
    (error) => log(`not reloaded: ${error instanceof Error ? error.message : String(error)}`),
  );
}
