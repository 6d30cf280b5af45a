import type { Fault, Issue, Json, JsonObject } from '../../fault.ts';
import { isRecord } from '../../json.ts';
import { type Kind, TRAITS } from '../../kinds.ts';
import { textContent } from '../answers.ts';
import type { Form, FormContext, JsonRpcWire } from '../dialect.ts';
import {
  advisesAgainst,
  isOutside,
  isUnknownMethod,
  isUnknownTool,
  withCaution,
  withError,
  withIssues,
  withoutErrno,
} from '../forming.ts';
import { protocolsMeta } from '../told.ts';
import { codes, statusOf } from './codes.ts';
import { bodyOf, parsed } from './write.ts';
import { zodIssue, zodLine } from './zod-issues.ts';

/**
 * Four codes for what cannot even be executed: an unhandled exception and an unknown tool are among it. Everything else
 * is an execution error: the body as it came, or every issue of the arguments in Zod's form.
 */
export const form: Form = (written, fault, context) => {
  const answer = formed(written, fault, context);
  const { error } = answer;
  // The document tells whoever gets -32603 to try again: a change that may have been made would be made twice.
  if (error?.code !== INTERNAL) return answer;
  return { ...answer, error: { ...error, message: withCaution(error.message, fault, context) } };
};

const formed: Form = (written, fault, context) => {
  const unknownTool = isUnknownTool(fault, context);
  if (isOutside(context) || unknownTool || isUnknownMethod(fault))
    return withError(written, errorFor(fault, context, unknownTool));
  // What a tool or its backend answered is a body, whatever is in it: issues are what the schema has against the arguments.
  const said = context.issues === undefined || isNative(fault) ? context.said : undefined;
  const body = said === undefined ? undefined : bodyIn(said);
  if (body !== undefined) return withResult(written, body, context);
  if (isNative(fault)) return written;
  const issues = context.issues ?? (fault.kind === 'invalid_arguments' ? fault.issues : []);
  if (issues.length > 0) return withResult(written, argumentError(issues), context);
  if (context.answered !== undefined) return withResult(written, ofStatus(context.answered, fault), context);
  if (isUnhandled(fault, context)) return withError(written, errorFor(fault, context, false));
  if (misleads(written, fault, context))
    return withResult(written, ofStatus(statusOf(fault.kind), fault), context);
  return said === undefined ? written : before(written, blocksOf(said));
};

/** The document tells whoever gets -32603 to try again, and whoever gets -32001 that their own header is wrong. */
function misleads({ error }: JsonRpcWire, fault: Fault, { foreign }: FormContext): boolean {
  if (error?.code === INTERNAL) return advisesAgainst(fault);
  return error?.code === UNAUTHORIZED && foreign !== undefined && fault.native?.dialect !== 'platica';
}

/** The body of a failing result, which a model can read: its text, or what is parsed already, as text. */
function bodyIn(said: JsonObject): JsonObject | undefined {
  const { structuredContent } = said;
  const content = blocksOf(said).map(withoutMeta);
  const beside = { ...(structuredContent === undefined ? {} : { structuredContent }), ...metaOf(said) };
  if (content.some((block) => textOf(block).trim() !== '')) return { content, ...beside };
  if (!isRecord(structuredContent)) return undefined;
  return { content: [...textContent(JSON.stringify(structuredContent)), ...content], ...beside };
}

/** What a server has put there for clients of its own is no part of a body. */
function metaOf({ _meta }: JsonObject): JsonObject {
  const kept = isRecord(_meta) ? protocolsMeta(_meta) : {};
  return Object.keys(kept).length === 0 ? {} : { _meta: kept as JsonObject };
}

function withoutMeta(block: Json): Json {
  if (!isRecord(block)) return block;
  const { _meta, ...rest } = block as JsonObject;
  return _meta === undefined ? block : { ...rest, ...metaOf(block as JsonObject) };
}

function blocksOf({ content }: JsonObject): readonly Json[] {
  return Array.isArray(content) ? content : [];
}

/** What is written, and then what a tool answered beside no body: a picture, for example. */
function before(written: JsonRpcWire, blocks: readonly Json[]): JsonRpcWire {
  const { result } = written;
  if (result === undefined) return written;
  const more = blocks.filter((block) => !isRecord(block) || block['type'] !== 'text');
  return { ...written, result: { ...result, content: [...blocksOf(result), ...more] } };
}

