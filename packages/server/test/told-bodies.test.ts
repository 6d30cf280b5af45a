/** Bodies that an author puts into the words of an exception, or throws as they are: what they say is told, not all they hold. */
import { describe, expect, it } from 'vitest';
import { error, said } from './thrown.ts';

const NEXT = 'Check the identifier; do not repeat the same call.';
const INNER = { tenant: 'tenant-9', shard: 'eu-4' };

describe('JSON in the words of an exception', () => {
  it.each<readonly [string, string]>([
    [
      JSON.stringify([{ message: 'Order 7 not found', extensions: { code: 'NOT_FOUND', ...INNER } }]),
      'Order 7 not found',
    ],
    [JSON.stringify({ message: 'Order 7 not found', inner: INNER }), 'Order 7 not found'],
    [
      `API error: ${JSON.stringify({ message: 'Order 7 not found', inner: INNER })}`,
      'API error: Order 7 not found',
    ],
    [
      `API error: ${JSON.stringify(JSON.stringify({ message: 'Order 7 not found', inner: INNER }))}`,
      'API error: Order 7 not found',
    ],
    [
      'soap:Client: Order 7 not found: <detail><tenant>tenant-9</tenant></detail>',
      'soap:Client: Order 7 not found',
    ],
    [
      `API error (404): ${JSON.stringify({ error: { message: 'Order 7 not found', ...INNER } }, null, 2)}`,
      'API error (404): Order 7 not found',
    ],
    [
      `Shop said ${JSON.stringify({ errors: [{ message: 'Order 7 not found', path: ['order'] }], data: INNER })}`,
      'Shop said Order 7 not found',
    ],
  ])('is said in words: %s', async (text, words) => {
    expect(await said(new Error(text), { id: 7 })).toEqual(['not_found', `${words}. ${NEXT}`]);
  });

  it.each<readonly [string, string]>([
    [
      `Failed: ${JSON.stringify({ message: 'Validation failed', errors: [{ field: 'email', message: 'is taken' }], ...INNER })}`,
      'Failed: Validation failed: email: is taken. ',
    ],
    [
      JSON.stringify({ message: 'Validation failed', errors: { email: ['is taken', 'is odd'] }, ...INNER }),
      'Validation failed: email: is taken, is odd. ',
    ],
    [
      `HTTP 409: ${JSON.stringify({ error: { message: 'Order 7 was modified', ...INNER }, message: 'Conflict' })}`,
      'HTTP 409: Order 7 was modified. ',
    ],
    [
      `Request failed (404: ${JSON.stringify({ message: 'Order 7 not found', ...INNER })})`,
      'Request failed (404: Order 7 not found). ',
    ],
    [
      JSON.stringify({ error: `Graph: 404 - ${JSON.stringify({ message: 'Order 7 not found', ...INNER })}` }),
      'Graph: 404 - Order 7 not found. ',
    ],
    [JSON.stringify({ ok: false, error: 'channel_not_found', inner: INNER }), 'channel_not_found. '],
  ])('unseen: is said in words: %s', async (text, words) => {
    const told = (await said(new Error(text), { id: 7 }))[1];
    expect(told.slice(0, words.length)).toBe(words);
    expect(told).not.toMatch(/tenant-9|eu-4/);
  });

  it('is said as it is where it says nothing in words', async () => {
    const text = 'No order found for {"id":7}';
    expect((await said(new Error(text), { id: 7 }))[1]).toBe(`${text}. ${NEXT}`);
  });
});

it('an envelope of SOAP says what its fault says', async () => {
  const text =
    '<?xml version="1.0"?><soap:Envelope xmlns:soap="x"><soap:Body><soap:Fault><faultcode>soap:Client</faultcode><faultstring>Order 7 not found</faultstring><detail><t>tenant-9</t></detail></soap:Fault></soap:Body></soap:Envelope>';
  expect(await said(new Error(text), { id: 7 })).toEqual(['not_found', `Order 7 not found. ${NEXT}`]);
  expect((await said(new Error(`Shop failed: ${text}`), { id: 7 }))[1]).toBe(
    `Shop failed: Order 7 not found. ${NEXT}`,
  );
});

it.each<readonly [object]>([
  [{ status: 404, data: { message: 'Order 7 not found', ...INNER } }],
  [{ status: 404, data: { error: { message: 'Order 7 not found' } } }],
  [{ statusCode: 404, body: { message: 'Order 7 not found' } }],
  [{ status: 404, data: 'Order 7 not found' }],
])('an answer that is thrown as it is says what its body says: %j', async (answer) => {
  expect(await said(answer, { id: 7 })).toEqual(['not_found', `Order 7 not found. ${NEXT}`]);
});

it('what GraphQL answered follows the words around it', async () => {
  const cause = error(
    'Order 7 not found: {"response":{"errors":[{"message":"Order 7 not found"}],"status":200}}',
    {
      response: { status: 200, errors: [{ message: 'Order 7 not found' }] },
      request: { query: '{ order }', variables: INNER },
    },
  );
  expect(await said(new Error('Shop API failed', { cause }), { id: 7 })).toEqual([
    'not_found',
    `Shop API failed: Order 7 not found. ${NEXT}`,
  ]);
});
