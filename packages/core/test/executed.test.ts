import { describe, expect, it } from 'vitest';
import { executed, http, rpc, tool } from './failing-wires.ts';

const mayday = (said: string, kind = 'rate_limited'): object =>
  tool('x', { _meta: { 'dev.mayday/fault': { kind, reaction: 'retryable', executed: said, message: 'x' } } });
const problem = (code: string, status: number): object => ({
  type: `https://closient.com/docs/errors/${code}`,
  title: code,
  status,
  detail: 'Slow down',
  error_code: code,
  retryable: true,
});

describe('evidence that nothing was executed', () => {
  it.each([
    // JSON-RPC's own refusals, by the protocol layer
    ['-32700', rpc(-32700, 'Parse error'), 'no'],
    ['-32600', rpc(-32600, 'Invalid Request'), 'no'],
    ['-32601', rpc(-32601, 'Method not found'), 'no'],
    ['-32602', rpc(-32602, 'Invalid params'), 'no'],
    ['-32602, unknown tool', rpc(-32602, 'Unknown tool: pay'), 'no'],
    ['-32602 that lists what is wrong', rpc(-32602, 'Invalid arguments: amount is required'), 'no'],
    ['-32602 over a failure further away', rpc(-32602, 'fetch failed'), 'maybe'],
    [
      '-32602 over a result that ran',
      rpc(-32602, 'Invalid tools/call result: [{"path":["content"]}]'),
      'yes',
    ],
    [
      '-32602 beside a result',
      { ...rpc(-32602, 'Invalid params'), result: { content: [{ type: 'text', text: 'x' }] } },
      'maybe',
    ],
    ['-32602 beside another member', { ...rpc(-32602, 'Invalid params'), order: 77 }, 'maybe'],
    ['-32602 beside a member with nothing in it', { ...rpc(-32602, 'Invalid params'), order: null }, 'maybe'],
    ['-32602 beside no result', { ...rpc(-32602, 'Invalid params'), result: null }, 'no'],
    ['a declaration in a body', { http: { status: 429, body: JSON.stringify(mayday('no')) } }, 'no'],
    [
      'a declaration in a body that names its result twice',
      { http: { status: 429, body: JSON.stringify(mayday('no')).replace('"result":', '"result":{},$&') } },
      'maybe',
    ],
    ['-32602 as JSON-RPC 1 has it', { ...rpc(-32602, 'Invalid params'), result: null }, 'no'],
    ['-32603', rpc(-32603, 'Internal error'), 'maybe'],
    ['-32603 with words', rpc(-32603, 'Rate limit exceeded'), 'maybe'],
    ['-32000 with words', rpc(-32000, 'Rate limit exceeded'), 'maybe'],
    ['a status as a code', rpc(429, 'Too many requests', { retryAfterSeconds: 3 }), 'maybe'],
    ['-32602 quoted by a tool', tool('MCP error -32602: Invalid arguments for tool pay'), 'maybe'],
    ['-32602 that wants to be asked again', rpc(-32602, 'Invalid params', { retryable: true }), 'maybe'],
    // the transport's own status
    ['HTTP 400 that wants to be asked again', http(400, { error: 'Bad request', retryable: true }), 'maybe'],
    [
      'HTTP 429 that wants to be asked again',
      http(429, { error: 'Too many requests', retryable: true }),
      'no',
    ],
    ...[400, 401, 403, 404, 405, 406, 413, 415, 429].map(
      (status) => [`HTTP ${status}`, http(status), 'no'] as const,
    ),
    ...[408, 409, 410, 422, 423, 424, 500, 501, 502, 503, 504, 520, 522, 529].map(
      (status) => [`HTTP ${status}`, http(status), 'maybe'] as const,
    ),
    ['HTTP 503 with Retry-After', http(503, 'busy', { 'retry-after': '3' }), 'maybe'],
    ['HTTP 429 with words', http(429, 'Too many requests'), 'no'],
    ...[
      '{"error":"Rate limit exceeded. Try again in 3 seconds."}',
      '{"message":"Too Many Requests","statusCode":429}',
      '{"error":{"message":"Too many requests, please try again later."}}',
      '{"type":"about:blank","title":"Too many requests","status":429}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Too many requests"}}',
      '<html><head><title>429 Too Many Requests</title></head><body><center>nginx</center></body></html>',
      'You have exceeded 60 requests per minute',
      '{"error":"rate_limit_exceeded","retry_after_ms":1500,"limit":60,"remaining":0,"request_id":"req_8f3a"}',
      '{"success":false,"error":{"type":"rateLimitExceeded","code":429,"message":"Slow down","param":null}}',
      '{"type":"https://example.com/problems/rate-limited","title":"Too Many Requests","status":429,"traceId":"00-4bf9-01"}',
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"Too many requests","data":{"retryAfter":2}}}',
      '<html>\r\n<head><title>429 Too Many Requests</title></head>\r\n<body bgcolor="white">\r\n<center><h1>429 Too Many Requests</h1></center>\r\n<hr><center>nginx/1.24.0</center>\r\n</body>\r\n</html>\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->',
      'Rate limited until 2026-11-15T16:00:00Z. Request ID: 01HF7Y',
    ].map((body) => [`HTTP 429 of its own door: ${body}`, http(429, body), 'no'] as const),
    ...[
      'upstream rate limit exceeded',
      '{"error":"upstream rate limit exceeded"}',
      '{"error":{"message":"The backend answered 429"}}',
      '{"message":"Booked. Mail service said 429 Too Many Requests"}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Too many requests","data":{"stripe":"rate limited the refund"}}}',
      'Payment accepted; receipt email failed: 429',
      'created but the notification service is unavailable',
      'connect ECONNREFUSED 10.0.0.1:25',
      'backend api.bank.com answered: rate limited',
      'Rate limit reached for gpt-4 in organization org-x',
      'Order 17 is placed, the mailer is rate limited',
      '{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":1}}}}}}}}',
      // more than the limit, a wait or an id of the request
      '{"orderId":7}',
      '{"id":7,"error":"too many requests"}',
      '{"error":"too many requests","payment":"pay_123"}',
      '{"error":"too many requests","success":true}',
      '{"error":"too many requests","state":"open"}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Too many requests","data":{"orderId":7}}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Too many requests","orderId":7}}',
      '{"jsonrpc":"2.0","id":1,"orderId":7,"error":{"code":-32000,"message":"Too many requests"}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Too many requests","data":{"executed":"maybe"}}}',
      'cGF5bWVudCBib29rZWQ=',
      'pay_123',
      '<html><body>Too many requests<!-- order 7 --></body></html>',
      '<html><head><meta name="order" content="7"></head><body>Too many requests</body></html>',
    ].map((body) => [`HTTP 429 about somebody else: ${body}`, http(429, body), 'maybe'] as const),
    ['HTTP 429 with a place', http(429, '', { location: '/orders/7' }), 'maybe'],
    ['HTTP 425 with a result', http(425, '{"state":"done"}'), 'maybe'],
    ['HTTP 429 with a sign', http(429, '✅'), 'maybe'],
    ['HTTP 425 with marks', http(425, '!!'), 'maybe'],
    ['HTTP 429 with a word that is no complaint', http(429, 'no'), 'maybe'],
    ['HTTP 429 with bytes', http(429, '\u0000\u0001\ufffd'), 'maybe'],
    ['HTTP 429 with a number of something', http(429, '{"code":991}'), 'maybe'],
    ['HTTP 429 without a body', http(429, ''), 'no'],
    ['HTTP 429 with an empty object', http(429, '{}'), 'no'],
    ['HTTP 429 with its status', http(429, '{"code":429}'), 'no'],
    ['HTTP 429 with a wait', http(429, '{"retry_after":5}'), 'no'],
    ['HTTP 429 with words and a number', http(429, '{"code":88,"message":"Rate limit exceeded"}'), 'maybe'],
    ['HTTP 429 with words and a code', http(429, '{"error":"Too many requests","code":991}'), 'maybe'],
    [
      'HTTP 429 with words and another status',
      http(429, '{"title":"Too Many Requests","status":200}'),
      'maybe',
    ],
    ['HTTP 429 with words and an id', http(429, '{"message":"Too many requests","id":991}'), 'maybe'],
    [
      'HTTP 429 with words and counts',
      http(429, '{"message":"Too many requests","limit":60,"remaining":0}'),
      'no',
    ],
    ['HTTP 429 with the number of gRPC', http(429, '{"code":8,"message":"Quota exceeded"}'), 'no'],
    ['HTTP 429 in JSON-RPC', http(429, rpc(-32000, 'Too many requests')), 'no'],
    [
      'HTTP 429 that says yes in passing',
      http(
        429,
        rpc(-32000, 'Too many requests', { 'dev.mayday/fault': { kind: 'rate_limited', executed: 'yes' } }),
      ),
      'yes',
    ],
    ['HTTP 429 that says yes', http(429, rpc(-32000, 'Too many requests', { executed: 'yes' })), 'yes'],
    ['HTTP 404 about somebody else', http(404, 'upstream not found'), 'maybe'],
    ['HTTP 400 after a part of the work', http(400, 'Payment accepted; the mail is invalid'), 'maybe'],
    ['HTTP 400 about the arguments', http(400, '{"error":"amount: expected number but got string"}'), 'no'],
    ['HTTP 429 around a tool result', http(429, tool('Rate limit exceeded')), 'maybe'],
    ['HTTP 400 around an internal error', http(400, rpc(-32603, 'Rate limit exceeded')), 'maybe'],
    ['HTTP 400 around a failure further away', http(400, 'fetch failed'), 'maybe'],
    ['HTTP 404 around -32601', http(404, rpc(-32601, 'Method not found')), 'no'],
    // declarations in a dialect that defines them
    ['a fault document that says no', mayday('no'), 'no'],
    ['a fault document that says maybe', mayday('maybe'), 'maybe'],
    ['a fault document that says yes', mayday('yes'), 'yes'],
    ['a fault document that says nothing', mayday('perhaps'), 'maybe'],
    ['notProcessed', rpc(-32024, 'x', { reason: 'overloaded', retryAfterMs: 5, notProcessed: true }), 'no'],
    ['notProcessed: false', rpc(-32024, 'x', { reason: 'overloaded', notProcessed: false }), 'maybe'],
    ['no notProcessed', rpc(-32024, 'x', { reason: 'overloaded' }), 'maybe'],
    // a number, with whatever members: any handler can throw it
    ['the drafted rate limit', rpc(-32023, 'x', { retryAfterMs: 5 }), 'maybe'],
    [
      'Closient, before the business rules',
      { result: { error: { code: -32003, message: 'x', data: problem('rate_limited', 429) } } },
      'maybe',
    ],
    [
      'Closient, a business rule',
      { result: { error: { code: -32201, message: 'x', data: problem('conflict', 409) } } },
      'maybe',
    ],
    ['Closient, as heard by some other tool', tool(JSON.stringify(problem('rate_limited', 429))), 'maybe'],
    [
      'Closient, in some other tool’s content',
      tool('x', { structuredContent: problem('rate_limited', 429) }),
      'maybe',
    ],
    [
      'erlmcp, told by its message and data',
      rpc(-32010, 'Rate limit exceeded', { limit: 1, window: 1, retry_after: 1 }),
      'maybe',
    ],
    ['erlmcp, the same number alone', rpc(-32010, 'Slow down, rate limit'), 'maybe'],
    ['erlmcp, once a tool runs', rpc(-32031, 'Tool execution failed', { tool: 'pay', reason: 'x' }), 'maybe'],
    [
      'onX, whose retryable says nothing of it',
      { result: { error: { code: 3001, message: 'x', retryable: true } } },
      'maybe',
    ],
    ['qaqnuz, refused by policy', { error_class: 'permission', sanitized_error: 'x' }, 'no'],
    ['qaqnuz, something transient', { error_class: 'retryable', sanitized_error: 'x' }, 'maybe'],
    ['Platica, a backend that limits', tool('{"code":429,"error":"Too many requests"}'), 'maybe'],
    [
      'a tool failure refused by policy',
      tool('x', {
        _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'governance', code: 'policy_blocked' } },
      }),
      'no',
    ],
    [
      'a tool failure that may be retried',
      tool('x', {
        _meta: {
          'io.modelcontextprotocol/toolFailure': {
            class: 'reliability',
            code: 'rate_limited',
            retryable: true,
          },
        },
      }),
      'maybe',
    ],
  ] as const)('%s', (_, wire, expected) => {
    expect(executed(wire)).toBe(expected);
  });

  it('counts a number of a dialect that was named', () => {
    const wire = rpc(-32010, 'slow down');
    const drafted = rpc(-32023, 'Rate limited', { retryAfterMs: 5 });
    const closient = {
      result: { error: { code: -32003, message: 'Rate limited', data: problem('rate_limited', 429) } },
    };
    expect(executed(drafted, { from: 'mcp@draft' })).toBe('no');
    expect(executed(closient, { from: 'closient' })).toBe('no');
    expect(executed(wire, { from: 'erlmcp' })).toBe('no');
    expect(executed(wire, { from: 'erlmcp', trustDeclarations: false })).toBe('maybe');
    expect(executed(tool('MCP error -32010: slow down'), { from: 'erlmcp' })).toBe('maybe');
    expect(executed(tool('MCP error -32003: slow down'), { from: 'closient' })).toBe('maybe');
  });

  it('takes a result inside an exception for a result', () => {
    const body = tool('Rate limit exceeded');
    const thrown = { name: 'SdkHttpError', message: 'x', data: { status: 429, text: JSON.stringify(body) } };
    expect(executed({ thrown }, { began: false })).toBe('maybe');
  });

  it('believes a server’s declaration as far as it is trusted', () => {
    const distrust = { trustDeclarations: false };
    expect(executed(mayday('no'), distrust)).toBe('maybe');
    expect(executed(mayday('yes'), distrust)).toBe('yes');
    expect(executed(rpc(-32023, 'x', { retryAfterMs: 5 }), distrust)).toBe('maybe');
    expect(executed({ error_class: 'permission', sanitized_error: 'x' }, distrust)).toBe('maybe');
    // What the protocol and the transport refuse is no declaration.
    expect(executed(rpc(-32601, 'Method not found'), distrust)).toBe('no');
    expect(executed(http(429), distrust)).toBe('no');
  });

  it('finds none in anything that a handler met', () => {
    for (const value of [
      mayday('no'),
      http(429),
      rpc(-32602, 'Invalid params'),
      { thrown: { code: 'ECONNREFUSED' } },
    ])
      expect(executed(value, { began: true })).toBe('maybe');
  });
});

