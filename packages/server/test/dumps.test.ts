/** Exceptions whose message holds what was asked and answered: the sentence is told, and nothing of the exchange. */
import { describe, expect, it } from 'vitest';
import { axios, error, INTERNAL, said } from './thrown.ts';

const REQUEST = {
  query: 'query($tenant: ID!) { tenant(id: $tenant) { me { name salary } } }',
  variables: { tenant: 'internal-tenant-77' },
};

/** As graphql-request makes it. */
const graphql = (message: string, { status = 200, request = REQUEST as object } = {}): Error => {
  const errors = [{ message }];
  const data = { me: { name: 'Bob Internal', salary: 91000 } };
  const response = { data, errors, status, headers: {}, body: JSON.stringify({ data, errors }) };
  return error(`${message}: ${JSON.stringify({ response, request })}`, { response, request });
};

/** As graphql-request makes it of an answer that is not GraphQL's. */
const plain = (status: number, body: object, kept: string = 'body'): Error => {
  const response = { status, headers: {}, [kept]: JSON.stringify(body) };
  const told = JSON.stringify({ response, request: REQUEST });
  return error(`GraphQL Error (Code: ${status}): ${told}`, { response, request: REQUEST });
};

const CONFIG = {
  url: 'https://billing.corp.example/v1/orders/7',
  method: 'get',
  headers: { Authorization: 'Bearer abcdef', 'X-Tenant': 'internal-tenant-77' },
};
/** As axios tells itself in JSON. */
const TOLD = {
  message: 'Request failed with status code 404',
  name: 'AxiosError',
  config: CONFIG,
  status: 404,
};
/** As Contentful's client makes it: the message is nothing else. */
const contentful = error(
  JSON.stringify(
    { status: 404, statusText: 'Not Found', message: 'Entry 7 not found', details: {}, request: CONFIG },
    null,
    2,
  ),
  { name: 'NotFound' },
);
const INSPECTED = `{
  config: { url: 'https://billing.corp.example/v1', headers: { 'X-Tenant': 'internal-tenant-77' } },
  request: <ref *1> ClientRequest { _header: 'GET /v1 HTTP/1.1' },
  response: { status: 404, data: { name: 'Bob Internal', salary: 91000 } }
}`;

const NOTHING_OF_IT = /Bob|91000|tenant-77|salary|Bearer|billing|X-Tenant|"?(?:request|response|config)"?:/;

type Row = readonly [what: string, reason: unknown, kind: string, says: string];
const told: readonly Row[] = [
  ['graphql-request', graphql('Order 7 not found'), 'not_found', 'Order 7 not found'],
  ['graphql-request, 404', graphql('Order 7 not found', { status: 404 }), 'not_found', 'Order 7 not found'],
  [
    'graphql-request, a plain body',
    plain(404, { message: 'Order 7 not found' }),
    'not_found',
    'Order 7 not found',
  ],
  [
    'graphql-request, a plain body elsewhere',
    plain(404, { message: 'Order 7 not found' }, 'error'),
    'not_found',
    'Order 7 not found',
  ],
  [
    'graphql-request, fields in a plain body',
    plain(422, { errors: [{ field: 'email', message: 'is not a valid address' }] }),
    'unprocessable',
    'GraphQL Error (Code: 422): email: is not a valid address',
  ],
  [
    'a status, and the body in the words',
    error(
      `HTTP 422 for http://127.0.0.1:8080/v1/orders ${JSON.stringify({
        errors: [{ field: 'email', message: 'is not a valid address' }],
        request: { headers: { authorization: 'Bearer abcdef' } },
      })}`,
      { statusCode: 422 },
    ),
    'unprocessable',
    'HTTP 422 email: is not a valid address',
  ],
  [
    'wrapped',
    new Error('Could not load the order', { cause: graphql('Order 7 not found', { status: 404 }) }),
    'not_found',
    'Order 7 not found',
  ],
  [
    'its words in another’s',
    new Error(`Could not load the order: ${graphql('Order 7 not found').message}`),
    'not_found',
    'Order 7 not found',
  ],
  ['a string', graphql('Order 7 not found').message, 'not_found', 'Order 7 not found'],
  ['Contentful', contentful, 'not_found', 'Entry 7 not found'],
  [
    'axios in JSON',
    new Error(`Order 7 not found: ${JSON.stringify(TOLD)}`),
    'not_found',
    'Order 7 not found',
  ],
  ['axios alone in JSON', new Error(JSON.stringify(TOLD)), 'not_found', 'status code 404'],
  ['inspected', new Error(`Order 7 not found ${INSPECTED}`), 'not_found', 'Order 7 not found'],
  ['cut off', new Error(`Order 7 not found ${INSPECTED.slice(0, 150)}`), 'not_found', 'Order 7 not found'],
];

