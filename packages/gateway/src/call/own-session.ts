/** A session that the gateway itself opened with a server, for callers who know nothing of it. */
import { makeFault } from '@mayday/core';
import { after } from '@mayday/policy';
import type { WireOutcome, WirePolicy } from '@mayday/relay';

/**
 * Is it refused for a session that ended while we held it? Nothing was done: the server did not even know who was
 * asking. A session of the caller's own is told with an answer of the server.
 */
export function isForgotten(outcome: WireOutcome): boolean {
  return (
    !outcome.ok &&
    outcome.answered !== true &&
    outcome.committed !== true &&
    outcome.fault.kind === 'expired' &&
    outcome.fault.subject?.type === 'session' &&
    outcome.fault.executed === 'no'
  );
}

/**
 * Whoever had no session cannot start again without it: the same call is worth another attempt, that is all. Of what the
 * gateway does about it nothing is told as done: whoever reads it would take that for the work of the call.
 */
export function ownSession(upstream: string): WirePolicy {
  const fault = makeFault({
    kind: 'unavailable',
    origin: 'gateway',
    executed: 'no',
    subject: { type: 'upstream', id: upstream },
    message: `${upstream} has forgotten the session that the gateway had with it`,
    advice: 'Call again: the gateway opens another.',
  });
  return after((outcome) => {
    if (outcome.ok || !isForgotten(outcome)) return outcome;
    const { value } = outcome;
    return { ...outcome, fault, value: value?.type === 'nothing' ? { ...value, isOurs: true } : value };
  });
}
