/**
 * Challenges of servers that are not passed on. Whoever has come in with a token would log in again, for nothing, with
 * whoever the server names; and whoever sees a challenge logs in and sends the call again, also one that may have been
 * executed. The failure is told; the status and the challenge are not.
 */
import { after } from '@mayday/policy';
import type { WirePolicy } from '@mayday/relay';

/** Stands around all calls. */
export function foreignChallenges(): WirePolicy {
  return after((outcome, { by, method }) => {
    if (outcome.ok) return outcome;
    const { value, fault } = outcome;
    const mayBeDone = method === 'tools/call' && fault.executed !== 'no';
    if (by.metadataUrl === undefined && !mayBeDone) return outcome;
    if (value?.type !== 'http' && value?.type !== 'message') return outcome;
    if (value.status !== 401 && value.status !== 403) return outcome;
    const { 'www-authenticate': _challenge, ...headers } = value.headers ?? {};
    return { ...outcome, value: { ...value, status: 200, headers } };
  });
}
