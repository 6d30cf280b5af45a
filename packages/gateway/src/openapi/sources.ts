/** What a document was read from, to find out whether it has to be read again. */
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** A source and the digest of its bytes. */
export interface SourceDigest {
  readonly url: string;
  readonly digest: string;
  /** Of a file: what the file system says about it as long as nobody writes to it. */
  readonly stamp: string | undefined;
}

/** Are all sources files that nobody has written to? This takes no reading. */
export async function areUntouched(digests: readonly SourceDigest[]): Promise<boolean> {
  for (const { url, stamp } of digests) {
    if (stamp === undefined) return false;
    const now = await stat(new URL(url)).then(stampOf, () => undefined);
    if (now !== stamp) return false;
  }
  return true;
}

/** What the file system says about a file. */
export function stampOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}