describe('a dump of request and response', () => {
  it.each(told)('of %s stays back, and its sentence is told', async (_what, reason, kind, says) => {
    const [is, words] = await said(reason, { id: '7' });
    expect([is, words]).toEqual([kind, expect.stringContaining(says)]);
    expect(words).not.toMatch(NOTHING_OF_IT);
  });

  it('may come as often as it likes', async () => {
    const [kind, words] = await said(new Error(`Order 7 not found${' {a: {request: {}}}'.repeat(20_000)}`), {
      id: '7',
    });
    expect([kind, words.length < 200]).toEqual(['not_found', true]);
  });

  it('has no say in what it is', async () => {
    const request = {
      query: '{ rateLimit exceeded forbidden }',
      variables: { why: 'Invalid email address' },
    };
    expect(await said(graphql('Boom', { request }), { id: '7' })).toEqual(['internal', INTERNAL]);
  });

  it('is not what a backend says of single fields', async () => {
    const words = 'Validation Failed: {"resource":"Issue","code":"missing_field","field":"title"}';
    const reason = error(words, { status: 422, name: 'HttpError' });
    expect((await said(reason, { title: '' }))[1]).toContain('Validation Failed: title: missing_field');
  });
});

describe('a query that the server wrote', () => {
  const WRONG = [
    'Cannot query field "foo" on type "Query".',
    'Unknown argument "shard" on field "Query.me".',
    'Variable "$tenant" of required type "ID!" was not provided.',
    'Variable "$tenant" of type "String" used in position expecting type "ID!".',
    'Field "me" of type "User" must have a selection of subfields. Did you mean "me { ... }"?',
    'Syntax Error: Expected Name, found "}".',
    "Field 'foo' doesn't exist on type 'Query'",
    '[GraphQL] Cannot query field "foo" on type "Query".',
    "field 'foo' not found in type: 'query_root'",
    'Variable "$shard" got invalid value "s-9"; Int cannot represent non-integer value: "s-9"',
  ];
  it.each(WRONG)('is not the caller’s: %s', async (words) => {
    expect(await said(new Error(words), { id: '7' })).toEqual(['internal', INTERNAL]);
    expect(await said(graphql(words), { id: '7' })).toEqual(['internal', INTERNAL]);
    expect((await said(axios(400, { errors: [{ message: words }] }), { id: '7' }))[0]).toBe('internal');
  });

  it.each(WRONG.slice(0, 6))('is, where it wrote it: %s', async (words) => {
    const query = '{ me { foo } }';
    const [kind, told] = await said(graphql(words, { request: { query } }), { query });
    expect([kind, told]).toEqual(['invalid_arguments', expect.stringContaining(words.slice(0, 20))]);
    expect(told).not.toMatch(NOTHING_OF_IT);
  });

  it('may have held a value of the caller’s', async () => {
    const words = 'Variable "$qty" got invalid value "abc"; Int cannot represent non-integer value: "abc"';
    const [kind, told] = await said(graphql(words), { qty: 'abc' });
    expect([kind, told]).toEqual(['invalid_arguments', expect.stringContaining('non-integer value: "abc"')]);
  });
});

describe('what was looked for', () => {
  const entity = (criteria: object): Error =>
    error(`Could not find any entity of type "User" matching: ${JSON.stringify(criteria, null, 4)}`, {
      name: 'EntityNotFoundError',
      criteria,
    });
  const document = (criteria: string): Error =>
    error(`No document found for query "${criteria}" on model "Order"`, { name: 'DocumentNotFoundError' });

  it.each([
    [
      'TypeORM',
      entity({ where: { id: 7, tenant: 'internal-t-9' } }),
      'Could not find any entity of type "User"',
    ],
    ['Mongoose', document("{ _id: 'abc', tenant: 'internal-t-9' }"), 'No document found'],
    ['MikroORM', error("User not found ({ id: 7, tenant: 'internal-t-9' })"), 'User not found'],
    [
      'a handler',
      error('Order not found: {"id":7,"deleted":false,"tenant":"internal-t-9"}'),
      'Order not found',
    ],
  ])('with more than the caller sent stays back: %s', async (_what, reason, says) => {
    const [kind, words] = await said(reason, { id: 7, _id: 'abc' });
    expect([kind, words]).toEqual(['not_found', expect.stringContaining(says)]);
    expect(words).not.toMatch(/tenant|internal|deleted/);
  });

  it.each([
    ['TypeORM', entity({ where: { id: 7, region: 'eu' } }), '"region": "eu"'],
    ['Mongoose', document("{ _id: '7', region: 'eu' }"), "region: 'eu'"],
  ])('is told where the caller sent all of it: %s', async (_what, reason, says) => {
    const [kind, words] = await said(reason, { id: 7, region: 'eu' });
    expect([kind, words]).toEqual(['not_found', expect.stringContaining(says)]);
  });
});
