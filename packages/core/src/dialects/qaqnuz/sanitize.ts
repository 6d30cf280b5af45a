/** What the document guarantees of every text: no raw errors of a database, no internal identifiers or hosts. */
import { parseJson } from '../../json.ts';
import { type Kind, TRAITS } from '../../kinds.ts';
import { withoutErrno } from '../forming.ts';

/** How databases word their errors. Nothing in such a sentence is for a caller. */
const DATABASE =
  /\bduplicate key\b|\bviolates \S{1,20} ?\S{0,20} constraint\b|\bunique constraint\b|\bSQLSTATE\b|\bSQLITE_\w|\bORA-\d{5}\b|\bE11000\b|\bsyntax error at or near\b|\bnear "[^"]{1,100}": syntax error\b|\b(?:relation|column|table) "?[\w.]{1,100}"? does not exist\b|\bno such (?:table|column)\b|\bdeadlock (?:detected|found)\b/i;

/** A statement of SQL, as programs write it: it names its table. */
const STATEMENT = /\bSELECT\b.{1,200}\bFROM\b|\bINSERT INTO\b|\bDELETE FROM\b|\bUPDATE \S{1,100} SET\b/;

/** What HTTP clients say of an answer: a provider's status, and none of ours. */
const HTTP_CLIENT =
  /\brequest failed with status(?: code)? \d{3}\b|\b(?:unexpected|bad|error) (?:response )?(?:status|status code):? \d{3}\b|\bHTTP error!? ?(?:status:? )?\d{3}\b|\bresponse code \d{3}\b|\b\d{3} (?:client|server) error\b|\b(?:client|server) error '\d{3}\b/i;

/** Did a validator or a provider write it for programs? */
export function isForPrograms(text: string): boolean {
  const said = text.replace(/^(?:MCP error -?\d+: )+/, '').trim();
  return /^[[{]/.test(said) && typeof parseJson(said) === 'object';
}

/** How providers name their rows. The name of an approval is ours, and whoever grants it needs it. */
const ROW = /\b(?!apr_)[a-z]{2,10}_(?=[A-Za-z0-9]{0,63}\d)[A-Za-z0-9]{12,64}\b/g;

const UUID = /(\brequest )?\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

const HOST =
  /\b(?:[a-z0-9_-]{1,63}\.){1,8}(?:internal|intranet|corp|local|lan|svc|cluster)\b(?:\.[a-z0-9-]{1,63}){0,8}(?::\d{1,5})?|\b(?:[a-z0-9_-]{1,63}\.){1,8}[a-z0-9-]{1,63}:\d{2,5}\b/gi;

/** Where a sentence was about a place or a key that had to be taken out of it, it was not written for callers. */
const INFRASTRUCTURE =
  /\[(?:credentials|ip):\d{1,6}\]|\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?|jdbc:\w{1,20}):\/\//i;

/** The text as it may cross; the kind's own sentence where nothing of it may. */
export function sanitize(text: string, kind: Kind): string {
  if ([DATABASE, STATEMENT, INFRASTRUCTURE, HTTP_CLIENT].some((sign) => sign.test(text)))
    return TRAITS[kind].title;
  return withoutErrno(text)
    .replace(UUID, (id, request = '') => (request !== '' && isHeld(kind) ? id : `${request}[id]`))
    .replace(ROW, '[id]')
    .replace(HOST, '[host]');
}

/** Nobody could grant a request without its name. */
function isHeld(kind: Kind): boolean {
  return kind === 'approval_required';
}
