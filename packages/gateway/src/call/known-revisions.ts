/** A handshake with a revision that nobody serves, where the document of the caller's dialect refuses it. */
import type { FaultInit } from '@mayday/core';
import { HANDSHAKES, isUnserved } from '@mayday/core/protocol';
import { passing } from '@mayday/policy';
import { lost, type WirePolicy } from '@mayday/relay';
import { type DialectChoice, dialectFor } from './dialects.ts';

/** Stands around every call: a server, or the gateway in its place, would answer with a revision of its own. */
export function knownRevisions(choice: DialectChoice): WirePolicy {
  return passing({
    before: (call) => {
      if (call.method !== 'initialize' || dialectFor(call, call.upstream, choice).refusesRevisions !== true)
        return call;
      const asked = call.params()?.['protocolVersion'];
      return isUnserved(asked) ? lost(call, unserved(asked.slice(0, 64))) : call;
    },
  });
}

function unserved(requested: string): FaultInit {
  return {
    kind: 'unsupported',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'protocol_version', id: requested },
    message: `Unsupported protocol version: ${requested}`,
    details: { requested_version: requested, supported_versions: [...HANDSHAKES] },
  };
}
