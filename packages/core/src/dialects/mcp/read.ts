import { issuesFrom } from '../../document.ts';
import type { JsonObject } from '../../fault.ts';
import { waitMs } from '../../fault.ts';
import { subjectOf } from '../../fault-parts.ts';
import { waitFromData } from '../../hints.ts';
import { firstString, own, ownBoolean, ownRecord, ownString, toJsonObject } from '../../json.ts';
import { TRAITS } from '../../kinds.ts';
import { heardInAdvice } from '../../render/read-model-text.ts';
import type { ErrorObject, Wire } from '../../wire/wire.ts';
import { saysMore } from '../beside.ts';
import type { CodeRow, DialectId, Heard, ReadContext } from '../dialect.ts';
import { byCode, type KnownCode } from '../rows.ts';
import { type Refined, refineNotFound } from './not-found.ts';

/** Text of a tool result is believed over a bare -32602 or -32603 from this certainty on. */
const BELIEVE_TEXT = 0.5;

/** Codes that servers use for anything: what the text clearly says is worth more. */
const GENERAL: ReadonlySet<number | string> = new Set([-32600, -32602, -32603]);

/** The drafted code whose `notProcessed` promises that nothing happened. */
const UNAVAILABLE = -32024;
/** What the draft has beside it. */
const OF_UNAVAILABLE: ReadonlySet<string> = new Set(['reason', 'retryAfterMs', 'notProcessed']);

/** Reads the specification's shapes with the codes of one revision. */
export function readWith(id: DialectId, codes: readonly CodeRow[]) {
  const rows = byCode(id, codes);
  return function read(wire: Wire, context: ReadContext): Heard | undefined {
    if (wire.placement === 'tool' || (wire.error?.code === undefined && wire.result !== undefined))
      return readResult(id, wire, context);
    const error = wire.error;
    const known = error?.code === undefined ? undefined : rows.get(error.code);
    if (error === undefined || known === undefined) return undefined;
    return readError(id, error, known, wire, context);
  };
}

function readError(
  id: DialectId,
  error: ErrorObject,
  { row, evidence }: KnownCode,
  wire: Wire,
  context: ReadContext,
): Heard {
  const refined = refine(error, row);
  const isGeneral = GENERAL.has(row.code);
  const mayBeOther =
    refined === undefined && (isGeneral || (row.code === -32601 && THING.test(error.message)));
  const text = mayBeOther ? context.prose(wire) : undefined;
  const isConfirmed = text?.kind === 'invalid_arguments' && isBadRequest(error, row);
  const isMeant = isGeneral || text?.kind === 'not_found';
  if (text !== undefined && text.certainty >= BELIEVE_TEXT && isMeant && !isConfirmed) {
    // A text that says something else than the code shows that the server uses the code for anything.
    const refusal = row.refusal === true && TRAITS[text.kind].reaction === TRAITS[row.kind].reaction;
    const retryable = ownBoolean(error.data, 'retryable') ?? text.retryable;
    return { ...text, retryable, refusal, details: detailsOf(error), native: nativeOf(id, row) };
  }
  const kind = refined?.kind ?? row.kind;
  const isUntouched = isNotProcessed(error, row);
  return {
    kind,
    message: error.message || row.title,
    subject: refined?.subject ?? (row.subject === undefined ? undefined : { type: row.subject }),
    retry: waitMs(waitFromData(error.data)),
    retryable: ownBoolean(error.data, 'retryable'),
    executed: isUntouched ? 'no' : undefined,
    refusal: isUntouched || row.refusal,
    saysMore: isUntouched ? saysMore(error.data, (key) => !OF_UNAVAILABLE.has(key)) : undefined,
    issues: issuesFrom(own(error.data, 'issues')) ?? issuesFrom(own(error.data, 'errors')),
    details: detailsOf(error),
    native: nativeOf(id, row),
    certainty: row.code === -32603 ? 0.7 : 0.9,
    evidence:
      refined === undefined ? evidence : [{ by: 'code', says: evidence[0]?.says ?? '', dialect: id, kind }],
  };
}

/** Some answer to an unknown tool as to an unknown method, in whatever words. */
const THING = /(?:tool|prompt|resource)(?! (?:call|subscription))/i;

function isNotProcessed({ data }: ErrorObject, { code }: CodeRow): boolean {
  return code === UNAVAILABLE && ownBoolean(data, 'notProcessed') === true;
}

/** A request that the code and its name call bad is not one whose arguments are, whatever field of it is missing. */
function isBadRequest({ message }: ErrorObject, { code, title }: CodeRow): boolean {
  return code === -32600 && message.toLowerCase() === title.toLowerCase();
}

/** The members of `data`; a text in its place is kept under its name. */
function detailsOf({ data }: ErrorObject): JsonObject | undefined {
  return typeof data === 'string' && data !== '' ? { data } : (toJsonObject(data) as JsonObject | undefined);
}

function nativeOf(id: DialectId, row: CodeRow): NonNullable<Heard['native']> {
  return { dialect: id, code: row.code };
}

