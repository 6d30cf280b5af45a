import { type Fault, isOfProtocol, type Json, type JsonObject, type Subject } from '../../fault.ts';
import type { Kind } from '../../kinds.ts';
import { placementFor } from '../../placement.ts';
import { forModel } from '../../render/for-model.ts';
import { errorResponse, resultResponse, textContent } from '../answers.ts';
import type { CodeRow, WriteContext, Written } from '../dialect.ts';
import { refine } from './read.ts';

/** A revision of the specification, as far as its errors differ. */
export type McpRevision = '2025-11-25' | '2026-07-28';

/** Codes that a draft adds to a revision. They say by definition that nothing was processed. */
export interface Drafted {
  readonly kinds: ReadonlySet<Kind>;
  /** What the draft has for a fault; `undefined` where it adds nothing. */
  form(fault: Fault): ProtocolForm | undefined;
}

/** The code and the `data` that a revision has for a fault. */
export interface ProtocolForm {
  readonly code: number;
  readonly data?: JsonObject;
}

/** Writes the specification's shapes with the codes of one revision. */
export function writeWith(revision: McpRevision, codes: readonly CodeRow[], drafted?: Drafted) {
  return function write(fault: Fault, context: WriteContext): Written {
    if (staysWithTool(fault, context, revision, drafted))
      return resultResponse(context, toolResult(fault, revision));
    const { code, data } = protocolForm(fault, revision, drafted);
    return errorResponse(context, code, messageFor(fault, code, data, codes), data);
  };
}

/** The draft has protocol codes for more kinds, but a failure inside a tool stays with the tool. */
function staysWithTool(
  fault: Fault,
  context: WriteContext,
  revision: McpRevision,
  drafted: Drafted | undefined,
): boolean {
  if (placementFor(fault, context) === 'protocol') return false;
  if (fault.origin === 'upstream' || context.placement === 'tool') return true;
  if (drafted !== undefined) return !drafted.kinds.has(fault.kind) || fault.executed !== 'no';
  return (
    revision !== '2025-11-25' ||
    fault.kind !== 'input_required' ||
    fault.details?.['elicitations'] === undefined
  );
}

/** The result that the model reads. `resultType` exists from 2026-07-28 on. */
export function toolResult(fault: Fault, revision: McpRevision): JsonObject {
  const result = { content: textContent(forModel(fault)), isError: true };
  return revision === '2025-11-25' ? result : { ...result, resultType: 'complete' };
}

/** The specification's code and `data` for a fault that goes out as a protocol error. */
export function protocolForm(fault: Fault, revision: McpRevision, drafted?: Drafted): ProtocolForm {
  const { kind, subject, details } = fault;
  const id = subject?.id;
  switch (kind) {
    case 'parse_error':
      return { code: -32700 };
    case 'invalid_request':
      return subject?.type === 'header' && revision !== '2025-11-25'
        ? withDetails(-32020, fault, ['mismatch'])
        : { code: -32600 };
    case 'unsupported':
      return unsupported(fault, revision);
    case 'not_found':
      if (subject?.type !== 'resource') return drafted?.form(fault) ?? { code: -32602 };
      return {
        code: revision === '2025-11-25' ? -32002 : -32602,
        ...(id === undefined ? {} : { data: { uri: id } }),
      };
    case 'input_required':
      return revision === '2025-11-25' && details?.['elicitations'] !== undefined
        ? withDetails(-32042, fault, ['elicitations'])
        : { code: -32602 };
    default:
      return drafted?.form(fault) ?? general(fault);
  }
}

/** The caller's mistakes are invalid parameters; everything else is the server's. */
function general(fault: Fault): ProtocolForm {
  const code = fault.reaction === 'validation' || fault.kind === 'conflict' ? -32602 : -32603;
  if (code === -32603 || fault.issues.length === 0) return { code };
  return {
    code,
    data: { issues: fault.issues.map(({ path, ...issue }) => ({ path: [...path], ...issue })) },
  };
}

function unsupported(fault: Fault, revision: McpRevision): ProtocolForm {
  const { subject, details } = fault;
  if (subject?.type === 'protocol_version') {
    const data = {
      supported: (details?.['supported'] ?? details?.['supported_versions'] ?? []) as Json,
      requested: subject.id ?? details?.['requested'] ?? '',
    };
    return { code: revision === '2025-11-25' ? -32602 : -32022, data };
  }
  if (
    subject?.type === 'capability' &&
    revision !== '2025-11-25' &&
    details?.['requiredCapabilities'] !== undefined
  ) {
    return withDetails(-32021, fault, ['requiredCapabilities']);
  }
  return subject?.type === 'method' || subject?.type === 'capability' ? { code: -32601 } : { code: -32602 };
}

function withDetails(code: number, fault: Fault, keys: readonly string[]): ProtocolForm {
  const data = Object.fromEntries(
    keys
      .filter((key) => fault.details?.[key] !== undefined)
      .map((key) => [key, fault.details?.[key] as Json]),
  );
  return Object.keys(data).length === 0 ? { code } : { code, data };
}

/**
 * The fault's own message, unless a reader could not tell from it what the code leaves open: then the
 * specification's sentence, "Unknown tool: x".
 */
function messageFor(
  fault: Fault,
  code: number,
  data: JsonObject | undefined,
  codes: readonly CodeRow[],
): string {
  const row = codes.find((candidate) => candidate.code === code);
  if (row === undefined || fault.kind !== 'not_found' || fault.subject === undefined) return fault.message;
  const heard = refine({ code, message: fault.message, data }, row);
  if (
    heard?.kind === fault.kind &&
    heard.subject?.type === fault.subject.type &&
    heard.subject.id === fault.subject.id
  )
    return fault.message;
  if (!isOfProtocol(fault.subject) && saysItself(fault.message, fault.subject)) return fault.message;
  const thing = fault.subject.type.replaceAll('_', ' ');
  return fault.subject.id === undefined ? `Unknown ${thing}` : `Unknown ${thing}: ${fault.subject.id}`;
}

const ABSENT =
  /found|f[ií]nd|exist|locate|deleted|removed|unknown|no such|there is no|^no |gefunden|trouv|encontr|kein|aucun/i;

/** Does a message name a thing of an application's, and that it is not there? Its own words are worth more than ours. */
function saysItself(message: string, { type, id = '' }: Subject): boolean {
  const head = type.slice(type.lastIndexOf('_') + 1);
  // A plural may end otherwise.
  const stem = head.length > 3 ? head.slice(0, -1) : head;
  return ABSENT.test(message) && message.toLowerCase().includes(stem) && message.includes(id);
}
