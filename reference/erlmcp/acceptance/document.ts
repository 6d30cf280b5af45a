/** The document's sections, typed by hand from it: one row for each of its 56 codes. */

/** What the example of a section shows in `data`: its members, a string, nothing; or there is no example. */
type Shape = readonly string[] | 'string' | 'none' | 'any';

/** Requirement, code, message, data, category, severity. */
export const SECTIONS: readonly [string, number, string, Shape, string, string][] = [
  ['ER-19', -32700, 'Parse error', 'string', 'jsonrpc', 'critical'],
  ['ER-20', -32600, 'Invalid Request', 'string', 'jsonrpc', 'critical'],
  ['ER-21', -32601, 'Method not found', ['method'], 'jsonrpc', 'error'],
  ['ER-22', -32602, 'Invalid params', ['details'], 'jsonrpc', 'error'],
  ['ER-23', -32603, 'Internal error', 'none', 'jsonrpc', 'critical'],
  ['ER-24', -32001, 'Resource not found', ['uri'], 'mcp_core', 'error'],
  ['ER-25', -32002, 'Tool not found', ['tool'], 'mcp_core', 'error'],
  ['ER-26', -32003, 'Prompt not found', ['prompt'], 'mcp_core', 'error'],
  ['ER-27', -32004, 'Capability not supported', ['capability'], 'mcp_core', 'error'],
  ['ER-28', -32005, 'Server not initialized', ['phase'], 'mcp_core', 'error'],
  ['ER-29', -32006, 'Subscription failed', ['uri', 'reason'], 'mcp_core', 'error'],
  ['ER-30', -32007, 'Validation failed', ['field', 'constraint'], 'mcp_core', 'error'],
  ['ER-31', -32008, 'Transport error', ['reason'], 'mcp_core', 'error'],
  ['ER-32', -32009, 'Request timeout', ['timeout_ms', 'elapsed_ms'], 'mcp_core', 'error'],
  ['ER-33', -32010, 'Rate limit exceeded', ['limit', 'window', 'retry_after'], 'mcp_core', 'error'],
  [
    'ER-34',
    -32011,
    'Tool description exceeds maximum length',
    ['actual_length', 'max_length'],
    'content',
    'warning',
  ],
  [
    'ER-35',
    -32012,
    'Message size exceeds maximum allowed',
    ['actual_size', 'max_size', 'unit'],
    'content',
    'warning',
  ],
  ['ER-36', -32013, 'Invalid content type', ['content_type'], 'content', 'warning'],
  ['ER-37', -32014, 'Content too large', 'any', 'content', 'warning'],
  ['ER-38', -32015, 'Invalid encoding', ['encoding', 'position'], 'content', 'warning'],
  ['ER-39', -32021, 'Resource template not found', ['uri_template'], 'resource', 'warning'],
  ['ER-40', -32022, 'Invalid URI', ['uri', 'reason'], 'resource', 'warning'],
  ['ER-41', -32023, 'URI syntax error', 'any', 'resource', 'warning'],
  ['ER-42', -32025, 'Resource access denied', ['uri', 'required_permission'], 'resource', 'warning'],
  ['ER-43', -32029, 'Template render failed', ['uri_template', 'reason'], 'resource', 'warning'],
  ['ER-44', -32031, 'Tool execution failed', ['tool', 'reason'], 'tool', 'warning'],
  ['ER-45', -32032, 'Tool execution timeout', ['tool', 'timeout_ms'], 'tool', 'warning'],
  ['ER-46', -32033, 'Tool execution cancelled', ['tool', 'reason'], 'tool', 'warning'],
  ['ER-47', -32034, 'Invalid tool arguments', ['tool', 'details'], 'tool', 'warning'],
  ['ER-48', -32043, 'Prompt argument missing', ['prompt', 'argument'], 'prompt', 'warning'],
  ['ER-49', -32044, 'Prompt render failed', 'any', 'prompt', 'warning'],
  ['ER-50', -32046, 'Sampling failed', ['reason'], 'prompt', 'warning'],
  ['ER-51', -32051, 'Authentication failed', ['reason'], 'auth', 'warning'],
  ['ER-52', -32052, 'Authorization failed', ['operation', 'required_role'], 'auth', 'warning'],
  ['ER-53', -32053, 'Invalid credentials', 'any', 'auth', 'warning'],
  ['ER-54', -32054, 'Token expired', ['expired_at'], 'auth', 'warning'],
  ['ER-55', -32056, 'Access denied', 'any', 'auth', 'warning'],
  [
    'ER-56',
    -32061,
    'Unsupported protocol version',
    ['requested_version', 'supported_versions'],
    'protocol',
    'warning',
  ],
  ['ER-57', -32062, 'Protocol version mismatch', 'any', 'protocol', 'warning'],
  ['ER-58', -32063, 'Capability negotiation failed', 'any', 'protocol', 'warning'],
  ['ER-59', -32071, 'Invalid cursor', ['cursor'], 'pagination', 'warning'],
  ['ER-60', -32072, 'Cursor expired', ['cursor', 'ttl_seconds'], 'pagination', 'warning'],
  ['ER-61', -32081, 'Task not found', ['taskId'], 'task', 'info'],
  ['ER-62', -32083, 'Task failed', ['taskId', 'reason'], 'task', 'info'],
  ['ER-63', -32084, 'Task cancelled', 'any', 'task', 'info'],
  ['ER-64', -32085, 'Task timeout', 'any', 'task', 'info'],
  ['ER-65', -32091, 'Invalid progress token', ['progressToken'], 'progress', 'info'],
  ['ER-66', -32092, 'Progress token expired', 'any', 'progress', 'info'],
  ['ER-67', -32094, 'Notification failed', ['notification_type', 'reason'], 'progress', 'info'],
  ['ER-68', -32110, 'Completion not found', 'any', 'completion', 'info'],
  ['ER-69', -32111, 'Invalid completion reference', 'any', 'completion', 'info'],
  ['ER-70', -32112, 'Invalid completion argument', 'any', 'completion', 'info'],
  ['ER-71', -32113, 'Completion failed', 'any', 'completion', 'info'],
  ['ER-72', 1090, 'Elicitation failed', 'any', 'experimental', 'info'],
  ['ER-73', 1091, 'Elicitation timeout', 'any', 'experimental', 'info'],
  ['ER-74', 1095, 'Task not found', 'any', 'experimental', 'info'],
];

