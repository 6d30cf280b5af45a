import type { Fault, Issue, Json, JsonObject } from '../../fault.ts';
import { toSeconds } from '../../http-status.ts';
import { dotted } from '../../issue-path.ts';
import { isRecord } from '../../json.ts';
import { TRAITS } from '../../kinds.ts';
import { withoutPage } from '../../render/page.ts';
import type { Form, FormContext } from '../dialect.ts';
import {
  type ErrorObject,
  errorOf,
  issueLine,
  untoldIssues,
  withError,
  withIssues,
  withRest,
} from '../forming.ts';
import { codeFor, isMissing, isTemplate, SCHEME } from './choose.ts';
import type { ErlmcpRow } from './codes.ts';
import { ID_KEYS, rowFor } from './read.ts';

/** The document's name of the code, and the members of `data` that it has; words of an author where it has a place for them. */
export const form: Form = (written, fault, context) => {
  const { error } = written;
  // Whoever spoke erlmcp has said it already.
  if (error === undefined || (fault.native?.dialect === 'erlmcp' && !context.ours)) return written;
  // The document has a place for words; of a proxy's page only the title is any.
  return withError(written, errorFor(error, { ...fault, message: withoutPage(fault.message) }, context));
};

function errorFor(error: ErrorObject, fault: Fault, context: FormContext): ErrorObject {
  const row = rowFor(codeFor(fault, context, error.code)) as ErlmcpRow;
  if (row.isString)
    return {
      code: row.code,
      message: row.title,
      data: position(fault) ?? besideCode(fault) ?? withIssues(fault.message, fault.issues),
    };
  const data: { [key: string]: Json } = {};
  for (const key of row.keys) {
    const value = memberOf(key, row, fault, context);
    if (value !== undefined) data[key] = value;
  }
  const own = Object.keys(data).length === 0 ? undefined : data;
  const rest = context.ours ? {} : unplaced(fault, row, data);
  return errorOf(row.code, row.title, withRest(own, rest));
}

/** What an author has put beside a code of JSON-RPC's own: a text, or the member that the document has for one. */
function besideCode({ details = {} }: Fault): string | undefined {
  const { code, data } = details;
  if (typeof code !== 'number' || code < -32_700 || code > -32_600) return undefined;
  const said = isRecord(data) ? data['details'] : data;
  return typeof said === 'string' && said.trim() !== '' ? said : undefined;
}

/** What somebody else said, and the document has no member for. */
function unplaced(fault: Fault, row: ErlmcpRow, data: JsonObject): JsonObject {
  const { message, details = {}, kind, issues } = fault;
  const rest: { [key: string]: Json } = {};
  if (data['details'] !== undefined && data['details'] === besideCode(fault)) return rest;
  const said = Object.values(data).filter((value) => typeof value === 'string');
  const isSaid = said.some((value) => value.includes(message));
  const isNamed = message === row.title || message === TRAITS[kind].title;
  const isTold = data['details'] !== undefined || untoldIssues(said.join(' '), issues).length === 0;
  if (!isTold) rest['message'] = withIssues(message, issues);
  else if (!isSaid && !isNamed) rest['message'] = message;
  const left = Object.entries(details).filter(([key]) => !Object.hasOwn(data, key) && !OTHER_NAMES.has(key));
  if (left.length > 0) rest['details'] = Object.fromEntries(left);
  return rest;
}

/** What we call members that the document calls otherwise. */
const OTHER_NAMES: ReadonlySet<string> = new Set([
  'window_ms',
  'max_bytes',
  'actual_bytes',
  'required_scopes',
  'requested',
  'supported',
]);

/** Where a parser stopped, in the document's words. */
function position({ kind, details }: Fault): string | undefined {
  const at = details?.['position'];
  return kind === 'parse_error' && typeof at === 'number' ? `Unexpected token at position ${at}` : undefined;
}

