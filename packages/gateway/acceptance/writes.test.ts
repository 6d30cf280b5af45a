/** Law 7: a tool that writes is executed once, however it fails after its work; only what reads is repeated. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { faultOf, type Message, post } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call, modern } from './support/messages.ts';
import { executions, type Step } from './support/puppet.ts';
import { API_PATHS, failing, openapiFile, stdio } from './support/world.ts';

const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ ledger });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});

const TOOLS = [
  { name: 'pay', inputSchema: { type: 'object' } },
  {
    name: 'wipe',
    inputSchema: { type: 'object' },
    annotations: { destructiveHint: true, idempotentHint: false },
  },
  { name: 'lookup', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
];

const gateway = keepGateway(async () => {
  const own = scratch();
  const common = { timeout_ms: 900, breaker: false };
  const upstreams = {
    s: stdio({ ledger, tools: TOOLS }, common),
    u: { url: http.url, ...common },
    o: { openapi: openapiFile(own, API_PATHS), base_url: http.origin, ...common },
    // A process for each form that ends it.
    ...Object.fromEntries(['q1', 'q2', 'q3'].map((name) => [name, stdio({ ledger, tools: TOOLS }, common)])),
  };
  const started = await startGateway({ upstreams }, { folder: own });
  await Promise.all(['s', 'u', 'o', ''].map((name) => post(at(started, name), ask('tools/list'))));
  return started;
}, [ledger]);

let keys = 0;
/** Calls a tool that fails so each time; says how often the work was done and what the caller heard. */
async function done(
  endpoint: string,
  tool: string,
  script: readonly Step[],
  era: '2025' | '2026' = '2025',
): Promise<{ times: number; message: Message }> {
  keys += 1;
  const key = `w${keys}`;
  const request = call(tool, { key, script });
  const sent = era === '2026' ? modern(request) : request;
  const { message } = await post(at(gateway(), endpoint), sent, { era, within: 8000 });
  return { times: executions(ledger, key), message };
}

const TEXTS = [
  'fetch failed',
  'Payment accepted; receipt email failed: 503',
  'Booked, but the mail failed: 503 Service Unavailable',
  '3 of 5 rows written, then: rate limit exceeded',
  'Order created but the notification service is unavailable',
  'connect ECONNREFUSED 127.0.0.1:25',
  'getaddrinfo ENOTFOUND mail.example',
  'getaddrinfo EAI_AGAIN mail.example',
  '429 Too Many Requests, retry after 0 seconds',
  'HTTP 503',
  'Request failed with status code 503',
  'Request timed out',
  'socket hang up',
  'read ECONNRESET',
  'connect ETIMEDOUT 10.0.0.9:443',
  'overloaded_error: Overloaded',
  'Temporarily unavailable, please try again',
  'The index is not ready yet, try again later',
  'Deadline exceeded while waiting for the ledger',
  'The service is busy. Please retry.',
  '502 Bad Gateway',
  'gateway timeout (504)',
  'Error: UNAVAILABLE: No connection established',
];

const ERRORS: readonly [string, object][] = [
  ['-32603 fetch failed', { code: -32603, message: 'fetch failed' }],
  ['-32603 503', { code: -32603, message: 'Request failed with status code 503' }],
  ['-32603 ECONNREFUSED', { code: -32603, message: 'connect ECONNREFUSED 127.0.0.1:25' }],
  ['-32000 closed', { code: -32000, message: 'Connection closed' }],
  ['-32001 timed out', { code: -32001, message: 'Request timed out' }],
  ['-32603 overloaded', { code: -32603, message: 'Server overloaded, try again' }],
  ['-32603 with a wait', { code: -32603, message: 'Try again', data: { retryAfter: 0 } }],
];

