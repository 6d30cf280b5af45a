/** What a validator repeats of a secret goes, in whatever form it names the field. */
import { describe, expect, it } from 'vitest';
import { redact } from './index.ts';

const P = 'hunter2x9Q';
const SENTENCES = [`${P} is too weak`, `'${P}' is not a valid value`, `Value "${P}" rejected`, `got ${P}`];

const FORMS: { readonly [form: string]: (words: string) => unknown } = {
  'field and message': (message) => ({ errors: [{ field: 'password', message }] }),
  OData: (message) => ({ error: { code: 'x', message: 'bad', details: [{ target: 'password', message }] } }),
  'Google AIP': (description) => ({
    error: { details: [{ fieldViolations: [{ field: 'user.password', description }] }] },
  }),
  'JSON:API, pointer': (detail) => ({
    errors: [{ source: { pointer: '/data/attributes/password' }, detail }],
  }),
  'JSON:API, parameter': (detail) => ({ errors: [{ source: { parameter: 'api_key' }, detail }] }),
  'JSON:API, header': (detail) => ({ errors: [{ detail, source: { header: 'X-Api-Key' } }] }),
  Zod: (message) => ({ issues: [{ path: ['password', 'value'], message }] }),
  'Zod, in a list': (message) => ({ issues: [{ path: ['users', 0, 'password', 0], message }] }),
  'a dotted path to a value': (message) => ({ issues: [{ path: 'user.password.value', message }] }),
  'a pointer to a value': (message) => ({ errors: [{ instancePath: '/user/password/0', message }] }),
  'RFC 7807': (reason) => ({ 'invalid-params': [{ name: 'password', reason }] }),
  'RFC 9457': (detail) => ({ errors: [{ pointer: '#/password', detail }] }),
  FastAPI: (msg) => ({ detail: [{ loc: ['body', 'user', 'password'], msg }] }),
  Symfony: (message) => ({ violations: [{ propertyPath: 'user.password', message }] }),
  'API Platform, list': (message) => ({ violations: [{ propertyPath: 'users[0].password', message }] }),
  Spring: (defaultMessage) => ({ fieldErrors: [{ objectName: 'user', field: 'password', defaultMessage }] }),
  'class-validator': (words) => [{ property: 'password', constraints: { isStrong: words } }],
  'class-validator, nested': (words) => ({
    message: [{ property: 'user', children: [{ property: 'password', constraints: { isStrong: words } }] }],
  }),
  'GraphQL, extensions': (message) => ({ errors: [{ message, extensions: { field: 'password' } }] }),
  'a name': (reason) => ({ errors: [{ name: 'password', reason }] }),
  'a key': (message) => ({ errors: [{ key: 'user.password', message }] }),
  'a key, with a list': (words) => ({ errors: [{ key: 'password', errors: [words] }] }),
  Joi: (message) => ({ details: [{ message, path: ['password'], context: { key: 'password' } }] }),
};

describe.each(Object.entries(FORMS))('%s', (_form, make) => {
  it.each(SENTENCES)('%s', (words) => {
    const value = make(words);
    expect(JSON.stringify(redact(value).value)).not.toContain(P);
    expect(redact(JSON.stringify(value)).value).not.toContain(P);
    expect(redact(`422: ${JSON.stringify(value)}`).value).not.toContain(P);
  });

  it('keeps words that have nothing of it', () => {
    const value = make('must have at least 12 characters');
    expect(redact(value).value).toEqual(value);
  });
});

it.each([
  [{ errors: [{ source: { pointer: '/data/attributes/name' }, detail: 'order-2026x is unknown' }] }],
  [[{ property: 'amount', constraints: { max: 'amount must not be greater than 1000' } }]],
  [
    [
      {
        property: 'password',
        constraints: { minLength: 'password must be longer than or equal to 8 characters' },
      },
    ],
  ],
  [{ details: [{ target: 'password', message: 'The password is too short' }] }],
  [{ violations: [{ propertyPath: 'user.password', message: 'This value should not be blank.' }] }],
  [{ name: 'token', description: 'The token that Settings shows you' }],
  [{ errors: [{ message: 'Unknown order A1234567', extensions: { code: 'NOT_FOUND', field: 'order' } }] }],
  [{ issues: [{ path: ['secrets', 'name'], message: 'Invalid name "prod-db-2"' }] }],
])('leaves what is no secret: %j', (value) => {
  expect(redact(value).value).toEqual(value);
});

it.each(['propertyPath', 'dataPath', 'param', 'property', 'target', 'key', 'pointer', 'header', 'argument'])(
  'leaves the path under %s',
  (label) => {
    const named = { [label]: 'users[0].password', message: 'must have at least 12 characters' };
    const pointed = { [label]: '/users/0/password1', message: 'must have at least 12 characters' };
    expect(redact([named, pointed]).value).toEqual([named, pointed]);
  },
);

it('does not follow a cause that holds itself', () => {
  const error: { [member: string]: unknown } = { detail: 'wrong' };
  error['source'] = error;
  expect(redact(error).value).toBe(error);
});

/** Where what was refused stands beside the name of its field, or beneath it. */
it.each([
  ['value', { name: 'password', value: P }],
  ['input', { key: 'password', input: P }],
  ['found', { key: 'apiKey', found: P }],
  ['attempted', { key: 'user.password', attempted: P }],
  ['params', { name: 'password', code: 'too_short', params: { value: P } }],
  ['context', { key: 'password', context: { value: P, limit: 12 } }],
  ['error', { name: 'password', error: { value: P, message: 'too short' } }],
])('what was refused is not repeated under %s', (_, item) => {
  const { value } = redact({ errors: [item] });
  expect(JSON.stringify(value)).not.toContain(P);
  expect(redact(JSON.stringify({ errors: [item] })).value).not.toContain(P);
});

it('what is told of a field beside what was refused stays', () => {
  const given = {
    errors: [
      { name: 'password', code: 'too_short', params: { limit: 12, type: 'string' }, errors: ['too short'] },
    ],
  };
  expect(redact(given).value).toEqual(given);
});
