/** What servers answer who turn a request away and say what is wrong with it: nothing was done. */

/** An error of JSON-RPC. */
export const rpc = (code: number, message: string, data?: unknown): object => ({
  jsonrpc: '2.0',
  id: 1,
  error: data === undefined ? { code, message } : { code, message, data },
});
/** An answer of HTTP. */
export const http = (
  status: number,
  body: unknown = '',
  headers: object = {},
  more: object = {},
): object => ({
  http: { status, headers, body, ...more },
});
/** What a checker of types says. */
const zod =
  '[\n  {\n    "code": "invalid_type",\n    "expected": "number",\n    "received": "string",\n    "path": [\n      "amount"\n    ],\n    "message": "Expected number, received string"\n  }\n]';

/** Each is a refusal, and nothing more. */
export const OWN_REFUSALS: readonly object[] = [
  rpc(-32602, 'Invalid params', { issues: [{ path: ['amount'], message: 'Required' }] }),
  rpc(-32602, 'Invalid params', { reason: 'unknown_tool', name: 'pay' }),
  rpc(-32602, `Invalid arguments for tool pay: ${zod}`),
  rpc(-32602, `MCP error -32602: Input validation error: Invalid arguments for tool pay: ${zod}`),
  rpc(-32602, 'Tool pay not found'),
  rpc(-32602, 'Unknown tool: send_money'),
  rpc(-32602, 'Prompt greet not found'),
  rpc(-32602, 'Resource file:///tmp/x not found'),
  rpc(-32602, 'Missing required arguments: amount, currency'),
  rpc(-32602, 'amount and currency are required'),
  rpc(-32602, 'data/amount must be number'),
  rpc(-32602, 'amount must be greater than 0'),
  rpc(-32602, 'Value error, amount must be > 0'),
  rpc(-32602, '✖ Invalid input: expected number, received string\n  → at amount'),
  rpc(-32602, 'Too small: expected number to be >=1'),
  rpc(-32602, 'Invalid params: missing field `amount`'),
  rpc(-32602, 'failed to deserialize parameters: missing field `amount`'),
  rpc(-32602, "Invalid enum value. Expected 'EUR' | 'USD', received \"GBP\""),
  rpc(-32602, 'Unrecognized key(s) in object: "amuont"'),
  rpc(
    -32602,
    "1 validation error for call[pay]\namount\n  Field required [type=missing, input_value={'x': 1}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.11/v/missing",
  ),
  rpc(-32601, 'Method not found: tools/cal'),
  rpc(-32601, 'Method not found', { method: 'tools/cal' }),
  rpc(-32600, 'Invalid Request'),
  rpc(-32700, 'Parse error: Invalid JSON'),
  rpc(-32700, 'Unexpected token < in JSON at position 0'),
  http(400, '{"error":"amount: expected number but got string"}'),
  http(400, rpc(-32000, 'Bad Request: Mcp-Session-Id header is required')),
  http(400, rpc(-32000, 'Bad Request: No valid session ID provided')),
  http(400, 'Bad Request: No valid session ID provided'),
  http(400, { ...rpc(-32600, 'Bad Request: No valid session ID provided'), id: 'server-error' }),
  http(400, 'Could not find session'),
  http(400, rpc(-32600, 'Invalid or expired session ID')),
  http(404, { ...rpc(-32600, 'Not Found: Invalid or expired session ID'), id: 'server-error' }),
  http(404, '{"error":"Could not find session"}'),
  http(
    400,
    rpc(-32000, 'Bad Request: Unsupported protocol version (supported versions: 2025-06-18, 2025-03-26)'),
  ),
  http(401, '{"error":"invalid_token","error_description":"The access token expired"}', {
    'www-authenticate': 'Bearer error="invalid_token"',
  }),
  http(401, 'Unauthorized'),
  http(403, '{"message":"Forbidden"}', { 'x-amzn-errortype': 'ForbiddenException', 'x-cache': 'Error' }),
  http(403, '{"error":"insufficient_scope","scope":"orders:write"}'),
  http(403, rpc(-32000, 'Invalid Host: evil.example.com')),
  http(404, '404 page not found'),
  http(404, '{"detail":"Not Found"}', { server: 'uvicorn', 'content-length': '22' }),
  http(404, '{"message":"Route POST:/mcp not found","error":"Not Found","statusCode":404}'),
  http(
    404,
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot POST /mcp</pre>\n</body>\n</html>\n',
    { 'x-powered-by': 'Express', 'content-security-policy': "default-src 'none'", etag: 'W/"8b-x"' },
  ),
  http(405, rpc(-32000, 'Method not allowed.'), { allow: 'POST' }),
  http(406, rpc(-32000, 'Not Acceptable: Client must accept both application/json and text/event-stream')),
  http(413, '{"message":"request entity too large","length":200,"limit":100,"type":"entity.too.large"}'),
  http(415, 'Unsupported Media Type: Content-Type must be application/json'),
  http(429, '', { 'x-ratelimit-remaining': '0', 'retry-after': '3', 'cf-ray': '8f-FRA' }),
  http(429, '', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, { statusText: 'Too Many Requests' }),
  http(429, 'busy', {
    connection: 'keep-alive',
    'keep-alive': 'timeout=5',
    date: 'Wed, 21 Oct 2026 07:28:00 GMT',
    'transfer-encoding': 'chunked',
    'strict-transport-security': 'max-age=1',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'origin-agent-cluster': '?1',
    'report-to': '{}',
    'x-amz-cf-pop': 'FRA60-P1',
    'x-envoy-upstream-service-time': '4',
    'x-github-request-id': 'x',
    'access-control-expose-headers': 'mcp-session-id',
    'set-cookie': '__cf_bm=a; expires=Wed, 21 Oct 2026 07:28:00 GMT; path=/, AWSALB=b, connect.sid=s%3Ac',
  }),
  http(429, '', { link: '<https://example.com/limits>; rel="help"' }),
  http(429, '100 requests per 15 minutes'),
  http(429, 'Limit of 60 reached, try again in 1.5 s'),
];
