/** What a tool's annotations say about repeating it. */

/** The annotations that matter here. */
export interface Hints {
  readonly readOnlyHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
}

/** Does the tool change nothing? One that calls itself destructive as well contradicts itself, and is not believed. */
export function onlyReads(hints: Hints | undefined): boolean {
  return hints?.readOnlyHint === true && hints.destructiveHint !== true;
}

/** Does it no harm to call the tool twice? One that calls itself destructive is not believed here either. */
export function isHarmless(hints: Hints | undefined): boolean {
  return onlyReads(hints) || (hints?.idempotentHint === true && hints.destructiveHint !== true);
}
