import type { Fault, Json, JsonObject } from '../../fault.ts';
import { dotted } from '../../issue-path.ts';
import { isRecord, parseJson } from '../../json.ts';
import { adviceFor } from '../../render/for-model.ts';
import { errorResponse, resultResponse, textContent } from '../answers.ts';
import type { WriteContext, Written } from '../dialect.ts';
import { codes, statusOf } from './codes.ts';
import { zodIssue, zodLine } from './zod-issues.ts';

/** An execution error with the body of a REST answer, or one of the four protocol codes. */
export function write(fault: Fault, context: WriteContext): Written {
  const native = fault.native?.dialect === 'platica' ? fault.native : undefined;
  if (native?.raw !== undefined)
    return executionError(context, native.raw, native.extra?.['structuredContent'] ?? parsed(native.raw));
  const code = protocolCode(fault, context);
  if (code !== undefined) return errorResponse(context, code, protocolMessage(fault, code));
  if (fault.kind === 'invalid_arguments' && fault.issues.length > 0) {
    const issues = fault.issues.map(zodIssue);
    return executionError(context, fault.issues.map(zodLine).join('\n'), { issues });
  }
  const body = bodyOf(statusOf(fault.kind), fault);
  return executionError(context, JSON.stringify(body), body);
}

/** The body that the interface would have: with the fields that are flagged, where there are any. */
export function bodyOf(code: number, fault: Fault): JsonObject {
  const body = { code, error: fault.message, details: adviceFor(fault) };
  const errors = fault.issues.map(({ path, message }) => ({ field: dotted(path), message }));
  return errors.length === 0 ? body : { ...body, errors };
}

/** Where nobody said otherwise, the parsed body is the raw one, parsed: the two agree. */
export function parsed(raw: string): Json | undefined {
  const body = parseJson(raw);
  return isRecord(body) && isShallow(raw) ? (body as JsonObject) : undefined;
}

/** Beyond this, serializers and schemas of clients give up; the text arrives all the same. */
const MAX_DEPTH = 1000;

function isShallow(json: string): boolean {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (sign === '\\' && quoted) at++;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === '{' || sign === '[')) deepest = Math.max(deepest, ++depth);
    else if (!quoted && (sign === '}' || sign === ']')) depth--;
  }
  return deepest <= MAX_DEPTH;
}

/** `content[0].text` is the body; `structuredContent` is the same, parsed, where the client can take it. */
function executionError(context: WriteContext, text: string, structured: Json | undefined): Written {
  const content = textContent(text);
  return resultResponse(context, {
    isError: true,
    content,
    ...(structured === undefined || !context.structuredContent ? {} : { structuredContent: structured }),
  });
}

function protocolCode(fault: Fault, context: WriteContext): number | undefined {
  const { kind, native } = fault;
  if (native?.dialect === 'platica' && typeof native.code === 'number' && native.code < 0) return native.code;
  if (kind === 'parse_error' || kind === 'invalid_request') return -32602;
  if (kind === 'unsupported' && fault.subject?.type === 'method') return -32000;
  if (context.placement !== 'protocol') return undefined;
  if (kind === 'unauthenticated') return -32001;
  return kind === 'internal' ? -32603 : undefined;
}

function protocolMessage(fault: Fault, code: number): string {
  if (code !== -32001 || fault.native?.dialect === 'platica') return fault.message;
  return codes.find((row) => row.code === code)?.title ?? fault.message;
}
