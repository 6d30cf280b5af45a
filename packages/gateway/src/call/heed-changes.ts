/** A server that says that its tools have changed is no longer taken at its old word. */
import { passing } from '@mayday/policy';
import { hasMethod, WatchedBack, type WirePolicy } from '@mayday/relay';
import type { ToolHints } from './tool-hints.ts';

/** Looks at a message that a server sent unasked. */
export function heed(hints: ToolHints, message: Buffer): void {
  if (hasMethod(message, 'notifications/tools/list_changed')) hints.forget();
}

/** Looks at what comes in the stream of a call. */
export function heedChanges(hints: ToolHints): WirePolicy {
  return passing({
    before: (call) => {
      const { back } = call;
      const watched = new WatchedBack(back, (message) => {
        heed(hints, message.data);
        return back.related(message);
      });
      return { ...call, back: watched };
    },
  });
}
