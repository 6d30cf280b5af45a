/** The word on the command line → the file that is meant. */
import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { didYouMean } from '../nearest.ts';
import { UsageError } from '../usage-error.ts';
import { CLIENTS, type Client } from './clients.ts';
import { clientAt, filesOf, type Known, type Machine } from './places.ts';

/** A file to import. */
export interface FoundFile {
  readonly path: string;
  readonly known: Known | undefined;
  /** Other files of the same client. */
  readonly others: readonly string[];
}

/** Finds the file by its path, or by the name of its client. */
export function findFile(word: string, machine: Machine): FoundFile {
  if (/\.toml$/i.test(word) || /^codex$/i.test(word))
    throw new UsageError(
      'TOML, as Codex keeps its servers, is not read; write them into mayday.yaml yourself',
    );
  const path = resolve(machine.cwd, word);
  const client = isAbsolute(word) ? undefined : clientNamed(word);
  if (existsSync(path) && !(client !== undefined && isFolder(word)))
    return { path, known: clientAt(path, machine), others: [] };
  if (client === undefined) throw new UsageError(unknownWord(word));
  // At home, a file of the project is that of the user.
  const [first, ...others] = [...new Set(filesOf(client, machine))].filter((file) => existsSync(file));
  if (first !== undefined) return { path: first, known: clientAt(first, machine), others };
  const places = filesOf(client, machine).join('\n  ');
  throw new UsageError(`${client.title} has no file on this machine; looked for\n  ${places}`);
}

/** All files of clients that are on this machine. */
export function filesHere(machine: Machine): readonly { readonly client: Client; readonly path: string }[] {
  return CLIENTS.flatMap((client) =>
    [...new Set(filesOf(client, machine))]
      .filter((path) => existsSync(path))
      .map((path) => ({ client, path })),
  );
}

/** `Claude Desktop`, `claude_desktop` and `claude-desktop` are the same. */
function clientNamed(word: string): Client | undefined {
  const said = plain(word);
  return CLIENTS.find(({ id, title }) => plain(id) === said || plain(title) === said);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** A folder that happens to be called like a client. */
function isFolder(word: string): boolean {
  return !/\.\w+$/.test(word);
}

function unknownWord(word: string): string {
  const said = JSON.stringify(word.slice(0, 200));
  const names = CLIENTS.map(({ id }) => id);
  return `there is no file ${said} and no client of that name; ${didYouMean(word.toLowerCase(), names)}`;
}
