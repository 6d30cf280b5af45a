/** The file that the servers of a client go to: one that no other client, and nobody’s gateway, is started from. */
import { basename, extname, isAbsolute, join } from 'node:path';
import { UsageError } from '../usage-error.ts';
import { isOurs } from './convert.ts';
import { parseDocument } from './document.ts';
import { readFileText } from './files.ts';
import type { FoundFile } from './find-file.ts';
import { isMadeFrom } from './merge.ts';
import { upstreamName } from './names.ts';
import type { Machine } from './places.ts';
import { isObject, sectionsOf } from './sections.ts';

/**
 * The file of an earlier import of the same client’s file; otherwise the first of `mayday.yaml`,
 * `mayday.<client>.yaml`, `mayday.<client>-2.yaml`, … in the current folder that is not there yet.
 */
export async function ownFile(
  { path, known }: Pick<FoundFile, 'path' | 'known'>,
  text: string,
  { cwd }: Pick<Machine, 'cwd'>,
): Promise<string> {
  for (const file of filesNamed(text, cwd)) {
    const held = await heldBy(file);
    if (held !== undefined && isMadeFrom(held, path)) return file;
  }
  const name = upstreamName(known?.client.id ?? basename(path, extname(path)));
  for (let n = 0; ; n++) {
    const file = join(cwd, n === 0 ? 'mayday.yaml' : `mayday.${name}${n === 1 ? '' : `-${n}`}.yaml`);
    const held = await heldBy(file);
    if (held === undefined || held.trim() === '' || isMadeFrom(held, path)) return file;
  }
}

/** The files that the client starts the gateway from, and that are not there any more. */
export async function filesGone(text: string, { cwd }: Pick<Machine, 'cwd'>): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const file of filesNamed(text, cwd)) if ((await heldBy(file)) === undefined) gone.push(file);
  return gone;
}

/** The files that the client starts the gateway from already. */
export function filesNamed(text: string, cwd: string): readonly string[] {
  const { value, problems } = parseDocument(text);
  if (problems.length > 0) return [];
  return (sectionsOf(value, cwd)[0]?.servers ?? []).flatMap(({ value: entry }) => {
    if (!isObject(entry) || !isOurs(entry) || !Array.isArray(entry['args'])) return [];
    const file: unknown = entry['args'][entry['args'].indexOf('--config') + 1];
    return typeof file === 'string' && isAbsolute(file) ? [file] : [];
  });
}

/** What a file says; something that cannot be read is somebody’s, too. */
async function heldBy(file: string): Promise<string | undefined> {
  try {
    return await readFileText(file);
  } catch (error) {
    if (error instanceof UsageError) return UNREADABLE;
    throw error;
  }
}

const UNREADABLE = '?';
