import { kindOfStatus } from '../../http-status.ts';
import type { Kind } from '../../kinds.ts';
import type { CodeRow } from '../dialect.ts';
import { STEPS } from './steps.ts';

/** A code of erlmcp's, with the members of its `data`. */
export interface ErlmcpRow extends CodeRow {
  readonly code: number;
  readonly keys: readonly string[];
  /** In the document's example, `data` is a string. */
  readonly isString: boolean;
}

type Row = readonly [
  code: number,
  name: string,
  kind: Kind,
  subject: string,
  title: string,
  documented: 0 | 1,
  keys: string,
];

/** Codes with a section in the document are written; the others are understood. */
const WRITTEN = 1;
const READ_ONLY = 0;

/** In the column of titles: the name, as words. */
const IN_WORDS = '';

/** In the column of keys: `data` is a string. */
const STRING = '"';

// biome-ignore format: a table
const rows: readonly Row[] = [
  [-32000, 'custom_server_error', 'unknown', '', IN_WORDS, READ_ONLY, ''],
  [-32001, 'resource_not_found', 'not_found', 'resource', IN_WORDS, WRITTEN, 'uri'],
  [-32002, 'tool_not_found', 'not_found', 'tool', IN_WORDS, WRITTEN, 'tool'],
  [-32003, 'prompt_not_found', 'not_found', 'prompt', IN_WORDS, WRITTEN, 'prompt'],
  [-32004, 'capability_not_supported', 'unsupported', 'capability', IN_WORDS, WRITTEN, 'capability'],
  [-32005, 'not_initialized', 'not_ready', '', 'Server not initialized', WRITTEN, 'phase'],
  [-32006, 'subscription_failed', 'internal', 'subscription', IN_WORDS, WRITTEN, 'uri reason'],
  [-32007, 'validation_failed', 'invalid_arguments', '', IN_WORDS, WRITTEN, 'field constraint'],
  [-32008, 'transport_error', 'disconnected', '', IN_WORDS, WRITTEN, 'reason'],
  [-32009, 'timeout', 'timeout', '', 'Request timeout', WRITTEN, 'timeout_ms elapsed_ms'],
  [-32010, 'rate_limited', 'rate_limited', '', 'Rate limit exceeded', WRITTEN, 'limit window retry_after'],
  [-32011, 'tool_description_too_long', 'too_large', 'tool', 'Tool description exceeds maximum length', WRITTEN, 'actual_length max_length'],
  [-32012, 'message_too_large', 'too_large', 'message', 'Message size exceeds maximum allowed', WRITTEN, 'actual_size max_size unit'],
  [-32013, 'invalid_content_type', 'unsupported_media', 'content', IN_WORDS, WRITTEN, 'content_type'],
  [-32014, 'content_too_large', 'too_large', 'content', IN_WORDS, WRITTEN, 'actualSize maxSize'],
  [-32015, 'invalid_encoding', 'unsupported_media', 'content', IN_WORDS, WRITTEN, 'encoding position'],
  [-32016, 'binary_data_too_large', 'too_large', 'content', IN_WORDS, READ_ONLY, ''],
  [-32017, 'text_too_long', 'too_large', 'content', IN_WORDS, READ_ONLY, ''],
  [-32018, 'invalid_mime_type', 'unsupported_media', 'content', 'Invalid MIME type', READ_ONLY, ''],
  [-32019, 'unsupported_media_type', 'unsupported_media', 'content', IN_WORDS, READ_ONLY, ''],
  [-32020, 'media_type_not_acceptable', 'unsupported_media', 'content', IN_WORDS, READ_ONLY, ''],
  [-32021, 'resource_template_not_found', 'not_found', 'resource_template', IN_WORDS, WRITTEN, 'uri_template'],
  [-32022, 'invalid_uri', 'invalid_arguments', 'uri', 'Invalid URI', WRITTEN, 'uri reason'],
  [-32023, 'uri_syntax_error', 'invalid_arguments', 'uri', 'URI syntax error', WRITTEN, 'uri reason'],
  [-32024, 'uri_too_long', 'too_large', 'uri', 'URI too long', READ_ONLY, ''],
  [-32025, 'resource_access_denied', 'forbidden', 'resource', IN_WORDS, WRITTEN, 'uri required_permission'],
  [-32026, 'resource_already_exists', 'conflict', 'resource', IN_WORDS, READ_ONLY, ''],
  [-32027, 'resource_locked', 'conflict', 'resource', IN_WORDS, READ_ONLY, ''],
  [-32028, 'resource_version_mismatch', 'conflict', 'resource', IN_WORDS, READ_ONLY, ''],
  [-32029, 'template_render_failed', 'internal', 'resource_template', IN_WORDS, WRITTEN, 'uri_template reason'],
  [-32030, 'invalid_uri_template', 'invalid_arguments', 'resource_template', 'Invalid URI template', READ_ONLY, ''],
  [-32031, 'tool_execution_failed', 'internal', 'tool', IN_WORDS, WRITTEN, 'tool reason'],
  [-32032, 'tool_timeout', 'timeout', 'tool', 'Tool execution timeout', WRITTEN, 'tool timeout_ms'],
  [-32033, 'tool_cancelled', 'cancelled', 'tool', 'Tool execution cancelled', WRITTEN, 'tool reason'],
  [-32034, 'invalid_tool_arguments', 'invalid_arguments', 'tool', IN_WORDS, WRITTEN, 'tool details'],
  [-32035, 'tool_disabled', 'unsupported', 'tool', 'Tool is disabled', READ_ONLY, ''],
  [-32036, 'tool_result_too_large', 'too_large', 'tool', IN_WORDS, READ_ONLY, ''],
  [-32037, 'tool_not_allowed', 'forbidden', 'tool', IN_WORDS, READ_ONLY, ''],
  [-32038, 'max_concurrent_tools', 'overloaded', 'tool', 'Maximum concurrent tools exceeded', READ_ONLY, ''],
  [-32039, 'tool_dependency_failed', 'upstream_failed', 'tool', IN_WORDS, READ_ONLY, ''],
  [-32040, 'tool_schema_invalid', 'misconfigured', 'tool', IN_WORDS, READ_ONLY, ''],
  [-32042, 'url_elicitation_required', 'input_required', 'elicitation', 'URL elicitation required', READ_ONLY, ''],
  [-32043, 'prompt_argument_missing', 'invalid_arguments', 'prompt', IN_WORDS, WRITTEN, 'prompt argument'],
  [-32044, 'prompt_render_failed', 'internal', 'prompt', IN_WORDS, WRITTEN, 'prompt reason'],
  [-32045, 'invalid_prompt_arguments', 'invalid_arguments', 'prompt', IN_WORDS, READ_ONLY, 'prompt details'],
  [-32046, 'sampling_failed', 'upstream_failed', 'sampling', IN_WORDS, WRITTEN, 'reason'],
  [-32047, 'sampling_timeout', 'timeout', 'sampling', IN_WORDS, READ_ONLY, ''],
  [-32048, 'invalid_model_preferences', 'invalid_arguments', 'sampling', IN_WORDS, READ_ONLY, ''],
  [-32049, 'model_not_available', 'unavailable', 'sampling', IN_WORDS, READ_ONLY, ''],
  [-32050, 'sampling_rate_limited', 'rate_limited', 'sampling', IN_WORDS, READ_ONLY, ''],
  [-32051, 'authentication_failed', 'unauthenticated', '', IN_WORDS, WRITTEN, 'reason'],
  [-32052, 'authorization_failed', 'forbidden', '', IN_WORDS, WRITTEN, 'operation required_role'],
  [-32053, 'invalid_credentials', 'unauthenticated', '', IN_WORDS, WRITTEN, ''],
  [-32054, 'token_expired', 'unauthenticated', '', IN_WORDS, WRITTEN, 'expired_at'],
  [-32055, 'insufficient_permissions', 'forbidden', '', IN_WORDS, READ_ONLY, ''],
  [-32056, 'access_denied', 'forbidden', '', IN_WORDS, WRITTEN, 'resource'],
  [-32057, 'session_expired', 'expired', 'session', IN_WORDS, READ_ONLY, ''],
  [-32058, 'session_not_found', 'not_found', 'session', IN_WORDS, READ_ONLY, ''],
  [-32059, 'invalid_token', 'unauthenticated', '', IN_WORDS, READ_ONLY, ''],
  [-32060, 'unauthorized_operation', 'forbidden', '', IN_WORDS, READ_ONLY, ''],
  [-32061, 'unsupported_protocol_version', 'unsupported', 'protocol_version', IN_WORDS, WRITTEN, 'requested_version supported_versions'],
  [-32062, 'protocol_version_mismatch', 'unsupported', 'protocol_version', IN_WORDS, WRITTEN, 'clientVersion serverVersion'],
  [-32063, 'capability_negotiation_failed', 'unsupported', 'capability', IN_WORDS, WRITTEN, 'reason'],
  [-32064, 'incompatible_capabilities', 'unsupported', 'capability', IN_WORDS, READ_ONLY, ''],
  [-32065, 'method_not_supported', 'unsupported', 'method', IN_WORDS, READ_ONLY, 'method'],
  [-32066, 'notification_not_supported', 'unsupported', 'notification', IN_WORDS, READ_ONLY, ''],
  [-32067, 'request_id_invalid', 'invalid_request', 'message', 'Invalid request ID', READ_ONLY, ''],
  [-32068, 'request_id_conflict', 'conflict', 'message', 'Request ID conflict', READ_ONLY, ''],
  [-32069, 'batch_request_too_large', 'too_large', 'message', IN_WORDS, READ_ONLY, ''],
  [-32070, 'batch_partial_failure', 'internal', 'message', IN_WORDS, READ_ONLY, ''],
  [-32071, 'invalid_cursor', 'invalid_arguments', 'cursor', IN_WORDS, WRITTEN, 'cursor'],
  [-32072, 'cursor_expired', 'expired', 'cursor', IN_WORDS, WRITTEN, 'cursor ttl_seconds'],
  [-32073, 'pagination_not_supported', 'unsupported', 'cursor', IN_WORDS, READ_ONLY, 'method'],
  [-32074, 'page_size_too_large', 'too_large', 'cursor', IN_WORDS, READ_ONLY, 'actualSize maxSize'],
  [-32075, 'page_size_invalid', 'invalid_arguments', 'cursor', 'Invalid page size', READ_ONLY, ''],
  [-32076, 'invalid_offset', 'invalid_arguments', 'cursor', IN_WORDS, READ_ONLY, ''],
  [-32077, 'cursor_requires_parameter', 'invalid_arguments', 'cursor', IN_WORDS, READ_ONLY, ''],
  [-32078, 'cursor_encoding_failed', 'internal', 'cursor', IN_WORDS, READ_ONLY, ''],
  [-32079, 'pagination_limit_exceeded', 'quota_exhausted', 'cursor', IN_WORDS, READ_ONLY, ''],
  [-32080, 'cursor_position_invalid', 'invalid_arguments', 'cursor', IN_WORDS, READ_ONLY, ''],
  [-32081, 'task_not_found', 'not_found', 'task', IN_WORDS, WRITTEN, 'taskId'],
  [-32082, 'task_already_exists', 'conflict', 'task', IN_WORDS, READ_ONLY, 'taskId'],
  [-32083, 'task_failed', 'internal', 'task', IN_WORDS, WRITTEN, 'taskId reason'],
  [-32084, 'task_cancelled', 'cancelled', 'task', IN_WORDS, WRITTEN, 'taskId'],
  [-32085, 'task_timeout', 'timeout', 'task', IN_WORDS, WRITTEN, 'taskId timeoutMs'],
  [-32086, 'task_state_invalid', 'conflict', 'task', IN_WORDS, READ_ONLY, ''],
  [-32087, 'max_concurrent_tasks', 'overloaded', 'task', 'Maximum concurrent tasks exceeded', READ_ONLY, ''],
  [-32088, 'task_dependency_failed', 'upstream_failed', 'task', IN_WORDS, READ_ONLY, ''],
  [-32089, 'task_result_not_ready', 'not_ready', 'task', IN_WORDS, READ_ONLY, ''],
  [-32090, 'task_already_completed', 'conflict', 'task', IN_WORDS, READ_ONLY, ''],
  [-32091, 'invalid_progress_token', 'invalid_arguments', 'progress_token', IN_WORDS, WRITTEN, 'progressToken'],
  [-32092, 'progress_token_expired', 'expired', 'progress_token', IN_WORDS, WRITTEN, 'progressToken'],
  [-32093, 'progress_update_failed', 'internal', 'progress_token', IN_WORDS, READ_ONLY, 'progressToken reason'],
  [-32094, 'notification_failed', 'internal', 'notification', IN_WORDS, WRITTEN, 'notification_type reason'],
  [-32095, 'notification_queue_full', 'overloaded', 'notification', IN_WORDS, READ_ONLY, 'queueSize'],
  [-32096, 'invalid_notification_type', 'invalid_arguments', 'notification', IN_WORDS, READ_ONLY, ''],
  [-32097, 'notification_not_delivered', 'disconnected', 'notification', IN_WORDS, READ_ONLY, ''],
  [-32098, 'progress_value_invalid', 'invalid_arguments', 'progress_token', IN_WORDS, READ_ONLY, ''],
  [-32099, 'progress_total_invalid', 'invalid_arguments', 'progress_token', IN_WORDS, READ_ONLY, ''],
  [-32110, 'completion_not_found', 'not_found', 'completion', IN_WORDS, WRITTEN, 'completionId'],
  [-32111, 'invalid_completion_reference', 'invalid_arguments', 'completion', IN_WORDS, WRITTEN, 'reference'],
  [-32112, 'invalid_completion_argument', 'invalid_arguments', 'completion', IN_WORDS, WRITTEN, 'argument details'],
  [-32113, 'completion_failed', 'internal', 'completion', IN_WORDS, WRITTEN, 'completionId reason'],
  [-32600, 'invalid_request', 'invalid_request', '', 'Invalid Request', WRITTEN, '"'],
  [-32601, 'method_not_found', 'unsupported', 'method', IN_WORDS, WRITTEN, 'method'],
  [-32602, 'invalid_params', 'invalid_arguments', '', IN_WORDS, WRITTEN, 'details'],
  [-32603, 'internal_error', 'internal', '', IN_WORDS, WRITTEN, ''],
  [-32700, 'parse_error', 'parse_error', '', IN_WORDS, WRITTEN, '"'],
  [1090, 'elicitation_failed', 'internal', 'elicitation', IN_WORDS, WRITTEN, 'reason'],
  [1091, 'elicitation_timeout', 'timeout', 'elicitation', IN_WORDS, WRITTEN, 'timeoutMs'],
  [1092, 'elicitation_cancelled', 'cancelled', 'elicitation', IN_WORDS, READ_ONLY, ''],
  [1093, 'invalid_elicitation_mode', 'unsupported', 'elicitation', IN_WORDS, READ_ONLY, 'mode'],
  [1094, 'elicitation_security_error', 'forbidden', 'elicitation', IN_WORDS, READ_ONLY, 'reason'],
  [1095, 'task_not_found', 'not_found', 'task', IN_WORDS, WRITTEN, 'taskId'],
  [1096, 'task_dependency_failed', 'upstream_failed', 'task', IN_WORDS, READ_ONLY, 'taskId dependencyId'],
  [1097, 'task_cancelled', 'cancelled', 'task', IN_WORDS, READ_ONLY, 'taskId'],
  [1098, 'task_timeout', 'timeout', 'task', IN_WORDS, READ_ONLY, 'taskId timeoutMs'],
  [1099, 'invalid_task_state', 'conflict', 'task', IN_WORDS, READ_ONLY, 'taskId currentState expectedState'],
];

