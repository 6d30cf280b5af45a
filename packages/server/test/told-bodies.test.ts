/** Bodies that an author puts into the words of an exception, or throws as they are: what they say is told, not all they hold. */
import { describe, expect, it } from 'vitest';
import { axios, error, said } from './thrown.ts';

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

const text = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));
const stack = ['DebugInfo', 'at Row.java:9'];

/** The same answer, as clients and authors hand it on. */
const HANDED_ON: readonly ((body: unknown) => unknown)[] = [
  (body) => axios(400, body),
  (body) =>
    error('Request failed with status code 400 (Bad Request): POST http://api.internal/x', {
      name: 'HTTPError',
      code: 'ERR_NON_2XX_3XX_RESPONSE',
      response: { statusCode: 400, headers: {}, body: text(body) },
    }),
  (body) => error('Bad Request', { status: 400, body: text(body) }),
  (body) => error('API error', { status: 400, body }),
  (body) => error('Shop API error: 400', { status: 400, body }),
  (body) => ({ status: 400, body }),
  (body) => new Error(`Request failed with status 400: ${text(body)}`),
];

it.each<readonly [string, unknown, ...string[]]>([
  ['OAuth', { error: 'invalid_request', error_description: 'start is after end' }, 'start is after end'],
  [
    'OData',
    { error: { code: 'x', message: { lang: 'en', value: "No property named 'foo'" } } },
    "No property named 'foo'",
  ],
  [
    'older OData',
    { 'odata.error': { code: 'x', message: { lang: 'en', value: "No property named 'foo'" } } },
    "No property named 'foo'",
  ],
  [
    'GitLab',
    { message: { title: ["can't be blank"], branch: ['does not exist'] } },
    "title: can't be blank",
    'branch: does not exist',
  ],
  [
    'Bitbucket',
    { error: { message: 'Bad request', fields: { title: ['key not provided'] } } },
    'title: key not provided',
  ],
  ['Apigee', { fault: { faultstring: 'Invalid SKU A-1', detail: { errorcode: 'x' } } }, 'Invalid SKU A-1'],
  ['Solr', { responseHeader: { status: 400 }, error: { msg: 'undefined field foo' } }, 'undefined field foo'],
  [
    'S3',
    '<?xml version="1.0"?><Error><Code>X</Code><Message>max must be &lt; 1000</Message><HostId>tenant-9</HostId></Error>',
    'max must be < 1000',
  ],
  [
    'SOAP',
    '<s:Envelope xmlns:s="x"><s:Body><s:Fault><faultstring>Order 7 is closed</faultstring><detail>tenant-9</detail></s:Fault></s:Body></s:Envelope>',
    'Order 7 is closed',
  ],
  [
    'Cloudflare',
    {
      errors: [{ message: 'DNS Validation Error', error_chain: [{ message: 'Content must be an address' }] }],
    },
    'Content must be an address',
  ],
  [
    'Linear',
    {
      errors: [
        {
          message: 'Argument Validation Error',
          extensions: { userPresentableMessage: 'title is too short' },
        },
      ],
    },
    'title is too short',
  ],
  [
    'a number that is not',
    { errorCode: 'E12', errorMessage: 'Phone number is not reachable' },
    'is not reachable',
  ],
  ['Slack', { ok: false, error: 'x', response_metadata: { messages: ['no channel given'] } }, 'no channel'],
  [
    'HubSpot',
    { message: 'Values were not valid', errors: [{ message: 'Address x is invalid' }] },
    'Address x is',
  ],
  [
    'Web API',
    { Message: 'Invalid.', ModelState: { qty: ['must be at least 1'] } },
    'qty: must be at least 1',
  ],
  [
    'Xero',
    { Message: 'Invalid', Elements: [{ ValidationErrors: [{ Message: 'Email must be valid.' }] }] },
    'Email must',
  ],
  [
    'Okta',
    { errorSummary: 'Api validation failed', errorCauses: [{ errorSummary: 'login: is too short' }] },
    'login: is too short',
  ],
  [
    'Facebook',
    { error: { message: 'Invalid', error_user_msg: 'The budget is too low' } },
    'budget is too low',
  ],
  [
    'Dropbox',
    { error_summary: 'path/x', user_message: { text: 'The name is taken already' } },
    'name is taken',
  ],
  ['CouchDB', { error: 'bad_value', reason: 'Invalid value for limit: x' }, 'Invalid value for limit'],
  [
    'Google',
    {
      error: {
        message: 'Invalid value',
        details: [
          { '@type': `type.googleapis.com/google.rpc.${stack[0]}`, detail: `tenant-9 ${stack[1]}` },
          { stackEntries: ['x'], message: `tenant-9 ${stack[1]}` },
          { fieldViolations: [{ field: 'title', description: 'must not be blank' }] },
        ],
        innererror: { message: 'tenant-9 lacks a row' },
      },
    },
    'must not be blank',
  ],
])('a body says the same whichever way it is handed on: %s', async (_, body, ...words) => {
  for (const handOn of HANDED_ON) {
    const [kind, told] = await said(handOn(body), { id: 7 });
    for (const one of words) expect(told).toContain(one);
    expect(['internal', 'unavailable', 'misconfigured']).not.toContain(kind);
    expect(told).not.toMatch(/tenant-9|Reference: |[{}]|api\.internal/);
  }
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
