/** Where an issuer has its keys, as it says itself (RFC 8414, OpenID Connect Discovery). */
import { isSafeUrl } from '../../settings/oauth-checks.ts';
import { fetchJson } from './fetch-json.ts';

/** The URL of its keys. Throws a sentence where nobody can tell. */
export async function discoverJwksUrl(issuer: string): Promise<string> {
  let trouble: unknown;
  for (const url of documentsOf(issuer)) {
    try {
      return jwksUrlIn(await fetchJson(url), issuer, url);
    } catch (error) {
      trouble ??= error;
    }
  }
  throw trouble;
}

/** The documents that there may be; the first that can be used is. */
function documentsOf(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const openid = `${origin}${path}/.well-known/openid-configuration`;
  return [`${origin}/.well-known/oauth-authorization-server${path}`, openid];
}

/** An issuer that speaks for another is not believed. */
function jwksUrlIn(document: unknown, issuer: string, url: string): string {
  const { issuer: named, jwks_uri: keys } = (document ?? {}) as { issuer?: unknown; jwks_uri?: unknown };
  if (named !== issuer) throw new Error(`${url} is the document of another issuer`);
  if (typeof keys !== 'string' || !isSafeUrl(keys))
    throw new Error(`${url} names no keys (jwks_uri) with https`);
  return keys;
}
