/** Chance that can be had again: the same seed and index give the same numbers on every machine. */

/** A source of numbers. */
export interface Random {
  /** An integer from 0 up to, not including, `below`. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** The source for one message of one run. */
export function randomFor(seed: number, index: number): Random {
  let state = mixed(mixed(seed | 0) ^ Math.imul(index | 0, 0x9e3779b1));
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return (value ^ (value >>> 14)) >>> 0;
  };
  const int = (below: number): number => Math.floor((next() / 0x1_0000_0000) * below);
  return {
    int,
    chance: (probability) => next() / 0x1_0000_0000 < probability,
    pick: (from) => from[int(from.length)] as (typeof from)[number],
  };
}

function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return hash ^ (hash >>> 16);
}
