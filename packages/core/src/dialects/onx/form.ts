import { type Fault, type Issue, isOfProtocol, type Json, type JsonObject } from '../../fault.ts';
import type { Kind } from '../../kinds.ts';
import { STATELESS_REVISION } from '../../protocol.ts';
import { forModel } from '../../render/for-model.ts';
import { textContent } from '../answers.ts';
import type { Form, FormContext, JsonRpcWire, WriteContext } from '../dialect.ts';
import {
  errorOf,
  isOfOwnInput,
  isOutside,
  isUnknownMethod,
  isUnknownTool,
  withError,
  withIssues,
  withRest,
} from '../forming.ts';
import { UNKNOWN } from './codes.ts';
import { write } from './write.ts';

// biome-ignore format: a table
const NAMES: { readonly [code: number]: string } = {
  [-32700]: 'Parse error', [-32600]: 'Invalid request', [-32601]: 'Method not found',
  [-32602]: 'Invalid params', [-32603]: 'Internal error',
};

/** The five protocol errors by their names; arguments that the schema refuses and unknown tools are among them. */
export const form: Form = (written, fault, context) => {
  const { ours, foreign } = context;
  const unknownTool = isUnknownTool(fault, context);
  const isRefused = unknownTool || (ours && foreign === undefined && fault.kind === 'invalid_arguments');
  if (written.error === undefined && !isOutside(context) && !isRefused)
    return context.retryableSaid && fault.retryable ? saidRetryable(written, fault) : written;
  const isParams = unknownTool || isOfOwnInput(fault, context);
  const code = isParams ? -32602 : (written.error?.code ?? codeOf(fault, context));
  if (isNative(fault) && !unknownTool && written.error !== undefined) return written;
  const named = NAMES[code] ?? fault.message;
  // The document's `data` has one field.
  const said = fault.issues.length > 1 ? withIssues(fault.message, fault.issues) : fault.message;
  const data = unknownTool ? UNKNOWN.tool : dataOf(written, fault, context, code);
  const rest = ours || said === named ? {} : { message: said };
  return withError(written, errorOf(code, named, withRest(data, rest)));
};

/** Whoever spoke onX has said it already. */
function isNative({ native }: Fault): boolean {
  return native?.dialect === 'onx';
}

/** A failed backend is not worth another try unless somebody says so; the author did. */
function saidRetryable(written: JsonRpcWire, fault: Fault): JsonRpcWire {
  const error = { ...(written.result?.['error'] as JsonObject), retryable: true };
  return { ...written, result: { ...written.result, error, content: textContent(forModel(fault)) } };
}

function codeOf({ kind, reaction }: Fault, { ofRequest }: FormContext): number {
  if (kind === 'invalid_arguments') return -32602;
  if (ofRequest || reaction === 'permission') return -32600;
  if (reaction === 'validation' || kind === 'unsupported') return -32602;
  return kind === 'not_found' || kind === 'conflict' ? -32602 : -32603;
}

/** What the names of the codes say already. */
const NAMED_BY_CODE: { readonly [code: number]: Kind } = {
  [-32700]: 'parse_error',
  [-32600]: 'invalid_request',
  [-32602]: 'invalid_arguments',
  [-32603]: 'internal',
};

/** Five names for everything outside of tools: `reason` tells a limit from an outage, and who may not ask from what is wrong. */
function reasonOf(fault: Fault, code: number): JsonObject | undefined {
  const { kind, retryable, retry } = fault;
  if (NAMED_BY_CODE[code] === kind || isUnknownMethod(fault)) return undefined;
  return retryable && retry.afterMs !== undefined
    ? { reason: kind, context: { retryAfter: retry.afterMs } }
    : { reason: kind };
}

/** A prompt or a resource has been asked for that is not there. A prompt that was asked, and misses something else, is. */
function isMissing({ kind, subject }: Fault, context: FormContext): boolean {
  const { method, ofRequest, foreign, byWords } = context;
  if (kind !== 'not_found' || ofRequest) return false;
  if (method === 'prompts/get' && foreign !== undefined && subject?.type !== 'prompt') return false;
  // What somebody tells of their own things is why the one that was asked for is not there.
  const isToldInWords = foreign !== undefined || byWords === true;
  const type = isToldInWords && !isOfProtocol(subject) ? undefined : subject?.type;
  return NAMED[method] !== undefined && (type === undefined || type === 'resource' || type === 'prompt');
}

const NAMED: { readonly [method: string]: JsonObject } = {
  'prompts/get': UNKNOWN.prompt,
  'resources/read': UNKNOWN.resource,
};

/** The field, always by its path inside of `params`; `params` itself where they are no object. */
function dataOf(written: JsonRpcWire, fault: Fault, context: FormContext, code: number): Json | undefined {
  if (isMissing(fault, context)) return NAMED[context.method];
  if (fault.issues.length === 0) {
    const isParams = context.ofRequest && fault.kind === 'invalid_arguments';
    if (!isParams) return written.error?.data ?? reasonOf(fault, code);
    return fault.subject?.type === 'cursor'
      ? { field: 'cursor', reason: 'invalid_value' }
      : { field: 'params', reason: 'invalid_type' };
  }
  const inside = { ...fault, issues: fault.issues.map(withoutParams) };
  const plain: WriteContext = {
    method: 'ping',
    now: context.now,
    revision: STATELESS_REVISION,
    structuredContent: false,
  };
  return (write(inside, plain).wire as JsonRpcWire).error?.data;
}

/** Zod tells of a stranger among the arguments without a path. */
const STRANGER = /^Unrecognized key: "([^"]{1,200})"$/;

function withoutParams(issue: Issue): Issue {
  const stranger = issue.path.length === 0 ? STRANGER.exec(issue.message)?.[1] : undefined;
  if (stranger !== undefined) return { ...issue, path: [stranger] };
  return issue.path[0] === 'params' && issue.path.length > 1
    ? { ...issue, path: issue.path.slice(1) }
    : issue;
}
