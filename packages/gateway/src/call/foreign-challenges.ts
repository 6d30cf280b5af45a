/**
 * A server that asks for a login asks the gateway, and not a caller who has come in with a token: its client would log in
 * again, for nothing, with whoever the server names. The failure is told; the status and the challenge are not passed on.
 */
import { after } from '@mayday/policy';
import type { WirePolicy } from '@mayday/relay';

/** Stands around calls of callers with tokens. */
export function foreignChallenges(): WirePolicy {
  return after((outcome, { by }) => {
    if (outcome.ok || by.metadataUrl === undefined) return outcome;
    const { value } = outcome;
    if (value?.type !== 'http' && value?.type !== 'message') return outcome;
    if (value.status !== 401 && value.status !== 403) return outcome;
    const { 'www-authenticate': _challenge, ...headers } = value.headers ?? {};
    return { ...outcome, value: { ...value, status: 200, headers } };
  });
}
