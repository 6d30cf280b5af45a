import type { BadLine } from '../messages.ts';

/** Where a guarded server tells a transport of ours that it answers malformed lines itself. */
export const REJECTS: unique symbol = Symbol.for('dev.mayday/rejects') as never;

/** A transport that leaves malformed lines to a guarded server, when there is one. */
export interface Rejecting {
  [REJECTS]: ((bad: BadLine) => void) | undefined;
}