describe('a failing result after the work', () => {
  it.each(TEXTS)('%s', async (text) => {
    const ways = await Promise.all([
      done('s', 'pay', [failing(text)]),
      done('s', 'wipe', [failing(text)]),
      done('u', 'pay', [failing(text)]),
      done('u', 'pay', [{ events: [{ result: { isError: true, content: [{ type: 'text', text }] } }] }]),
      done('', 's_pay', [failing(text)]),
      done('', 'u_pay', [failing(text)]),
      done('s', 'pay', [failing(text)], '2026'),
    ]);
    expect(ways.map(({ times }) => times)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(ways.map(({ message }) => faultOf(message)['executed'])).not.toContain('no');
  });
});

describe('an error after the work', () => {
  it.each(ERRORS)('%s', async (_name, error) => {
    const ways = await Promise.all([
      done('s', 'pay', [{ answer: { error } }]),
      done('u', 'pay', [{ answer: { error } }]),
      done('', 's_pay', [{ answer: { error } }]),
      done('', 'u_pay', [{ answer: { error } }]),
    ]);
    expect(ways.map(({ times }) => times)).toEqual([1, 1, 1, 1]);
  });
});

describe('a connection that fails after the work', () => {
  const STREAM = { 'content-type': 'text/event-stream' };
  it.each([
    ...[408, 500, 502, 503, 504].map((head): [string, Step[]] => [`status ${head}`, [{ head }]]),
    ['503 that says to come back at once', [{ head: 503, headers: { 'retry-after': '0' } }]],
    [
      '503 of a proxy',
      [
        { head: 503, headers: { 'content-type': 'text/html' } },
        { say: '<h1>upstream connect error or disconnect/reset before headers</h1>' },
      ],
    ],
    ['202', [{ head: 202 }]],
    ['204', [{ head: 204 }]],
    ['an empty 200', [{ head: 200 }]],
    ['a reset', [{ reset: true }]],
    ['a reset in the body', [{ head: 200 }, { say: '{"jsonrpc"' }, { wait: 20 }, { reset: true }]],
    ['a stream that ends', [{ head: 200, headers: STREAM }]],
    ['a stream that is reset', [{ head: 200, headers: STREAM }, { wait: 20 }, { reset: true }]],
    ['silence', [{ hang: true }]],
    ['a silent stream', [{ head: 200, headers: STREAM }, { hang: true }]],
    ['half a body', [{ head: 200 }, { say: '{"jsonrpc":"2.0","id"' }]],
    ['a page', [{ head: 200, headers: { 'content-type': 'text/html' } }, { say: '<html>' }]],
  ] as [string, Step[]][])('%s', async (_name, script) => {
    const ways = await Promise.all([
      done('u', 'pay', script),
      done('', 'u_pay', script),
      done('u', 'pay', script, '2026'),
    ]);
    expect(ways.map(({ times }) => times)).toEqual([1, 1, 1]);
  });
});

describe('a process that fails after the work', () => {
  it.each([
    ['q1', 'exit 1', [{ exit: 1 }]],
    ['q2', 'exit 0 after half a line', [{ bytes: 'eyJqc29u' }, { exit: 0 }]],
    ['q3', 'silence', [{ hang: true }]],
  ] as [string, string, Step[]][])('%s: %s', async (endpoint, _name, script) => {
    expect((await done(endpoint, 'pay', script)).times).toBe(1);
    expect((await done('', `${endpoint}_pay`, script)).times).toBe(1);
  });
});

describe('an API that fails after the work', () => {
  it.each([
    ...[408, 500, 502, 503, 504].map((head): [string, Step[]] => [
      `status ${head}`,
      [{ head, headers: { 'retry-after': '0' } }],
    ]),
    ['a reset', [{ reset: true }]],
    ['a reset in the body', [{ head: 200 }, { say: '{"a":' }, { wait: 20 }, { reset: true }]],
    ['silence', [{ hang: true }]],
    ['nonsense', [{ head: 200 }, { say: '{"a":' }]],
  ] as [string, Step[]][])('%s', async (_name, script) => {
    const calls = ['o', ''].map(async (endpoint) => {
      keys += 1;
      const key = `w${keys}`;
      const args = { script: JSON.stringify(script), body: { key } };
      await post(at(gateway(), endpoint), call(endpoint === '' ? 'o_pay' : 'pay', args), { within: 8000 });
      return http.arrivals.filter(
        (arrival) => arrival.path.startsWith('/pay') && arrival.body.includes(`"${key}"`),
      ).length;
    });
    expect(await Promise.all(calls)).toEqual([1, 1]);
  });
});

describe('what only reads is repeated', () => {
  const FINE: Step[] = [{ answer: { result: { content: [{ type: 'text', text: 'found' }] } } }];
  async function secondTime(endpoint: string, tool: string, first: Step[]): Promise<unknown> {
    keys += 1;
    const { message } = await post(
      at(gateway(), endpoint),
      call(tool, { key: `w${keys}`, attempts: [first, FINE] }),
    );
    return [executions(ledger, `w${keys}`), message['result']?.content[0].text];
  }

  it.each([
    ['u', 'lookup', [{ reset: true }]],
    ['u', 'lookup', [{ head: 503 }]],
    ['s', 'lookup', [failing('503 Service Unavailable')]],
    ['', 'u_lookup', [{ reset: true }]],
    ['', 's_lookup', [failing('503 Service Unavailable')]],
  ] as [string, string, Step[]][])('at /%s, %s', async (endpoint, tool, first) => {
    expect(await secondTime(endpoint, tool, first)).toEqual([2, 'found']);
  });
});

describe('a call with an idempotency key', () => {
  const keyed = (key: string, args: object): Message => {
    const request = call('pay', args);
    return { ...request, params: { ...request['params'], _meta: { 'dev.mayday/idempotency-key': key } } };
  };
  const paid: Step[] = [
    { wait: 150 },
    { answer: { result: { content: [{ type: 'text', text: 'paid once' }] } } },
  ];

  it.each([['s'], ['u']])('is done once, and its repeat gets the stored answer, at /%s', async (endpoint) => {
    const args = { key: `i1${endpoint}`, script: paid };
    const first = await post(at(gateway(), endpoint), keyed(`order-1-${endpoint}`, args));
    const again = await post(at(gateway(), endpoint), { ...keyed(`order-1-${endpoint}`, args), id: 'again' });
    expect(first.message['result']?.content[0].text).toBe('paid once');
    expect(again.message).toMatchObject({ id: 'again', result: { content: [{ text: 'paid once' }] } });
    expect(executions(ledger, `i1${endpoint}`)).toBe(1);
  });

  it('is joined by its repeat while it runs', async () => {
    const args = { key: 'i2', script: paid };
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((id) => post(at(gateway(), 'u'), { ...keyed('order-2', args), id })),
    );
    expect(answers.map(({ message }) => [message['id'], message['result']?.content[0].text])).toEqual([
      ['a', 'paid once'],
      ['b', 'paid once'],
      ['c', 'paid once'],
    ]);
    expect(executions(ledger, 'i2')).toBe(1);
  });

  it('is refused as a conflict with other arguments', async () => {
    await post(at(gateway(), 'u'), keyed('order-3', { key: 'i3', script: paid }));
    const other = await post(at(gateway(), 'u'), keyed('order-3', { key: 'i3', amount: 2, script: paid }));
    expect(faultOf(other.message)['kind']).toBe('conflict');
    expect(executions(ledger, 'i3')).toBe(1);
  });
});
