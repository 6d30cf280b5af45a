import { fault } from '@mayday/core';
import { type ConcurrencyStore, countedUnder, createMemoryPlaces, type Place, placeIn } from '@mayday/policy';
import type { Call } from '../call.ts';
import {
  expect,
  expectFunction,
  expectKnown,
  expectMethodNames,
  expectMethods,
  expectPositive,
} from '../options-check.ts';
import { isThenable } from '../report/hooks.ts';
import { followsOn, isAlone } from './alone.ts';
import type { Guard } from './guard.ts';

/** How many calls may run at once. */
export interface ConcurrencyOptions {
  readonly limit: number;
  /** How many may wait beyond that; 0. */
  readonly queue?: number | undefined;
  /** What is counted together; everything, if absent. */
  readonly per?: ((call: Call) => string) | undefined;
  /** The methods that take a place; every request that is work, if absent: not streams, nor questions about tasks. */
  readonly methods?: readonly string[] | 'all' | undefined;
  /** Where places are counted; in memory, if absent. */
  readonly store?: ConcurrencyStore | undefined;
}

const OPTIONS = ['limit', 'queue', 'per', 'methods', 'store'];

/**
 * Refuses calls beyond a number at once with `overloaded`, after a queue, if there is one. A place is free
 * when the handler has really ended: one that ignores its deadline still holds it.
 */
export function concurrency(options: ConcurrencyOptions): Guard {
  expectKnown(options, OPTIONS, 'concurrency');
  const { limit, queue = 0, per = () => '', methods, store = createMemoryPlaces() } = options;
  expectPositive(limit, 'limit');
  expect(Number.isInteger(queue) && queue >= 0, 'queue', 'a whole number from 0 up', queue);
  expectFunction(options.per, 'per');
  expectMethodNames(methods, 'methods');
  expectMethods(store, 'store', ['acquire']);
  const held = new WeakMap<Call, Place>();
  const waiting = new WeakMap<Call, AbortController>();
  const take = (call: Call, answer: unknown): void => {
    waiting.delete(call);
    const place = placeIn(answer);
    if (place === undefined)
      throw fault.overloaded(`Too many ${whatIs(call)} at once`, { details: { limit } });
    held.set(call, place);
  };
  return {
    name: 'concurrency',
    counts: true,
    methods,
    before(call) {
      if (methods === undefined && followsOn(call)) return;
      const giveUp = new AbortController();
      const key = countedUnder(per(call));
      const place: unknown = store.acquire({ key, limit, queue, signal: giveUp.signal });
      if (!isThenable(place)) return take(call, place);
      waiting.set(call, giveUp);
      return Promise.resolve(place).then((given) => take(call, given));
    },
    dropped: (call) => waiting.get(call)?.abort(),
    over(call) {
      const place = held.get(call);
      held.delete(call);
      return place?.release(); // whoever asks hears it when a store cannot take it back
    },
  };
}

function whatIs(call: Call): string {
  return call.method === 'tools/call' || isAlone(call) ? 'calls' : 'requests';
}
