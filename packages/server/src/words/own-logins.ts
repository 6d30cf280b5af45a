/**
 * Logins of the server's own that another program has refused. Programs speak of them as no author speaks to a caller: in
 * codes and replies of their protocols, by the name of a mechanism, at an address. Who is asked to sign in is a caller.
 */
import { isRecord, look } from './look.ts';
import { namesOwnAddress } from './server-addresses.ts';

/** What was thrown, and the words that would go out. */
export interface Refused {
  readonly reason: unknown;
  readonly message: string;
  /** A program that the server ran has said it. */
  readonly command: boolean;
  /** It reads as said to somebody whom nobody knows. */
  readonly unauthenticated: boolean;
  /** What the caller sent. */
  readonly arguments: unknown;
}

const LONGEST = 2000;

/** Does another program not let the server in? */
export function isOwnLogin({ reason, message, command, unauthenticated, arguments: args }: Refused): boolean {
  const said = message.slice(0, LONGEST);
  if (AT_THE_DOOR.test(said) || isToldByMembers(reason)) return true;
  if (command && (unauthenticated || SIGN_IN_COMMAND.test(said))) return true;
  if (SHELL_COMMAND.test(said)) return true;
  if (!unauthenticated) return false;
  if (PROGRAM.test(said)) return true;
  if (TO_SOMEBODY.test(said)) return false;
  return MECHANISM.test(said) || isDrivers(reason) || namesOwnAddress(said, args);
}

/** What is only said at a door between programs: by brokers, directories, mechanisms, clouds, the tools of registries. */
const AT_THE_DOOR =
  /\bACCESS[_-]REFUSED\b|\bAuthorization Violation\b|^(?:\w{1,20}: )?Connection refused: (?:bad user ?name or password|not authori[sz]ed|identifier rejected)\b|\bSASL\b[^\n]{0,60}\b(?:fail|error|invalid|must be)|^SASL: |\bAcceptSecurityContext\b|\bduring a bind operation\b|\bGSSAPI Error\b|\bKDC_ERR_(?:PREAUTH|C_PRINCIPAL|S_PRINCIPAL|CLIENT|KEY)\w*|\bpre-?authentication failed\b|\b(?:NT_)?STATUS_(?:LOGON_FAILURE|WRONG_PASSWORD|ACCOUNT_\w{1,20}|PASSWORD_\w{1,20})\b|\bORA-(?:01005|01017|01045|28000|28001)\b|\blogon denied\b|\bHandshake terminated by server: (?:403|530)\b|\baccess to vhost \S{1,100} refused\b|\brequested access to the resource is denied\b|(?:^|: )530[ -](?=[^\n]{0,100}\b(?:log(?:ged)?[ -]?[io]n|account|user|password|anonymous)\b)|\bAn error occurred \((?:UnrecognizedClient|InvalidSignature|ExpiredToken|InvalidToken|InvalidClientTokenId|InvalidAccessKeyId|SignatureDoesNotMatch|AuthFailure|RequestExpired)(?:Exception)?\) when calling\b/i;

