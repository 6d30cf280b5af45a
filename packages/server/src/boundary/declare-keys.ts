/**
 * Tools say in their listing that they know repeated calls by a key: `_meta["dev.mayday/idempotency-key"]: true`.
 * Clients that make keys by themselves make them for those. Tools that only read need none.
 */
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { type Hints, onlyReads } from '../hints.ts';
import type { Settings } from '../options.ts';

/** A tool, registered or listed. */
interface Declaring {
  annotations?: Hints | undefined;
  _meta?: { readonly [key: string]: unknown } | undefined;
}

/** Lets a registered tool declare it, unless its author has said something else. */
export function declareKeys(tool: Declaring, settings: Settings): void {
  if (declares(tool, settings)) tool._meta = { ...tool._meta, [IDEMPOTENCY_KEY]: true };
}

/** The same for the tools of a list that somebody wrote by hand. */
export function listWithKeys(result: object, settings: Settings): object {
  const { tools } = result as { readonly tools?: unknown };
  if (!Array.isArray(tools)) return result;
  return { ...result, tools: tools.map((tool: unknown) => withKey(tool, settings)) };
}

function withKey(tool: unknown, settings: Settings): unknown {
  if (typeof tool !== 'object' || tool === null || !declares(tool, settings)) return tool;
  const copy: Declaring = { ...tool };
  declareKeys(copy, settings);
  return copy;
}

function declares({ annotations, _meta }: Declaring, { idempotency }: Settings): boolean {
  return idempotency !== false && !onlyReads(annotations) && _meta?.[IDEMPOTENCY_KEY] === undefined;
}
