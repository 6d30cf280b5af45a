import { expect, it } from 'vitest';
import { bodyInput, type Input, queryInput } from './inputs.ts';
import { OPERATIONS } from './operations.ts';
import { request } from './schemas.ts';

const SCHEMA = request(
  {
    name: { type: 'string', pattern: '^[a-z]+$', description: 'Who it is: small letters' },
    limit: { type: 'integer', minimum: 1, maximum: 10 },
    tags: { type: 'array', items: { type: 'string' } },
  },
  ['name'],
);

const issuesOf = (input: Input): unknown =>
  'refused' in input ? input.refused.fault.issues?.map(({ path, message }) => [path, message]) : input.values;

it.each([
  ['name=a&limit=3', { name: 'a', limit: 3 }],
  ['name=a%62', { name: 'ab' }],
  ['name=a&limit=', [[['limit'], 'Must be integer']]],
  ['name=a&limit=-1', [[['limit'], 'Must be integer']]],
  ['name=a&limit=1e1', [[['limit'], 'Must be integer']]],
  ['name=a&limit=11', [[['limit'], 'Must be <= 10']]],
  ['name=a&limit=99999999999999999999', [[['limit'], 'Must be integer']]],
  ['limit=1', [[['name'], 'Required']]],
  ['name=a&Limit=1', [[['Limit'], 'Unknown parameter; did you mean limit?']]],
  ['name=a&__proto__=1', [[['__proto__'], 'Unknown parameter; known are name, limit, tags']]],
  ['name=a&toString=1', [[['toString'], 'Unknown parameter; known are name, limit, tags']]],
  ['name=A', [[['name'], 'Expected who it is: small letters']]],
  [`name=${'a'.repeat(300)}A`, [[['name'], 'Expected who it is: small letters']]],
])('reads the query %j', (query, expected) => {
  expect(issuesOf(queryInput(query, SCHEMA))).toEqual(expected);
});

it.each([
  [
    { name: 'a', tags: [] },
    { name: 'a', tags: [] },
  ],
  [{ name: 1 }, [[['name'], 'Must be string']]],
  [{ name: 'a', tags: ['x', 2] }, [[['tags', 1], 'Must be string']]],
  [{ name: 'a', tag: [] }, [[['tag'], 'Unknown field; did you mean tags?']]],
  [
    JSON.parse('{"name":"a","__proto__":{"limit":1}}'),
    [[['__proto__'], 'Unknown field; known are name, limit, tags']],
  ],
])('reads the body %j', (body, expected) => {
  expect(issuesOf(bodyInput(body, SCHEMA))).toEqual(expected);
});

it.each([null, [], 'x', 1, true])('takes no %j for a change', (body) => {
  expect(bodyInput(body, SCHEMA)).toMatchObject({
    refused: {
      status: 400,
      fault: { kind: 'invalid_arguments', message: 'A change is sent as a JSON object' },
    },
  });
});

it('takes nothing where nothing is taken', () => {
  expect([issuesOf(queryInput('')), issuesOf(bodyInput({}))]).toEqual([{}, {}]);
  expect(issuesOf(queryInput('a=1'))).toEqual([[['a'], 'Unknown parameter; none is taken here']]);
});

const COUNTED = ['limit', 'after', 'before', 'since', 'known'];

it.each(['9'.repeat(300), `${'9'.repeat(300)}:x`, '1e400', '-1', '0.5', 'NaN', '\0'])(
  'no operation takes %j for a number, a place, a time or a row',
  (said) => {
    const asked = OPERATIONS.flatMap(({ id, query }) =>
      COUNTED.filter((name) => query?.properties[name] !== undefined).map((name) => ({ id, name, query })),
    );
    const isTaken = ({ name, query }: (typeof asked)[number]): boolean =>
      !('refused' in queryInput(`${name}=${encodeURIComponent(said)}`, query));
    expect(asked.length).toBeGreaterThan(8);
    expect(asked.filter(isTaken).map(({ id, name }) => `${id} ${name}`)).toEqual([]);
  },
);