/** How programs are told to be signed in, wherever they say it. */
const SIGN_IN_COMMAND =
  /\b(?:run|use|with|try)[: ]{1,3}["'`]?[a-z][\w-]{1,20} (?:auth )?(?:login|configure)\b/i;

/** The same in words: a program by its own name and what it is told. An author calls tools by one word, or says what is `first`. */
const SHELL_COMMAND =
  /\b(?:[Rr]un|with|execute|require)[\s:$>"'`]{1,12}(?!(?:the|an?|your|this|that|our|its|my) )[a-z][\w-]{1,20} (?:[a-z][\w-]{1,20} )?login\b(?!["'`]? (?:first|tool|function)\b)/;

/** Labels and replies that programs put before it: `fatal:`, `npm ERR!`, `535 5.7.8`, `-ERR`; a variable that one reads its own from: `GH_TOKEN`. */
const PROGRAM =
  /^(?:[^\n]{0,40}\s)?(?:fatal|remote): |\bnpm (?:ERR!|error) |(?:^|[\s:(])(?:430|454|530|53[2458])[ -](?:\d\.\d|[A-Z])|(?:^|\s)-ERR\b|^(?:ReplyError: )?ERR (?=[a-zA-Z])|\b[A-Z][A-Z\d]{0,30}_(?:TOKEN|KEY|PASSWORD|SECRET|CREDENTIALS)\b|^error: [^\n]{1,100}\(Unauthorized\)|\bDB::Exception\b|\[(?:AUTHENTICATIONFAILED|AUTHORIZATIONFAILED|AUTH)\]|\b[Pp]ermission denied \((?:publickey|password|keyboard-interactive|gssapi|hostbased)|\bjdbc:|\bAll configured authentication methods failed\b|\bError response from daemon\b|(?:^|: )unauthorized: (?=incorrect|authentication)|\busmStats\w{1,30}/m;

/** Ways to sign in that lie between programs, and what lies behind them. */
const MECHANISM =
  /^(?:\w{1,20}: )?INVALID_LOGIN: |\b(?:SSH|SFTP|FTPS?|SMTPS?|IMAPS?|POP3S?|LDAPS?|SNMP\w{0,4}|AMQPS?|MQTTS?|NATS|Kafka|SCRAM|GSSAPI|Kerberos|NTLM|RADIUS|SMB|CIFS|WinRM|WebDAV|JDBC|ODBC|HTTP Basic|Redis|Postgres(?:QL)?|MySQL|MariaDB|MongoDB|Oracle|SQL Server|Cassandra|ClickHouse|Elasticsearch|RabbitMQ|REST request|keyboard-interactive|AADSTS\d{4,7})\b|\bcommunity or key\b|\bby (?:the )?(?:remote )?(?:server|host|peer|broker|daemon|proxy)\b|\bhost [\w.-]{1,100}:\d|\blocalhost:\d|\b[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}:\d{2,5}\b|\bSSO session associated with this profile\b|\b(?:retrieving|refreshing) token from sso\b/;

/** Who is spoken to, or told what to do, is somebody who can sign in. */
const TO_SOMEBODY = /\b(?:please|you|your|yourself|first|call|use|run|try)\b/i;

/** Where libraries keep what was answered at the login, or that it was there that it failed. */
function isToldByMembers(reason: unknown): boolean {
  if (look(reason, 'authenticationFailed') === true) return true;
  const isOne = (name: string, form: RegExp): boolean => {
    const value = look(reason, name);
    return typeof value === 'string' && form.test(value);
  };
  return PLACES.some((name) => isOne(name, AT_LOGIN)) || OAUTH_CODES.some((name) => isOne(name, OAUTH));
}

const PLACES = ['level', 'source', 'textCode', 'serverResponseCode', 'routine'] as const;
const OAUTH_CODES = ['error', 'errorCode'] as const;

const AT_LOGIN = /^(?:client-)?auth(?:entication|enticationfailed|orizationfailed|_failed)?$/i;
const OAUTH = /^(?:invalid_grant|invalid_client|unauthorized_client)$/;

/** Does it have numbers and names that drivers give their failures? */
function isDrivers(reason: unknown): boolean {
  if (!isRecord(reason)) return false;
  const code = look(reason, 'code');
  if (typeof code === 'string' && /^(?:\d{3,6}|Neo\.|E(?:401|AUTH|NEEDAUTH)\b)/.test(code)) return true;
  if (typeof code === 'number' && (isReply(code) || (code > 0 && code < 400) || code >= 600)) return true;
  return ['errno', 'errorNum', 'responseCode', 'sqlState', 'lde_message'].some(
    (name) => look(reason, name) !== undefined,
  );
}

/** Replies of line protocols at their doors, where HTTP has no statuses. */
function isReply(code: number): boolean {
  return code === 430 || (code >= 530 && code <= 538);
}
