/** Who a token speaks of, as far as its claims say so. */

import type { IssuerSettings } from '../../settings/settings.ts';
import { callerOf, type KnownCaller } from '../keys.ts';
import { Stranger } from '../stranger.ts';

/** The claims of a token whose signature was checked. */
export type Claims = { readonly [name: string]: unknown };

/** Names go into logs, rules and limits. */
const MAX_NAME = 256;
/** Control characters and line ends would write a log; halves of characters are all the same once they are stored. */
const UNFIT = /[\p{Cc}\u2028\u2029]|\p{Surrogate}/u;

/**
 * The caller of a token. Its name is the same with every token of the same principal, so that limits, consents and
 * records go on; its sessions are its own as long as it uses the same client.
 */
export function callerIn(claims: Claims, settings: IssuerSettings): KnownCaller | Stranger {
  const { principalClaim, tenantClaim, scopesClaim, operatorScope, name, issuer } = settings;
  const principal = nameIn(claims, principalClaim);
  if (principal === undefined) return new Stranger(`claim ${principalClaim}`);
  const tenant = tenantClaim === undefined ? undefined : nameIn(claims, tenantClaim);
  if (tenantClaim !== undefined && tenant === undefined) return new Stranger(`claim ${tenantClaim}`);
  // Whoever holds such a token has to prove that it is theirs, which nobody can do here.
  if (claims['cnf'] !== undefined) return new Stranger('bound to a key');
  const scopes = listIn(claims, scopesClaim);
  const client = claims['client_id'] ?? claims['azp'] ?? null;
  return callerOf({
    name: `${name}:${principal}`,
    key: JSON.stringify(['oauth', issuer, principal, client]),
    role: operatorScope !== undefined && scopes.includes(operatorScope) ? 'operator' : 'caller',
    dialect: undefined,
    upstreams: undefined,
    tenant,
    scopes,
  });
}

/** `aud`, however it is written. */
export function audiencesIn(claims: Claims): readonly string[] {
  const { aud } = claims;
  return (Array.isArray(aud) ? aud : [aud]).filter((one) => typeof one === 'string');
}

function claimOf(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

function nameIn(claims: Claims, claim: string): string | undefined {
  const said = claimOf(claims, claim);
  const isName = typeof said === 'string' && said !== '' && said.length <= MAX_NAME && !UNFIT.test(said);
  return isName ? said : undefined;
}

/** Scopes in one text with blanks between them, or as a list. */
function listIn(claims: Claims, claim: string): readonly string[] {
  const said = claimOf(claims, claim);
  const all: readonly unknown[] =
    typeof said === 'string' ? said.split(' ') : Array.isArray(said) ? said : [];
  return all.filter((scope) => typeof scope === 'string' && scope !== '') as readonly string[];
}
