/** A status reads alike wherever people put it. */
import { describe, expect, it } from 'vitest';
import { readBody, readProse } from './index.ts';

const KINDS = [
  [401, 'unauthenticated'],
  [404, 'not_found'],
  [409, 'conflict'],
  [429, 'rate_limited'],
  [503, 'unavailable'],
] as const;

const ALONE = [
  '[#]',
  '(#)',
  'status=#',
  'status: #',
  'status:#',
  'status_code=#',
  'statusCode: #',
  'code: #',
  'got #',
  'HTTP #',
  'HTTP: #',
  'HTTP/1.1 #',
  'HTTP/2 #',
  'HTTP-#',
  '<Response [#]>',
  '**Status:** #',
  'error #',
  'rc=#',
  'server replied: #',
  'the API gave a #',
  'the API gave us a #',
  'Fehler #',
  'Erreur #',
  '错误码:#',
  '错误 #',
  '状态码:#',
];
const BEHIND = ['=> #', '-> #', '- #', '| # |'];

describe.each(KINDS)('%i', (status, kind) => {
  const said = (form: string): string => form.replace('#', String(status));

  it('alone', () => {
    const wrong = ALONE.map(said).filter((text) => readProse(text)?.kind !== kind);
    expect(wrong).toEqual([]);
  });

  it('behind what was attempted', () => {
    const wrong = [...ALONE, ...BEHIND]
      .flatMap((form) => [`Error fetching orders: ${said(form)}`, `Error fetching orders ${said(form)}`])
      .filter((text) => !/: (?:=>|->|-|\|) /.test(text))
      .filter((text) => readProse(text)?.kind !== kind);
    expect(wrong).toEqual([]);
  });

  it('in a message that is an object or a list', () => {
    const bodies = [
      { message: { statusCode: status } },
      { message: { status: String(status), text: 'oops' } },
      { error: { message: { status, message: 'oops' } } },
      { message: [`HTTP ${status}`] },
      { message: [{ message: `status=${status}` }] },
      { error: { message: [{ text: `[${status}]` }] } },
      { msg: { content: `code: ${status}` } },
      { errorMessage: { message: `got ${status}` } },
      { 'odata.error': { code: '', message: { lang: 'en-US', value: `HTTP/1.1 ${status}` } } },
    ];
    expect(bodies.filter((body) => readBody(body)?.kind !== kind)).toEqual([]);
  });
});

it.each([
  'gave 404 items',
  'She gave us 404 reasons',
  'They gave 500 euros',
  'Rooms - 503',
  'Price: **500**',
])('%s is none', (text) => {
  expect(readProse(text)?.status).toBeUndefined();
});

it('a message in some language is the message', () => {
  expect(readBody({ error: { message: { en: 'Too many requests' } } })?.message).toBe('Too many requests');
});
