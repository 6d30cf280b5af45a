/** What the lists of an API say about its tools, for whoever would have to parse megabytes to find out. */
import type { JsonObject } from '@mayday/core';

const known = new WeakMap<Buffer, readonly JsonObject[]>();

/** Remembers what is in an answer, as long as somebody has use for the answer. */
export function rememberTools(answer: Buffer, tools: readonly JsonObject[]): void {
  known.set(answer, tools);
}

/** The tools in an answer of an API, by name, annotations and `_meta`; `undefined` of anybody else's. */
export function toolsListedIn(answer: Buffer): readonly JsonObject[] | undefined {
  return known.get(answer);
}
