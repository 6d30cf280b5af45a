/** What a tool's annotations say about repeating it. */

/** The annotations that matter here. */
export interface Hints {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
}

/** Does the tool change nothing? One that calls itself destructive as well contradicts itself, and is not believed. */
export function onlyReads(hints: Hints | undefined): boolean {
  return hints?.readOnlyHint === true && hints.destructiveHint !== true;
}
