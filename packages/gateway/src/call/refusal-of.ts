/**
 * Refusals that every server words in its own way, or its SDK does, and that a document has one form for: an unknown tool
 * or method, arguments that a schema does not take, a request that the transport does not. Their words say no more than that.
 */
import { type Fault, type JsonObject, makeFault } from '@mayday/core';
import { kindOfStatus } from '@mayday/core/http';
import { STATELESS_REVISION } from '@mayday/core/protocol';
import { redact, redactFault } from '@mayday/core/redact';
import { checkEnvelope, hasRightTypes, type Said, type WireCall } from '@mayday/relay';
import { cleanStart } from '../clean-cut.ts';
import { isOfApi } from '../openapi/api-answer.ts';
import { isMalformed, misdescribed, misshapen } from './malformed.ts';

/** A fault, and whether the document's own words say all of it. */
export interface Refused {
  readonly fault: Fault;
  readonly isRefusal: boolean;
  /** The request itself was not taken: it reached nobody. */
  readonly ofRequest: boolean;
  /** Whose words they are, where they are not ours; of somebody who is not known, if absent. */
  readonly words?: 'backend' | undefined;
  /** What a schema has against the arguments: no tool was asked. */
  readonly issues?: Fault['issues'] | undefined;
}

/** The fault as the gateway itself would have said it, where it is such a refusal. */
export function refusalOf(call: WireCall, fault: Fault, said: Said | undefined): Refused {
  const status = transportStatus(call, said);
  if (status !== undefined) {
    const ours = said?.type === 'nothing' ? fault : fromStatus(fault, status);
    return { fault: withHeaders(call, ours), isRefusal: true, ofRequest: true };
  }
  if (isOfApi(said)) return { fault, isRefusal: false, ofRequest: false, words: 'backend' };
  if (said === undefined || said.type === 'nothing')
    return { fault, isRefusal: true, ofRequest: isMalformed(fault, said) };
  const bad = ofTransport(fault, said) ?? ofEnvelope(call, fault, said);
  if (bad !== undefined) return { fault: bad, isRefusal: true, ofRequest: true };
  const wrong = ofParams(call, fault) ?? ofClient(call, fault, said);
  if (wrong !== undefined) return { fault: wrong, isRefusal: true, ofRequest: true };
  const unknown = namedAs(call, fault);
  if (unknown !== undefined && said.tool?.isListed === true)
    return { fault: withoutSubject(fault), isRefusal: false, ofRequest: false };
  const named = unknown ?? ofArguments(call, fault) ?? ofUri(call, fault);
  if (named === undefined && isGuessed(call, fault, said)) {
    const { message, correlationId } = fault;
    const executed = call.method === 'tools/call' ? 'maybe' : fault.executed;
    const broken = makeFault({ kind: 'internal', message, correlationId, executed });
    return { fault: broken, isRefusal: false, ofRequest: false };
  }
  const refused = named ?? fault;
  const issues = SCHEMA.test(fault.message) && refused.issues.length > 0 ? refused.issues : undefined;
  return { fault: refused, isRefusal: named !== undefined, ofRequest: false, issues };
}

/** A document would tell of a tool that is not there. */
function withoutSubject({ subject: _tool, ...fault }: Fault): Fault {
  return fault;
}

/** What the SDKs of several languages call it. */
const SCHEMA =
  /^(?:MCP error -?\d+: )?(?:Error executing tool \S{1,200}: )?(?:Input validation error|Invalid arguments? for|\d+ validation errors? for)\b/i;

/** What the transports of the SDKs say under HTTP 400 of a request that reached no server. */
const BAD_REQUEST = /^Bad Request: /;
const BAD_VERSION =
  /^Bad Request: Unsupported protocol version: (\S{1,100})(?: \(supported versions: ([\w., -]{1,500})\))?$/;

