/** Commands, folders and documents that are not on this machine: worth a word before the first call fails. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Report } from './problems.ts';
import type { CommandSettings, Settings } from './settings.ts';

type Env = { readonly [name: string]: string | undefined };

/** Looks for the command and the folder of every process, and the document of every API that is a file. */
export function checkMachine({ upstreams }: Settings, env: Env, warn: Report): void {
  for (const upstream of upstreams.values()) {
    const path = ['upstreams', upstream.name];
    if (upstream.type === 'openapi' && isMissing(upstream.openapi))
      warn([...path, 'openapi'], `There is no file ${upstream.openapi}`);
    if (upstream.type !== 'command') continue;
    if (!isFolder(upstream.cwd)) warn([...path, 'cwd'], `There is no folder ${upstream.cwd}`);
    else if (!isFound(upstream, env)) warn([...path, 'command'], commandMissing(upstream, env));
  }
}

function isMissing(document: string): boolean {
  return !/^https?:/i.test(document) && !existsSync(document);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // not there, or not for us: both mean that nothing can run in it
  }
}

/** As the operating system looks for it: a path from the folder it runs in, a name along `PATH`. */
function isFound({ command, cwd, env: own }: CommandSettings, env: Env): boolean {
  const { PATH = DEFAULT_PATH, PATHEXT = '.EXE;.CMD;.BAT;.COM' } = { ...env, ...own };
  const isWindows = process.platform === 'win32';
  const endings = isWindows ? ['', ...PATHEXT.split(';')] : [''];
  const isPath = isAbsolute(command) || command.includes('/') || (isWindows && command.includes('\\'));
  const folders = isPath ? [cwd] : PATH.split(delimiter);
  return folders.some((folder) =>
    endings.some((ending) =>
      isExecutable(isPath ? resolve(cwd, command + ending) : join(folder, command + ending)),
    ),
  );
}

/** A whole line, as one would type it, has its own advice. Paths may have blanks: of those, the program has to be there. */
function commandMissing(upstream: CommandSettings, env: Env): string {
  const { command } = upstream;
  const [, program = ''] = /^(\S+)\s+\S/.exec(command) ?? [];
  const isLine = /[/\\]/.test(program) ? isFound({ ...upstream, command: program }, env) : program !== '';
  if (!isLine) return `command not found: ${command}`;
  return `command not found: ${command}. Give \`${program}\` alone as \`command\` of this server, and the words behind it as \`args\`.`;
}

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return !isFolder(path);
  } catch {
    return false; // not there, or not for us: both mean that it cannot be started
  }
}
