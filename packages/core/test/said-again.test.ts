/** What may stand beside a fault document that says `no`: the same failure once more, in whoever's words and form. */
import { describe, expect, it } from 'vitest';
import { document, executed, type Members, problem, refused, said, thrown, under } from './declared-wires.ts';

const LONG = Array(80).fill('over the hill').join(' ');
const invalid = {
  kind: 'invalid_arguments',
  reaction: 'validation',
  retryable: false,
  retry: { when: 'after_change' },
  message: 'Invalid arguments for tool pay',
  subject: { type: 'tool', id: 'pay' },
  issues: [{ path: ['amount'], message: 'expected number', code: 'invalid_type' }],
} as const;
const refusal = (kind: string, reaction: string, message: string, more: Members = {}): Members => ({
  kind,
  reaction,
  retryable: false,
  retry: { when: 'never' },
  message,
  ...more,
});
const passing = (kind: string, message: string, more: Members = {}): Members => ({
  kind,
  retry: { when: 'backoff' },
  message,
  ...more,
});

describe('our own renderings', () => {
  it.each<readonly [string, object]>([
    ['nothing', said()],
    ['its message', said({}, 'Too many requests')],
    ['its message and advice', said({}, 'Too many requests. Wait, then call again. Wait at least 5 s.')],
    ['advice of its own', said({ advice: 'Slow down.' }, 'Too many requests. Slow down. Wait at least 5 s.')],
    [
      'a reference',
      said(
        passing('unavailable', 'Unavailable', { correlation_id: '7d0c-4f1e' }),
        'Unavailable. The service is down; back off, then try again. Reference: 7d0c-4f1e.',
      ),
    ],
    [
      'its issues',
      said(
        invalid,
        'Invalid arguments for tool pay: amount: expected number. Correct the arguments, then call again.',
      ),
    ],
    [
      'what was meant',
      said(
        refusal('not_found', 'terminal', 'Unknown tool: pay. Did you mean pay_now?'),
        'Unknown tool: pay. Did you mean pay_now? List the tools and call one of them.',
      ),
    ],
    [
      'a message that is cut',
      said(
        { message: LONG },
        `${LONG.split(' ').slice(0, 49).join(' ')} … Wait, then call again. Wait at least 5 s.`,
      ),
    ],
    ['a stamp', refused({ resultType: 'complete', content: [{ type: 'text', text: 'Too many requests' }] })],
    [
      'advice in a block of its own',
      said({}, 'Too many requests', 'Wait, then call again. Wait at least 5 s.'),
    ],
    ['an error', thrown('Too many requests')],
    ['an error with issues', thrown('Invalid arguments for tool pay', {}, invalid, -32602)],
    [
      'an error with an address',
      thrown(
        'No such file',
        { uri: 'file:///a' },
        refusal('not_found', 'terminal', 'No such file', { subject: { type: 'resource', id: 'file:///a' } }),
        -32602,
      ),
    ],
    [
      'the data of an error in a block',
      said({ details: { field: 'amount', max: 5 } }, 'Too many requests', '{"field":"amount","max":5}'),
    ],
    [
      'the data of an error beside its document',
      thrown('Too many requests', { field: 'amount' }, { details: { field: 'amount' } }),
    ],
    ['a text as data', said({ details: { data: 'over the hill' } }, 'Too many requests', 'over the hill')],
    [
      'what a client of ours has marked',
      thrown('Too many requests', {
        'dev.mayday/stand-in': 's',
        'dev.mayday/response': { text: 'Too Many Requests' },
      }),
    ],
    [
      'words over a document without any',
      thrown('A key of this gateway is needed', {}, { message: undefined }),
    ],
    ['a problem', problem()],
    ['a problem of a path', problem({ instance: '/mcp' })],
    ['the way', under(200, {}, said({}, 'Too many requests'))],
    ['the way of a limit', under(429, { 'retry-after': '5' }, said({}, 'Too many requests'))],
  ])('%s', (_what, value) => {
    expect(executed(value)).toBe('no');
  });
});

