/** A conversation that many would share, with a server to which each caller has a credential of its own: there is none. */
import type { FaultInit } from '@mayday/core';
import { type Link, refuse } from '@mayday/relay';

/** Refuses everything that is asked. */
export function sessionOnly(upstream: string): Link {
  const fault: FaultInit = {
    kind: 'invalid_request',
    origin: 'gateway',
    executed: 'no',
    subject: { type: 'upstream', id: upstream },
    message: `${upstream} has a conversation of its own with each caller, and this request belongs to none`,
    advice: 'Open a session with `initialize`, and ask in it.',
  };
  return {
    request: (_message, sink) => refuse(sink, fault),
    send() {
      // Nobody is there to be told.
    },
    close: async () => undefined,
  };
}
