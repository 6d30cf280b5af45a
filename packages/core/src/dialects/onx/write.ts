import type { Fault, Issue, Json, JsonObject } from '../../fault.ts';
import { dotted } from '../../issue-path.ts';
import type { Kind } from '../../kinds.ts';
import { forModel } from '../../render/for-model.ts';
import { errorResponse, resultResponse, textContent } from '../answers.ts';
import type { WriteContext, Written } from '../dialect.ts';
import { codes } from './codes.ts';
import { identifierFor } from './identifiers.ts';

/** Faults of the protocol itself are JSON-RPC errors; all others stay inside the result. */
const PROTOCOL: { readonly [K in Kind]?: number } = { parse_error: -32700, invalid_request: -32600 };

const DOMAIN: { readonly [K in Kind]?: number } = {
  invalid_arguments: 2001,
  rate_limited: 3001,
  timeout: 3002,
  unavailable: 4002,
  unsupported: 5001,
};

/** `result.error`, plus `isError` and a text so that standard clients see a failure. */
export function write(fault: Fault, context: WriteContext): Written {
  const protocol = protocolCode(fault, context);
  if (protocol !== undefined)
    return errorResponse(context, protocol, protocolMessage(fault, protocol), protocolData(fault));
  const code = domainCode(fault);
  const told = isSaid(fault, code) ? fault : notAgain(fault);
  const details = detailsFor(told, code);
  const error = {
    code,
    message: fault.message,
    retryable: told.retryable,
    ...(details === undefined ? {} : { details }),
  };
  return resultResponse(context, { error, isError: true, content: textContent(forModel(told)) });
}

/** What is not retryable is not invited to be, in the text either; advice that does not invite stays. */
function notAgain({ advice, ...fault }: Fault): Fault {
  const told: Fault = { ...fault, reaction: 'terminal', retryable: false, retry: { when: 'never' } };
  return advice === undefined || /\bagain\b/i.test(advice) ? told : { ...told, advice };
}

/**
 * ADAPTER_ERROR is not retryable unless somebody says so: an adapter under its own identifier, a backend through onX,
 * or whoever names a wait. That a failed backend often comes back is only what the kind implies.
 */
function isSaid({ kind, name, native, retry }: Fault, code: number): boolean {
  if (code !== 4001 || kind !== 'upstream_failed' || name !== undefined || native?.dialect === 'onx')
    return true;
  return retry.afterMs !== undefined || retry.maxAttempts !== undefined || retry.backoff !== undefined;
}

function protocolCode(fault: Fault, context: WriteContext): number | undefined {
  const byKind = PROTOCOL[fault.kind];
  if (byKind !== undefined) return byKind;
  if (fault.kind === 'unsupported' && fault.subject?.type === 'method') return -32601;
  const outside =
    context.placement === 'protocol' || (context.method !== undefined && context.method !== 'tools/call');
  if (!outside) return undefined;
  const native = fault.native?.dialect === 'onx' ? fault.native.code : undefined;
  if (fault.kind === 'not_found' && native === -32602) return -32602;
  // What happens during execution is the tool's, -32603 whatever its words are, unless onX itself has said otherwise.
  const isCall = context.method === 'tools/call' && native === undefined;
  // Arguments found wrong before the tool runs, and failures of the server itself, may go out at the top.
  if (fault.kind === 'invalid_arguments') return isCall && fault.native?.code === -32603 ? undefined : -32602;
  return fault.kind === 'internal' && !isCall ? -32603 : undefined;
}

function protocolMessage(fault: Fault, code: number): string {
  const own = fault.native?.dialect === 'onx' ? fault.native.message : undefined;
  return own ?? (fault.message || (codes.find((row) => row.code === code)?.title as string));
}

function protocolData(fault: Fault): JsonObject | undefined {
  if (fault.native?.dialect === 'onx') return fault.native.extra?.['details'] as JsonObject | undefined;
  if (fault.issues.length === 0) return undefined;
  return { ...aboutField(fault.issues), context: { issues: fault.issues.map(toItem) } };
}

/** The first field, and why it is wrong: short, for programs to compare. */
function aboutField(issues: readonly Issue[]): JsonObject {
  const [first] = issues as readonly [Issue];
  const reason = reasonOf(first);
  return first.path.length === 0 ? { reason } : { field: dotted(first.path), reason };
}

const MACHINE_READABLE = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

function reasonOf(issue: Issue): string {
  if (isMissing(issue)) return 'required';
  return MACHINE_READABLE.test(issue.code ?? '') ? (issue.code as string) : 'invalid';
}

/** The whole issue, with its sentence. */
function toItem({ path, message, code }: Issue): JsonObject {
  const item = { field: dotted(path), message };
  return code === undefined ? item : { ...item, code };
}

function isMissing({ code = '', message }: Issue): boolean {
  return /^(?:required|missing)/.test(code) || /^(?:is )?required$|received undefined/i.test(message);
}

function isMisformed({ code = '' }: Issue): boolean {
  return /format|pattern|regex/.test(code);
}

/** The most specific standard code: missing fields are 2002, wrong formats 2003. */
function domainCode(fault: Fault): number {
  if (fault.native?.dialect === 'onx' && typeof fault.native.code === 'number' && fault.native.code > 0)
    return fault.native.code;
  const code = DOMAIN[fault.kind] ?? 4001;
  const { issues } = fault;
  // Clients know these codes as worth another try, whatever stands beside them.
  if (!fault.retryable && codes.some((row) => row.code === code && row.retryable === true)) return 4001;
  if (code !== 2001 || issues.length === 0) return code;
  if (issues.every(isMissing)) return 2002;
  return issues.every(isMisformed) ? 2003 : code;
}

function detailsFor(fault: Fault, code: number): JsonObject | undefined {
  if (fault.native?.dialect === 'onx') return fault.native.extra?.['details'] as JsonObject | undefined;
  const details: { [key: string]: Json } = {};
  if (fault.issues.length > 0) {
    Object.assign(details, aboutField(fault.issues));
  } else if (code === 4001) {
    details['reason'] = fault.kind;
  }
  if (fault.advice !== undefined) details['suggestion'] = fault.advice;
  const context = contextFor(fault);
  if (context !== undefined) details['context'] = context;
  if (code === 4001 || fault.name !== undefined) details['originalError'] = identifierFor(fault);
  return Object.keys(details).length === 0 ? undefined : details;
}

/** "Additional metadata, safe to expose": every issue, the subject, the wait, the facts. */
function contextFor(fault: Fault): JsonObject | undefined {
  const context: { [key: string]: Json } = { ...fault.details };
  if (fault.issues.length > 0) context['issues'] = fault.issues.map(toItem);
  if (fault.subject !== undefined) context['subject'] = { ...fault.subject };
  if (fault.retry.afterMs !== undefined && fault.retryable) context['retryAfter'] = fault.retry.afterMs;
  return Object.keys(context).length === 0 ? undefined : context;
}
