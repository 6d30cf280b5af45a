/** Why a token is not good, in a word or two for the operator. Nothing of the token is in it but the name of a claim. */
const REASONS: { readonly [code: string]: string } = {
  ERR_JWT_EXPIRED: 'expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature',
  ERR_JOSE_ALG_NOT_ALLOWED: 'algorithm',
  ERR_JWKS_NO_MATCHING_KEY: 'unknown key',
};

/** What `jose` threw, as a reason. */
export function whyNot(error: unknown): string {
  const { code, claim, reason } = error as { code?: unknown; claim?: unknown; reason?: unknown };
  if (code !== 'ERR_JWT_CLAIM_VALIDATION_FAILED') return REASONS[String(code)] ?? 'malformed';
  if (claim === 'nbf' && reason === 'check_failed') return 'not yet valid';
  return `claim ${String(claim)}`;
}
