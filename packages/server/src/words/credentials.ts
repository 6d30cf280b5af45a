/**
 * A backend that does not accept the server's own credentials. The caller has none of them to renew: it is the
 * operator who has to, so it leaves as `misconfigured`, in the operator's words.
 */
import type { Described } from './describe.ts';
import { isRecord, look } from './look.ts';

/** PostgreSQL's classes 28 and 3D, MySQL's and MongoDB's refusals at the door. */
const CODES: ReadonlySet<unknown> = new Set<unknown>([
  '28000',
  '28P01',
  '3D000',
  'ER_ACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
  'ELOGIN',
  'EAUTH',
]);

/** Classes that only speak of the credentials a program signs its requests with. */
const NAMES: ReadonlySet<string> = new Set([
  'StripeAuthenticationError',
  'StripePermissionError',
  'CredentialsProviderError',
  'SequelizeAccessDeniedError',
]);

/** The same of AWS, whose exceptions are known by their `$metadata`. Roles belong to the server too. */
const AWS =
  /^(?:UnrecognizedClient|InvalidSignature|IncompleteSignature|MissingAuthenticationToken|ExpiredToken|InvalidClientTokenId|SignatureDoesNotMatch|AuthFailure|AccessDenied|NotAuthorized)(?:Exception)?$/;

const MONGO_AUTH: ReadonlySet<unknown> = new Set<unknown>([13, 18, 8000]);

/** What drivers and interfaces say to a program that shows the wrong key. */
const WORDS =
  /\bpassword authentication failed\b|^(?:WRONGPASS|NOAUTH|NOPERM)\b|\baccess denied for user\b|\blogin failed for user\b|\b(?:invalid|incorrect|wrong|missing|unknown|expired|revoked|bad|no)\b[^.]{0,20}\b(?:api|access|secret|service|subscription)[ _-]?key\b|\b(?:api|access|secret)[ _-]?key\b[^.]{0,40}\b(?:invalid|incorrect|wrong|missing|expired|revoked|not valid|not found|disabled)\b|\binvalid_(?:grant|client)\b|\bclient secret\b|\bservice account\b|\bcould not load (?:the )?default credentials\b/i;

/** What decides beside the exception. */
export interface CredentialContext {
  /** A backend answered that it does not know who is asking. */
  readonly unauthenticated: boolean;
  /** What the caller sent. */
  readonly arguments: unknown;
}

/** Is it the server's own credential that was refused, and not one that the caller sent along? */
export function isOwnCredential(reason: unknown, about: Described, context: CredentialContext): boolean {
  if (speaksForServer(reason) || sendsCredential(context.arguments)) return false;
  const { name, code, message } = about;
  if (context.unauthenticated || NAMES.has(name) || CODES.has(code) || WORDS.test(message)) return true;
  if (look(reason, '$metadata') !== undefined) return AWS.test(name);
  return /^Mongo/.test(name) && MONGO_AUTH.has(code);
}

/** `http-errors`, Boom and Hono's `HTTPException` are the author's own words to the caller. */
function speaksForServer(reason: unknown): boolean {
  return (
    look(reason, 'expose') === true ||
    look(reason, 'isBoom') === true ||
    look(reason, 'getResponse') !== undefined
  );
}

const CREDENTIAL = /^(?:.*[_-])?(?:api_?key|token|password|secret|credentials?|authorization)$/i;

function sendsCredential(args: unknown): boolean {
  return isRecord(args) && Object.keys(args).some((name) => CREDENTIAL.test(name));
}
