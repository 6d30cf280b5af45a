import type { Fault, Issue, Json, JsonObject } from '../../fault.ts';
import { KINDS } from '../../kinds.ts';
import type { Form, FormContext } from '../dialect.ts';
import { type ErrorObject, issueLine, withError } from '../forming.ts';

// biome-ignore format: a table
const NAMES: { readonly [code: number]: readonly [name: string, members: string] } = {
  [-32700]: ['Parse error', '"'], [-32600]: ['Invalid Request', '"'], [-32601]: ['Method not found', 'method'],
  [-32602]: ['Invalid params', 'details'], [-32603]: ['Internal error', ''],
  [-32001]: ['Resource not found', 'uri'], [-32002]: ['Tool not found', 'tool'], [-32003]: ['Prompt not found', 'prompt'],
  [-32005]: ['Server not initialized', 'phase'], [-32007]: ['Validation failed', 'field constraint'],
  [-32009]: ['Request timeout', 'timeout_ms'], [-32012]: ['Message size exceeds maximum allowed', 'actual_size max_size unit'],
  [-32013]: ['Invalid content type', 'content_type'],
  [-32031]: ['Tool execution failed', 'tool reason'], [-32032]: ['Tool execution timeout', 'tool timeout_ms'],
  [-32033]: ['Tool execution cancelled', 'tool reason'], [-32034]: ['Invalid tool arguments', 'tool details'],
  [-32056]: ['Access denied', 'resource'],
  [-32043]: ['Prompt argument missing', 'prompt argument'], [-32044]: ['Prompt render failed', 'prompt reason'],
};

/** The document's name of the code, and the members that its example has. */
export const form: Form = (written, fault, context) => {
  const { error } = written;
  return error === undefined || !context.ours ? written : withError(written, errorFor(error, fault, context));
};

function errorFor(error: ErrorObject, fault: Fault, context: FormContext): ErrorObject {
  const isMalformed = context.ofRequest && fault.kind === 'invalid_arguments';
  const code = isMalformed ? -32602 : codeOf(error.code, fault, context);
  const [name, members] = NAMES[code] ?? [fault.message, undefined];
  if (members === undefined) return { ...error, message: name };
  if (members === '"') return { code, message: name, data: position(fault) ?? fault.message };
  const data: { [key: string]: Json } = {};
  for (const member of members.split(' ')) {
    const value = memberOf(member, fault, isMalformed ? undefined : error.data);
    if (value !== undefined) data[member] = value;
  }
  return Object.keys(data).length === 0 ? { code, message: name } : { code, message: name, data };
}

/** A method of HTTP that nobody serves is no request at all; whoever comes from outside is denied, not unauthorised. */
function codeOf(code: number, { kind, subject }: Fault, { ofRequest }: FormContext): number {
  if (ofRequest && kind === 'forbidden') return -32056;
  return ofRequest && kind === 'unsupported' && subject === undefined ? -32600 : code;
}

/** Where a parser stopped, in the document's words. */
function position({ kind, details }: Fault): string | undefined {
  const at = details?.['position'];
  return kind === 'parse_error' && typeof at === 'number' ? `Unexpected token at position ${at}` : undefined;
}

function memberOf(member: string, fault: Fault, data: Json | undefined): Json | undefined {
  const said = (data as JsonObject | undefined)?.[member];
  if (said !== undefined) return said;
  switch (member) {
    case 'details':
      return fault.issues.length === 0 ? fault.message : fault.issues.map(parameter).join('; ');
    case 'reason':
      return fault.message || KINDS[fault.kind].title;
    case 'max_size':
      return fault.details?.['max_bytes'];
    case 'actual_size':
      return fault.details?.['actual_bytes'];
    default:
      return fault.details?.[member];
  }
}

/** `params.uri: required` → `Missing required parameter: uri`. */
function parameter(issue: Issue): string {
  const path = issue.path[0] === 'params' ? issue.path.slice(1) : issue.path;
  return issue.code === 'required'
    ? `Missing required parameter: ${path.join('.')}`
    : issueLine({ ...issue, path });
}
