/** A short run on every build; `npm run fuzz:gateway` is the long one. */
import { expect, it } from 'vitest';
import { run } from './run.ts';

/** The messages are the same each time: what is found twice is no stall of the machine. */
const LONG = { timeout: 90_000, retry: 1 };

it(
  'some thousand hostile messages: the process lives, everybody is answered, no witness notices, no secret comes out',
  LONG,
  async () => {
    const { found, sent, witnessed, upstream } = await run({
      seed: Number(process.env['FUZZ_SEED'] ?? 20_260_728),
      messages: 3000,
      milliseconds: 45_000,
      callers: 16,
      limitMs: 8000,
      witnessMs: 5000,
      memoryMb: 1200,
      violations: 3,
    });
    const told = found.map(({ kind, detail, suspects }) => ({
      kind,
      detail,
      messages: suspects.slice(0, 5).map(({ index }) => index),
    }));
    expect(told).toEqual([]);
    expect(sent).toBeGreaterThan(1500);
    expect(witnessed).toBeGreaterThan(100);
    expect(upstream).toBeGreaterThan(300);
  },
);
