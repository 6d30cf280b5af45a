/**
 * How each dialect's document has a failure of the protocol itself: outside of tools, before a tool is found,
 * or without a request at all. The dialects of `@mayday/core` say what happens in tools; this is the rest.
 */
import { type DialectId, type Fault, type Issue, KINDS, write } from '@mayday/core';
import { TEXTS as QAQNUZ_TEXTS, sanitize } from '@mayday/core/dialects/qaqnuz';
import type { ErrorObject, Message } from '../shapes.ts';

/** What decides about the form beside the fault. */
export interface FormContext {
  readonly method: string;
  /** The sentence is ours, so the document's own name of the code says it better. */
  readonly ours: boolean;
  /** The request itself is wrong: no tool, prompt or resource has been asked. */
  readonly ofRequest: boolean;
  /** An exception that nobody expected, and whose words were kept back. */
  readonly masked: boolean;
  /** The author said that it is worth another try; otherwise that only follows from the kind. */
  readonly retryableSaid: boolean;
  readonly now: number;
}

/** Documents that are JSON-RPC 2.0 to the letter, where an answer to nobody has `id: null`. */
const NULL_ID: ReadonlySet<DialectId> = new Set(['closient', 'onx', 'erlmcp', 'platica', 'qaqnuz']);

/** The id of an answer to something that had none. */
export function idForNobody(dialect: DialectId): null | undefined {
  return NULL_ID.has(dialect) ? null : undefined;
}

/** The answer in the form of the dialect's document. */
export function inForm(written: Message, fault: Fault, dialect: DialectId, context: FormContext): Message {
  const message = formed(written, fault, dialect, context);
  const id = idForNobody(dialect);
  if (message.error === undefined || message.id !== undefined || id === undefined) return message;
  return { ...message, id } as unknown as Message; // `null` is JSON-RPC's own, though no request can have it
}

function formed(written: Message, fault: Fault, dialect: DialectId, context: FormContext): Message {
  switch (dialect) {
    case 'erlmcp':
      return withError(written, erlmcpError(written.error as ErrorObject, fault, context));
    case 'onx':
      return onx(written, fault, context);
    case 'closient':
      return outside(context) ? withError(written, closientError(fault, context)) : written;
    case 'platica':
      return platica(written, fault, context);
    case 'qaqnuz':
      return outside(context)
        ? withError(written, mcpError(fault, context))
        : qaqnuz(written, fault, context);
    default:
      return written;
  }
}

/** Only a tool that was found and asked can answer with a result. */
function outside({ method, ofRequest }: FormContext): boolean {
  return ofRequest || method !== 'tools/call';
}

function withError({ result: _result, ...message }: Message, error: ErrorObject): Message {
  return { ...message, error };
}

/** The specification's code and words, for documents that have none of their own. */
function mcpError(fault: Fault, { now, ofRequest }: FormContext): ErrorObject {
  const { error } = write(fault, 'mcp', { method: 'ping', now, redact: false }).wire as Message;
  // What stands before every call and says no has no code of its own: the request was not one to serve.
  const refused = ofRequest && fault.reaction === 'permission';
  const code = refused ? -32600 : (error as ErrorObject).code;
  return { code, message: sanitize(fault.message, fault.kind) };
}

/**
 * A problem document, at the top. A request that is wrong as such is a bad one: fields are what validation is about,
 * so what is wrong with them is said in words.
 */
function closientError(fault: Fault, { ofRequest, now }: FormContext): ErrorObject {
  const bad = ofRequest && fault.kind === 'invalid_arguments';
  const words = [fault.message, ...fault.issues.map(line)].join('; ');
  const said: Fault = bad ? { ...fault, kind: 'invalid_request', message: words, issues: [] } : fault;
  const { result } = write(said, 'closient', { now, redact: false }).wire as Message;
  return result?.['error'] as ErrorObject;
}

/** Four codes for what cannot even be executed: an unhandled exception and an unknown tool are among it. */
function platica(written: Message, fault: Fault, context: FormContext): Message {
  const unknownTool = context.ours && fault.kind === 'not_found' && fault.subject?.type === 'tool';
  if (!outside(context) && !context.masked && !unknownTool) return written;
  return withError(written, { code: platicaCode(fault, unknownTool), message: fault.message });
}

function platicaCode({ kind, reaction }: Fault, unknownTool: boolean): number {
  if (kind === 'unauthenticated') return -32001;
  if (kind === 'unsupported') return -32000;
  return unknownTool || reaction === 'validation' || kind === 'not_found' ? -32602 : -32603;
}

/** One text: every issue in it, and of a tool that is not there no more than that it is out of reach. */
function qaqnuz(written: Message, fault: Fault, { ours }: FormContext): Message {
  if (!ours) return written;
  const unknownTool = fault.kind === 'not_found' && fault.subject?.type === 'tool';
  const issues = fault.issues.length === 0 ? '' : `: ${fault.issues.map(line).join('; ')}`;
  const text = unknownTool ? QAQNUZ_TEXTS.unreachable : sanitize(`${fault.message}${issues}`, fault.kind);
  return { ...written, result: { ...written.result, content: [{ type: 'text', text }] } };
}

// biome-ignore format: a table
const ONX_NAMES: { readonly [code: number]: string } = {
  [-32700]: 'Parse error', [-32600]: 'Invalid request', [-32601]: 'Method not found',
  [-32602]: 'Invalid params', [-32603]: 'Internal error',
};

