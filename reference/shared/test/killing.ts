import { expect } from 'vitest';
import type { Running } from './processes.ts';

const HANDS = 20;
const ENOUGH = 40;

/** Writes with many hands until the server is killed under them; gives back what it had acknowledged. */
export async function killWhileWriting(
  server: Running,
  write: (n: number) => Promise<string>,
): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  let written = 0;
  const hand = async (): Promise<never> => {
    for (;;) {
      acknowledged.push(await write(written++));
      if (acknowledged.length === ENOUGH) void server.kill('SIGKILL');
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: HANDS }, hand));
  expect(ends.map(({ status }) => status)).toEqual(Array(HANDS).fill('rejected'));
  expect(acknowledged.length).toBeGreaterThanOrEqual(ENOUGH);
  return acknowledged;
}
