/** What `WWW-Authenticate` says to callers who need a token, another one, or one that may do more (RFC 6750, RFC 9728). */

/** What is wrong with what they sent; nothing, where they sent nothing. */
type ChallengeError = 'invalid_token' | 'insufficient_scope';

/** The parts of a challenge. */
interface Challenge {
  /** Where to learn how to get a token. */
  readonly metadataUrl: string;
  readonly scopes: readonly string[];
  readonly error?: ChallengeError | undefined;
}

/** Other characters cannot stand in a challenge, so no token can be asked for with them. */
const SCOPE = /^[!#-[\]-~]+$/;

/** The value of the header. */
export function bearerChallenge({ metadataUrl, scopes, error }: Challenge): string {
  const sayable = scopes.filter((scope) => SCOPE.test(scope));
  const params = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(sayable.length === 0 ? [] : [`scope="${sayable.join(' ')}"`]),
    `resource_metadata="${metadataUrl}"`,
  ];
  return `Bearer ${params.join(', ')}`;
}
