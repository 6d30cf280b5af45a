/** Errors that a connection threw after the server had told of its work: whatever they refuse, it had begun. */

const begun = new WeakSet<object>();

/** Remembers one. */
export function noteBegun(thrown: unknown): void {
  if (typeof thrown === 'object' && thrown !== null) begun.add(thrown);
}

/** Had the server told of its work by then? */
export function hadBegun(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && begun.has(thrown);
}
