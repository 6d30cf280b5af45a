import { afterAll } from 'vitest';

const cleanups: (() => unknown)[] = [];

/** Runs after the last test of the file that imports this, last in first out. */
export function later(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

afterAll(async () => {
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup();
});
