/** A refusal that tells of work, of what came out of it or of what is to be done about it is none. */
import { describe, expect, it } from 'vitest';
import { type Executed, read } from '../src/index.ts';
import { rpc } from './helpers.ts';

function executed(value: unknown, tool = 'pay'): Executed | 'success' {
  const reading = read(value, { now: 0, called: { type: 'tool', id: tool } });
  return reading.failure ? reading.fault.executed : 'success';
}

const http = (status: number, body: unknown): object => ({ http: { status, headers: {}, body } });

/** The same words as every kind of refusal. */
function forms(words: string): readonly object[] {
  return [
    ...[-32602, -32600, -32601, -32700].map((code) => rpc(code, words)),
    ...[400, 404, 413].flatMap((status) => [
      http(status, words),
      http(status, { detail: words }),
      http(status, rpc(-32602, words)),
    ]),
  ];
}

describe('somebody else is named', () => {
  it.each([
    'Session not found for mail',
    'Unknown session: mail',
    'No session found for mail',
    'Mail session expired',
    'Mail server not initialized',
    'Bad Request: Server not initialized by mail',
    'Not initialized: mail',
    'Browser is not initialized',
    'Stripe has not been initialized',
  ])('%s', (words) => {
    for (const form of forms(words)) expect(executed(form), JSON.stringify(form)).toBe('maybe');
  });

  it.each([
    'Session not found',
    'Unknown session',
    'Server not initialized',
    'Bad Request: Server not initialized',
    'The MCP server is not initialized yet',
    'Session not found. Please initialize first',
    'Missing session ID in header',
    'Not initialized',
  ])('nobody is: %s', (words) => {
    expect(executed(http(400, words))).toBe('no');
  });
});

describe('the tool ran', () => {
  it.each([
    'Result too large',
    'The result is too large',
    'Response too large',
    'Response exceeds maximum size',
    'Response size 5 MB exceeds the limit',
    'Output too long',
    'Output schema mismatch',
    'Invalid output for tool pay: id: Required',
    'Invalid result from pay',
    'Invalid return value',
    'return value must be a string',
    'Handler must return an object',
    'result.content: Required',
    'structuredContent.id: Required',
    'Failed to serialize result',
    'Elicitation response is invalid',
    'Elicitation not supported',
    'Client does not support sampling',
    'Invalid webhook response',
    'Error executing tool pay: email is invalid',
    'Execution of pay failed: email invalid',
    'Tool pay failed',
    'Tool execution failed: invalid address',
    'Failed: email invalid',
    'Failed to call tool pay: email invalid',
    'Failed to mail it: address invalid',
    'Could not send mail: address invalid',
    'Unable to complete payment: email invalid',
    'handler error: invalid argument',
    'rpc error: code = InvalidArgument desc = email invalid',
    'step 2: email invalid',
    'post-processing: email is invalid',
    'Unknown receipt pay_991',
    'Session not found after payment',
    'after charge: email invalid',
    'insufficient funds left after payment',
    'Refund required',
    'refund is required',
    'manual refund required',
    'payment must be reversed',
    'reconciliation required',
    'Rollback required',
    'Order 7 not found',
    'Customer cus_1 does not exist',
    'Session bob@example.com not found',
    'No valid session ID provided cs_77',
    'Method not found: roots/list',
  ])('%s', (words) => {
    for (const form of forms(words)) expect(executed(form), JSON.stringify(form)).toMatch(/^(?:maybe|yes)$/);
  });
});

describe('the request was looked at', () => {
  it.each([
    'Input validation failed: amount is required',
    'Validation failed',
    'Failed to parse request body',
    'failed to deserialize parameters: missing field `amount`',
    'Request failed',
    'max_results must be at most 100',
    'response_type is required',
    'refund_id is required',
    'amount must be greater than 0',
    'end must be after start',
    'expected 2 arguments, got 0',
    'Invalid email address',
    'email must be a valid email address',
    'Invalid currency: EURO',
    'Missing required parameter: amount',
    'The amount field is required.',
    'amount has an invalid format',
    'String must contain at least 1 character(s)',
    'must have required property "amount"',
    'must NOT have additional properties',
    'must be equal to one of the allowed values',
    "'amount' is a required property",
    "Additional properties are not allowed ('amuont' was unexpected)",
    'Unknown argument: amuont',
    'created_at must be a date',
    'Input should be a valid integer, unable to parse string as an integer',
  ])('%s', (words) => {
    expect([executed(rpc(-32602, words)), executed(http(400, words))]).toEqual(['no', 'no']);
  });
});

