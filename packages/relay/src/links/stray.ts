/**
 * What may reach a caller of all that a server says, whatever way it takes: requests and notifications do, an answer
 * does as that to the request that was asked, and nothing else. These are the notes about what is dropped.
 */
import type { FaultInit } from '@mayday/core';
import type { Peek } from '../framing/peek.ts';

/** It answered where nobody had asked: in the stream of everything that belongs to no request. */
export const NEVER_ASKED = 'answered a request that was never asked';

/** It answered something else in place of the request that was asked. */
const ANOTHER_REQUEST = 'answered another request than the one it was asked';

/** The same, for whoever asked: there was nothing else. */
export const NOT_ITS_OWN: FaultInit = {
  kind: 'invalid_output',
  origin: 'upstream',
  executed: 'maybe',
  message: 'The server answered another request than the one it was asked',
};

/** Why what is no answer goes no further; `undefined` when it may. */
export function whyNoMessage(seen: Peek): string | undefined {
  const why = whyDropped(seen);
  return why === undefined ? undefined : `sent something that is not JSON-RPC (${why})`;
}

/** The note about what came in place of an answer and may be for somebody else. */
export function whyUntold(seen: Peek): string {
  return whyNoMessage(seen) ?? ANOTHER_REQUEST;
}

/** Why bytes are no message for anybody. An answer of another version is its caller's, who is told. */
export function whyDropped({ kind, why, isVersion2 }: Peek): string | undefined {
  return kind === 'invalid' || kind === 'response' || isVersion2 ? why : 'not_version_2';
}

/** Why what comes unasked goes no further; `undefined` when it may. */
export function whyNotUnasked(seen: Peek): string | undefined {
  return seen.kind === 'response' ? NEVER_ASKED : whyNoMessage(seen);
}
