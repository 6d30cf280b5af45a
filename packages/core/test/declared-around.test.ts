/** A declaration that nothing was done holds alone: what HTTP says around it, in words of its own, may tell otherwise. */
import { STATUS_CODES } from 'node:http';
import { describe, expect, it } from 'vitest';
import { mayday } from '../src/dialects/mayday/index.ts';
import { createLanguage, type Executed, read } from '../src/index.ts';

const DOCUMENT = {
  kind: 'rate_limited',
  reaction: 'retryable',
  retryable: true,
  executed: 'no',
  origin: 'server',
  message: 'Too many requests',
};
const error = { code: -32000, message: 'Too many requests', data: DOCUMENT };
const content = [{ type: 'text', text: 'Too many requests' }];
const busy = { code: -32024, message: 'Busy', data: { reason: 'overloaded', notProcessed: true } };

/** The forms in which it is declared. */
const FORMS: readonly (readonly [form: string, body: object, from?: 'mcp@draft'])[] = [
  ['in an error', { jsonrpc: '2.0', id: 1, error }],
  [
    'in a result',
    { jsonrpc: '2.0', id: 1, result: { isError: true, content, _meta: { 'dev.mayday/fault': DOCUMENT } } },
  ],
  ['in a problem', { type: 'about:blank', title: 'Rate limited', detail: 'Too many requests', ...DOCUMENT }],
  ['as not processed', { jsonrpc: '2.0', id: 1, error: busy }, 'mcp@draft'],
];

const called = { type: 'tool', id: 'pay' };

describe.each(FORMS)('%s', (_form, body, from) => {
  /** What became of a call that is answered like this. */
  function executed({
    headers: more,
    ...http
  }: {
    readonly headers?: object;
    readonly [part: string]: unknown;
  }): Executed | 'success' {
    const json = JSON.stringify(body);
    const headers = { 'content-type': 'application/problem+json', ...more };
    const reading = read(
      { http: { status: 429, ...http, headers, body: json } },
      { called, from: from as 'mcp@draft' | undefined },
    );
    return reading.failure ? reading.fault.executed : 'success';
  }

  /** The same, with a list of headers in one of its forms. */
  function listed(headers: readonly unknown[]): Executed | 'success' {
    const reading = read(
      { http: { status: 429, headers, body } },
      { called, from: from as 'mcp@draft' | undefined },
    );
    return reading.failure ? reading.fault.executed : 'success';
  }

  it.each<Record<string, string>>([
    {},
    {
      'content-type': 'application/problem+json; charset=utf-8',
      date: 'Mon, 01 Jan 2024 00:00:00 GMT',
      server: 'nginx',
    },
    { 'retry-after': '5', 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-request-id': 'b7-41' },
    { 'set-cookie': 'AWSALB=abc; Path=/', 'cf-ray': '8f1', 'server-timing': 'cdn-cache;desc=MISS' },
  ])('is believed beside what any door sends: %o', (headers) => {
    expect(executed({ headers })).toBe('no');
  });

  it.each([429, 503, 400, 404, 500])('is believed under the own words of %d', (status) => {
    expect(executed({ status, statusText: STATUS_CODES[status] })).toBe('no');
  });

  it.each<Record<string, string>>([
    { location: '/orders/41' },
    { 'content-location': '/orders/41' },
    { 'x-booking-id': '41' },
    { 'x-order': '41' },
    { 'x-result': 'created' },
    { 'set-cookie': 'receipt=41' },
    { 'server-timing': 'commit;dur=3' },
    { link: '</orders/41>; rel=item' },
    { 'content-type': 'application/json; order=41' },
    { 'x-message': 'order 41 placed' },
    { 'retry-after': 'order 41' },
  ])('is in doubt beside a header that tells of work: %o', (headers) => {
    for (const status of [429, 503]) expect(executed({ status, headers }), `${status}`).toBe('maybe');
  });

  it.each([
    'Order 41 Created',
    'Order 41',
    '41',
    'Payment booked',
    'Gebucht',
    'Too Many Requests, after 102 Processing',
  ])('is in doubt under a status line that says %s', (statusText) => {
    for (const status of [429, 503]) expect(executed({ status, statusText }), `${status}`).toBe('maybe');
  });

  it('is in doubt beside more headers than anybody reads', () => {
    const many = Object.fromEntries(Array.from({ length: 220 }, (_, at) => [`x-request-${at}`, '1']));
    expect(executed({ headers: { ...many, location: '/orders/41' } })).toBe('maybe');
  });

  it('is in doubt beside more than that of few names', () => {
    const many = Array.from({ length: 220 }, () => ['via', '1.1 a']);
    expect(executed({ headers: Object.fromEntries([['via', many.map(([, value]) => value)]]) })).toBe('no');
    expect(listed([...many, ['location', '/orders/41']])).toBe('maybe');
    expect(listed([...many, ['location', '/orders/41']].flat())).toBe('maybe');
  });

  it('is in doubt beside a header that is sent twice, the second time with more', () => {
    expect(executed({ headers: { 'retry-after': ['5', 'order 41'] } })).toBe('maybe');
  });
});

describe.each(FORMS.slice(0, 2))('under 200 %s', (_form, body) => {
  const executed = (http: object): Executed | 'success' => {
    const reading = read({ http: { status: 200, headers: {}, ...http, body } }, { called });
    return reading.failure ? reading.fault.executed : 'success';
  };

  it.each(['', 'OK'])('is believed where the status line says "%s"', (statusText) => {
    expect(executed({ statusText })).toBe('no');
  });

  it.each([
    { statusText: 'Order 41 Created' },
    { statusText: 'OK, after 102 Processing' },
    { headers: { location: '/orders/41' } },
    { headers: { 'x-booking-id': '41' } },
    { headers: { 'set-cookie': 'receipt=41' } },
  ])('is in doubt with %o', (http) => {
    expect(executed(http)).toBe('maybe');
  });
});

describe('a language without words of refusals', () => {
  const plain = createLanguage({ dialects: [mayday] });
  const executed = (http: object): Executed | 'success' => {
    const body = { jsonrpc: '2.0', id: 1, error };
    const reading = plain.read({ http: { status: 429, headers: {}, ...http, body } }, { called });
    return reading.failure ? reading.fault.executed : 'success';
  };

  it('believes a document under the own words of its status', () => {
    expect(executed({ statusText: 'Too Many Requests', headers: { server: 'nginx' } })).toBe('no');
  });

  it.each([{ statusText: 'Order 41 Created' }, { headers: { location: '/orders/41' } }])(
    'and not under %o',
    (http) => {
      expect(executed(http)).toBe('maybe');
    },
  );
});
