/** A refusing code of a document that the caller has named: what stands beside it may tell that the work was done. */
import { describe, expect, it } from 'vitest';
import { read } from './index.ts';

const DONE = 'Payment booked as pay_991, but the receipt mail hit a rate limit';
const called = { type: 'tool', id: 'pay' };
type From = 'closient' | 'erlmcp' | 'mcp@draft';
const executedOf = (value: object, from: From): string | undefined => {
  const reading = read(value, { from, called });
  return reading.failure ? reading.fault.executed : undefined;
};
const happened = (value: object, from: From): string | undefined =>
  executedOf({ jsonrpc: '2.0', id: 1, ...value }, from);

const limit = (message: string, data: object): object => ({ error: { code: -32010, message, data } });
const problem = (detail: string, more: object = {}): object => ({
  code: -32003,
  message: 'Rate Limited',
  data: {
    type: 'https://closient.com/docs/errors/rate_limited',
    title: 'Rate Limited',
    status: 429,
    detail,
    error_code: 'rate_limited',
    retryable: true,
    timestamp: '2026-04-26T02:34:56+00:00',
    retry_after: 1,
    ...more,
  },
});

describe('ER-33 erlmcp', () => {
  it('refuses before the work', () => {
    expect(happened(limit('Rate limit exceeded', { limit: 1, window: 1, retry_after: 1 }), 'erlmcp')).toBe(
      'no',
    );
  });

  it.each([
    ['a share that is used up', limit('Rate limit exceeded: 60 of 60', { retry_after: 1 })],
    ['more than the share', limit('Rate limit exceeded: 61 of 60 requests', { retry_after: 1 })],
    ['how many a second', limit('Only one request per second is allowed', { retry_after: 1 })],
    ['the status', limit('Rate limit exceeded (429)', { retry_after: 1 })],
    ['a number of requests', limit('Rate limit exceeded: 60 requests per minute', { retry_after: 1 })],
    ['a sign of warning', limit('⚠️ Rate limit exceeded', { retry_after: 1 })],
    ['a wait', limit('Rate limit exceeded. Wait 5 s before retrying.', { retry_after: 5 })],
    ['a page', limit('Rate limit exceeded', { documentation_url: 'https://docs.example/v1/errors/429' })],
    ['who wants a repetition', limit('Rate limit exceeded', { retry_after: 1, retryable: true })],
  ])('refuses before the work, and says %s', (_, value) => {
    expect(happened(value, 'erlmcp')).toBe('no');
  });

  it.each([
    ['the message', limit(DONE, { retry_after: 1 })],
    ['a reason', limit('Rate limit exceeded', { retry_after: 1, reason: DONE })],
    ['a name of its own', limit('Rate limit exceeded', { retry_after: 1, paymentId: 'pay_991' })],
    ['another tool', limit('Rate limit exceeded', { retry_after: 1, tool: 'send_mail' })],
    ['somebody further away', limit('Mail provider rate limit exceeded', { retry_after: 1 })],
    ['some of many', limit('Rate limit exceeded after 3 of 5 items', { retry_after: 1 })],
    ['another language', limit('Rate limit exceeded. Платёж проведён.', { retry_after: 1 })],
    ['a name on a line of its own', limit('Rate limit exceeded\npay_991', { retry_after: 1 })],
    ['JSON in the message', limit('Rate limit exceeded {"payment":"pay_991"}', { retry_after: 1 })],
    ['a limit that is a name', limit('Rate limit exceeded', { limit: 'pay_991', retry_after: 1 })],
    ['a window that is more', limit('Rate limit exceeded', { window: { payment: 'pay_991' } })],
    [
      'our own member',
      limit('Rate limit exceeded', { 'dev.mayday/error': { details: { payment: 'pay_991' } } }),
    ],
    [
      'a member of the error',
      { error: { code: -32010, message: 'Rate limit exceeded', payment: 'pay_991' } },
    ],
    ['a member beside the error', { ...limit('Rate limit exceeded', {}), paymentId: 'pay_991' }],
    ['two of three', limit('Rate limit exceeded: 2 of 3', { retry_after: 1 })],
    ['one of several', limit('The second request was rate limited', { retry_after: 1 })],
    ['another of several', limit('The 2nd call was rate limited', { retry_after: 1 })],
    ['one alone', limit('One request was rate limited', { retry_after: 1 })],
    ['what was tried again', limit('Rate limit exceeded after retry', { retry_after: 1 })],
    ['a status of success', limit('Rate limit exceeded (201)', { retry_after: 1 })],
    ['a status of success by its name', limit('Rate limit exceeded, status 201', { retry_after: 1 })],
    ['a sign of success', limit('✔ Rate limit exceeded', { retry_after: 1 })],
    ['a number of something', limit('Rate limit exceeded #991', { retry_after: 1 })],
    ['a number after the limit', limit('Limit #991 exceeded', { retry_after: 1 })],
    [
      'a page about a thing',
      limit('Rate limit exceeded', { retry_after: 1, documentation_url: 'https://x.example/orders/7' }),
    ],
    ['help about a thing', limit('Rate limit exceeded', { help: 'https://x.example/payments/pay_991' })],
    ['who wants no repetition', limit('Rate limit exceeded', { retry_after: 1, retryable: false })],
    ['a result beside the error', { ...limit('Rate limit exceeded', {}), result: { content: [] } }],
  ])('may have done it: %s', (_, value) => {
    expect(happened(value, 'erlmcp')).toBe('maybe');
  });
});