/** The troubleshooting steps of the sections that have some. */
export const STEPS: readonly [string, number, readonly string[]][] = [
  [
    'ER-19',
    -32700,
    ['Validate JSON with a linter', 'Check for UTF-8 encoding issues', 'Verify message completeness'],
  ],
  [
    'ER-20',
    -32600,
    [
      'Verify all required fields are present',
      'Check field types match specification',
      'For batches, ensure each item is valid',
    ],
  ],
  [
    'ER-21',
    -32601,
    ['Check method name spelling', 'Verify server capabilities', 'Ensure proper initialization'],
  ],
  [
    'ER-22',
    -32602,
    [
      'Check method signature in documentation',
      'Verify all required parameters are present',
      'Validate parameter types',
    ],
  ],
  [
    'ER-23',
    -32603,
    [
      'Check server logs for stack trace',
      'Report bug with reproduction steps',
      'Restart server if resource exhaustion',
    ],
  ],
  [
    'ER-24',
    -32001,
    [
      'List available resources with `resources/list`',
      'Verify URI is correct',
      'Check resource registration',
    ],
  ],
  [
    'ER-25',
    -32002,
    ['List available tools with `tools/list`', 'Verify tool name spelling', 'Check tool registration'],
  ],
  [
    'ER-27',
    -32004,
    [
      'Check server capabilities in initialize response',
      'Use only declared capabilities',
      'Upgrade server if needed',
    ],
  ],
  [
    'ER-28',
    -32005,
    [
      'Send `initialize` request first',
      'Wait for `notifications/initialized`',
      'Then proceed with other requests',
    ],
  ],
  [
    'ER-32',
    -32009,
    ['Increase timeout if needed', 'Check server load', 'Use progress tokens for long operations'],
  ],
  [
    'ER-33',
    -32010,
    ['Implement exponential backoff', 'Check `retry_after` value', 'Reduce request frequency'],
  ],
  [
    'ER-35',
    -32012,
    [
      'Split large content into chunks',
      'Use resource references instead of inline content',
      'Configure larger limit if needed',
    ],
  ],
  [
    'ER-42',
    -32025,
    ['Check authentication status', 'Verify resource permissions', 'Contact administrator for access'],
  ],
  [
    'ER-54',
    -32054,
    ['Refresh authentication token', 'Re-authenticate with server', 'Check token expiration time'],
  ],
  [
    'ER-60',
    -32072,
    [
      'Restart pagination from beginning',
      'Reduce page size to process faster',
      'Check cursor TTL configuration',
    ],
  ],
];

/** The codes that the sample client tries again: a timeout, and a rate limit after its wait. */
export const RETRIED = [-32009, -32010];