describe('a block that says it again', () => {
  it.each([
    'Error: Too many requests',
    'MCP error -32000: Too many requests',
    'too many requests!',
    'Too many requests, wait 5 s',
    'Rate limit exceeded. Try again in 5 seconds.',
    'You are being rate limited, please slow down',
    'Please retry later.',
    'Ask in a minute',
    'This request was rejected by the rate limiter.',
    'Error calling tool: Too many requests',
    'Please wait a moment before trying again.',
    'No capacity left, try again later',
    '**Too many requests**',
    'The tool was not called.',
    'Request rejected: rate limit reached (60 requests per minute)',
    'Nothing was executed; it is safe to retry.',
    'The request was not processed.',
    'No changes were made.',
    'Your call was not executed.',
    'API rate limit exceeded for your account',
    '429 Too Many Requests',
    'HTTP 429: Too Many Requests',
    'Quota exceeded: 60 of 60 requests used. Resets in 5 s.',
    'Wait 5000 ms before the next call.',
    '⏳ Too many requests',
    'Something went wrong',
    'Request failed',
    'See https://docs.example.com/errors/rate-limits',
    'Request ID: req-8f3a77',
    'Retry-After: 5',
    '{"error":"Too many requests"}',
    '{"error":{"code":"rate_limited","message":"Too many requests","retry_after_ms":5000}}',
    '{"success":false,"message":"Rate limit exceeded"}',
    JSON.stringify(document()),
    '   ',
  ])('%s', (text) => {
    expect(executed(said({}, 'Too many requests', text))).toBe('no');
    expect(executed(said({}, text))).toBe('no');
  });

  it.each<readonly [string, Members]>([
    ['Order 4711 not found', refusal('not_found', 'terminal', 'No order 4711')],
    ['Service temporarily unavailable', passing('unavailable', 'The ledger is down')],
    ['The ledger cannot be reached, try again later', passing('unavailable', 'The ledger is down')],
    ['Unauthorized', refusal('unauthenticated', 'permission', 'Sign in first')],
    ['Please log in again.', refusal('unauthenticated', 'permission', 'Sign in first')],
    ['Invalid or expired token', refusal('unauthenticated', 'permission', 'Sign in first')],
    [
      'Sign in at https://login.example.com/start?state=a7f3991',
      refusal('unauthenticated', 'permission', 'Sign in first'),
    ],
    [
      'Forbidden: insufficient permissions',
      refusal('forbidden', 'permission', 'Missing scope: payments:write'),
    ],
    [
      'This call requires approval. Ask an administrator.',
      refusal('approval_required', 'permission', 'pay needs approval'),
    ],
    ['Validation failed: amount must be a number', invalid],
    ['amount: expected number', invalid],
    ['Payload too large (max 1000 bytes)', refusal('too_large', 'validation', 'The arguments are too large')],
    ['The server is busy, try again shortly', passing('overloaded', 'Too many calls at once')],
    ['Server is still starting up, try again in a moment', passing('not_ready', 'Server not initialized')],
    ['Method not supported', refusal('unsupported', 'terminal', 'Not supported')],
    ['Not connected', passing('unavailable', 'The ledger is down')],
    ['Connection refused', passing('unavailable', 'The ledger is down')],
    ['Monthly quota exceeded', refusal('quota_exhausted', 'terminal', 'All credits of this month are used')],
    ['Do not repeat the same call.', refusal('conflict', 'terminal', 'Order 7 was already shipped')],
  ])('%s', (text, fault) => {
    expect(executed(said(fault, String(fault['message']), text))).toBe('no');
  });
});

describe('words of its own', () => {
  it.each<readonly [string, Members]>([
    ['a state', refusal('conflict', 'terminal', 'Order 7 was already shipped')],
    [
      'a state that rules it out',
      refusal('conflict', 'terminal', 'Order 7 was cancelled and cannot be refunded'),
    ],
    [
      'a thing that is there',
      refusal('conflict', 'terminal', 'A user with this address was already created'),
    ],
    ['too many of what was done', { message: 'Too many emails sent today' }],
    ['what is planned', passing('unavailable', 'Down for scheduled maintenance until 14:00')],
    ['what is closed', passing('unavailable', 'Closed')],
    ['a place that is closed', passing('unavailable', 'The market is closed')],
    ['how many there can be', { message: 'Only 5 orders can be placed per minute' }],
    ['somebody further away', { message: 'The mail service is busy' }],
    ['a count', { details: { limit: 60, window_ms: 60_000, remaining: 0 } }],
    ['a wait', { details: { retry_after: 5, url: 'https://docs.example/errors/429', status: 429 } }],
    ['no result', { details: { result: null, success: false, order: null } }],
    ['how things are sorted', { details: { order: 'descending', reference: 'abc' } }],
    ['what somebody else does', { message: 'Order 7 is being changed by another call; try again' }],
    ['what was not placed', { message: 'Order 7 could not be placed, too many requests' }],
    ['who is counted', { details: { limit: 5, user_id: 'u_7', tenant: 'acme' } }],
    ['which request it was', { details: { request_id: 'req_8f3a' } }],
    [
      'scopes',
      refusal('forbidden', 'permission', 'Missing scope', { details: { required_scopes: ['orders:write'] } }),
    ],
    [
      'an approval',
      refusal('approval_required', 'permission', 'pay needs approval', { details: { approval_id: 'ap_7' } }),
    ],
    [
      'what was looked for',
      refusal('not_found', 'terminal', 'No such order', { details: { order_id: 'ord_7' } }),
    ],
    ['what is denied', { details: { executed: false, paid: false } }],
    ['an order', { subject: { type: 'order', id: '991' } }],
    ['an origin', { origin: 'upstream' }],
    ['a name', { name: 'TOO_MANY_PAYMENTS' }],
    ['advice', { advice: 'Wait until the queue is empty, then call again.' }],
    ['advice to ask', { advice: 'Ask your administrator for a higher limit.' }],
    ['a native form', { native: { dialect: 'erlmcp', code: -32010, message: 'Rate limited' } }],
    ['what was not done', { message: 'Too many requests; the payment was not created' }],
    ['a place that is open', passing('unavailable', 'Upstream ledger: the circuit is open')],
  ])('%s', (_what, fault) => {
    expect(executed(said(fault, String(fault['message'] ?? 'Too many requests')))).toBe('no');
  });
});

