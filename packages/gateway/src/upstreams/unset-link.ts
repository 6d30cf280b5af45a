/** A conversation with a server whose settings need variables that are not set: there is none. */
import type { FaultInit } from '@mayday/core';
import { type Link, refuse } from '@mayday/relay';
import type { UpstreamSettings } from '../settings/settings.ts';

/** Refuses everything that is asked, and says what is missing. */
export function unsetLink({ type, unset = [] }: Pick<UpstreamSettings, 'type' | 'unset'>): Link {
  const names = unset.join(', ');
  const why = unset.length === 1 ? `the variable ${names} is not set` : `the variables ${names} are not set`;
  const fault: FaultInit = {
    kind: 'misconfigured',
    origin: 'gateway',
    executed: 'no',
    message: `The server cannot be ${type === 'command' ? 'started' : 'reached'}: ${why}`,
    advice: `Set ${names} where the gateway is started, then start it again.`,
  };
  return {
    request: (_message, sink) => refuse(sink, fault),
    send() {
      // Nobody is there to be told.
    },
    close: async () => undefined,
  };
}
