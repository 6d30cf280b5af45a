import { expect, it } from 'vitest';
import { request } from '../../test/tools.ts';
import type { Sink } from './link.ts';
import type { Pending } from './pending.ts';
import { Readers } from './readers.ts';
import { toWire } from './wire-request.ts';

const MESSAGE = Buffer.from('{"method":"x"}');

function setUp(shared: boolean) {
  const flow: string[] = [];
  const notes: string[] = [];
  const readers = new Readers({
    shared,
    note: (text) => notes.push(text),
    pause: () => flow.push('pause'),
    resume: () => flow.push('resume'),
  });
  return { readers, flow, notes };
}

function reader(wireId: number): { pending: Pending; got: Buffer[]; drain: () => void } {
  const got: Buffer[] = [];
  let drain: () => void = () => {};
  const sink: Sink = {
    answered: () => {},
    lost: () => {},
    related: (bytes) => got.push(bytes),
    drained: () =>
      new Promise((resolve) => {
        drain = resolve;
      }),
  };
  return { pending: toWire(request('x'), wireId, sink, true).pending, got, drain: () => drain() };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('pauses a server of its own until the last reader has caught up', async () => {
  const { readers, flow } = setUp(false);
  const [one, two] = [reader(1), reader(2)];
  for (const { pending } of [one, two, one]) readers.give(pending, MESSAGE);
  expect([one.got.length, two.got.length]).toEqual([2, 1]);
  one.drain();
  await settled();
  expect(flow).toEqual(['pause', 'pause']);
  two.drain();
  await settled();
  expect(flow).toEqual(['pause', 'pause', 'resume']);
});

it('resumes when a reader is gone that never catches up', () => {
  const { readers, flow } = setUp(false);
  const { pending } = reader(1);
  readers.give(pending, MESSAGE);
  readers.release(pending);
  readers.release(pending);
  expect(flow).toEqual(['pause', 'resume']);
});

it('pauses nobody where many read: the slow one misses what is more than a megabyte, and gets what comes after', async () => {
  const { readers, flow, notes } = setUp(true);
  const [slow, quick] = [reader(1), reader(2)];
  const quarter = Buffer.alloc(256 * 1024);
  for (let i = 0; i < 9; i++) readers.give(slow.pending, quarter);
  readers.give(quick.pending, MESSAGE);
  expect([slow.got.length, quick.got.length, flow]).toEqual([5, 1, []]);
  slow.drain();
  await settled();
  readers.give(slow.pending, MESSAGE);
  expect([slow.got.length, notes]).toEqual([6, ['a slow reader missed 4 messages']]);
});
