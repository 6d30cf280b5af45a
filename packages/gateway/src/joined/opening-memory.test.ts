/** A call that waited for an opening is collected early: what outlives that is copied again and again, while everybody waits. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { WireCall } from '@mayday/relay';
import { expect, it } from 'vitest';
import { type Opened, whileWanted } from './opening.ts';

const OPENED: Promise<Opened> = Promise.resolve({ ok: true, answer: Buffer.alloc(0) });
const CALLS = 200;
const WORDS_OF_EACH = 10_000;

/** A call that holds much. */
function heavyCall(): WireCall {
  return {
    signal: new AbortController().signal,
    progress: {},
    held: new Array(WORDS_OF_EACH).fill(0.5),
  } as unknown as WireCall;
}

async function waitOften(): Promise<void> {
  for (let i = 0; i < CALLS; i++)
    await whileWanted(OPENED, heavyCall(), { leftMs: 1000, gaveUp: () => ({ kind: 'timeout' }) });
}

it('holds nothing of a call that has waited until all memory is looked through', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how?: { type: 'minor' }) => void;
  await waitOften();
  collect();
  collect();
  const before = process.memoryUsage().heapUsed;
  await waitOften();
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  const kept = process.memoryUsage().heapUsed - before;
  expect(kept).toBeLessThan((CALLS * WORDS_OF_EACH * 8) / 4);
});
