import type { Fault, Issue } from '../../fault.ts';
import type { Kind } from '../../kinds.ts';
import type { FormContext } from '../dialect.ts';
import { isOfOwnInput, isOpenLimit, isUnknownMethod, isUnknownTool } from '../forming.ts';
import { rowFor } from './read.ts';

/** What a tool that was asked can answer with, beside `Tool execution failed`. */
const IN_A_TOOL: { readonly [K in Kind]?: number } = {
  invalid_arguments: -32034,
  too_large: -32014,
  unsupported_media: -32013,
  unauthenticated: -32051,
  forbidden: -32052,
  approval_required: -32052,
  input_required: -32052,
  rate_limited: -32010,
  overloaded: -32010,
  timeout: -32032,
  cancelled: -32033,
  disconnected: -32008,
};

/** What only we say of a tool that was asked: the way to it is broken, or what it was given is not usable. */
const ON_THE_WAY: { readonly [K in Kind]?: number } = {
  too_large: -32012,
  unprocessable: -32034,
  unavailable: -32008,
  upstream_failed: -32008,
};

const RATE_LIMITED = -32010;
const TOOL_EXECUTION_FAILED = -32031;
const TASK_FAILED = -32083;
const PROMPT_RENDER_FAILED = -32044;
const SUBSCRIPTION_FAILED = -32006;
const COMPLETION_FAILED = -32113;

/** What the document says of something that was asked and failed. */
const FAILURE_OF: { readonly [method: string]: number } = {
  'tools/call': TOOL_EXECUTION_FAILED,
  'prompts/get': PROMPT_RENDER_FAILED,
  'resources/subscribe': SUBSCRIPTION_FAILED,
  'resources/unsubscribe': SUBSCRIPTION_FAILED,
  'completion/complete': COMPLETION_FAILED,
};

/** Kinds for which a prompt, a subscription or a completion has no more to say than that it failed. */
const FAILED: ReadonlySet<Kind> = new Set<Kind>([
  'not_found',
  'conflict',
  'not_ready',
  'cancelled',
  'expired',
  'unsupported',
  'quota_exhausted',
  'misconfigured',
  'invalid_output',
  'internal',
  'unknown',
]);

/** Methods of which an exception can only be said with -32603, and for which the document has a code of its own. */
const THROWS: ReadonlySet<string> = new Set([
  'prompts/get',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
]);

/** The document's code for a failure, by what was asked; `written` is what kind and subject alone come to. */
export function codeFor(fault: Fault, context: FormContext, written: number): number {
  const code = codeOf(fault, context, written);
  // A tool that nobody can name has no place in the document; the task has.
  return code === TOOL_EXECUTION_FAILED && context.taskId !== undefined ? TASK_FAILED : code;
}

function codeOf(fault: Fault, context: FormContext, written: number): number {
  const { kind, subject } = fault;
  if (fault.native?.dialect === 'erlmcp' && fault.native.code === written) return written;
  if (isUnknownMethod(fault)) return -32601;
  // A server that failed as such, and not one of its tools.
  if (kind === 'internal' && fault.native?.code === -32603 && !THROWS.has(context.method)) return -32603;
  if (subject?.type === 'session') return -32008;
  const completion = context.method === 'completion/complete' ? ofReference(fault) : undefined;
  if (completion !== undefined) return completion;
  if (context.ofRequest) return ofRequest(fault, written);
  const asked = context.foreign === undefined ? undefined : ofQuestion(fault);
  if (asked !== undefined) return asked;
  if (isToldLimit(fault, context)) return RATE_LIMITED;
  if (isException(fault, context)) return thrownIn(fault, context);
  if (isByWordsAlone(context)) return TOOL_EXECUTION_FAILED;
  if (isUnknownTool(fault, context) || isOtherTool(fault, context)) return -32002;
  if (isOfOwnInput(fault, context) && context.method === 'resources/read') return -32007;
  if (kind === 'not_ready' && fault.details?.['phase'] !== undefined) return -32005;
  if (context.method === 'prompts/get' && kind === 'invalid_arguments')
    return fault.issues.length > 0 && fault.issues.every(isMissing) ? -32043 : -32602;
  if (kind === 'not_found' && isTemplate(context)) return -32021;
  if (isAbout(fault, written)) return written === -32022 && context.ours ? ofUri(fault) : written;
  switch (context.method) {
    case 'tools/call':
      return inTool(fault, context, written);
    case 'resources/read':
      return kind === 'not_found' ? -32001 : kind === 'forbidden' ? -32025 : general(context, written);
    default:
      return failedOr(fault, context, written);
  }
}

/** What became of a question to the client's model or user, which a handler has asked. */
function ofQuestion({ kind, subject }: Fault): number | undefined {
  if (subject?.type === 'sampling') return -32046;
  if (subject?.type !== 'elicitation') return undefined;
  return kind === 'timeout' ? 1091 : 1090;
}

/** A tool that calls others says by name which of them is not there. */
function isOtherTool({ kind, subject }: Fault, { method, name }: FormContext): boolean {
  if (method !== 'tools/call' || kind !== 'not_found' || subject?.type !== 'tool') return false;
  return subject.id !== undefined && subject.id !== name;
}

