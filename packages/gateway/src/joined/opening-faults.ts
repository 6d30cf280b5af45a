/** Why an upstream of many could not be opened. */
import type { Fault, FaultInit } from '@mayday/core';

/** It speaks, and not as the client does. */
export function ofAnotherRevision(name: string, revision: string): FaultInit {
  return {
    kind: 'misconfigured',
    origin: 'upstream',
    executed: 'no',
    subject: { type: 'upstream', id: name },
    message: `${name} does not speak ${revision}, in which this session is`,
    advice: 'Use a client of the revision that the server speaks.',
  };
}

/** It has said why it is not opened; the words are its own. */
export function refusedToOpen(name: string, { message, correlationId }: Fault): FaultInit {
  return {
    correlationId,
    kind: 'misconfigured',
    origin: 'upstream',
    executed: 'no',
    subject: { type: 'upstream', id: name },
    message: `${name} refused to be opened: ${message}`,
    advice: 'Correct what the server complains of; until then it cannot be used.',
  };
}
