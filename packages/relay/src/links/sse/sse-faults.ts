/** What goes wrong with a conversation over the transport of 2024-11-05. */
import type { FaultInit } from '@mayday/core';
import { type Limit, limitDetails, spelt } from '../limit.ts';
import type { HttpHead, LinkFault } from '../link.ts';
import { saysPacked } from '../packed.ts';

/** The stream over which the server says everything is over. */
export const ENDED: LinkFault = {
  kind: 'unavailable',
  origin: 'upstream',
  executed: 'no',
  message: 'The stream of the conversation with the server ended',
  mayBeOwn: true,
};

/** A post came back: the server does not know the conversation. */
export const GONE: LinkFault = {
  kind: 'unavailable',
  origin: 'upstream',
  executed: 'no',
  message: 'The server does not know the conversation any more',
  reached: true,
};

/** Nobody knows where to post messages; `waitedMs`: as long as the settings say. */
export function addressless(waitedMs: number | undefined): FaultInit {
  const fault = { kind: 'timeout', origin: 'gateway', executed: 'no' } as const;
  const message = 'The server did not name the address for messages';
  if (waitedMs === undefined) return { ...fault, message: `${message} in time` };
  const limit: Limit = { setting: 'open_timeout_ms', ms: waitedMs };
  return { ...fault, message: `${message} within ${spelt(limit)}`, details: limitDetails(limit) };
}

/** Nobody knows whether the address would still come. */
export const TOO_MUCH: FaultInit = {
  kind: 'misconfigured',
  origin: 'upstream',
  executed: 'no',
  message: 'The server said too much before it named the address for messages; its `url` may have to change',
};

/** There is no stream, or none that can be read. */
export function noStream(head: HttpHead): FaultInit {
  const packed = saysPacked(head);
  const why = packed === undefined ? '' : ` that can be read: ${packed}`;
  return {
    kind: 'misconfigured',
    origin: 'upstream',
    executed: 'no',
    message: `The server did not answer with a stream of events${why}; its \`url\` or \`transport\` may have to change`,
  };
}

/** Credentials and calls are for the server in the settings. */
export function notOurs(named: URL | undefined): FaultInit {
  const where = named === undefined || named.origin === 'null' ? 'that is none' : `at ${named.origin}`;
  return {
    kind: 'misconfigured',
    origin: 'upstream',
    executed: 'no',
    message: `The server named an address for messages ${where}, which is not used; its \`url\` may have to change`,
  };
}
