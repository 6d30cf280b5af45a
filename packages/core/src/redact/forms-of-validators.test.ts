import { expect, it } from 'vitest';
import { redact } from './index.ts';

const SECRET = 'hunter2x9Q';
const SENTENCES: readonly string[] = [
  `${SECRET} is too weak`,
  `'${SECRET}' is not a valid value`,
  `Value "${SECRET}" rejected`,
  `got ${SECRET}`,
];

/** How APIs and validators say which field was refused, and why. */
const FORMS: readonly (readonly [string, (said: string) => unknown])[] = [
  [
    'OData',
    (said) => ({ error: { code: 'x', message: 'bad', details: [{ target: 'password', message: said }] } }),
  ],
  ['Google', (said) => ({ details: [{ fieldViolations: [{ field: 'user.password', description: said }] }] })],
  ['JSON:API', (said) => ({ errors: [{ source: { pointer: '/data/attributes/password' }, detail: said }] })],
  ['JSON:API, parameter', (said) => ({ errors: [{ source: { parameter: 'api_key' }, detail: said }] })],
  ['Symfony', (said) => ({ violations: [{ propertyPath: 'user.password', message: said }] })],
  ['NestJS', (said) => [{ property: 'password', constraints: { isStrong: said } }]],
  ['Zod', (said) => ({ issues: [{ path: ['password', 'value'], message: said }] })],
  ['GraphQL', (said) => ({ errors: [{ message: said, extensions: { field: 'password' } }] })],
  ['a name', (said) => ({ errors: [{ name: 'password', reason: said }] })],
  ['a key', (said) => ({ errors: [{ key: 'user.password', message: said }] })],
  ['a key, with a list', (said) => ({ errors: [{ key: 'password', errors: [said] }] })],
  ['Spring', (said) => ({ fieldErrors: [{ objectName: 'user', field: 'password', defaultMessage: said }] })],
];

it.each(FORMS)('%s: what a field named like a credential held is not said', (_, form) => {
  for (const said of SENTENCES) {
    expect(JSON.stringify(redact(form(said)).value)).not.toContain(SECRET);
    expect(redact(JSON.stringify(form(said))).value).not.toContain(SECRET);
  }
});

it.each(FORMS)('%s: what has nothing of it stays', (_, form) => {
  const given = form('must have at least 12 characters');
  expect(redact(given).value).toEqual(given);
});

/** Where what was refused stands beside the name of its field, or beneath it. */
it.each([
  ['value', { name: 'password', value: SECRET }],
  ['input', { key: 'password', input: SECRET }],
  ['found', { key: 'apiKey', found: SECRET }],
  ['attempted', { key: 'user.password', attempted: SECRET }],
  ['params', { name: 'password', code: 'too_short', params: { value: SECRET } }],
  ['context', { key: 'password', context: { value: SECRET, limit: 12 } }],
  ['error', { name: 'password', error: { value: SECRET, message: 'too short' } }],
])('what was refused is not repeated under %s', (_, item) => {
  const { value } = redact({ errors: [item] });
  expect(JSON.stringify(value)).not.toContain(SECRET);
  expect(redact(JSON.stringify({ errors: [item] })).value).not.toContain(SECRET);
});

it('what is told of a field beside what was refused stays', () => {
  const given = {
    errors: [
      { name: 'password', code: 'too_short', params: { limit: 12, type: 'string' }, errors: ['too short'] },
    ],
  };
  expect(redact(given).value).toEqual(given);
});
