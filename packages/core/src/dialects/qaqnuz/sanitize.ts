/** What the document guarantees of every text: no raw errors of a database, no internal identifiers or hosts. */
import { parseJson } from '../../json.ts';
import type { Kind } from '../../kinds.ts';
import { withoutErrno } from '../forming.ts';
import { isOfMachinery, toldBeside } from '../others-words.ts';
import { titleOf } from './sentences.ts';

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

/** How clouds name what somebody has there. */
const CLOUD_NAME = /\barn:aws[a-z-]{0,20}:[^\s"'`]{1,300}/g;
const BUCKET = /\b(?:s3|gs):\/\/[^\s"'`]{1,300}/gi;

/** Sentences in which databases and their drivers name what they hold. */
const OF_DATABASE =
  /\bpermission denied for (?:table|relation|schema|view|sequence|function|database|column) \S|\bunknown column ['`]|\bduplicate entry '[^\n]{0,300}' for key ['`]|\binvalid (?:object|column) name '|\bprisma\.\w{1,60}\.\w{1,60}\(|\bObjectId\(/i;

/** The text as it may cross; the kind's own sentence where nothing of it may. */
export function sanitize(text: string, kind: Kind): string {
  if (isOfMachinery(text) || OF_DATABASE.test(text)) return titleOf(kind);
  return withoutErrno(text)
    .replace(UUID, (id, request = '') => (request !== '' && isHeld(kind) ? id : `${request}[id]`))
    .replace(CLOUD_NAME, '[id]')
    .replace(BUCKET, '[host]')
    .replace(ROW, '[id]')
    .replace(HOST, '[host]');
}

/** Nobody could grant a request without its name. */
function isHeld(kind: Kind): boolean {
  return kind === 'approval_required';
}

/** What is told or asked beside an answer, as it may cross. */
export function told(text: string, isFailure: boolean): string | undefined {
  const left = isForPrograms(text) ? undefined : toldBeside(text, isFailure);
  return left === undefined ? undefined : sanitize(left, 'unknown');
}
