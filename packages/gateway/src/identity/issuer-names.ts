/** Names of callers who log in: they begin with the name of their issuer, and nobody else has one like them. */

/** Is it a name as callers of one of these issuers have, or one that whoever reads it takes for such? */
export function isOfIssuer(name: string, issuers: readonly { readonly name: string }[]): boolean {
  const small = name.toLowerCase();
  return issuers.some((issuer) => small.startsWith(`${issuer.name.toLowerCase()}:`));
}