function ofTransport(fault: Fault, said: Said): Fault | undefined {
  if (said.type !== 'http' || said.status !== 400 || !BAD_REQUEST.test(fault.message)) return undefined;
  if (fault.kind === 'internal') return undefined; // nothing was wrong with what the caller sent
  const [, requested, supported] = BAD_VERSION.exec(fault.message) ?? [];
  if (requested === undefined) return { ...fault, message: fault.message.replace(BAD_REQUEST, '') };
  const { correlationId, executed } = fault;
  return makeFault({
    kind: 'unsupported',
    subject: { type: 'protocol_version', id: requested },
    message: 'Unsupported protocol version',
    details: { requested, ...(supported === undefined ? {} : { supported: supported.split(', ') }) },
    correlationId,
    executed,
  });
}

/** What a stateless request must carry, and this one does not: a server at a URL says so by itself, in the words of its SDK. */
function ofEnvelope(call: WireCall, { reaction, correlationId }: Fault, said: Said): Fault | undefined {
  if (said.type !== 'http' || said.status !== 400 || reaction !== 'validation') return undefined;
  const wrong = call.revision === STATELESS_REVISION ? checkEnvelope(call.headers, call) : undefined;
  return wrong && makeFault({ ...wrong, correlationId });
}

/** A request that has not the form of its method: each SDK says it in its own way, and some take it for the tool's. */
function ofParams(call: WireCall, fault: Fault): Fault | undefined {
  const { kind, reaction, native, correlationId, executed } = fault;
  const isSo = reaction === 'validation' || kind === 'not_found' || native?.code === -32603;
  const wrong = isSo ? misshapen(call.method, call.params()) : undefined;
  // What changes nothing whoever takes it has not happened where it was not taken.
  const isHarmless = call.method === 'completion/complete';
  return wrong && makeFault({ ...wrong, correlationId, executed: isHarmless ? 'no' : executed });
}

/** An error of the protocol, to a request that says of its client what no revision takes: no SDK has asked a tool then. */
function ofClient(call: WireCall, fault: Fault, { heard }: Said): Fault | undefined {
  const { native, reaction, message, correlationId, executed } = fault;
  const isOfRequest = native?.code === -32602 || native?.code === -32600;
  if (heard?.placement !== 'protocol' || !isOfRequest || reaction !== 'validation' || SCHEMA.test(message))
    return undefined;
  const wrong = misdescribed(call.params());
  return wrong && makeFault({ ...wrong, correlationId, executed });
}

/** A server that has failed by its own word, outside of tools: what its words only resemble is no refusal of what was sent. */
function isGuessed({ method }: WireCall, { kind, native, issues }: Fault, { heard }: Said): boolean {
  const isAboutInput = kind === 'invalid_arguments' || kind === 'unprocessable';
  const isFailed = method !== 'tools/call' && native?.code === -32603 && issues.length === 0;
  return isFailed && isAboutInput && (heard?.certainty ?? 0) < SURE;
}

/** From here on words are believed. */
const SURE = 0.6;

/** What an HTTP server says of requests that it does not even read as messages. */
const OF_TRANSPORT: ReadonlySet<number> = new Set([405, 406, 413, 415]);

function transportStatus({ method, headers }: WireCall, said: Said | undefined): number | undefined {
  if (said?.type === 'nothing') return said.status;
  if (said?.type !== 'http' || !OF_TRANSPORT.has(said.status)) return undefined;
  if (method === '') return said.status;
  // Messages are posted: of one that a server does not take, only its types can be wrong, and they are the caller's own.
  const isOfTypes = said.status === 406 || said.status === 415;
  return isOfTypes && said.isOurs !== true && !hasRightTypes(headers) ? said.status : undefined;
}

const NAMES: { readonly [status: number]: string } = {
  405: 'Method not allowed',
  406: 'Answers are application/json or text/event-stream; Accept must name them',
  413: 'The request is larger than the server allows',
  415: 'A message is sent as Content-Type: application/json',
};

function fromStatus({ correlationId, executed }: Fault, status: number): Fault {
  const header = status === 406 ? 'Accept' : 'Content-Type';
  return makeFault({
    kind: kindOfStatus(status) ?? 'invalid_request',
    message: NAMES[status],
    subject: status === 406 || status === 415 ? { type: 'header', id: header } : undefined,
    correlationId,
    executed,
  });
}

