/** Addresses in plain words: the server's own, which nobody is told, and those that are for the caller. */
import { describe, expect, it } from 'vitest';
import { error, said } from './thrown.ts';

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
    [`Error 404 fetching ${AT}.`, 'not_found', 'Error 404 fetching. '],
    [`Customer 9 not found [${AT}] and ${AT} too`, 'not_found', 'Customer 9 not found and'],
  ])('unseen: is not told, and the rest is: %s', async (text, kind, says) => {
    const [told, words] = await said(new Error(text), { id: 7 });
    expect([told, words.slice(0, says.length)]).toEqual([kind, says]);
    expect(words).not.toMatch(HIDDEN);
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

  it('is told with what was done', async () => {
    const text = 'Page published at https://pages.example.com/7, but the mail failed';
    expect((await said(new Error(text)))[1].slice(0, text.length)).toBe(text);
  });
});

it('a thing by an address of its own scheme is no address', async () => {
  const text = 'Resource orders://7 not found';
  expect((await said(new Error(text)))[1].slice(0, text.length)).toBe(text);
});
