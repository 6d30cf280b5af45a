import { Reply, type Response } from '@mayday/relay';
import type { JournalEntry } from '@mayday/store';
import { expect, it } from 'vitest';
import { follow } from './follow.ts';

/** Somebody who takes everything at once. */
function quickReader(): { readonly response: Response; readonly written: () => number } {
  let written = 0;
  const response = {
    destroyed: false,
    writableLength: 0,
    writableFinished: false,
    write: () => {
      written += 1;
      return true;
    },
    ...Object.fromEntries(
      ['writeHead', 'flushHeaders', 'end', 'destroy', 'setTimeout', 'on'].map((name) => [
        name,
        () => undefined,
      ]),
    ),
  };
  return { response: response as unknown as Response, written: () => written };
}

function entry(id: number): JournalEntry {
  const fault = {
    fingerprint: '1.x',
    kind: 'timeout',
    origin: 'gateway',
    upstream: 'u',
    message: '',
  } as const;
  return { ...fault, id: String(id), at: 0, details: {} } as unknown as JournalEntry;
}

it('lets others be served while somebody reads a long journal', async () => {
  const LENGTH = 5000;
  const { response, written } = quickReader();
  let isClosing = false;
  let atFirstTurn = Number.NaN;
  setImmediate(() => {
    atFirstTurn = written();
  });
  const faults = {
    // As a store in a file does: nothing of it takes a turn of its own.
    list: async ({ after = '0', limit = 0 }: { readonly after?: string; readonly limit?: number } = {}) => {
      const from = Number(after);
      isClosing = from >= LENGTH;
      return Array.from({ length: Math.min(limit, LENGTH - from) }, (_, i) => entry(from + i + 1));
    },
  };
  await follow(
    new Reply(response),
    { faults: faults as never, after: '0', group: undefined },
    { headers: {}, isHead: false, isClosing: () => isClosing },
  );
  expect(written()).toBe(LENGTH + 1);
  expect(atFirstTurn).toBeLessThan(1000);
});
