/** Places: how many calls run at a time under one key, and who is in line for the next one. */
import { expectAnswer } from '../answers.ts';
import type { Awaitable } from '../policy.ts';

/** A place that somebody holds. */
export interface Place {
  /** Gives it back. Only the first time counts. */
  release(): Awaitable<void>;
}

/** Wishes for a place. */
export interface PlaceWish {
  readonly key: string;
  /** How many may hold one at a time. */
  readonly limit: number;
  /** How many may stand in line. */
  readonly queue: number;
  /** Leaves the line when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** Where places are counted. */
export interface ConcurrencyStore {
  /** A place, at once or when it is free; `undefined` when the line is full or the signal aborts first. */
  acquire(wish: PlaceWish): Awaitable<Place | undefined>;
}

/** What a store says of a place; nothing in its usual spellings is none. */
export function placeIn(answer: unknown): Place | undefined {
  const given = answer === null || answer === false ? undefined : answer;
  if (given === undefined) return undefined;
  const isPlace = (one: unknown): boolean => typeof (one as Partial<Place>)?.release === 'function';
  expectAnswer<Place>('acquire', given, 'a place with `release`, or nothing', isPlace);
  return given;
}

/** Where places under many keys are counted. */
export interface PlaceLedger extends ConcurrencyStore {
  /**
   * A place under each of these keys, all of them or none, in one step: `undefined` when one of them has no place to give.
   * Nobody waits. Each wish has a key of its own.
   */
  acquireAll(wishes: readonly Pick<PlaceWish, 'key' | 'limit'>[]): Awaitable<Place | undefined>;
}

interface Lane {
  active: number;
  readonly line: Set<() => void>;
}

/** Counts places in memory. A key without calls costs nothing. */
export function createMemoryPlaces(): PlaceLedger {
  const lanes = new Map<string, Lane>();

  function give(key: string, lane: Lane): Place {
    lane.active += 1;
    let held = true;
    return {
      release() {
        if (!held) return;
        held = false;
        lane.active -= 1;
        const [next] = lane.line;
        if (next !== undefined) next();
        else if (lane.active === 0) lanes.delete(key);
      },
    };
  }

  function laneOf(key: string): Lane {
    const lane = lanes.get(key) ?? { active: 0, line: new Set() };
    lanes.set(key, lane);
    return lane;
  }

  return {
    acquireAll(wishes) {
      if (wishes.some(({ key, limit }) => (lanes.get(key)?.active ?? 0) >= limit)) return undefined;
      const places = wishes.map(({ key }) => give(key, laneOf(key)));
      return {
        release() {
          for (const place of places) void place.release();
        },
      };
    },
    acquire({ key, limit, queue, signal }) {
      if (signal?.aborted === true) return undefined;
      const lane = laneOf(key);
      if (lane.active < limit) return give(key, lane);
      if (lane.line.size >= queue) return undefined;
      return new Promise((resolve) => {
        const next = (): void => {
          lane.line.delete(next);
          signal?.removeEventListener('abort', leave);
          resolve(give(key, lane));
        };
        const leave = (): void => {
          lane.line.delete(next);
          resolve(undefined);
        };
        lane.line.add(next);
        signal?.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
