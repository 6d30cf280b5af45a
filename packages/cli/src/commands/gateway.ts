/** `mayday gateway`: stands in front of MCP servers and gives their callers one kind of failure. */
import { statSync } from 'node:fs';
import process from 'node:process';
import type { Language } from '@mayday/core';
import {
  createLineWriter,
  formatProblem,
  type Gateway,
  type SettingsProblem,
  type SettingsWatch,
  settingsChanged,
  watchSettings,
} from '@mayday/gateway';
import { type Flags, parseArguments } from '../arguments.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Source, sourceOf } from '../gateway/source.ts';
import { startOn, untilStopped } from '../gateway/start.ts';
import type { Io } from '../io/io.ts';
import { languageFlag } from '../language-flag.ts';

export const help: string = `mayday gateway [--config FILE] [--port N] [--dialect D] [--with FILE] [--quiet] [URL | -- command…]

Stands in front of MCP servers that already exist. Their failures are read, stripped of secrets, retried where
that is safe, and passed on in the dialect that the caller asks for (header Mayday-Dialect).

  URL          one server over HTTP, served at /mcp
  -- command…  one server over standard input and output, served at /mcp
  --config F   servers from a YAML file (mayday.yaml if it is there); it is read again when it changes
  --port N     listen on this port instead of 7350; 0 takes any that is free
  --dialect D  the dialect of callers who ask for none; mayday if absent
  --with FILE  a JavaScript module that exports dialects of your own
  --quiet      log nothing on standard error but what is wrong with the file
  -h, --help   this text

Example:
  $ mayday gateway -- npx -y @modelcontextprotocol/server-everything
`;

const FLAGS: Flags = {
  config: { type: 'string' },
  port: { type: 'string' },
  dialect: { type: 'string' },
  with: { type: 'string' },
  quiet: { type: 'boolean' },
};

/** Runs the command until it is told to stop. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const split = words.indexOf('--');
  const parsed = parseArguments('gateway', split < 0 ? words : words.slice(0, split), FLAGS);
  const language = await languageFlag(parsed);
  const source = await sourceOf(parsed, split < 0 ? [] : words.slice(split + 1), language);
  const log = createLineWriter(process.stderr);
  warn(source.warnings, source, log.line);
  const onLog = parsed.values['quiet'] === true ? undefined : log.line;
  const gateway = await startOn(source.settings, { root: source.root, onLog, language });
  log.flush();
  await io.write(banner(gateway, source));
  const watch = follow(source, gateway, language, log.line);
  await untilStopped();
  watch?.close();
  await gateway.close();
  log.flush();
  return EXIT.done;
}

function banner(gateway: Gateway, { root, settings }: Source): string {
  const own = `  ${gateway.url}/mcp`;
  const each = gateway.upstreams.map((name) => `  ${gateway.url}/${name}/mcp`);
  const lines = settings.joined.enabled ? [...each, `${own} (all of them, names prefixed)`] : each;
  return `Mayday gateway, listening:\n${(root === undefined ? lines : [own]).join('\n')}\n`;
}

function warn(warnings: readonly SettingsProblem[], { file }: Source, log: (line: string) => void): void {
  for (const warning of warnings) log(`warning: ${formatProblem(warning, file?.path)}`);
}

/** Takes the file again when it changes; one with mistakes changes nothing, and a pipe is read once. */
function follow(
  source: Source,
  gateway: Gateway,
  language: Language,
  log: (line: string) => void,
): SettingsWatch | undefined {
  const { file, override } = source;
  if (file === undefined || !statSync(file.path, { throwIfNoEntry: false })?.isFile()) return undefined;
  let { settings } = source;
  return watchSettings(file.path, {
    text: file.text,
    override,
    language,
    onSettings(read) {
      const { now, restart } = settingsChanged(settings, read.settings);
      settings = read.settings;
      warn(read.warnings, source, log);
      if (now.length + restart.length > 0) gateway.reload(read.settings);
    },
    onError: (error) => {
      const said = error instanceof Error ? error.message : String(error);
      for (const line of said.split('\n')) log(`not reloaded: ${line}`);
    },
  });
}
