import { type Fault, isOfProtocol, type Json } from '../../fault.ts';
import { toSeconds } from '../../http-status.ts';
import { dotted } from '../../issue-path.ts';
import type { Kind, Reaction } from '../../kinds.ts';
import { errorResponse } from '../answers.ts';
import type { WriteContext, Written } from '../dialect.ts';
import { pickRow } from '../rows.ts';
import { codes, type ErlmcpRow } from './codes.ts';
import { ID_KEYS, rowFor, STRING_DATA } from './read.ts';

/** Kinds whose documented codes all name a subject: the nearest one keeps at least the kind. */
const NEAREST: { readonly [K in Kind]?: number } = {
  unprocessable: -32007,
  too_large: -32012,
  unsupported_media: -32013,
  expired: -32072,
  unsupported: -32004,
  not_found: -32001,
  cancelled: -32033,
};

/** What has no code of its own goes out as the documented code with the same reaction. */
const FALLBACK: { readonly [R in Reaction]: number } = {
  validation: -32602,
  permission: -32052,
  retryable: -32010,
  dependency: -32008,
  terminal: -32603,
};

/** A top-level error with the document's message and members of `data`. */
export function write(fault: Fault, context: WriteContext): Written {
  const row = rowOf(fault);
  return errorResponse(context, row.code, messageOf(fault, row), dataOf(fault, row));
}

function rowOf(fault: Fault): ErlmcpRow {
  const picked = pickRow(codes, fault, 'erlmcp') as ErlmcpRow | undefined;
  // Field-level problems have -32007; without fields, -32602 is the general answer.
  const general = picked?.code === -32007 && fault.native?.dialect !== 'erlmcp' && fault.issues.length === 0;
  const row = general ? rowFor(-32602) : picked;
  return row ?? (rowFor(NEAREST[fault.kind] ?? FALLBACK[fault.reaction]) as ErlmcpRow);
}

function messageOf(fault: Fault, row: ErlmcpRow): string {
  return (fault.native?.dialect === 'erlmcp' ? fault.native.message : fault.message) || row.title;
}

function dataOf(fault: Fault, row: ErlmcpRow): Json | undefined {
  const details = fault.details ?? {};
  const text = details['details'] ?? details['data'];
  if (isStringData(fault, row) && typeof text === 'string') return text;
  const data: { [key: string]: Json } = {};
  for (const key of row.keys) {
    const value = details[key] ?? memberFor(key, fault, row);
    if (value !== undefined) data[key] = value;
  }
  for (const [key, value] of Object.entries(details)) if (!Object.hasOwn(data, key)) data[key] = value;
  if (fault.retry.afterMs !== undefined && fault.retryable)
    data['retry_after'] = toSeconds(fault.retry.afterMs);
  return Object.keys(data).length === 0 ? undefined : data;
}

/** What came as a string stays one, what came as an object too; where neither is known, the document's example decides. */
function isStringData({ native, details = {} }: Fault, row: ErlmcpRow): boolean {
  if (native?.dialect === 'erlmcp') return native.extra?.['data'] === STRING_DATA['data'];
  return row.isString && Object.keys(details).length === 1;
}

function memberFor(key: string, fault: Fault, row: ErlmcpRow): Json | undefined {
  const issue = fault.issues[0];
  if (key === 'field' || key === 'argument') return issue === undefined ? undefined : dotted(issue.path);
  if (key === 'constraint') return issue?.message;
  if (key === 'details') {
    return fault.issues.length === 0
      ? undefined
      : fault.issues.map(({ path, message }) => `${dotted(path)}: ${message}`).join('; ');
  }
  if (key === 'unit') return 'bytes';
  // The number of an order is no address, even where the nearest code is that of a resource.
  const isId = isOfProtocol(fault.subject) && ID_KEYS[row.subject ?? '']?.includes(key) === true;
  return isId ? fault.subject?.id : undefined;
}
