/** Where the settings of a gateway come from: a URL, a command, or a file. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  formatProblem,
  type Override,
  type ReadSettings,
  readSettingsFile,
  resolveSettings,
  type Settings,
  SettingsError,
  type SettingsProblem,
  type UpstreamFile,
} from '@mayday/gateway';
import { type Arguments, stringFlag } from '../arguments.ts';
import { dialectFlag } from '../dialect-flag.ts';
import { UsageError } from '../usage-error.ts';
import { portFrom } from './start.ts';

/** Settings, and where they came from. */
export interface Source {
  readonly settings: Settings;
  /** What an operator should know about them, as lines. */
  readonly warnings: readonly string[];
  /** The file to watch. */
  readonly file: string | undefined;
  /** The one upstream that `/mcp` serves. */
  readonly root: string | undefined;
  /** What was typed, which wins over the file. */
  readonly override: Override;
  /** A problem as a line. */
  readonly describe: (problem: SettingsProblem) => string;
}

const DEFAULT_FILE = 'mayday.yaml';

/** Finds the settings that the words on the command line ask for. */
export async function sourceOf(parsed: Arguments, command: readonly string[]): Promise<Source> {
  const [url, extra] = parsed.positionals;
  const named = stringFlag(parsed, 'config');
  if (extra !== undefined)
    throw new UsageError('one URL is enough; put several servers in a file and name it with --config');
  if ([url !== undefined, named !== undefined, command.length > 0].filter(Boolean).length > 1)
    throw new UsageError('a URL, --config and a command exclude each other; put several servers in a file');
  const override = overrideFrom(parsed);
  const [first, ...args] = command;
  if (first !== undefined) return oneServer({ command: first, args }, override);
  if (url === undefined) return fromFile(named, override);
  if (URL.parse(url)?.protocol.startsWith('http') !== true)
    throw new UsageError(`${JSON.stringify(url)} is no http URL; write a command after --`);
  return oneServer({ url }, override);
}

function overrideFrom(parsed: Arguments): Override {
  const dialect = stringFlag(parsed, 'dialect');
  return {
    port: portFrom(stringFlag(parsed, 'port')),
    dialect: dialect === undefined ? undefined : dialectFlag('--dialect', dialect),
  };
}

function oneServer(server: UpstreamFile, override: Override): Source {
  const written = {
    listen: { port: override.port },
    dialect: override.dialect,
    upstreams: { server },
    joined: { enabled: false },
  };
  const read = usable(() => resolveSettings(written));
  return toSource(read, override, { root: 'server' });
}

async function fromFile(named: string | undefined, override: Override): Promise<Source> {
  const file = resolve(named ?? DEFAULT_FILE);
  if (named === undefined && !existsSync(file))
    throw new UsageError('nothing to stand in front of; give a URL, a command after --, or --config FILE');
  try {
    return toSource(await readSettingsFile(file, { override }), override, { file });
  } catch (error) {
    if (error instanceof SettingsError) throw unusable(error);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UsageError(`${file} cannot be read (${code}); check the path`);
  }
}

function toSource(
  { settings, warnings }: ReadSettings,
  override: Override,
  from: { readonly file?: string; readonly root?: string },
): Source {
  const describe = (problem: SettingsProblem): string => formatProblem(problem, from.file);
  const { file, root } = from;
  return { settings, warnings: warnings.map(describe), file, root, override, describe };
}

function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SettingsError ? unusable(error) : error;
  }
}

function unusable(error: SettingsError): UsageError {
  return new UsageError(`the settings cannot be used\n${error.message}`);
}