/** A member of `data`: what was said under its name, else what is known. */
function memberOf(key: string, row: ErlmcpRow, fault: Fault, context: FormContext): Json | undefined {
  const said = key === 'details' ? undefined : fault.details?.[key];
  // The tool that is not there, and not the one that looked for it.
  if (key === 'tool' && row.kind === 'not_found') return said ?? fault.subject?.id ?? context.name;
  return said ?? fromRequest(key, context) ?? fromFault(key, row, fault, context);
}

/** What the request tells. */
function fromRequest(key: string, context: FormContext): Json | undefined {
  const { method, name, elapsedMs } = context;
  switch (key) {
    case 'tool':
      return method === 'tools/call' && !context.ofRequest ? name : undefined;
    case 'operation':
      return name === undefined ? method : `${method}:${name}`;
    case 'uri':
      return method.startsWith('resources/') ? name : undefined;
    case 'uri_template':
      return isTemplate(context) ? name : undefined;
    case 'prompt':
      return method === 'prompts/get' ? name : undefined;
    case 'taskId':
      return context.taskId;
    // How long it took is no limit: a limit is told, or it is not known.
    case 'elapsed_ms':
      return elapsedMs;
    default:
      return undefined;
  }
}

/** What the fault tells, in other words than the document's. */
function fromFault(
  key: string,
  row: ErlmcpRow,
  fault: Fault,
  { ofRequest, ours }: FormContext,
): Json | undefined {
  const { subject, issues, retry, message, kind, details = {} } = fault;
  switch (key) {
    case 'details':
      return issues.length === 0 ? (besideCode(fault) ?? message) : issues.map(parameter).join('; ');
    case 'reason':
      if (row.subject === 'uri' && ours) return uriReason(subject?.id ?? '');
      if (row.subject === 'capability')
        return (
          issues.map((issue) => issueLine({ ...issue, path: issue.path.slice(2) })).join('; ') || message
        );
      return subject?.type === 'session' && ofRequest
        ? sessionReason(kind)
        : withIssues(message || TRAITS[kind].title, issues);
    case 'field':
    case 'argument':
      return issues[0] === undefined ? undefined : dotted(inParams(issues[0].path));
    case 'constraint':
      return issues[0]?.message;
    case 'completionId':
      return row.kind === 'not_found' ? subject?.id : undefined;
    case 'unit':
      return 'bytes';
    case 'max_size':
      return details['max_bytes'];
    case 'actual_size':
      return details['actual_bytes'];
    case 'window':
      return typeof details['window_ms'] === 'number' ? toSeconds(details['window_ms']) : undefined;
    case 'supported_versions':
      return details['supported'];
    case 'retry_after':
      return retry.afterMs === undefined ? undefined : toSeconds(retry.afterMs);
    case 'required_role':
    case 'required_permission':
      return Array.isArray(details['required_scopes']) ? details['required_scopes'].join(', ') : undefined;
    default:
      // A header has a name too, and that is no content type.
      return subject !== undefined &&
        ID_KEYS[row.subject ?? '']?.includes(key) === true &&
        subject.type === row.subject
        ? subject.id
        : undefined;
  }
}

/** What is wrong with an address. */
function uriReason(uri: string): string {
  if (!SCHEME.test(uri)) return 'missing_scheme';
  return /[^!-~]|["<>\\^`{|}]/.test(uri) ? 'illegal_character' : 'malformed';
}

/** A session that is missing is the transport's business: the document has no other code for it. */
function sessionReason(kind: Fault['kind']): string {
  return kind === 'expired' || kind === 'not_found' ? 'session_not_found' : 'session_required';
}

function inParams(path: Issue['path']): Issue['path'] {
  return path[0] === 'params' ? path.slice(1) : path;
}

/** `params.uri: required` → `Missing required parameter: uri`. */
function parameter(issue: Issue): string {
  const path = inParams(issue.path);
  const name = path.join('.') || issue.path.join('.');
  if (isMissing(issue) && name !== '') return `Missing required parameter: ${name}`;
  if (/^(?:invalid_)?type$/.test(issue.code ?? '') && issue.message.startsWith('must be '))
    return `Invalid parameter type: ${name} ${issue.message}`;
  return issueLine({ ...issue, path });
}
