/** Addresses in plain words: the server's own, which nobody is told, and those that are for the caller. */
import { describe, expect, it } from 'vitest';
import { error, said, thrownBy } from './thrown.ts';
import { faultIn } from './wire.ts';

const AT = 'https://billing.prod.corp/tenants/internal-tenant-77/orders?apikind=priv';
const HIDDEN = /billing|corp|tenant|priv|orders/;

type Case = readonly [text: string, kind: string, says: string];

describe('an address that no argument names', () => {
  it.each<Case>([
    [
      `Failed to fetch it: Request failed with status code 404 (Not Found): GET ${AT}`,
      'not_found',
      'Failed to fetch it: Request failed with status code 404 (Not Found). ',
    ],
    [`HTTP error 404 for ${AT}`, 'not_found', 'HTTP error 404. '],
    [`GET ${AT} failed with status 422`, 'unprocessable', 'Request failed with status 422. '],
    [`Request failed (404 Not Found): ${AT}`, 'not_found', 'Request failed (404 Not Found). '],
    ['404 Not Found at /tenants/internal-tenant-77/orders', 'not_found', '404 Not Found. '],
    [`Not Found: ${AT}`, 'not_found', 'Not Found. '],
    [
      'Bad Request: POST http://billing.prod.corp:8080/tenants/internal-tenant-77',
      'invalid_arguments',
      'Bad Request. ',
    ],
    [`Request to ${AT} failed: 403 Forbidden`, 'forbidden', 'Request failed: 403 Forbidden. '],
    [`Failed to fetch "${AT}": 404`, 'not_found', 'Failed to fetch: 404. '],
    [`${AT}: 404 Not Found`, 'not_found', '404 Not Found. '],
    [`Page ${AT} not found`, 'not_found', 'Page [address] not found. '],
    [`Customer 9 not found (${AT})`, 'not_found', 'Customer 9 not found. '],
    [`Customer 9 not found\n  at url: ${AT}\n`, 'not_found', 'Customer 9 not found. '],
  ])('is not told, and the rest is: %s', async (text, kind, says) => {
    const [told, words] = await said(new Error(text), { id: 7 });
    expect([told, words.slice(0, says.length)]).toEqual([kind, says]);
    expect(words).not.toMatch(HIDDEN);
  });

  it.each<Case>([
    [`PUT ${AT} returned 409 Conflict`, 'conflict', 'Request returned 409 Conflict. '],
    [`Upstream said 404 for ${AT}, the customer does not exist`, 'not_found', 'Upstream said 404, the'],
    [`Access to ${AT} is forbidden`, 'forbidden', 'Access is forbidden. '],
    [`Not found: wss://billing.prod.corp/tenants/7`, 'not_found', 'Not found. '],
    [
      'GET /tenants/internal-tenant-77/orders failed with 404 Not Found',
      'not_found',
      'Request failed with 404',
    ],
    [`Error 404 fetching ${AT}.`, 'not_found', 'Error 404. '],
    [`Customer 9 not found [${AT}] and ${AT} too`, 'not_found', 'Customer 9 not found and'],
  ])('unseen: is not told, and the rest is: %s', async (text, kind, says) => {
    const [told, words] = await said(new Error(text), { id: 7 });
    expect([told, words.slice(0, says.length)]).toEqual([kind, says]);
    expect(words).not.toMatch(HIDDEN);
  });

  it.each<Case>([
    [`404 Not Found for url: ${AT}`, 'not_found', '404 Not Found. '],
    [`404 Client Error: Not Found for url: ${AT}`, 'not_found', '404 Client Error: Not Found. '],
    [`403 Forbidden for the endpoint ${AT}`, 'forbidden', '403 Forbidden. '],
    [`Access denied opening ${AT}`, 'forbidden', 'Access denied. '],
    [`Order 9 not found. Tried ${AT}`, 'not_found', 'Order 9 not found. Check'],
    [`Order 9 not found. Tried ${AT}.`, 'not_found', 'Order 9 not found. Check'],
    [`Order 9 not found. Tried: ${AT}`, 'not_found', 'Order 9 not found. Check'],
    [`Order 9 not found. URL: ${AT}`, 'not_found', 'Order 9 not found. Check'],
    [`Order 9 not found. Request: GET ${AT}`, 'not_found', 'Order 9 not found. Check'],
    [`Order 9 not found; tried ${AT}`, 'not_found', 'Order 9 not found. Check'],
    [`Order 9 not found while fetching ${AT}`, 'not_found', 'Order 9 not found. Check'],
    [`Order 9 not found. Requested ${AT}, again`, 'not_found', 'Order 9 not found'],
  ])('leaves no stump: %s', async (text, kind, says) => {
    const [told, words] = await said(new Error(text), { id: 7 });
    expect([told, words.slice(0, says.length)]).toEqual([kind, says]);
    expect(words).not.toMatch(HIDDEN);
    expect(words).not.toMatch(/\b(?:for|tried|opening|fetching|url|request)[.:]/i);
  });

  it.each<Case>([
    [`The order was tried 3 times at ${AT}: not found`, 'not_found', 'The order was tried 3 times'],
    [`Door is not opening: forbidden by ${AT}`, 'forbidden', 'Door is not opening: forbidden'],
    [`Not found, nobody has tried`, 'not_found', 'Not found, nobody has tried. '],
    [`No such link`, 'not_found', 'No such link. '],
    [`Order 9 not found for url: 7`, 'not_found', 'Order 9 not found for url: 7. '],
  ])('leaves words that stand by themselves: %s', async (text, kind, says) => {
    const [told, words] = await said(new Error(text), { id: 7 });
    expect([told, words.slice(0, says.length)]).toEqual([kind, says]);
  });

  it.each([
    'in postgresql://db.billing.example:5432/prod',
    'in jdbc:postgresql://db.billing.example:5432/prod',
    '(mongodb+srv://billing.ab1cd.mongodb.net/prod)',
    'in s3://billing-bucket/docs/a.txt',
    'on HTTPS://BILLING.EXAMPLE/prod',
    'on //billing.example/prod',
    'on billing.example:8443',
    'at broker kafka-1.billing.example:9093',
    'at billing.example/prod/7',
    'at ipv4:203.0.113.44:50051',
    ', url=https%3A%2F%2Fbilling.example%2Fprod',
    ': tried https://eu.billing.example/prod and https://us.billing.example/prod',
  ])('is not told in whichever form: %s', async (where) => {
    const [kind, words] = await said(new Error(`Order 9 not found ${where}`), { id: 7 });
    expect([kind, words]).toEqual([
      'not_found',
      'Order 9 not found. Check the identifier; do not repeat the same call.',
    ]);
  });

  it.each([
    'Symbol x not found in src/a.test.ts:120:7',
    'Symbol x not found in main.dev:12:30',
    'Slot 12:30 not found',
    'Slot not found on 2026-11-02T12:30:00',
    'Order 7 not found. Open https://shop.example.com/orders/7 to see it',
    'Approval required. Approve it at desk.example.com/approvals/7',
    'Note memo://notes.com/7 not found',
    'Module github.com/acme/kit not found',
  ])('is none: %s', async (text) => {
    expect((await said(new Error(text), { id: 7 }))[1].slice(0, text.length)).toBe(text);
  });

  it('is not told by what a backend answered either', async () => {
    const reason = error('Request failed with status code 404', {
      response: { status: 404, data: { message: `No customer 9 at ${AT}` } },
    });
    expect(await said(reason, { id: 9 })).toEqual([
      'not_found',
      'No customer 9. Check the identifier; do not repeat the same call.',
    ]);
  });
});

