/** Which words a closed document lets cross that were not written for its callers: a provider's, a server's, a handler's. */
import type { Fault } from '../fault.ts';

/** What names a table, a row, a place or somebody's object, and what was taken out of such a name. */
const NAMES =
  /[_/\\]|\[[a-z-]{1,40}:\d|\p{L}-?\d|\d-?\p{L}|\d{3}|\b(?:tables?|columns?|rows?|relations?|collections?|constraints?|buckets?|brokers?|clusters?|partitions?|replicas?|shards?)\b/iu;

/** A statement of SQL: it names its table, also where nothing else does. */
const STATEMENT = /\bselect\b.{1,200}\bfrom\b|\binsert into\b|\bdelete from\b|\bupdate \S{1,100} set\b/i;

/** What stands around a value or behind a name, and a name in the middle of a sentence. */
const VALUES = /[:()=<>{}"`“”«»]|(?:^|\s)['‘’]|[^.!?\s]\s+(?!I\b)\p{Lu}/u;

/**
 * May others' words be repeated? Only a plain sentence that names nothing, and that a caller can do something with: what
 * reads as nothing known may be about anything, people among it.
 */
export function maySay({ kind, reaction, message }: Pick<Fault, 'kind' | 'reaction' | 'message'>): boolean {
  const isForCallers =
    reaction === 'validation' || reaction === 'permission' || kind === 'not_found' || kind === 'conflict';
  return isForCallers && namesNothing(message);
}

function namesNothing(text: string): boolean {
  return ![NAMES, STATEMENT, VALUES].some((sign) => sign.test(text));
}

/** How databases word their errors. Nothing in such a sentence is for a caller. */
const DATABASE =
  /\bduplicate key\b|\bviolates \S{1,20} ?\S{0,20} constraint\b|\bunique constraint\b|\bSQLSTATE\b|\bSQLITE_\w|\bORA-\d{5}\b|\bE11000\b|\bsyntax error at or near\b|\bnear "[^"]{1,100}": syntax error\b|\b(?:relation|column|table) "?[\w.]{1,100}"? does not exist\b|\bno such (?:table|column)\b|\bdeadlock (?:detected|found)\b/i;

/** A statement of SQL, as programs write it: it names its table. */
const WRITTEN_STATEMENT =
  /\bSELECT\b.{1,200}\bFROM\b|\bINSERT INTO\b|\bDELETE FROM\b|\bUPDATE \S{1,100} SET\b/;

/** What HTTP clients say of an answer: a provider's status, and none of ours. */
const HTTP_CLIENT =
  /\brequest failed with status(?: code)? \d{3}\b|\b(?:unexpected|bad|error) (?:response )?(?:status|status code):? \d{3}\b|\bHTTP error!? ?(?:status:? )?\d{3}\b|\bresponse code \d{3}\b|\b\d{3} (?:client|server) error\b|\b(?:client|server) error '\d{3}\b/i;

/** Where a sentence was about a place or a key that had to be taken out of it, it was not written for callers. */
const INFRASTRUCTURE =
  /\[(?:credentials|ip|host):\d{1,6}\]|\b(?:ECONN[A-Z]{3,10}|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|E(?:HOST|NET)UNREACH|getaddrinfo)\b|\bauthentication failed for user\b|\baccess denied for user\b|\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?|jdbc:\w{1,20}):\/\//i;

/** Did a database, an HTTP client or a connection say it? Nothing of that is for a caller. */
export function isOfMachinery(text: string): boolean {
  return [DATABASE, WRITTEN_STATEMENT, INFRASTRUCTURE, HTTP_CLIENT].some((sign) => sign.test(text));
}

/** Where something is: an address, or the name of a host in one of the domains that hosts mostly have. */
const PLACES =
  /\b(?:https?|wss?|ftps?|sftp|ssh|tcp|udp|grpcs?|s3|gs|file):\/\/[^\s"'<>()[\]{},]{0,2000}[^\s"'<>()[\]{},.;:!?]|\b(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|io|cloud|dev|example|test|invalid)\b(?:\/[^\s"'<>()[\]{},]{0,500}[^\s"'<>()[\]{},.;:!?])?/gi;

/**
 * What is told or asked beside an answer, without the hosts that it names; nothing where it may not be told. What tells of
 * a failure says no more than the answer would.
 */
export function toldBeside(text: string, isFailure: boolean): string | undefined {
  if (isOfMachinery(text) || (isFailure && !namesNothing(text))) return undefined;
  return text.replace(PLACES, '[host]');
}
