import { digestKey } from '@mayday/server';
import { z } from 'zod';
import type { Store } from './store/index.ts';
import { brandOf } from './store/keys.ts';
import { isReachable, TOOLS } from './tools.ts';

/**
 * The tools that a caller can reach. Never fails: a caller without a good key, or without entitlement, or whom
 * nobody can look up just now, gets an empty list, and learns nothing from it.
 */
export function listTools(
  store: Store,
  key: string | undefined,
  now: number,
): { tools: { name: string; description: string; inputSchema: { type: 'object' }; annotations: object }[] } {
  const scopes = scopesOf(store, key, now);
  const tools = Object.entries(TOOLS)
    .filter(([, tool]) => isReachable(tool, scopes))
    .map(([name, { description, scope, input }]) => ({
      name,
      description,
      inputSchema: z.toJSONSchema(input) as { type: 'object' },
      annotations: { readOnlyHint: scope.endsWith('.read') },
    }));
  return { tools };
}

function scopesOf(store: Store, key: string | undefined, now: number): readonly string[] {
  try {
    const record = key === undefined ? undefined : store.keys.lookup(digestKey(key));
    if (record === undefined || record.revoked === true) return [];
    if ((record.expiresAt ?? Number.POSITIVE_INFINITY) <= now) return [];
    return store.keys.isEntitled(brandOf(record.principal)) ? (record.scopes ?? []) : [];
  } catch {
    return []; // the store is down: nothing can be shown
  }
}
