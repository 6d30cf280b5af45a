import type { JsonObject } from '../../fault.ts';
import { waitSeconds } from '../../fault.ts';
import { own, ownNumber, ownRecord, ownString, pickJson } from '../../json.ts';
import type { ErrorObject, Wire } from '../../wire/wire.ts';
import { saysMore } from '../beside.ts';
import type { Heard } from '../dialect.ts';
import { byCode } from '../rows.ts';
import { codes, type ErlmcpRow, refusals } from './codes.ts';

const rows = /* @__PURE__ */ byCode('erlmcp', codes);

/** The row of a code. */
export function rowFor(code: number): ErlmcpRow | undefined {
  return rows.get(code)?.row;
}

/** Marks a fault whose `data` was a string. */
export const STRING_DATA: JsonObject = { data: 'string' };

/** Which member of `data` names the subject. Both the document's spelling and the code's. */
// biome-ignore format: a table
export const ID_KEYS: { readonly [subject: string]: readonly string[] } = {
  tool: ['tool'], resource: ['uri', 'resource'], prompt: ['prompt'], capability: ['capability'], subscription: ['uri'],
  resource_template: ['uri_template', 'templateUri'], uri: ['uri'], protocol_version: ['requested_version', 'version', 'clientVersion'],
  method: ['method'], cursor: ['cursor'], task: ['taskId', 'task_id'], progress_token: ['progressToken', 'progress_token'],
  notification: ['notification_type', 'notificationType'], completion: ['completionId', 'reference'], content: ['content_type', 'contentType', 'encoding'],
};

/** A top-level error whose number is one of the 118, or one of the refusals. Without a message it is malformed. */
export function read(wire: Wire): Heard | undefined {
  const error = wire.error;
  if (error?.code === undefined || error.message === '') return undefined;
  // Inside a result stands what somebody else's document has there.
  if (ownRecord(wire.result, 'error') !== undefined) return undefined;
  const known = rows.get(error.code);
  if (known === undefined) return readRefusal(error.code, error.message);
  const { row, evidence } = known;
  const seconds = ownNumber(error.data, 'retry_after') ?? ownNumber(error.data, 'retryAfter');
  return {
    kind: row.kind,
    reaction: row.reaction,
    retryable: row.retryable,
    advice: adviceOf(row),
    message: wordsOf(row, error),
    subject: subjectOf(row, error.data),
    // erlmcp answers at the top; inside a result, the number is somebody else's.
    refusal: row.refusal === true && wire.result === undefined,
    saysMore: row.refusal === true ? saysMore(error.data, (key) => isForeign(key, row)) : undefined,
    retry: waitSeconds(seconds),
    issues: issuesOf(row, error.data),
    details: detailsOf(row, error.data),
    native: nativeOf(row, error),
    certainty: row.kind === 'unknown' ? 0.3 : 0.98,
    evidence,
  };
}

/** Neither the document nor the code that goes with it has this member beside the row. */
function isForeign(key: string, { keys, subject }: ErlmcpRow): boolean {
  return !keys.includes(key) && !(ID_KEYS[subject ?? ''] ?? []).includes(key);
}

/** The document's name of a code says what it is, and the member beside it why, where that is a sentence. */
function wordsOf(row: ErlmcpRow, { message, data }: ErrorObject): string {
  const reason = row.keys.includes('reason') ? ownString(data, 'reason') : undefined;
  return reason !== undefined && message === row.title && /\S\s\S/.test(reason) ? reason : message;
}

/** The document's first steps, where they say more than to wait. */
function adviceOf({ steps = [], retryable }: ErlmcpRow): string | undefined {
  return steps.length === 0 || retryable === true ? undefined : `${steps.slice(0, 2).join('. ')}.`;
}

/** `data` is an object or a string, and goes out again as what it came in. */
function nativeOf(row: ErlmcpRow, { message, data }: ErrorObject): NonNullable<Heard['native']> {
  const native = { dialect: 'erlmcp', code: row.code, message };
  return typeof data === 'string' ? { ...native, extra: STRING_DATA } : native;
}

function subjectOf(row: ErlmcpRow, data: unknown): Heard['subject'] {
  if (row.subject === undefined) return undefined;
  for (const key of ID_KEYS[row.subject] ?? []) {
    const id = own(data, key);
    if (typeof id === 'string' || typeof id === 'number') return { type: row.subject, id: String(id) };
  }
  return { type: row.subject };
}

/** `{field, constraint}` and `{argument}` name what is wrong with the input. */
function issuesOf(row: ErlmcpRow, data: unknown): Heard['issues'] {
  if (row.kind !== 'invalid_arguments') return undefined;
  const field = ownString(data, 'field') ?? ownString(data, 'argument');
  if (field === undefined) return issuesInDetails(ownString(data, 'details') ?? '');
  const missing = row.code === -32043;
  const message = missing
    ? 'is required'
    : (ownString(data, 'constraint') ?? ownString(data, 'details') ?? 'is invalid');
  return [missing ? { path: [field], message, code: 'required' } : { path: field.split('.'), message }];
}

/** The document's two sentences about a parameter; several are said one after the other. */
const PARAMETER =
  /^(?:Missing required parameter: ([\w$.-]{1,100})|Invalid parameter type: ([\w$.-]{1,100}) (must be .{1,200}))$/;
const MOST_ISSUES = 64;

function issuesInDetails(details: string): Heard['issues'] {
  const found = details.split('; ', MOST_ISSUES).flatMap((sentence) => {
    const [, missing, wrong, message = ''] = PARAMETER.exec(sentence) ?? [];
    if (missing !== undefined)
      return [{ path: missing.split('.'), message: 'is required', code: 'required' }];
    return wrong === undefined ? [] : [{ path: wrong.split('.'), message, code: 'type' }];
  });
  return found.length === 0 ? undefined : found;
}

/** Members with a canonical place: the subject's identifier, the wait, the field. */
const PLACED: ReadonlySet<string> = new Set(['retry_after', 'retryAfter', 'field', 'constraint', 'argument']);

function detailsOf(row: ErlmcpRow, data: unknown): JsonObject | undefined {
  if (typeof data === 'string') return { details: data };
  const ids = row.subject === undefined ? undefined : ID_KEYS[row.subject];
  // An identifier that is no text would come back as text from its place; it stays what it was.
  return pickJson(
    data,
    (key) => !PLACED.has(key) && !(ids?.includes(key) === true && typeof own(data, key) === 'string'),
  );
}

function readRefusal(code: number, message: string): Heard | undefined {
  const row = refusals.find((candidate) => candidate.code === code);
  if (row === undefined) return undefined;
  const { kind, status } = row;
  return {
    kind,
    message,
    certainty: 0.6,
    evidence: [{ by: 'code', says: `refusal ${code}, HTTP ${status}`, dialect: 'erlmcp', kind }],
  };
}
