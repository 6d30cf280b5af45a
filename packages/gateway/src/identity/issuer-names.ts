/** Names of callers who log in: they begin with the name of their issuer, and nobody else has one like them. */

/** Is it a name as callers of one of these issuers have? */
export function isOfIssuer(name: string, issuers: readonly { readonly name: string }[]): boolean {
  return issuers.some((issuer) => name.startsWith(`${issuer.name}:`));
}