describe('CL-19 Closient', () => {
  it('refuses before the work', () => {
    expect(happened({ result: { content: [], error: problem('Slow down') } }, 'closient')).toBe('no');
    const text = { type: 'text', text: 'Slow down. Wait, then call again. Wait at least 1 s.' };
    const told = { content: [text], isError: true, error: problem('Slow down', { limit: 60 }) };
    expect(happened({ result: told }, 'closient')).toBe('no');
  });

  it.each([
    ['the detail', { content: [], error: problem(DONE) }],
    ['a text', { content: [{ type: 'text', text: DONE }], error: problem('Slow down') }],
    ['a member', { content: [], error: problem('Slow down', { payment: 'pay_991' }) }],
    [
      'structured content',
      { content: [], structuredContent: { payment: 'pay_991' }, error: problem('Slow down') },
    ],
    ['this very request', { content: [], error: problem('Limit reached with this request') }],
    ['what it is about', { content: [], error: problem('Slow down', { instance: '/payments/pay_991' }) }],
    ['a name of its own', { content: [], error: problem('Slow down', { error_code: 'payment_booked' }) }],
    [
      'a page of its own',
      {
        content: [],
        error: problem('Slow down', { type: 'https://closient.com/docs/errors/payment_booked' }),
      },
    ],
    ['what goes with it', { content: [], error: problem('Slow down'), _meta: { 'acme/payment': 'pay_991' } }],
    [
      'what goes with a text',
      { content: [{ type: 'text', text: 'Slow down', _meta: { payment: 7 } }], error: problem('Slow down') },
    ],
    [
      'a picture',
      { content: [{ type: 'image', data: 'aa', mimeType: 'image/png' }], error: problem('Slow down') },
    ],
    ['a part', { content: [], error: problem('Slow down'), resultType: 'partial' }],
    ['a task', { content: [], error: problem('Slow down'), task: { taskId: 't1' } }],
    ['a member of the error', { content: [], error: { ...problem('Slow down'), payment: 'pay_991' } }],
  ])('may have done it: %s', (_, result) => {
    expect(happened({ result }, 'closient')).toBe('maybe');
  });

  it('may have done it: a member beside the result', () => {
    const result = { content: [], error: problem('Slow down') };
    expect(happened({ result, payment: 'pay_991' }, 'closient')).toBe('maybe');
  });
});

/** What servers say in the status line. */
const PHRASES: { readonly [status: number]: string } = {
  200: 'OK',
  201: 'Created',
  429: 'Too Many Requests',
};