describe('structured content', () => {
  it.each<object>([
    {},
    document(),
    { error: document() },
    { error: 'Too many requests' },
    { error: { code: 'rate_limited', message: 'Too many requests', retryAfter: 5 } },
    { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Rate limit exceeded', details: [] } },
    { error: { code: -32_000, message: 'Too many requests' } },
    { success: false, error: 'Too many requests' },
    { ok: false },
    { paid: false, limit: 5 },
    { created: 0, error: 'Too many requests' },
    { limit: 5, window: '1 min' },
    { status: 429, title: 'Too Many Requests' },
    { statusCode: 429, error: 'Too Many Requests', message: 'Rate limit exceeded' },
    { status: 'error', message: 'Too many requests' },
    { isError: true, message: 'Too many requests' },
    { limit: 60, remaining: 0, reset: 1_763_471_999 },
    { order: null, error: 'Too many requests' },
    { items: [], error: 'Too many requests' },
    { result: null },
    { result: [], total: 0, error: 'Too many requests' },
    { reason: 'rate limited', limit: { max: 60, per: 'minute' } },
    { isError: true, content: [{ type: 'text', text: 'Too many requests' }] },
    { retryable: true, retry_after_ms: 5000 },
    { rate_limited: true },
    { request_id: 'req_8f3a', error: 'Too many requests' },
    { timestamp: '2026-11-18T12:00:00Z', error: 'Too many requests' },
    { tool: 'pay', error: 'Too many requests' },
    { reset_at: '2026-11-18T12:00:00Z' },
    { type: 'error', text: 'Too many requests' },
    { message: '' },
  ])('%j', (structuredContent) => {
    expect(executed(refused({ structuredContent }))).toBe('no');
  });
});

/** A refusal of JSON-RPC that somebody made a result of, and what is left of it. */
describe('the code of an error', () => {
  it.each([-61_000, -31_000, -32_603, 429, 1001])('%i', (code) => {
    const rest = JSON.stringify({ error: { code } });
    expect(executed(said({}, 'Too many requests', rest))).toBe('no');
    expect(executed(refused({ structuredContent: { error: { code } } }))).toBe('no');
    expect(executed(said({}, JSON.stringify({ error: { code, message: 'Too many requests' } })))).toBe('no');
  });

  it.each([
    { error: { code: -61_000, message: 'Payment 991 made' } },
    { error: { code: -61_000, order: 991 } },
    { error: { code: -61_000 }, orderId: 991 },
    { error: { id: -61_000 } },
    { order: { code: -61_000 } },
    { code: 991 },
    { error: { code: 200 } },
    { error: { code: 1.5 } },
  ])('more than that: %j', (rest) => {
    expect(executed(said({}, 'Too many requests', JSON.stringify(rest)))).toBe('maybe');
  });
});

describe('notes', () => {
  it.each<Members>([
    { progressToken: 7 },
    { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', tracestate: 'a=b' },
    { 'io.modelcontextprotocol/related-task': { taskId: 't1' } },
    { 'io.modelcontextprotocol/serverInfo': { name: 'pay', version: '1.0.0' } },
    { 'acme/request-id': 'req_8f3a' },
    { 'acme.com/requestId': '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
    { 'acme.com/duration_ms': 12 },
    { 'acme.com/timestamp': '2026-11-18T12:00:00Z' },
    { 'acme.com/server-version': '1.2.3' },
    { 'acme.com/region': 'eu-west-1' },
    { trace_id: '4bf92f3577b34da6' },
    { 'dev.mayday/left-out': ['data'] },
    { 'dev.mayday/attempt': 2, 'dev.mayday/call': 'c-7' },
    { 'dev.mayday/executed': 'no' },
    { 'dev.mayday/error': { code: -32_000, data: { message: 'Too many requests' } } },
    { 'dev.mayday/error': { message: 'Too many requests' } },
    { 'dev.mayday/problem': { type: 'about:blank', title: 'Rate limited', status: 429, ...document() } },
    { 'acme/rate-limit': { limit: 60, remaining: 0 } },
    { 'acme/empty': null },
  ])('%j', (_meta) => {
    expect(executed(refused({}, {}, _meta))).toBe('no');
  });
});

it('whom a block is for', () => {
  const block = { type: 'text', text: 'Too many requests', annotations: { audience: ['user'], priority: 1 } };
  expect(executed(refused({ content: [block] }))).toBe('no');
});

it('an error of another document, beside ours', () => {
  const error = {
    code: -32_003,
    message: 'Rate Limited',
    data: {
      title: 'Rate Limited',
      status: 429,
      detail: 'Too many requests',
      error_code: 'rate_limited',
      retryable: true,
      retry_after: 5,
    },
  };
  expect(executed(refused({ error }))).toBe('no');
});

it('words of others over the document of an error', () => {
  expect(executed(thrown('Rate limit exceeded'))).toBe('no');
  expect(executed(thrown('Too many requests, wait 5 s'))).toBe('no');
});