describe('a number of JSON-RPC is refused with by words of its own', () => {
  it.each([
    [-32601, 'Too many requests to mail server'],
    [-32601, 'Insufficient funds'],
    [-32601, 'email is invalid'],
    [-32601, 'Customer not found'],
    [-32601, 'amount is required'],
    [-32700, 'email is invalid'],
    [-32700, 'Too many requests'],
    [-32700, 'Insufficient funds'],
    [-32700, 'Customer not found'],
  ])('%i %s is none', (code, words) => {
    expect(executed(rpc(code, words))).toBe('maybe');
  });

  it.each([
    [-32601, ''],
    [-32601, 'Method not found'],
    [-32601, 'Not found'],
    [-32601, 'Unknown method'],
    [-32601, 'tools/call is not supported'],
    [-32601, 'Unknown tool: pay'],
    [-32601, 'Error'],
    [-32700, ''],
    [-32700, 'Parse error'],
    [-32700, 'Invalid JSON'],
    [-32700, 'Unexpected token < in JSON at position 0'],
    [-32700, 'Unexpected end of input'],
    [-32700, 'Malformed message'],
    [-32700, 'Invalid UTF-8'],
  ])('%i %s is one', (code, words) => {
    expect(executed(rpc(code, words))).toBe('no');
  });
});

describe('a tool that was not called', () => {
  it.each([
    rpc(-32602, 'Tool mail not found'),
    rpc(-32602, 'Unknown tool: send_mail'),
    rpc(-32602, "Unknown tool 'send_mail'"),
    rpc(-32602, 'Tool not found: mail'),
    rpc(-32602, 'Invalid arguments for tool mail: address: Required'),
    rpc(-32602, 'Invalid params', { tool: 'mail' }),
    rpc(-32602, 'Invalid parameters for mail.send'),
    rpc(-32600, 'Invalid params for notify'),
    rpc(-32602, 'Invalid arguments for send_receipt: to is required'),
    http(400, 'Invalid params for "notify"'),
    http(400, 'Input validation error: Invalid arguments for tool mail: address: Required'),
    http(425, 'Input validation error: Invalid arguments for tool mail: address: Required'),
    http(404, rpc(-32602, 'Tool mail not found')),
  ])('was called by somebody behind it: %j', (wire) => {
    expect(executed(wire)).toBe('maybe');
  });

  it.each([
    rpc(-32602, 'Tool pay not found'),
    rpc(-32602, 'Unknown tool: pay'),
    rpc(-32602, 'Invalid arguments for tool pay: amount: Required'),
    rpc(-32602, 'Tool not found'),
    rpc(-32602, 'Invalid params', { tool: 'pay' }),
    rpc(-32602, 'Invalid arguments for pay: amount: Required'),
    rpc(-32602, 'Invalid params for tools/call'),
    rpc(-32602, 'Invalid parameters for this request'),
    http(400, 'Input validation error: Invalid arguments for tool pay: amount: Required'),
  ])('is none of these: %j', (wire) => {
    expect(executed(wire)).toBe('no');
  });

  it('is another one, though the name of ours ends like its name', () => {
    expect(executed(rpc(-32602, 'Tool pay not found'), 'book_and_pay')).toBe('maybe');
    expect(executed(rpc(-32602, 'Unknown tool: pay'), 'book_and_pay')).toBe('maybe');
    expect(executed(rpc(-32602, 'Invalid params', { tool: 'pay' }), 'book_and_pay')).toBe('maybe');
    expect(executed(rpc(-32601, 'Method not found: pay'), 'book_and_pay')).toBe('maybe');
    expect(executed(rpc(-32602, 'Unknown tool: book_and_pay'), 'book_and_pay')).toBe('no');
  });
});