describe('over HTTP', () => {
  const message = { jsonrpc: '2.0', id: 1, ...limit('Rate limit exceeded', { limit: 1, retry_after: 1 }) };
  const under = (status: number, headers: object = {}, body: unknown = message): object => ({
    http: {
      status,
      statusText: PHRASES[status],
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    },
  });

  it.each([
    ['JSON-RPC', under(200, { 'content-type': 'application/json' })],
    ['HTTP', under(429, { 'retry-after': '1' })],
  ])('refuses before the work, by the status of %s', (_, value) => {
    expect(executedOf(value, 'erlmcp')).toBe('no');
  });

  it.each([
    ['a place', under(200, { location: '/orders/7' })],
    ['a place under 429', under(429, { location: '/orders/7' })],
    ['an id', under(200, { 'x-order-id': '7' })],
    ['what was created', under(201)],
    ['what was accepted', under(202)],
    ['what others lost', under(503)],
    ['some of many', under(429, {}, { ...message, ...limit('Rate limit exceeded after 3 of 5 items', {}) })],
    [
      'a member that is named twice',
      under(429, {}, JSON.stringify(message).replace('{', '{"error":{"code":1},')),
    ],
  ])('may have done it: %s', (_, value) => {
    expect(executedOf(value, 'erlmcp')).toBe('maybe');
  });

  describe('a result', () => {
    const body = { jsonrpc: '2.0', id: 1, result: { content: [], error: problem('Slow down') } };
    const said = (status: number, statusText: string, headers: object = {}): object => ({
      http: { status, statusText, headers, body: JSON.stringify(body) },
    });

    it.each([
      ['200', said(200, 'OK')],
      ['429', said(429, 'Too Many Requests', { 'retry-after': '1' })],
    ])('refuses before the work, under %s', (_, value) => {
      expect(executedOf(value, 'closient')).toBe('no');
    });

    it.each([
      ['a place', said(200, 'OK', { location: '/orders/7' })],
      ['500', said(500, 'Internal Server Error')],
      ['503', said(503, 'Service Unavailable')],
      ['409', said(409, 'Conflict')],
      ['404', said(404, 'Not Found')],
      ['403', said(403, 'Forbidden')],
      ['400', said(400, 'Bad Request')],
      ['202', said(202, 'Accepted')],
      ['words in the status line', said(200, 'Payment booked')],
      ['words in the status line of 429', said(429, 'Booked')],
      [
        'a member that is named twice',
        { http: { ...(said(429, '') as { http: object }).http, body: twice(body) } },
      ],
    ])('may have done it: %s', (_, value) => {
      expect(executedOf(value, 'closient')).toBe('maybe');
    });
  });

  describe('what nobody would ask again', () => {
    const refusals: readonly (readonly [string, From, object])[] = [
      ['arguments', 'erlmcp', { error: { code: -32602, message: 'amount is required' } }],
      ['no credentials', 'closient', { result: { content: [], error: unauthorized() } }],
    ];

    it.each(refusals)('refuses before the work: %s', (_, from, said) => {
      const http = { status: 200, statusText: 'OK', headers: {}, body: { jsonrpc: '2.0', id: 1, ...said } };
      expect(executedOf({ http }, from)).toBe('no');
    });

    it.each(refusals)('may have done it, by what stands around it: %s', (_, from, said) => {
      const around = [
        { status: 200, statusText: 'OK', headers: { location: '/orders/7' } },
        { status: 200, statusText: 'Payment booked', headers: {} },
        { status: 202, statusText: 'Accepted', headers: {} },
        { status: 409, statusText: 'Conflict', headers: {} },
        { status: 500, statusText: 'Internal Server Error', headers: {} },
      ];
      const http = around.map((head) => ({ ...head, body: { jsonrpc: '2.0', id: 1, ...said } }));
      expect(http.map((answer) => executedOf({ http: answer }, from))).toEqual(Array(5).fill('maybe'));
    });
  });
});

function twice(message: object): string {
  return JSON.stringify(message).replace('{', '{"result":{"content":[]},');
}

function unauthorized(): object {
  const title = 'Unauthorized';
  return { code: -32001, message: title, data: { title, status: 401, error_code: 'unauthorized' } };
}

describe('the draft', () => {
  const unavailable = (text: string, more: object = {}): object => ({
    error: { code: -32024, message: text, data: { reason: 'overloaded', notProcessed: true, ...more } },
  });
  const limited = (text: string, more: object = {}): object => ({
    error: { code: -32023, message: text, data: { retryAfterMs: 100, ...more } },
  });

  it('refuses before the work', () => {
    expect(happened(unavailable('The mail service is down'), 'mcp@draft')).toBe('no');
    expect(happened(limited('Rate limited'), 'mcp@draft')).toBe('no');
  });

  it.each([
    ['what is unavailable', unavailable('Payment booked; mail service unavailable')],
    ['a member', unavailable('Unavailable', { payment: 'pay_991' })],
    ['a reason', unavailable('Unavailable', { reason: DONE })],
    ['a member beside the error', { ...unavailable('Unavailable'), payment: 'pay_991' }],
    ['some of many', limited('Rate limited after 3 of 5 items')],
    ['a member of a limit', limited('Rate limited', { payment: 'pay_991' })],
  ])('may have done it: %s', (_, value) => {
    expect(happened(value, 'mcp@draft')).toBe('maybe');
  });
});
