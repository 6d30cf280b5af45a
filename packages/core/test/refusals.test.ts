import { describe, expect, it } from 'vitest';
import { type Executed, read } from '../src/index.ts';

function executed(value: unknown): Executed | 'success' {
  const reading = read(value, { now: 0 });
  return reading.failure ? reading.fault.executed : 'success';
}

const rpc = (code: number, message: string, data?: unknown): object => ({
  jsonrpc: '2.0',
  id: 1,
  error: data === undefined ? { code, message } : { code, message, data },
});
const http = (status: number, body: unknown = '', headers: object = {}, more: object = {}): object => ({
  http: { status, headers, body, ...more },
});
const zod =
  '[\n  {\n    "code": "invalid_type",\n    "expected": "number",\n    "received": "string",\n    "path": [\n      "amount"\n    ],\n    "message": "Expected number, received string"\n  }\n]';

describe('a refusal that says what is wrong with the request is proof', () => {
  it.each([
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
  ])('%j', (wire) => {
    expect(executed(wire)).toBe('no');
  });
});

describe('a refusal that says more is none', () => {
  it.each([
    rpc(-32602, 'Payment booked; receipt address invalid'),
    rpc(-32602, 'Payment made; receipt address invalid'),
    rpc(-32602, 'Payment 7: receipt address invalid'),
    rpc(-32602, 'ok 7: invalid'),
    rpc(-32602, '支払い完了; invalid mail'),
    rpc(-32602, 'Invalid email (reservation R7 made)'),
    http(400, '{"name":"order 7"}'),
    http(400, '{"data":7}'),
    rpc(-32602, 'Zahlung gebucht; Quittung fehlgeschlagen'),
    rpc(-32601, 'Zahlung gebucht; Quittung fehlgeschlagen'),
    rpc(-32602, 'Betrag überwiesen; Adresse invalid'),
    rpc(-32602, 'Paiement effectué, adresse invalide'),
    rpc(-32602, 'Invalid params', { orderId: 7 }),
    rpc(-32602, 'Invalid params', { orderId: null }),
    rpc(-32602, 'Invalid params: {"orderId":7}'),
    rpc(-32602, 'Invalid params', { message: 'payment 7 booked, receipt failed' }),
    rpc(-32602, 'Invalid params', 7),
    rpc(-32600, 'Invalid Request', { payment: 'pay_7' }),
    rpc(-32700, 'Parse error', { order: { id: 7 } }),
    http(400, '{"orderId":7}'),
    http(400, '{"orderId":7,"error":"mail"}'),
    http(400, 'Payment booked; receipt mail address invalid'),
    http(400, 'Zahlung gebucht; Quittung fehlgeschlagen'),
    http(401, 'payment captured; then token expired'),
    http(403, '{"payment":"pay_7","status":"captured"}'),
    http(404, '{"orderId":7}'),
    http(404, rpc(-32001, 'Session not found', { orderId: 7 })),
    http(400, rpc(-32000, 'Bad Request: No valid session ID provided', { orderId: 7 })),
    http(400, 'Could not find session cs_77'),
    http(400, 'Could not find session for order'),
    http(400, 'Payment accepted; no valid session ID provided'),
    http(400, 'No valid session ID provided; request timed out'),
    http(400, 'Session terminated'),
    http(404, rpc(-32600, 'Session has been terminated')),
    http(400, 'Session closed'),
    http(400, 'Invalid session ID provided after payment'),
    http(403, 'Could not find session'),
    rpc(-32602, 'Could not find session'),
    http(405, '', { location: '/orders/7' }),
    http(413, 'Order created, attachment too large'),
    http(404, '', { 'x-order-id': '7' }),
    http(403, '', {}, { statusText: 'Payment booked' }),
    http(429, '{"order 7 placed":null}'),
    http(429, '{"orderId":null}'),
    http(429, '7'),
    http(429, 7),
    http(429, '{"message":7}'),
    http(429, 'Too many requests 4711'),
    http(429, 'Rate limit reached after this call'),
    http(429, '{"message":"order 7 placed","message":"Too many requests"}'),
    http(404, '{"message":"order 7 there","message":"Not found"}'),
    http(429, '', { 'x-order-id': '7' }),
    http(429, '', { link: '</orders/7>; rel="item"' }),
    http(429, '', { link: '</x>; rel="help", </orders/7>; rel="item"' }),
    http(429, '', { 'retry-after': 'order 7 placed' }),
    http(429, '', {}, { statusText: 'Payment booked' }),
  ])('%j', (wire) => {
    expect(executed(wire)).toBe('maybe');
  });
});