/**
 * Documented codes that turn a request away before any work: malformed, too large, too early or too often, not
 * authorised, or about something that is not there.
 */
// biome-ignore format: a table
const REFUSED: ReadonlySet<number> = new Set([
  -32700, -32600, -32601, -32602, -32001, -32002, -32003, -32004, -32005, -32007, -32010, -32012, -32021, -32022, -32023, -32025, -32034,
  -32043, -32051, -32052, -32053, -32054, -32056, -32061, -32062, -32063, -32071, -32072, -32081, -32091, -32092, -32110, -32111, -32112, 1095,
]);

/** The two that the document's client tries again; it tries no other documented code. */
const RETRIED: ReadonlySet<number> = new Set([-32009, -32010]);

/** `tool_not_found` → `Tool not found`. */
function inWords(name: string): string {
  return (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ');
}

/** All 118 valid codes. */
export const codes: readonly ErlmcpRow[] = /* @__PURE__ */ rows.map(
  ([code, name, kind, subject, title, documented, keys]) => ({
    code,
    name,
    kind,
    title: title === IN_WORDS ? inWords(name) : title,
    refusal: REFUSED.has(code),
    written: documented === WRITTEN,
    steps: STEPS[code] ?? [],
    ...(documented === WRITTEN ? { retryable: RETRIED.has(code) } : {}),
    // Waiting does not help: whoever asks too early has to send something else first.
    ...(code === -32005 ? { reaction: 'validation' as const } : {}),
    keys: keys === '' || keys === STRING ? [] : keys.split(' '),
    isString: keys === STRING,
    ...(subject === '' ? {} : { subject }),
  }),
);

/** Refusals (1001 to 1089) by HTTP status: no valid JSON-RPC codes of erlmcp's, but they occur. Never written. */
// biome-ignore format: a table
const REFUSALS: { readonly [status: number]: readonly number[] } = {
  400: [1021, 1022, 1023, 1025, 1026, 1027, 1028, 1029, 1036, 1037, 1038, 1039, 1040, 1066],
  401: [1011, 1012, 1013, 1015, 1016],
  403: [1014],
  404: [1046, 1048, 1050],
  409: [1047, 1049, 1051, 1052],
  413: [1068],
  415: [1024, 1070],
  429: [1001, 1002, 1003, 1056, 1057, 1058, 1059, 1060],
  503: [1004, 1005, 1067, 1069, 1076, 1077, 1078, 1079, 1080, 1086, 1087, 1088, 1089],
};

/** The same as rows. */
export const refusals: readonly CodeRow[] = /* @__PURE__ */ Object.entries(REFUSALS).flatMap(
  ([status, numbers]) =>
    numbers.map((code) => ({
      code,
      name: `refusal_${code}`,
      title: `Refusal with HTTP status ${status}`,
      kind: kindOfStatus(Number(status)) as Kind,
      status: Number(status),
      written: false,
    })),
);