/** Nobody who was asked has answered: an exception, a silence, or no key to ask with. */
function isUnhandled(fault: Fault, context: FormContext): boolean {
  const { masked, ours, foreign, wrongKey } = context;
  if (masked) return true;
  if (fault.kind === 'unauthenticated' && fault.executed === 'no')
    return foreign === undefined && wrongKey !== true;
  return ours && foreign === undefined && !isRefused(fault, context);
}

/** Whoever stands before the interface has looked at a call that is well-formed, and said no as the interface would. */
function isRefused({ kind, reaction, executed }: Fault, { handedOn }: FormContext): boolean {
  // Of a later round it says no, whatever the rounds before it have done.
  return (executed === 'no' || handedOn === true) && (reaction === 'permission' || REFUSALS.includes(kind));
}

const REFUSALS: readonly Kind[] = ['rate_limited', 'quota_exhausted', 'overloaded', 'conflict'];

/** Whoever spoke Platica has said it already. */
function isNative({ native }: Fault): boolean {
  return native?.dialect === 'platica' && native.raw !== undefined;
}

function withResult(
  { error: _error, ...answer }: JsonRpcWire,
  said: JsonObject,
  context: FormContext,
): JsonRpcWire {
  const { content = [], structuredContent: own, ...rest } = said;
  const structured = own ?? parsed(textOf(blocksOf(said)[0]));
  const takes = context.structuredContent !== false && structured !== undefined;
  const result = { ...rest, isError: true, content };
  return { ...answer, result: takes ? { ...result, structuredContent: structured } : result };
}

function textOf(block: unknown): string {
  return isRecord(block) && typeof block['text'] === 'string' ? block['text'] : '';
}

function argumentError(issues: readonly Issue[]): JsonObject {
  const content = textContent(issues.map(zodLine).join('\n'));
  return { content, structuredContent: { issues: issues.map(zodIssue) } };
}

/** An answer without a body is a failure of execution like every other one that is not 2xx. */
function ofStatus(code: number, fault: Fault): JsonObject {
  return { content: textContent(JSON.stringify(bodyOf(code, fault))) };
}

function errorFor(
  fault: Fault,
  context: FormContext,
  unknownTool: boolean,
): { code: number; message: string } {
  const code = codeOf(fault, context, unknownTool);
  // Words that nobody wrote for a caller of this server stay out of what everybody reads.
  const isForeign = context.foreign !== undefined && fault.native?.dialect !== 'platica';
  // The document's sentence is about the header of whoever called: what a backend was given is not that.
  const fixed =
    code === UNAUTHORIZED && !isForeign ? codes.find((row) => row.code === code)?.title : undefined;
  const kept =
    code === INTERNAL
      ? 'Internal error'
      : fault.reaction === 'permission'
        ? TRAITS[fault.kind].title
        : undefined;
  const words = withoutErrno(isForeign ? fault.message : withIssues(fault.message, fault.issues));
  return { code, message: fixed ?? (isForeign ? kept : undefined) ?? words };
}

const INTERNAL = -32603;

const UNAUTHORIZED = -32001;

/**
 * Who may not come in at all has not sent a call that could be served: -32603 would tell them to try again. -32000 is for
 * methods of HTTP; what a server does not have for a request of the protocol is a method of that.
 */
function codeOf(fault: Fault, { ofRequest, method }: FormContext, unknownTool: boolean): number {
  const { kind, reaction, executed } = fault;
  if (isUnknownMethod(fault)) return -32601;
  if (kind === 'unauthenticated') return UNAUTHORIZED;
  if (kind === 'unsupported' && fault.subject?.type === 'protocol_version') return -32602;
  if (kind === 'unsupported') return ofRequest ? -32000 : -32601;
  // -32602 would say of a tool that nothing was begun; who reads something has begun nothing.
  if (reaction === 'permission' && executed !== 'no' && method === 'tools/call') return -32603;
  if (unknownTool || reaction === 'validation' || reaction === 'permission') return -32602;
  return kind === 'not_found' || kind === 'conflict' ? -32602 : -32603;
}