/** What `data` or the specification's own sentences add to a code that has several meanings. */
export function refine(error: ErrorObject, row: CodeRow): Refined | undefined {
  const { data } = error;
  switch (row.code) {
    case -32602:
      return refineInvalidParams(error);
    case -32601: {
      const method = ownString(data, 'method');
      if (method !== undefined) return { kind: 'unsupported', subject: { type: 'method', id: method } };
      return refineThing(error.message);
    }
    case -32603:
      return RESOURCE.test(error.message) ? refineNotFound(error.message.slice(0, 300)) : undefined;
    case -32002:
      return { kind: 'not_found', subject: subjectOf('resource', ownString(data, 'uri')) };
    case -32021: {
      const capability = Object.keys(ownRecord(data, 'requiredCapabilities') ?? {})[0];
      return { kind: 'unsupported', subject: subjectOf('capability', capability) };
    }
    case -32022:
      return unsupportedVersion(data);
    case -32026: {
      const type = ownString(data, 'kind');
      return { kind: 'expired', ...(type === undefined || type === 'other' ? {} : { subject: { type } }) };
    }
    case -32024:
      return ownString(data, 'reason') === 'overloaded' ? { kind: 'overloaded' } : { kind: 'unavailable' };
    default:
      return undefined;
  }
}

/** The reasons that the drafted registry gives -32602. */
const REASONS: { readonly [reason: string]: Refined } = {
  unknown_tool: { kind: 'not_found', subject: { type: 'tool' } },
  unknown_prompt: { kind: 'not_found', subject: { type: 'prompt' } },
  resource_not_found: { kind: 'not_found', subject: { type: 'resource' } },
  invalid_tool_arguments: { kind: 'invalid_arguments' },
  missing_prompt_argument: { kind: 'invalid_arguments', subject: { type: 'prompt' } },
  invalid_log_level: { kind: 'invalid_arguments' },
  missing_meta: { kind: 'invalid_request' },
};

function refineInvalidParams({ message, data }: ErrorObject): Refined | undefined {
  const reason = ownString(data, 'reason');
  const byReason = reason !== undefined && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  const name = ownString(data, 'name') ?? ownString(data, 'uri');
  if (byReason !== undefined) {
    return byReason.subject === undefined || name === undefined
      ? byReason
      : { kind: byReason.kind, subject: { ...byReason.subject, id: name } };
  }
  const uri = ownString(data, 'uri');
  if (uri !== undefined && reason === undefined)
    return { kind: 'not_found', subject: { type: 'resource', id: uri } };
  if (uri !== undefined) return { kind: 'invalid_arguments', subject: { type: 'uri', id: uri } };
  if (own(data, 'supported') !== undefined) return unsupportedVersion(data);
  if (own(data, 'envelope') !== undefined) return { kind: 'invalid_request' };
  return refineNotFound(message.slice(0, 300));
}

function unsupportedVersion(data: unknown): Refined {
  return { kind: 'unsupported', subject: subjectOf('protocol_version', ownString(data, 'requested')) };
}

/** Some answer to an unknown tool, prompt or resource as to an unknown method. */
function refineThing(message: string): Refined | undefined {
  const refined = refineNotFound(message.slice(0, 300));
  return refined?.kind === 'not_found' ? refined : undefined;
}

/** With an address, it is a resource of the protocol's; without one, it may be anything of a backend's. */
const RESOURCE = /^resource not found: [\w+.-]{1,40}:\/\//i;

function readResult(id: DialectId, wire: Wire, context: ReadContext): Heard | undefined {
  if (ownString(wire.result, 'resultType') === 'input_required') {
    return {
      kind: 'input_required',
      certainty: 0.95,
      evidence: [{ by: 'result', says: 'resultType input_required', dialect: id, kind: 'input_required' }],
    };
  }
  const ours = heardInAdvice(wire.text, id);
  if (ours !== undefined) return ours;
  const missing = wire.error?.code === -32602 ? refineNotFound(wire.text.slice(0, 300)) : undefined;
  if (missing !== undefined) {
    return {
      ...missing,
      message: wire.text,
      certainty: 0.9,
      evidence: [{ by: 'text', says: "an SDK's own sentence", dialect: id, kind: missing.kind }],
    };
  }
  const issues = issuesFrom(own(wire.body, 'issues')) ?? issuesFrom(wire.body);
  if (issues !== undefined) {
    return {
      kind: 'invalid_arguments',
      message: wire.text,
      issues,
      certainty: 0.9,
      evidence: [{ by: 'issues', says: `${issues.length} validation issues`, kind: 'invalid_arguments' }],
    };
  }
  const heard = context.prose(wire);
  // A number that the text does not explain is left to whoever can name its candidates.
  if (heard !== undefined || wire.error !== undefined) return heard;
  return {
    kind: 'unknown',
    message: wire.text || saidIn(wire.body),
    certainty: 0,
    evidence: [{ by: 'none', says: 'a tool error whose text nothing recognises' }],
  };
}

/** The words of a body, for a result that has no text: whoever is told the failure may never see the body. */
function saidIn(body: unknown): string {
  return firstString(body, ['message', 'error']) ?? ownString(ownRecord(body, 'error'), 'message') ?? '';
}
