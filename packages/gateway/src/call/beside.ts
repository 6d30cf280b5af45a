/** What is known of a call beside what it carries: the same in all of its copies, and gone with it. */
import type { WireCall } from '@mayday/relay';

/** Whatever has the progress of a call is the call, or a copy of it. */
type Copy = Pick<WireCall, 'progress'>;

/** One thing that may be known of calls. */
export interface Beside<T> {
  of(call: Copy): T | undefined;
  note(call: Copy, known: T): void;
}

/**
 * A place for it, on the progress that all copies of a call share. It is written for every call: a map with weak keys would
 * cost forty times as much, and the collector more than that.
 */
export function besideCalls<T>(what: string): Beside<T> {
  const place = Symbol(what);
  return {
    of: ({ progress }) => (progress as { [place]?: T })[place],
    note({ progress }, known) {
      (progress as { [place]?: T })[place] = known;
    },
  };
}
