import { issuesFrom } from '../../document.ts';
import type { Native, Subject } from '../../fault.ts';
import { waitMs } from '../../fault.ts';
import { kindOfStatus } from '../../http-status.ts';
import { isRecord, own, ownInteger, ownString, toJson } from '../../json.ts';
import { isRetryable, TRAITS } from '../../kinds.ts';
import { readModelText } from '../../render/read-model-text.ts';
import { textOf } from '../../wire/look-by.ts';
import type { ErrorObject, Wire } from '../../wire/wire.ts';
import type { Heard, ReadContext } from '../dialect.ts';
import { byCode } from '../rows.ts';
import { codes, statusOf, WORKSPACE_HINT } from './codes.ts';

/** From here on the words of an error say more than its status. */
const SURE = 0.7;

const rows = /* @__PURE__ */ byCode('platica', codes);

/** Exactly one of two classes: a protocol error, or an execution error with the body of the REST answer. */
export function read(wire: Wire, context: ReadContext): Heard | undefined {
  if (wire.error?.code !== undefined && wire.result === undefined) return readProtocol(wire.error);
  if (wire.result === undefined && wire.http === undefined) return undefined;
  const issues = issuesFrom(own(wire.body, 'issues'));
  if (issues !== undefined) return { ...readIssues(wire, issues), native: nativeOf(wire) };
  const status = ownInteger(wire.body, 'code') ?? wire.http?.status;
  const heard = status === undefined ? context.prose(wire) : readStatus(wire, status, context);
  return heard === undefined ? undefined : { ...heard, native: nativeOf(wire) };
}

/** The four codes are negative; the others are statuses, and none of them stands at the top. */
function readProtocol({ code = 0, message }: ErrorObject): Heard | undefined {
  const known = code < 0 ? rows.get(code) : undefined;
  if (known === undefined) return undefined;
  const { row, evidence } = known;
  return {
    kind: row.kind,
    message: message || row.title,
    retryable: row.retryable,
    refusal: row.refusal,
    subject: row.subject === undefined ? undefined : { type: row.subject },
    native: { dialect: 'platica', code, message },
    certainty: 0.95,
    evidence,
  };
}

function readStatus(wire: Wire, status: number, context: ReadContext): Heard | undefined {
  const row = rows.get(status)?.row;
  const details = ownString(wire.body, 'details');
  const ours = details === undefined ? undefined : readModelText(`. ${details}`);
  const told = ours !== undefined && statusOf(ours.kind) === status ? ours : undefined;
  const kind = told?.kind ?? row?.kind ?? kindOfStatus(status);
  if (kind === undefined) return undefined;
  // A status that lets a call be made again is a framework's more often than its author's, who knows better.
  const words = told === undefined && row?.retryable === true ? context.prose(wire) : undefined;
  if (words !== undefined && words.certainty >= SURE && !isRetryable(TRAITS[words.kind].reaction))
    return words;
  const message = ownString(wire.body, 'error') ?? wire.text;
  const workspace = message.startsWith(WORKSPACE_HINT);
  return {
    kind,
    message,
    retryable: told?.retryable ?? (row?.kind === kind ? row.retryable : undefined),
    retry: waitMs(told?.afterMs),
    subject: kind === 'not_found' ? subjectOf(message) : undefined,
    issues: workspace
      ? [{ path: ['workspace'], message: 'is required with a multi-workspace key', code: 'required' }]
      : issuesFrom(own(wire.body, 'errors')),
    advice: workspace ? 'Pass workspace: "<id>" in the arguments.' : undefined,
    certainty: row === undefined ? 0.85 : 0.95,
    evidence: [{ by: 'status', says: `REST status ${status}`, dialect: 'platica', kind }],
  };
}

function readIssues(wire: Wire, issues: NonNullable<Heard['issues']>): Heard {
  return {
    kind: 'invalid_arguments',
    message: wire.text,
    issues,
    certainty: 0.95,
    evidence: [
      { by: 'issues', says: `${issues.length} Zod issues`, dialect: 'platica', kind: 'invalid_arguments' },
    ],
  };
}

/** "Client not found" names what was not found. */
function subjectOf(message: string): Subject | undefined {
  const match = /^(\w{2,40}) not found/i.exec(message);
  return match === null ? undefined : { type: (match[1] as string).toLowerCase() };
}

/** The body as it came: Platica passes it through, so Platica must be able to say it again. */
function nativeOf(wire: Wire): Native {
  const structured = toJson(own(wire.result, 'structuredContent'));
  const raw = wire.result === undefined ? bodyText(wire) : textOf(wire.result);
  const native: { -readonly [K in keyof Native]: Native[K] } = { dialect: 'platica' };
  // What has no text has nothing that could be said again.
  if (raw !== '') native.raw = raw;
  if (structured !== undefined) native.extra = { structuredContent: structured };
  return native;
}

function bodyText(wire: Wire): string {
  return isRecord(wire.body) || Array.isArray(wire.body) ? JSON.stringify(toJson(wire.body)) : wire.text;
}
