import { issuesFrom } from '../../document.ts';
import type { Subject } from '../../fault.ts';
import { waitMs } from '../../fault.ts';
import { pathFrom } from '../../issue-path.ts';
import {
  own,
  ownBoolean,
  ownInteger,
  ownNumber,
  ownRecord,
  ownString,
  toJson,
  toJsonObject,
  type Unknown,
} from '../../json.ts';
import { isKind, type Kind } from '../../kinds.ts';
import type { Wire } from '../../wire/wire.ts';
import type { Heard } from '../dialect.ts';
import { byCode } from '../rows.ts';
import { codes, type OnxCategory, rangeCategory, UNKNOWN } from './codes.ts';
import { readIdentifier } from './identifiers.ts';

const rows = /* @__PURE__ */ byCode('onx', codes);

const KIND_OF_CATEGORY: { readonly [C in OnxCategory]: Kind } = {
  Protocol: 'invalid_request',
  Validation: 'invalid_arguments',
  Business: 'conflict',
  System: 'internal',
  Adapter: 'upstream_failed',
};

/** A domain failure in `result.error`, or a JSON-RPC error with a standard code. */
export function read(wire: Wire): Heard | undefined {
  const code = wire.error?.code;
  if (code === undefined) return undefined;
  const row = rows.get(code)?.row;
  const family = rangeCategory(code);
  if (row === undefined && family === undefined) return undefined;
  const error = (wire.result === undefined ? undefined : ownRecord(wire.result, 'error')) ?? {};
  const details = ownRecord(error, 'details') ?? ownRecord(wire.error, 'data');
  const original = ownString(details, 'originalError');
  const said = original === undefined ? undefined : readIdentifier(original);
  const reason = own(details, 'reason');
  const unknown = code === -32602 ? unknownType(details) : undefined;
  const kind =
    (unknown === undefined ? undefined : 'not_found') ??
    (tellsReason(code, details) && isKind(reason) ? reason : undefined) ??
    said?.kind ??
    row?.kind ??
    KIND_OF_CATEGORY[family as OnxCategory];
  const retryAfter = ownNumber(own(details, 'context'), 'retryAfter') ?? ownNumber(details, 'retryAfter');
  return {
    kind,
    message: unknown === undefined ? wire.error?.message : `Unknown ${unknown}`,
    subject:
      subjectOf(details, said?.subject) ??
      (unknown === undefined ? undefined : { type: unknown }) ??
      (row?.subject === undefined ? undefined : { type: row.subject }),
    // ADAPTER_ERROR is not retryable unless it says so.
    retryable: ownBoolean(error, 'retryable') ?? ownBoolean(details, 'retryable') ?? row?.retryable,
    refusal: row?.refusal === true && wire.result === undefined,
    retry: waitMs(retryAfter),
    issues: unknown === undefined ? issuesOf(code, details, wire.error?.message ?? '') : undefined,
    name: original,
    advice: ownString(details, 'suggestion'),
    details: contextOf(details),
    native: nativeOf(code, wire.error?.message, details),
    ...(wire.result === undefined && wire.id === undefined && family !== undefined
      ? { placement: 'tool' as const }
      : {}),
    certainty: row === undefined ? 0.7 : 0.97,
    evidence: [
      {
        by: 'code',
        says: `${code} ${row?.name ?? `in range ${family}`}${original === undefined ? '' : `, ${original}`}`,
        dialect: 'onx',
        kind,
      },
    ],
  };
}

/** Codes that stand for much; beside a field, the reason is what is wrong with that field. */
function tellsReason(code: number, details: Unknown | undefined): boolean {
  return code === 4001 || (code < 0 && own(details, 'field') === undefined);
}

/** What has been asked for by a name that nobody has. */
function unknownType(details: Unknown | undefined): string | undefined {
  const [field, reason] = [own(details, 'field'), own(details, 'reason')];
  return Object.entries(UNKNOWN).find(([, row]) => row.reason === reason && row.field === field)?.[0];
}

function subjectOf(details: Unknown | undefined, byName: Subject | undefined): Subject | undefined {
  const subject = ownRecord(own(details, 'context'), 'subject');
  const type = ownString(subject, 'type') ?? byName?.type;
  if (type === undefined) return undefined;
  const id = ownString(subject, 'id');
  return id === undefined ? { type } : { type, id };
}

function issuesOf(code: number, details: Unknown | undefined, message: string): Heard['issues'] {
  const all = issuesFrom(own(own(details, 'context'), 'issues'));
  if (all !== undefined) return all;
  const field = ownString(details, 'field');
  if (field === undefined) return undefined;
  const reason = code === 2002 ? 'required' : code === 2003 ? 'invalid_format' : ownString(details, 'reason');
  const issue = { path: pathFrom(field), message: ownString(details, 'reason') ?? message };
  return [reason === undefined ? issue : { ...issue, code: reason }];
}

/** The facts in `context`, without the members that have a canonical place. */
function contextOf(details: Unknown | undefined): Heard['details'] {
  const context = ownRecord(details, 'context');
  if (context === undefined) return undefined;
  const { subject: _subject, retryAfter: _retryAfter, issues: _issues, ...facts } = context;
  return toJsonObject(facts);
}

/** What onX said that has no canonical place: kept, so that onX can say it again. */
function nativeOf(
  code: number,
  message: string | undefined,
  details: Unknown | undefined,
): NonNullable<Heard['native']> {
  const copied = toJson(details);
  const extra =
    ownInteger(details, 'code') === undefined && copied !== undefined ? { details: copied } : undefined;
  return {
    dialect: 'onx',
    code,
    ...(message === undefined ? {} : { message }),
    ...(extra === undefined ? {} : { extra }),
  };
}