/** The type that was sent or asked for, and how much was sent. */
function withHeaders({ headers, body }: WireCall, fault: Fault): Fault {
  const found = fault.kind === 'too_large' ? { actual_bytes: body.length } : typeIn(headers, fault);
  return found === undefined ? fault : { ...fault, details: { ...found, ...fault.details } };
}

function typeIn(headers: WireCall['headers'], { kind, subject }: Fault): JsonObject | undefined {
  if (kind !== 'unsupported_media') return undefined;
  const type = headers[(subject?.id ?? 'content-type').toLowerCase()];
  return typeof type === 'string' ? { content_type: type.slice(0, 200) } : undefined;
}

/** A tool or a method that is not there, by the name that was asked for. */
export function namedAs(call: WireCall, fault: Fault): Fault | undefined {
  const { kind, subject, native, message } = fault;
  const { target, method } = call;
  if (
    kind === 'unsupported' &&
    (subject?.type === 'method' || native?.code === -32601) &&
    method !== 'tools/call'
  )
    return asked(fault, 'method', method);
  if (method !== 'tools/call' || kind !== 'not_found' || target === undefined) return undefined;
  const isIt = subject === undefined ? tellsOfTool(message, target) : isTool(subject, target);
  return isIt ? asked(fault, 'tool', target) : undefined;
}

function asked(fault: Fault, type: 'method' | 'tool', name: string): Fault {
  const id = shown(name);
  return redactFault({ ...fault, subject: { type, id }, message: `Unknown ${type}: ${id}` });
}

/** Callers choose the name: it goes back without secrets in it, and without signs that move a terminal. */
export function shown(name: string): string {
  return cleanStart(name, MAX_SHOWN, (read) => redact(read).value).replace(/\p{Cc}+/gu, ' ');
}

const MAX_SHOWN = 200;

function isTool({ type, id }: NonNullable<Fault['subject']>, target: string): boolean {
  return type === 'tool' && (id === undefined || id === target);
}

/** `Unknown tool: nope`, `Tool nope not found`: nothing but that, the name, and which ones there are. */
function tellsOfTool(message: string, target: string): boolean {
  const said = message.trim();
  const at = said.indexOf(target);
  return at > 0 && BEFORE_TOOL.test(said.slice(0, at)) && AFTER_TOOL.test(said.slice(at + target.length));
}

const BEFORE_TOOL = /^(?:MCP error -?\d+: )?(?:unknown |no such )?tool:? ?["'`]?$/i;
const AFTER_TOOL =
  /^["'`]?(?: (?:was |is )?(?:not found|disabled|unknown)| does not exist)?[.!]?(?:[,;]? \(?(?:did you mean|(?:available|known|valid)(?: tools)?(?: are)?:).*)?$/is;

/** Turned away by the schema, in the words of the SDKs, before the tool was asked. */
function ofArguments({ method, target }: WireCall, fault: Fault): Fault | undefined {
  if (method !== 'tools/call' || target === undefined || fault.kind !== 'invalid_arguments') return undefined;
  const message = `Invalid arguments for tool ${target}`;
  const said = fault.message.replace(/^(?:MCP error -?\d+: )?(?:Input validation error: )?/, '');
  if (!said.startsWith(message)) return undefined;
  const rest = said.slice(message.length).replace(/^: ?/, '');
  const issues = fault.issues.length > 0 || rest === '' ? fault.issues : [{ path: [], message: rest }];
  return { ...fault, message, issues };
}

/** What the SDKs say of an address that is none: v2 in a sentence of its own, v1 in that of `new URL`. */
const BAD_URI = /^(?:MCP error -?\d+: )*(?:Invalid URL$|Resource URI .* is invalid$)/s;

function ofUri({ method, target }: WireCall, { message, executed, correlationId }: Fault): Fault | undefined {
  if (method !== 'resources/read' || target === undefined || URL.canParse(target) || !BAD_URI.test(message))
    return undefined;
  return makeFault({
    kind: 'invalid_arguments',
    subject: { type: 'uri', id: target },
    message: `Invalid parameters for ${method}`,
    issues: [{ path: ['uri'], message: `Invalid URI: ${target}`, code: 'invalid_format' }],
    executed,
    correlationId,
  });
}
