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
