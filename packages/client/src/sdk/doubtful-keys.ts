/** Keys of calls that may have been executed: whoever calls again under one makes a repetition, in a call of its own. */
import type { Fault } from '@mayday/core';
import { addLast } from '@mayday/policy';

/** The keys of one client. */
export interface DoubtfulKeys {
  /** Remembers what became of a call under the key. What is known of an earlier one is not taken back. */
  note(tool: string | undefined, key: string, fault: Pick<Fault, 'executed'>): void;
  has(tool: string | undefined, key: string): boolean;
  /** A call under the key begins. Returns how it ends; true: another one under the key is still under way. */
  begin(tool: string | undefined, key: string): () => boolean;
}

/** Beyond it, the one that has been there for longest makes room. */
const MAX_KEYS = 10_000;

/** Remembers none yet. */
export function createDoubtfulKeys(): DoubtfulKeys {
  const known = new Set<string>();
  const underWay = new Map<string, number>();
  return {
    note(tool, key, { executed }) {
      if (executed === 'no') return;
      addLast(known, idOf(tool, key), MAX_KEYS);
    },
    has: (tool, key) => known.has(idOf(tool, key)),
    begin(tool, key) {
      const id = idOf(tool, key);
      underWay.set(id, (underWay.get(id) ?? 0) + 1);
      return () => {
        const others = (underWay.get(id) ?? 1) - 1;
        if (others === 0) underWay.delete(id);
        else underWay.set(id, others);
        return others > 0;
      };
    },
  };
}

function idOf(tool: string | undefined, key: string): string {
  return JSON.stringify([tool, key]);
}
