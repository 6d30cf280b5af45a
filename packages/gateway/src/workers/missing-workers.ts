/** Workers that have not said what they have, as callers are told of them. */
import { UNAVAILABLE_KEY } from '@mayday/core/protocol';
import { isMembers, type Members } from '@mayday/relay';

const NAMED = /^worker \d{1,3}$/;

/** What a list says beside its items, with those that are missing from it; nothing where all are there. */
export function withMissing(meta: unknown, workers: readonly number[]): { readonly _meta?: Members } {
  if (workers.length === 0) return {};
  const missing = workers.map((worker) => `worker ${worker}`);
  return { _meta: { ...(isMembers(meta) ? meta : {}), [UNAVAILABLE_KEY]: missing } };
}

/** The workers that a list says are missing from it. */
export function missingIn(meta: unknown): readonly string[] {
  const said: unknown = isMembers(meta) ? meta[UNAVAILABLE_KEY] : undefined;
  return Array.isArray(said)
    ? said.filter((name): name is string => typeof name === 'string' && NAMED.test(name))
    : [];
}
