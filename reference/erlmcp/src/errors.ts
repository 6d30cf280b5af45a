/**
 * The 56 documented errors, by name. `raise` says one in erlmcp's own words and lets the core read it, so that
 * what a handler throws is a fault like any other: it is logged, redacted and translated as one.
 */
import { FaultError, type Json, makeFault, read } from '@mayday/core';
import { erlmcp } from '@mayday/core/dialects/erlmcp';

/** What goes into `data`, as the document shows it. `undefined` where it shows none. */
export interface ErrorData {
  parse_error: string;
  invalid_request: string;
  method_not_found: { method: string };
  invalid_params: { details: string };
  internal_error: undefined;
  resource_not_found: { uri: string };
  tool_not_found: { tool: string };
  prompt_not_found: { prompt: string };
  capability_not_supported: { capability: string };
  not_initialized: { phase: 'pre_initialization' | 'awaiting_initialized' };
  subscription_failed: { uri: string; reason: string };
  validation_failed: { field: string; constraint: string };
  transport_error: { reason: string };
  timeout: { timeout_ms: number; elapsed_ms: number };
  rate_limited: { limit: number; window: number; retry_after: number };
  tool_description_too_long: { actual_length: number; max_length: number };
  message_too_large: { actual_size: number; max_size: number; unit: 'bytes' };
  invalid_content_type: { content_type: string };
  content_too_large: { actualSize: number; maxSize: number };
  invalid_encoding: { encoding: 'utf-8'; position: number };
  resource_template_not_found: { uri_template: string };
  invalid_uri: { uri: string; reason: string };
  uri_syntax_error: { uri: string; reason: string };
  resource_access_denied: { uri: string; required_permission: string };
  template_render_failed: { uri_template: string; reason: string };
  tool_execution_failed: { tool: string; reason: string };
  tool_timeout: { tool: string; timeout_ms: number };
  tool_cancelled: { tool: string; reason: string };
  invalid_tool_arguments: { tool: string; details: string };
  prompt_argument_missing: { prompt: string; argument: string };
  prompt_render_failed: { prompt: string; reason: string };
  sampling_failed: { reason: string };
  authentication_failed: { reason: string };
  authorization_failed: { operation: string; required_role: string };
  invalid_credentials: undefined;
  token_expired: { expired_at: number };
  access_denied: { resource: string };
  unsupported_protocol_version: { requested_version: string; supported_versions: string[] };
  protocol_version_mismatch: { clientVersion: string; serverVersion: string };
  capability_negotiation_failed: { reason: string };
  invalid_cursor: { cursor: string };
  cursor_expired: { cursor: string; ttl_seconds: number };
  task_not_found: { taskId: string };
  task_failed: { taskId: string; reason: string };
  task_cancelled: { taskId: string };
  task_timeout: { taskId: string; timeoutMs: number };
  invalid_progress_token: { progressToken: Json };
  progress_token_expired: { progressToken: Json };
  notification_failed: { notification_type: string; reason: string };
  completion_not_found: { completionId: string };
  invalid_completion_reference: { reference: string };
  invalid_completion_argument: { argument: string; details: string };
  completion_failed: { completionId: string; reason: string };
  elicitation_failed: { reason: string };
  elicitation_timeout: { timeoutMs: number };
  experimental_task_not_found: { taskId: string };
}

/** The name of a documented error. */
export type ErrorName = keyof ErrorData;

/** The one name that the document uses twice. */
const EXPERIMENTAL_TASK_NOT_FOUND = 1095;

/** The codes by name, from the core's table. */
const CODES: ReadonlyMap<string, number> = new Map(
  erlmcp.codes
    .filter((row) => row.written)
    .map((row) => [
      row.code === EXPERIMENTAL_TASK_NOT_FOUND ? `experimental_${row.name}` : row.name,
      row.code as number,
    ]),
);

const TITLES: ReadonlyMap<number, string> = new Map(
  erlmcp.codes.map((row) => [row.code as number, row.title]),
);

/**
 * The error to throw. The cause is for the log and never leaves the server.
 *
 * @example
 * throw raise('tool_not_found', { tool: name });
 */
export function raise<N extends ErrorName>(
  name: N,
  ...[data, cause]: ErrorData[N] extends undefined
    ? [data?: undefined, cause?: unknown]
    : [data: ErrorData[N], cause?: unknown]
): FaultError {
  const code = CODES.get(name) as number;
  const message = TITLES.get(code) as string;
  const error = data === undefined ? { code, message } : { code, message, data };
  const reading = read({ jsonrpc: '2.0', id: 0, error }, { from: 'erlmcp' });
  return new FaultError(reading.failure ? reading.fault : makeFault({ kind: 'internal' }), {
    cause,
    saidKind: true,
  });
}

/** Echoed input is cut: a caller may send megabytes of a name. */
export function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
