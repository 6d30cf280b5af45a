/**
 * What has to end with the file that began it. Files share a process and the modules that they import: a hook that such a
 * module sets stands for the first of them alone, so this is run by `setup.ts`, which each file has anew.
 */
const ends: (() => unknown)[] = [];

/** Runs after the last test of this file, last in first out. */
export function afterFile(end: () => unknown): void {
  ends.push(end);
}

/** Runs what is left. */
export async function endFile(): Promise<void> {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
}
