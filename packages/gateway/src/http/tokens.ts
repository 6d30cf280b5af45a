/** What is said at the door to callers who need a token, or one that may do more. */
import type { KnownCaller } from '../identity/keys.ts';
import { bearerChallenge } from '../identity/oauth/challenge.ts';
import type { Issuer } from '../identity/oauth/issuer.ts';
import type { OAuth } from '../identity/oauth/oauth.ts';
import { type DoorFault, NO_KEY, noToken, tooFewScopes } from './refusals.ts';
import { endpointOf, type Match, type Route } from './routes.ts';

/** A credential is needed; one that was sent was not good, whatever was wrong with it. */
export function needed(hasSent: boolean, match: Match, oauth: OAuth | undefined): DoorFault {
  if (oauth === undefined) return NO_KEY;
  const metadataUrl = oauth.resource.metadataUrl(endpointOf(match));
  const error = hasSent ? 'invalid_token' : undefined;
  return noToken(bearerChallenge({ metadataUrl, scopes: oauth.scopes, error }));
}

/** What a token lacks of what every token needs, and of what is needed here beside that: it is asked for all of it. */
export function lacking(
  { scopes, metadataUrl }: KnownCaller,
  oauth: OAuth | undefined,
  beside: readonly string[] = [],
): DoorFault | undefined {
  if (oauth === undefined || metadataUrl === undefined) return undefined;
  const all = [...new Set([...oauth.scopes, ...beside])];
  const missing = all.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return undefined;
  return tooFewScopes(missing, bearerChallenge({ metadataUrl, scopes: all, error: 'insufficient_scope' }));
}

/** What a token lacks at a place for operators. Where its issuer says who is one, the user can be asked for that scope. */
export function shortOfOperator(
  { role }: Route,
  caller: KnownCaller | undefined,
  oauth: OAuth | undefined,
): DoorFault | undefined {
  if (role !== 'operator' || caller === undefined) return undefined;
  const scope = (caller.token?.issuer as Issuer | undefined)?.settings.operatorScope;
  return scope === undefined ? undefined : lacking(caller, oauth, [scope]);
}
