import { fault } from '@mayday/core';
import type { Call } from '../call.ts';
import { expect, expectPositive } from '../options-check.ts';
import type { Guard } from './guard.ts';

/** How many calls may run at once. */
export interface ConcurrencyOptions {
  readonly limit: number;
  /** How many may wait beyond that; 0. */
  readonly queue?: number;
  /** What is counted together; everything, if absent. */
  readonly per?: (call: Call) => string;
  readonly methods?: readonly string[] | 'all';
}

interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

/** Refuses calls beyond a number at once with `overloaded`, after a queue, if there is one. */
export function concurrency(options: ConcurrencyOptions): Guard {
  const { limit, queue = 0, per = () => '', methods } = options;
  expectPositive(limit, 'limit');
  expect(Number.isInteger(queue) && queue >= 0, 'queue', 'a whole number from 0 up', queue);
  const lanes = new Map<string, Lane>();
  return {
    name: 'concurrency',
    ...(methods === undefined ? {} : { methods }),
    before(call) {
      const key = per(call);
      const lane = lanes.get(key) ?? { running: 0, waiting: [] };
      lanes.set(key, lane);
      if (lane.running < limit) {
        lane.running++;
        return;
      }
      if (lane.waiting.length >= queue)
        throw fault.overloaded('Too many calls at once', { details: { limit } });
      return new Promise((run) => lane.waiting.push(run));
    },
    after(call) {
      const key = per(call);
      const lane = lanes.get(key);
      if (lane === undefined) return;
      const next = lane.waiting.shift();
      // The place passes from the one that leaves to the one that waits.
      if (next !== undefined) next();
      else if (--lane.running === 0) lanes.delete(key);
    },
  };
}