describe('a declaration about another call', () => {
  const declared = (more: object): object =>
    tool('x', {
      _meta: {
        'dev.mayday/fault': {
          kind: 'rate_limited',
          reaction: 'retryable',
          executed: 'no',
          message: 'x',
          ...more,
        },
      },
    });
  const pay = { called: { type: 'tool', id: 'pay' } };

  it.each([
    ['names no subject', {}, 'no'],
    ['names the tool', { subject: { type: 'tool', id: 'pay' } }, 'no'],
    ['names a tool that ends like it', { subject: { type: 'tool', id: 'ay' } }, 'maybe'],
    ['names tools in general', { subject: { type: 'tool' } }, 'no'],
    ['names what the tool is about', { subject: { type: 'order', id: '7' } }, 'no'],
    ['comes from a gateway', { origin: 'gateway', subject: { type: 'upstream', id: 'shop' } }, 'no'],
    ['names another tool', { subject: { type: 'tool', id: 'other' } }, 'maybe'],
    [
      'names another tool behind a gateway',
      { origin: 'gateway', subject: { type: 'tool', id: 'other' } },
      'maybe',
    ],
    ['names a prompt', { subject: { type: 'prompt', id: 'pay' } }, 'maybe'],
    ['arose at a client that is not this one', { origin: 'local' }, 'maybe'],
    ['arose on the way from another client', { origin: 'transport' }, 'maybe'],
  ] as const)('is told by what it names: it %s', (_name, more, expected) => {
    expect(executed(declared(more), pay)).toBe(expected);
    const { result } = declared(more) as { result: { _meta: { [key: string]: unknown } } };
    const data = result._meta['dev.mayday/fault'];
    expect(executed(rpc(-32000, 'x', data), pay)).toBe(expected);
    expect(executed(http(500, rpc(-32000, 'x', data)), pay)).toBe(expected);
  });

  it('is about this call under the name that its server has for it', () => {
    for (const id of ['book_and_pay', 'shop_pay', 'shop.pay', 'pay_out', 'Pay']) {
      const other = { called: { type: 'tool', id } };
      expect(executed(declared({ subject: { type: 'tool', id: 'pay' } }), other)).toBe('maybe');
    }
  });

  it('is believed for what it names where nobody says what was called', () => {
    expect(executed(declared({ subject: { type: 'tool', id: 'other' } }))).toBe('no');
  });
});