describe("an address that is asked for in nobody's name", () => {
  it.each([
    `open ${AT}: permission denied`,
    `visit ${AT}: 403 Forbidden`,
    `Sign in at ${AT} failed: 401`,
    `Log in at ${AT} timed out, access denied`,
    `Order 7 not found; open ${AT}: no such file`,
    'Payment declined by https://pay.billing.example/checkout/tenant-77',
    'Card refused by https://pay.billing.example/checkout/tenant-77: insufficient funds',
    'Not authorized: authorization failed at https://idp.billing.example/oauth2/authorize?client_id=priv-svc&response_type=code',
  ])('is not told: %s', async (text) => {
    expect((await said(new Error(text), { id: 7 }))[1]).not.toMatch(/billing|tenant-77|priv|[?]/);
  });

  it.each([
    'Session expired. Sign in at https://login.example.com/start: your session has ended',
    'Payment required. Pay at https://pay.example.com/checkout/c_123',
    'Card declined. Open https://pay.example.com/checkout/c_123 to update it',
    'Permission denied: open https://desk.example.com/approvals/7 and approve it',
    'Quota exceeded, visit https://example.com/pricing: 3 plans are offered',
    'Authentication failed, please sign in: https://login.example.com/oauth/authorize?client_id=web&response_type=code&state=abc',
  ])('is told to whoever is asked: %s', async (text) => {
    expect((await said(new Error(text), { id: 7 }))[1]).toContain(/https:[^\s]*[^\s:.,]/.exec(text)?.[0]);
  });
});

