/**
 * A backend that does not accept the server's own credentials. The caller has none of them to renew: it is the
 * operator who has to, so it leaves as `misconfigured`.
 */
import { predicateOf } from '@mayday/core/prose';
import { isCredentialName } from '@mayday/core/redact';
import { type Described, describe } from './describe.ts';
import { isRecord, look } from './look.ts';
import { textsIn } from './sent.ts';

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
  'TokenProviderError',
  'SequelizeAccessDeniedError',
  'SASLError',
]);

/** The same of AWS, whose exceptions are known by their `$metadata`. Roles belong to the server too. */
const AWS =
  /^(?:UnrecognizedClient|InvalidSignature|IncompleteSignature|MissingAuthenticationToken|MissingSecurityHeader|ExpiredToken|InvalidToken|InvalidSecurity|InvalidClientTokenId|InvalidAccessKeyId|AuthorizationHeaderMalformed|RequestTimeTooSkewed|RequestExpired|OptInRequired|NotSignedUp|SignatureDoesNotMatch|AuthFailure|AccessDenied|NotAuthorized|UnauthorizedOperation)(?:Exception)?$/;

const MONGO_AUTH: ReadonlySet<unknown> = new Set<unknown>([13, 18, 8000]);

/** What drivers say to a program that shows the wrong password. */
const DRIVERS =
  /\bpassword authentication failed\b|^(?:WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR AUTH)\b|\baccess denied for user\b|\blogin failed for user\b|\b(?:invalid_(?:grant|client)|unauthorized_client)\b|\brequested by the login\b|\bAuthentication failed: password is incorrect, or there is no user\b|\bORA-\d{5}: [^\n]{0,200}\blogon denied\b|\brefused for user '|\bnot found in Kerberos database\b|(?:^|: )530[ -](?=[^\n]{0,60}\b(?:user|account) )|\bclient secret\b|\bservice account\b|\bcould not load (?:the )?default credentials\b|\bAWS access key id\b|\bsecurity token included in the request\b|\brequest signature we calculated\b|\blogin failed for jdbc:|\bunable to authenticate user \[|\bprovided username \S{1,100} and\/or password\b/i;

/** What interfaces say to one that shows the wrong key. */
const KEYS =
  /\b(?:invalid|incorrect|wrong|missing|unknown|expired|revoked|bad|no)\b[^.]{0,20}\b(?:api|access|secret|service|subscription|private|signing)[ _-]?key\b|\b(?:api|access|secret|private|signing)[ _-]?key\b[^.]{0,40}\b(?:invalid|incorrect|wrong|missing|expired|revoked|rejected|not valid|not found|disabled)\b|\b(?:log-?in|sign-?in|auth\w{0,12}|access|request) (?:was |has been )?(?:failed|denied|refused|rejected) (?:for|with|using|by)\b[^.]{0,20}\b(?:api|access|secret|service|subscription|private|signing)[ _-]?key\b|\bour\b[^.]{0,40}\b(?:credentials?|keys?|tokens?|password)\b[^.]{0,40}\b(?:invalid|expired|revoked|rejected|refused|denied|not (?:valid|accepted))\b/i;

/** A key that is quoted, and refused: as long and as odd as only those are that programs show. */
const QUOTED =
  /\bkey:? ["'`]?(?=[\w-]{0,100}\d)(?=[\w-]{0,100}[a-z])([\w-]{16,200})["'`]? (?:is|was|has been) (?:not (?:valid|accepted|known)|invalid|expired|revoked|rejected|refused|disabled)\b/i;

/** What an interface that the server has asked says follows its name. */
const INTERFACE =
  /\b(?:[Aa][Pp][Ii]|HTTP|REST|GraphQL)\b(?! [Kk]ey\b)(?: (?:error|request|call|response|failure|failed|status)){0,3}[^:\n]{0,20}:|^(?!(?:Log|Sign|Auth|Up|Down|Request|Valid|Operation|Err|Fatal|Token|Session|Access|Permission)\w*)[A-Z][\w.-]{1,30} (?:error|(?:request |call )?failed|returned|responded)(?: \w{1,10}){0,2}(?: \(\d{3}\))?:/;

/** What was tried, and nothing more of why it failed than how its status is called. */
const STATUS_TEXT =
  /^(?:failed to|could not|couldn't|unable to|cannot|error) [a-z]+ [^:\n]{1,100}: (?:unauthori[sz]ed|proxy authentication required)[.!]?$/i;

/** Does a sentence hand on what an interface said to the server? */
export function quotesInterface(message: string): boolean {
  const said = message.slice(0, LONGEST).replace(/^\w{0,40}Error: /, '');
  return INTERFACE.test(said) || STATUS_TEXT.test(said);
}

/** What decides beside the exception. */
export interface CredentialContext {
  /** A backend, or a program, answered that it does not know who is asking. */
  readonly unauthenticated: boolean;
  /** That was a database, a directory, or something else that numbers its failures. */
  readonly ofDatabase: boolean;
  /** What the caller sent. */
  readonly arguments: unknown;
}

/**
 * Whose words it is where the server's own credential was refused; `undefined` where none was, or the caller sent it along.
 * Whoever runs a server for himself has put its keys there: which interface refuses one is told to the caller, which
 * account of which database does not.
 */
export function ownCredential(
  reason: unknown,
  about: Described,
  context: CredentialContext,
): 'for the caller' | 'for the operator' | undefined {
  if (speaksForServer(reason) || sendsCredential(context.arguments)) return undefined;
  if (isOfAccount(reason, about) || (context.unauthenticated && context.ofDatabase))
    return 'for the operator';
  const isRefused =
    KEYS.test(predicateOf(about.message).text) || quotesOwnKey(about.message, context.arguments);
  return context.unauthenticated || isRefused ? 'for the caller' : undefined;
}

/** Is a key quoted that no argument has? */
function quotesOwnKey(message: string, sent: unknown): boolean {
  const key = QUOTED.exec(message.slice(0, LONGEST))?.[1];
  return key !== undefined && !textsIn(sent).some((text) => text.includes(key));
}

const LONGEST = 2000;

function isOfAccount(reason: unknown, { name, code, message }: Described): boolean {
  if (NAMES.has(name) || CODES.has(code) || DRIVERS.test(message)) return true;
  if (look(reason, '$metadata') !== undefined) return AWS.test(name);
  return /^Mongo/.test(name) && MONGO_AUTH.has(code);
}

/** Was the server's account of a database or a cloud refused in what an exception came from? */
export function comesOfAccount(reason: unknown, sent: unknown): boolean {
  if (sendsCredential(sent)) return false;
  let cause = look(reason, 'cause');
  for (let depth = 0; depth < MOST_CAUSES && cause !== undefined; depth += 1) {
    if (isOfAccount(cause, describe(cause))) return true;
    cause = look(cause, 'cause');
  }
  return false;
}

const MOST_CAUSES = 4;

/** `http-errors`, Boom and Hono's `HTTPException` are the author's own words to the caller. */
function speaksForServer(reason: unknown): boolean {
  return (
    look(reason, 'expose') === true ||
    look(reason, 'isBoom') === true ||
    look(reason, 'getResponse') !== undefined
  );
}

function sendsCredential(args: unknown): boolean {
  return isRecord(args) && Object.keys(args).some(isCredentialName);
}