/** Of a request that is wrong as such only we can speak; what a tool says so of is its input. */
function inTool(fault: Fault, context: FormContext, written: number): number {
  const { kind } = fault;
  const { ours } = context;
  if (isOpenLimit(fault, context)) return TOOL_EXECUTION_FAILED;
  if (kind === 'parse_error' || kind === 'invalid_request') return ours ? written : -32034;
  return (ours ? ON_THE_WAY[kind] : undefined) ?? IN_A_TOOL[kind] ?? TOOL_EXECUTION_FAILED;
}

/** Did a tool say it in words, and no schema? Servers put what was thrown into such a result. */
function isByWordsAlone({ method, ours, issues, byWords }: FormContext): boolean {
  return method === 'tools/call' && byWords === true && !ours && issues === undefined;
}

/**
 * Something that a handler threw, and that is no fault: the sentence is ours, what it is about is not. Outside of tools,
 * a server has no other code than -32603 for it.
 */
function isException({ native }: Fault, { method, ours, foreign }: FormContext): boolean {
  if (FAILURE_OF[method] === undefined || foreign === undefined) return false;
  return ours || (THROWS.has(method) && native?.dialect === 'mcp' && native.code === -32603);
}

/** Does who was asked tell of a limit, in whatever form, and nothing would be done twice by waiting it out? */
function isToldLimit(fault: Fault, context: FormContext): boolean {
  return fault.kind === 'rate_limited' && context.foreign !== undefined && !isOpenLimit(fault, context);
}

/** `Tool handler threw an exception`, whatever its words are; a schema that refused is known. */
function thrownIn({ kind }: Fault, { method, issues }: FormContext): number {
  if (kind === 'invalid_arguments' && issues !== undefined) return method === 'tools/call' ? -32034 : -32602;
  return FAILURE_OF[method] as number;
}

/** A method of HTTP that nobody serves is no request at all; whoever comes from outside is denied, not unauthorised. */
function ofRequest(fault: Fault, written: number): number {
  const { kind, subject } = fault;
  // The form of a request to a prompt is none of the prompt's arguments.
  if (fault.issues.length > 0 && fault.issues.every(isOfCapability)) return -32063;
  if (kind === 'invalid_arguments')
    return isAbout(fault, written) && subject?.type !== 'prompt' ? written : -32602;
  if (kind === 'forbidden') return -32056;
  return kind === 'unsupported' && subject === undefined ? -32600 : written;
}

/** Is it about a capability that a client declares, in a form that none has? */
function isOfCapability({ path }: Issue): boolean {
  return path[0] === 'params' && path[1] === 'capabilities' && path.length > 2;
}

/** Does the code name what the fault is about, other than the tool that was called? An order is no resource. */
function isAbout({ subject }: Fault, code: number): boolean {
  const row = rowFor(code);
  if (subject === undefined || subject.type === 'tool' || row?.subject !== subject.type) return false;
  return row.keys[0] !== 'uri' || SCHEME.test(subject.id ?? '');
}

/** How an address begins. */
export const SCHEME: RegExp = /^[a-z][a-z0-9+.-]*:/i;

/** Is a template read as if it were an address? */
export function isTemplate({ method, name }: FormContext): boolean {
  return method === 'resources/read' && /\{[^{}]{1,200}\}/.test(name ?? '');
}

/** An address with a scheme is one that is written wrong. */
function ofUri({ subject }: Fault): number {
  return SCHEME.test(subject?.id ?? '') ? -32023 : -32022;
}

function failedOr(fault: Fault, context: FormContext, written: number): number {
  const failure = FAILURE_OF[context.method];
  return failure !== undefined && hasFailed(fault, context) ? failure : general(context, written);
}

/** Codes about something that was not asked for, and what says no more than is known. */
const ELSEWHERE: { readonly [code: number]: number } = {
  [-32005]: -32603, // only who has not sent `initialize` is told to
  [-32012]: -32014, // what is too large is not the message that asked
  [-32033]: -32603, // no tool was called
  [-32072]: -32602, // no cursor was sent
};

/** What we say of a size is of a message; nobody else can know. */
function general({ ours, foreign }: FormContext, written: number): number {
  return ours && foreign === undefined && written === -32012 ? written : (ELSEWHERE[written] ?? written);
}

/** What a prompt or a completer depends on is its own business; what lies between it and us is a transport. */
function hasFailed({ kind }: Fault, { ours, foreign }: FormContext): boolean {
  const isOnTheWay = ours && foreign === undefined;
  return FAILED.has(kind) || (!isOnTheWay && BEHIND.has(kind));
}

const BEHIND: ReadonlySet<Kind> = new Set<Kind>(['unavailable', 'upstream_failed', 'disconnected']);

/** What is to be completed is not there, or was named in no form that there is. */
function ofReference({ kind, subject, issues }: Fault): number | undefined {
  if (kind === 'not_found') return COMPLETED.has(subject?.type ?? '') ? -32110 : undefined;
  if (kind !== 'invalid_arguments') return undefined;
  const [first, second] = issues[0]?.path ?? [];
  const part = first === 'params' ? second : first;
  return part === 'ref' ? -32111 : part === 'argument' ? -32112 : undefined;
}

const COMPLETED: ReadonlySet<string> = new Set(['prompt', 'resource', 'resource_template', 'completion']);

/** Is something absent that has to be there? Zod has no code of its own for it. */
export function isMissing({ code, message }: Issue): boolean {
  return code === 'required' || / received undefined$/.test(message);
}
