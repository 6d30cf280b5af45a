/** What a document was read from, to find out whether it has to be read again. */
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isSameList } from '../same-list.ts';

/** A source and the digest of its bytes. */
export interface SourceDigest {
  readonly url: string;
  readonly digest: string;
  /** Of a file: what the file system says about it as long as nobody writes to it. */
  readonly stamp: string | undefined;
}

/** In place of a digest or a stamp: it could not be read, or is not there. */
export const NOTHING = 'nothing';

/** Are all sources files that nobody has written to? This takes no reading. */
export async function areUntouched(digests: readonly SourceDigest[]): Promise<boolean> {
  for (const { url, stamp } of digests) {
    if (stamp === undefined) return false;
    if ((await stampAt(new URL(url))) !== stamp) return false;
  }
  return true;
}

/** Was the same read, from the same sources? */
export function areSame(one: readonly SourceDigest[], other: readonly SourceDigest[]): boolean {
  const has = ({ url, digest }: SourceDigest): string => `${digest} ${url}`;
  return isSameList(one.map(has), other.map(has));
}

/** What the file system says about the file that is there. */
export function stampAt(url: URL): Promise<string> {
  return stat(url).then(stampOf, () => NOTHING);
}

/** What the file system says about a file. */
export function stampOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}