describe('a door that counts its visitors', () => {
  const limited = (headers: object, body: string): unknown =>
    executed({ http: { status: 429, headers: { 'retry-after': '0', ...headers }, body } });

  it.each([
    { 'x-transfer-id': 'tr_991' },
    { 'x-document-id': '7' },
    { 'x-resource-id': '7' },
    { 'x-event-id': 'evt_1' },
    { warning: '199 - "payment captured, receipt delayed"' },
    { 'x-status': 'captured' },
    { 'x-error': 'booked, but the mail failed' },
    { 'x-upstream-status': '201 Created' },
  ])('does not give out %j', (headers) => {
    expect(limited(headers, '')).toBe('maybe');
  });

  it.each([
    { 'x-request-id': 'r1' },
    { 'cf-ray': '8f1-FRA', 'cf-cache-status': 'DYNAMIC' },
    { 'x-amzn-requestid': 'a', 'x-amzn-errortype': 'ThrottlingException' },
    { 'transfer-encoding': 'chunked', 'x-ms-request-id': 'a', 'x-vercel-id': 'fra1' },
    { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', status: '429 Too Many Requests' },
    { 'x-envoy-ratelimited': 'true', server: 'envoy' },
    {
      'x-ratelimit-limit': '10, 10;w=1;name="per-ip"',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1',
    },
    { 'x-retry-in': '1.5s', 'retry-after': '2' },
    { 'x-retry-in': '1m2s' },
    { 'x-ratelimit-limit-minute': '5', 'x-ratelimit-remaining-minute': '0', 'ratelimit-reset': '1' },
    { 'x-ratelimit-limit-hour': '50', 'x-kong-request-id': 'a1b2', server: 'kong/3.4.2' },
    { 'ratelimit-policy': '"100-in-1min"; q=100; w=60; pk=:YWJj:', ratelimit: '"100-in-1min"; r=0; t=1' },
    { 'ratelimit-policy': '"permin";q=50;w=60,"perhr";q=1000;w=3600', ratelimit: '"permin";r=0;t=3' },
    { 'x-ratelimit-reset-after': '0.25', 'x-rate-limit-retry-after-seconds': '1', 'retry-after-ms': '250' },
    { 'zp-rid': '5e3c1b2a-1111-4222-8333-444455556666' },
  ])('sends %j', (headers) => {
    expect(limited(headers, '')).toBe('no');
  });

  it.each([
    {
      'www-authenticate':
        'Bearer error="invalid_token", error_description="payment captured, token expired meanwhile"',
    },
    { 'www-authenticate': 'Bearer error_description="the upstream refused your token"' },
    { 'server-timing': 'charge;desc="payment captured"' },
    { 'server-timing': 'cfEdge;dur=4, db;desc="insert order"' },
    { 'server-timing': 'insert_order;dur=53' },
    { 'set-cookie': 'receipt=r%2077; Path=/' },
    { 'set-cookie': '__cf_bm=a; path=/, flash=eyJzIjoib2sifQ; HttpOnly' },
    { 'set-cookie': 'checkout_session=cs_77' },
    { 'set-cookie': ['AWSALB=b', 'flash=eyJzIjoib2sifQ', 'AWSALBCORS=b'] },
    { 'set-cookie': 'connect.sid=s%3Ac; Path=/orders/991' },
    { 'set-cookie': 'AWSALB=b; Path=/, connect.sid=s%3Ac; HttpOnly; path=/pay_991' },
    { 'content-type': 'application/json; charset=utf-8; order=991' },
    { 'idempotency-key': '991' },
    { 'content-disposition': 'inline; filename="receipt-77.pdf"' },
    { 'x-response-data': '{"paid":true}' },
    { 'x-error-type': 'PaymentCapturedMailFailed' },
    { 'retry-after': '-1' },
    { 'retry-after': '-' },
    { 'x-ratelimit-resource': 'mail' },
    { 'x-ratelimit-scope': 'mail' },
    { 'ratelimit-policy': '"mail";q=10;w=60' },
    { 'x-rate-limit-name': 'receipts' },
    { 'x-envoy-ratelimited': 'after payment' },
    { 'x-retry-in': 'a moment, the receipt is on its way' },
    { 'x-ratelimit-limit-minute': 'mail' },
    { 'x-ratelimit-limit-videos-minute': '5' },
    { 'x-kong-limit': 'videos=1' },
    { 'x-ratelimit-bucket': 'abcd1234' },
    { 'x-ratelimit-limit': '10, 10;w=1;name="mail"' },
    { ratelimit: '"100-mails-in-1min"; r=0; t=1' },
    { 'ratelimit-policy': '"default"; q=1; w=1; pk=paid' },
    { 'x-ratelimit-reset-after': 'payment' },
    { 'zp-rid': 'pay_991' },
  ])('says nothing of work in the value of a header: %j', (headers) => {
    expect(limited(headers, '')).toBe('maybe');
    for (const status of [401, 403, 404])
      expect(executed({ http: { status, headers, body: '' } })).toBe('maybe');
  });

  it.each([
    {
      'www-authenticate':
        'Bearer realm="Provider", error="invalid_token", error_description="The access token expired"',
    },
    { 'www-authenticate': 'Bearer error="insufficient_scope", scope="orders.created payments:write"' },
    { 'access-control-expose-headers': 'Mcp-Session-Id, X-Response-Time, X-Created' },
    { 'content-disposition': 'inline; filename="response.bin"' },
    { 'server-timing': 'cfL4;desc="?proto=TCP&rtt=12", cdn-cache; desc=HIT, edge; dur=1, total;dur=12.5' },
    { 'set-cookie': '_orders_session=a; Expires=Wed, 21 Oct 2026 07:28:00 GMT, XSRF-TOKEN=b; SameSite=Lax' },
    { 'set-cookie': 'connect.sid=s%3Ac; Path=/api/v1; HttpOnly' },
    { 'content-type': 'application/problem+json; charset=utf-8; profile="https://example.com/p"' },
    { 'content-type': 'text/html;' },
    { 'retry-after': '0.5' },
    { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' },
    { 'x-ratelimit-resource': 'core', 'x-ratelimit-reset-tokens': '6m0s', 'x-ratelimit-limit': '10, 10;w=1' },
    { 'ratelimit-policy': '"default";q=100;w=60', ratelimit: '"default";r=0;t=30' },
  ])('may send %j', (headers) => {
    expect(executed({ http: { status: 401, headers, body: '' } })).toBe('no');
  });

  it('says each of its cookies, in whatever form the headers come', () => {
    const headers: [string, string][] = [
      ['set-cookie', 'flash=eyJzIjoib2sifQ'],
      ['set-cookie', 'AWSALB=b'],
    ];
    for (const given of [headers, headers.flat(), new Headers(headers)])
      expect(executed({ http: { status: 429, headers: given, body: '' } })).toBe('maybe');
  });

  const challenge = (said: string) => ({
    'www-authenticate': `Bearer error="invalid_token", error_description="${said}"`,
  });

  it.each([
    'payment is complete',
    '支払い完了、メールアドレスが無効です',
    'Платёж проведён, адрес неверный',
    'Session was closed during the request',
    'coupon has been redeemed',
    'Request ID already used',
    'token expired after the charge',
    'the token was revoked, order 7 stands',
    'token is fine',
    'payment_complete',
    'all good; please sign in',
  ])('says nothing but what is wrong with the credential in a challenge: %s', (said) => {
    for (const status of [401, 403])
      expect(executed({ http: { status, headers: challenge(said), body: '' } })).toBe('maybe');
    const named = { 'www-authenticate': `Bearer error="${said}"` };
    expect(executed({ http: { status: 401, headers: named, body: '' } })).toBe('maybe');
  });

  it.each([
    'The access token expired',
    'The access token is invalid',
    'The access token provided is expired, revoked, malformed, or invalid for other reasons.',
    'The request requires higher privileges than provided by the access token.',
    'Missing Authorization header',
    'Invalid or expired token',
    'Token signature is invalid',
    'The token expired at 2026-11-18T00:00:00Z',
    'JWT expired',
    'expired JWT',
    'The token is not active',
    'Token was revoked',
    'The token has been revoked',
    'The issuer is not trusted',
    'Please sign in',
    'Please log in again.',
  ])('may say in a challenge: %s', (said) => {
    expect(executed({ http: { status: 401, headers: challenge(said), body: '' } })).toBe('no');
  });

  it.each([
    'Rate limit exceeded on request 2 of 3',
    'Limit exceeded by this call',
    'Request is in; limit reached',
    'Same key used before',
    'We have your request, please wait',
    'Your request has reached the server. Please wait.',
    'Your call has reached the API; slow down',
    'This action was before your limit',
    'No retry required',
    'Limit reached with this request',
    'Limit reached after this action',
    'Your last request used up the quota',
    'This request used the remaining quota',
    'You have used 10 of 10 calls, this one was the last',
    'The server has your request',
    'All is ready',
    'Action ready. Too many requests',
    'Ready. Slow down',
    'The server has it. Wait.',
    'It was in time',
    '{"message":"Too many requests","state":"ready"}',
    '{"error":"Too many requests","detail":"The server has your request"}',
    'Too many requests. Your request will be used later',
  ])('does not say %j', (words) => {
    expect(limited({}, words)).toBe('maybe');
  });

  it.each([
    'Too Many Requests',
    'Your request was throttled. Please wait 3 seconds',
    'Please wait',
    'Too many requests, please try again later.',
    'Too many requests from this IP, please try again in 15 minutes',
    'Rate limit exceeded',
    'API rate limit exceeded for user',
    'You have exceeded your rate limit',
    'You have reached the limit of 60 requests per minute',
    'You are being rate limited.',
    'Request limit exceeded. Retry after 5 seconds',
    'Only one request per second is allowed',
    'Maximum number of concurrent requests reached, wait until one is over',
    'Server is busy, retry later',
    'The server is overloaded',
    'busy',
    '{"error":{"code":"rate_limit_exceeded","message":"Rate limit exceeded","type":"requests"}}',
    '{"message":"API rate limit exceeded"}',
    '{"error":"rate_limited","retry_after":3}',
    '{"status":429,"error":"Too Many Requests","message":"Too many requests. Wait 3 seconds before retrying"}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Rate limit exceeded","data":{"retryAfter":3,"limit":60}}}',
    '<html>\n<head><title>429 Too Many Requests</title></head>\n<body>\n<center><h1>429 Too Many Requests</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>',
  ])('says %j', (words) => {
    expect(limited({}, words)).toBe('no');
  });
});

describe('a handler’s words under a number of the protocol', () => {
  it.each([
    'deployed: invalid tag',
    'Booking BK-991 must be confirmed by email',
    'Money should be in your account in 2 days',
    'sendMail is not a function',
    'must not pay again',
    'Payment made; receipt address invalid',
    'Charge went through with invalid memo',
    'Order exists now with wrong address',
    'User signed up with invalid email',
    'Ticket opened without required label',
    'Mail went out to unknown recipient',
    'Transfer with invalid memo is on its way',
    'Row is there but has invalid email',
    'Unknown label ignored',
    'Invalid coupon ignored',
    'Unsupported option ignored: notify',
    'Duplicate ignored: must be unique',
    'Webhook target not found',
    'Slack channel not found',
    'Customer not found',
    'Two rows not found',
    'Some rows were not valid',
    'Cannot find printer for label',
    'The server has your request',
    'The call was executing',
    'Missing permission to send the mail',
    'Permission denied to notify customer',
    'Balance is now -5, must not be negative',
    'Cannot be rolled back',
    'Cannot be reverted',
    'Cannot be undone',
    'Email already has invalid tag',
    'Two items are invalid',
    'must not be repeated',
    'Should not be called again',
    '3 of 5 items are invalid',
    'expected 1 row, got 0',
  ])('%j proves nothing', (words) => {
    expect([executed(rpc(-32602, words)), executed(http(400, words))]).toEqual(['maybe', 'maybe']);
  });
});