const SIGN_IN =
  'https://github.com/login/oauth/authorize?client_id=Iv1.8a61f9b3a7aba766&state=kJ8sLq02mXz7Pw4RtY6u&scope=repo';

describe('an address for the caller', () => {
  it.each<readonly [string, object]>([
    ['Page https://shop.example.com/a/b?c=d not found', { url: 'https://shop.example.com/a/b?c=d' }],
    ['HTTP error 404 for https://shop.example.com/robots.txt', { url: 'shop.example.com' }],
    ['Approval required. Approve it at https://desk.example.com/approvals/7', {}],
    ['Permission denied. Sign in here: https://login.example.com/start', {}],
    ['Order 7 not found. See https://docs.example.com/orders for details', {}],
    ['Quota exceeded, upgrade your plan: https://example.com/pricing', {}],
    ['Not Found - https://docs.github.com/rest/repos/repos#get-a-repository', {}],
    ['Invalid date. More information: https://example.com/help/dates', {}],
    ['Invoice 7 is not paid yet. Open https://pay.example.com/i/7 to pay it', {}],
    [`Not authorized yet. Authorization URL: ${SIGN_IN}`, {}],
    [`Authentication required: ${SIGN_IN}`, {}],
    ['Authentication required. Login URL: https://example.com/start?flow=77', {}],
    ['Payment required: https://checkout.stripe.com/c/pay/cs_live_a1kJ8sLq02mXz7Pw4RtY6ubN3vC5hG1fD9', {}],
  ])('is told: %s', async (text, args) => {
    const [, words] = await said(new Error(text), args);
    expect(words.slice(0, text.length)).toBe(text);
  });

  it.each([
    [{ error: 'auth_required', auth_url: SIGN_IN }, `auth_required: auth_url: ${SIGN_IN}`],
    [{ message: 'Please sign in', url: SIGN_IN, trace: 'db-7' }, `Please sign in: url: ${SIGN_IN}`],
    [
      {
        error: 'login_required',
        verification_uri: 'https://example.com/activate?user_code=ABCD-EFGH',
      },
      'login_required: verification_uri: https://example.com/activate?user_code=ABCD-EFGH',
    ],
    [
      { message: 'Order 7 not found', href: 'https://backend.example.com/t/internal-77' },
      'Order 7 not found.',
    ],
  ])('in a body is told: %j', async (body, text) => {
    const [, words] = await said(new Error(JSON.stringify(body)), {});
    expect(words.slice(0, text.length)).toBe(text);
  });

  it.each<readonly [string, unknown]>([
    ['a client, 401', { response: { status: 401, data: { error: 'Sign in first', auth_url: SIGN_IN } } }],
    ['a client, as text', { response: { status: 401, body: JSON.stringify({ login_url: SIGN_IN }) } }],
    ['a client, within', { response: { status: 403, data: { error: { message: 'No', url: SIGN_IN } } } }],
    ['a member', { auth_url: SIGN_IN }],
  ])('in what an exception brings is told: %s', async (_what, members) => {
    const [kind, words] = await said(Object.assign(new Error('Request failed'), members), {});
    expect(words).toContain(SIGN_IN);
    expect(['unauthenticated', 'forbidden']).toContain(kind);
  });

  it.each([
    'GitHub API error: Not authenticated. Please sign in at https://mcp.acme.com/connect?session_id=9b1c7a4e-12ab-4c3d-9e8f-a1b2c3d4e5f6',
    'Slack API error: token expired. Please reconnect your account: https://app.acme.com/link/kJ8sLq02mXz7Pw4RtY6ubN3v',
    'Please visit [this link](https://app.acme.com/installations/7) to connect your account',
  ])('makes it the caller’s to sign in: %s', async (text) => {
    const [kind, words] = await said(new Error(text), {});
    expect(kind).toBe('unauthenticated');
    expect(words.slice(0, text.length)).toBe(text);
  });

  it.each<readonly [string, unknown]>([
    [
      'an outage',
      error('Request failed with status code 500', {
        response: { status: 500, data: { message: 'Internal Server Error', payment_url: SIGN_IN } },
      }),
    ],
    [
      'its own client is refused',
      error('Request failed with status code 401', {
        response: { status: 401, data: { error: 'invalid_client', login_url: SIGN_IN } },
      }),
    ],
    [
      'a bug',
      Object.assign(new TypeError("Cannot read properties of undefined (reading 'id')"), {
        auth_url: SIGN_IN,
      }),
    ],
    ['its callback', error('Request failed', { redirect_uri: 'https://mcp.example.com/callback' })],
  ])('is not asked for where it is the server’s: %s', async (_what, reason) => {
    expect((await said(reason, {}))[0]).not.toBe('unauthenticated');
  });

  it.each([
    'GitHub API error: Bad credentials. Go to https://github.com/settings/tokens to create a new token',
    'GitHub API error: Bad credentials',
    'The query requires an index. You can create it here: https://console.example.com/project/shop/indexes',
  ])('is not asked for by: %s', async (text) => {
    expect((await said(new Error(text), {}))[0]).not.toBe('unauthenticated');
  });

  it.each<readonly [string, number]>([
    ['{"message":"Rate limit exceeded","retry_after":12}', 12_000],
    ['429 {"message":"Rate limit exceeded","retry_after":12,"tenant":"x"}', 12_000],
    ['API error: {"ok":false,"error":"ratelimited","retry_after":5}', 5000],
    ['HTTP 503: {"error":"Maintenance","retryAfterSeconds":60}', 60_000],
    ['{"error":"rate_limited","retry_after_ms":1500}', 1500],
  ])('the wait of a body in words is told: %s', async (text, afterMs) => {
    expect(faultIn(await thrownBy(new Error(text)))['retry']).toMatchObject({ after_ms: afterMs });
  });

  it('in an object that is thrown is told', async () => {
    const [kind, words] = await said({ error: 'auth_required', data: { authUrl: SIGN_IN } }, {});
    expect(words).toContain(SIGN_IN);
    expect(kind).toBe('unauthenticated');
  });

  it.each<readonly [string, object]>([
    ['another address', { href: 'https://backend.example.com/t/internal-77' }],
    ['where it was asked', { config: { url: SIGN_IN }, request: { loginUrl: SIGN_IN } }],
  ])('is no page to open: %s', async (_what, members) => {
    const [, words] = await said(Object.assign(new Error('Request failed'), members), {});
    expect(words).not.toContain('https://');
  });

  it.each<readonly [string, object]>([
    [
      'NestJS',
      { statusCode: 400, message: ['name is too long', 'email must be an email'], error: 'Bad Request' },
    ],
    [
      'GitHub',
      {
        message: 'Validation Failed',
        errors: [
          { field: 'name', code: 'invalid' },
          { field: 'email', code: 'missing_field' },
        ],
      },
    ],
    [
      'JSON:API',
      {
        errors: [
          { source: { pointer: '/data/attributes/name' }, detail: 'is too long' },
          { source: { pointer: '/data/attributes/email' }, detail: 'is invalid' },
        ],
      },
    ],
    [
      'Spring',
      {
        status: 400,
        error: 'Bad Request',
        message: 'Validation failed',
        errors: [
          { field: 'name', defaultMessage: 'is too long' },
          { field: 'email', defaultMessage: 'is invalid' },
        ],
      },
    ],
  ])('fields of a body in words are told: %s', async (_what, body) => {
    const [, words] = await said(new Error(`API error 422: ${JSON.stringify(body)}`), {
      name: 'zzz',
      email: 'q',
    });
    expect(words).toContain('name');
    expect(words).toContain('email');
  });

  it.each<Case>([
    [
      'Order 7 created, but http://svc:Zq8vR2mWn4xT@orders-db.internal:8080/audit answered 500',
      'internal',
      'Order 7 created, but [address] answered 500. ',
    ],
    [
      'Order 7 created, but https://billing.example.com/tenants/7/audit returned 500',
      'internal',
      'Order 7 created, but [address] returned 500. ',
    ],
    [
      'Page saved to http://10.4.7.2:8080/tenants/internal-77/page, but the mail failed',
      'internal',
      'Page saved, but the mail failed. ',
    ],
    [
      'HTTP 409 for http://127.0.0.1:35697/v1/orders/c409?api_key=Zq8vR2mWn4xT {"message":"The order was changed by bob"}',
      'conflict',
      'HTTP 409 The order was changed by bob. Look',
    ],
    [
      'HTTP 409 for https://billing.example.com/orders?mode=a Order 7 was shipped already',
      'conflict',
      'HTTP 409 Order 7 was shipped already. Look',
    ],
  ])('is not told where something failed, whatever was done: %s', async (text, kind, says) => {
    const [told, words] = await said(new Error(text), { id: 7 });
    expect([told, words.slice(0, says.length)]).toEqual([kind, says]);
    expect(words).not.toMatch(/https?:|internal-77|tenants|[?]/);
  });

  it('is told with what was done', async () => {
    const text = 'Page published at https://pages.example.com/7, but the mail failed';
    expect((await said(new Error(text)))[1].slice(0, text.length)).toBe(text);
  });
});

it('a thing by an address of its own scheme is no address', async () => {
  const text = 'Resource orders://7 not found';
  expect((await said(new Error(text)))[1].slice(0, text.length)).toBe(text);
});