/** The five protocol errors by their names; arguments that the schema refuses and unknown tools are among them. */
function onx(written: Message, fault: Fault, context: FormContext): Message {
  const { ours, retryableSaid } = context;
  const unknownTool = ours && fault.kind === 'not_found' && fault.subject?.type === 'tool';
  const refused = unknownTool || (ours && fault.kind === 'invalid_arguments');
  if (written.error === undefined && !outside(context) && !refused)
    return retryableSaid ? saidRetryable(written) : written;
  const data = unknownTool ? { field: 'name', reason: 'unknown_tool' } : onxData(fault);
  const error = written.error ?? { code: unknownTool ? -32602 : onxCode(fault, context), data };
  const message = ours ? (ONX_NAMES[error.code] ?? fault.message) : fault.message;
  const { code } = error;
  return withError(
    written,
    error.data === undefined ? { code, message } : { code, message, data: error.data },
  );
}

/** A failed backend is not worth another try unless somebody says so; the author did. */
function saidRetryable(written: Message): Message {
  const error = { ...(written.result?.['error'] as object), retryable: true };
  return { ...written, result: { ...written.result, error } };
}

function onxCode({ kind, reaction }: Fault, { ofRequest }: FormContext): number {
  if (kind === 'invalid_arguments') return -32602;
  if (ofRequest) return -32600;
  if (reaction === 'validation' || kind === 'unsupported') return -32602;
  return kind === 'not_found' || kind === 'conflict' || reaction === 'permission' ? -32602 : -32603;
}

function onxData(fault: Fault): ErrorObject['data'] {
  const { error } = write(fault, 'onx', { method: 'ping', redact: false }).wire as Message;
  return error?.data;
}

// biome-ignore format: a table
const ERLMCP_NAMES: { readonly [code: number]: readonly [name: string, members: string] } = {
  [-32700]: ['Parse error', '"'], [-32600]: ['Invalid Request', '"'], [-32601]: ['Method not found', 'method'],
  [-32602]: ['Invalid params', 'details'], [-32603]: ['Internal error', ''],
  [-32001]: ['Resource not found', 'uri'], [-32002]: ['Tool not found', 'tool'], [-32003]: ['Prompt not found', 'prompt'],
  [-32005]: ['Server not initialized', 'phase'], [-32007]: ['Validation failed', 'field constraint'],
  [-32009]: ['Request timeout', 'timeout_ms'], [-32012]: ['Message size exceeds maximum allowed', 'max_size unit'],
  [-32013]: ['Invalid content type', 'content_type'],
  [-32031]: ['Tool execution failed', 'tool reason'], [-32032]: ['Tool execution timeout', 'tool timeout_ms'],
  [-32033]: ['Tool execution cancelled', 'tool reason'], [-32034]: ['Invalid tool arguments', 'tool details'],
  [-32056]: ['Access denied', 'resource'],
  [-32043]: ['Prompt argument missing', 'prompt argument'], [-32044]: ['Prompt render failed', 'prompt reason'],
};

/** The document's name of the code, and the members that its example has. */
function erlmcpError(error: ErrorObject, fault: Fault, context: FormContext): ErrorObject {
  if (!context.ours) return error;
  const malformed = context.ofRequest && fault.kind === 'invalid_arguments';
  const code = malformed ? -32602 : erlmcpCode(error.code, fault, context);
  const [name, members] = ERLMCP_NAMES[code] ?? [fault.message, undefined];
  if (members === undefined) return { ...error, message: name };
  if (members === '"') return { code, message: name, data: position(fault) ?? fault.message };
  const data: { [key: string]: unknown } = {};
  for (const member of members.split(' ').filter((key) => key !== '')) {
    const value = erlmcpMember(member, fault, malformed ? undefined : error.data);
    if (value !== undefined) data[member] = value;
  }
  return Object.keys(data).length === 0 ? { code, message: name } : { code, message: name, data };
}

/** A method of HTTP that nobody serves is no request at all; whoever comes from outside is denied, not unauthorised. */
function erlmcpCode(code: number, { kind, subject }: Fault, { ofRequest }: FormContext): number {
  if (ofRequest && kind === 'forbidden') return -32056;
  return ofRequest && kind === 'unsupported' && subject === undefined ? -32600 : code;
}

/** Where a parser stopped, in the document's words. */
function position({ kind, details }: Fault): string | undefined {
  const at = details?.['position'];
  return kind === 'parse_error' && typeof at === 'number' ? `Unexpected token at position ${at}` : undefined;
}

function erlmcpMember(member: string, fault: Fault, data: unknown): unknown {
  const said = (data as { readonly [key: string]: unknown } | undefined)?.[member];
  if (said !== undefined) return said;
  switch (member) {
    case 'details':
      return fault.issues.length === 0 ? fault.message : fault.issues.map(parameter).join('; ');
    case 'reason':
      return fault.message || KINDS[fault.kind].title;
    case 'max_size':
      return fault.details?.['max_bytes'];
    case 'unit':
      return 'bytes';
    case 'method':
    case 'tool':
    case 'prompt':
    case 'uri':
      return fault.subject?.id;
    default:
      return fault.details?.[member];
  }
}

/** `params.uri: required` → `Missing required parameter: uri`. */
function parameter(issue: Issue): string {
  const path = issue.path[0] === 'params' ? issue.path.slice(1) : issue.path;
  return issue.code === 'required'
    ? `Missing required parameter: ${path.join('.')}`
    : line({ ...issue, path });
}

function line({ path, message }: Issue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}
