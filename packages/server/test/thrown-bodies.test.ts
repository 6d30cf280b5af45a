/** What libraries throw in place of a sentence: the body of an answer, or a sentence with more behind it. */
import { describe, expect, it } from 'vitest';
import { axios, error, INTERNAL, said } from './thrown.ts';

describe('a body in the words of an exception that names its field', () => {
  it.each([
    ['Shop API error: 400: {"message":"qty must be positive"}', 'Shop API error: 400: qty must be positive.'],
    ['API error 422: {"error":"qty must be positive"}', 'API error 422: qty must be positive.'],
    ['Request failed: 400 {"detail":"qty is required"}', 'Request failed: 400 qty is required.'],
    ['{"message":"qty must be positive"}', 'qty must be positive.'],
    [
      'Shop API error: 400: {"message":"qty must be positive","errors":[{"field":"qty","message":"must be positive"},{"field":"name","message":"too long"}]}',
      'Shop API error: 400: qty must be positive: name: too long.',
    ],
    [
      'Shop API error: 400: {"message":"Validation failed","errors":[{"field":"qty","message":"must be positive"}]}',
      'Shop API error: 400: Validation failed: qty: must be positive.',
    ],
  ])('says it once: %s', async (message, words) => {
    const [kind, text] = await said(new Error(message), { qty: -1, name: 'x' });
    expect(kind).toBe('invalid_arguments');
    expect(text).toBe(`${words} Correct the arguments, then call again.`);
  });
});

describe('a body that was thrown', () => {
  it.each<[string, unknown, object, string]>([
    [
      'error.message',
      { error: { message: 'Customer cus_9 has no card', code: 'none' } },
      { customer: 'cus_9' },
      'Customer cus_9 has no card',
    ],
    ['errors', { errors: [{ message: 'Title is too long' }] }, { title: 'x' }, 'Title is too long'],
    ['a text', { error: 'Title is too long' }, { title: 'x' }, 'Title is too long'],
    [
      'texts',
      { errors: ['Name is required', 'Age must be positive'] },
      {},
      'Name is required; Age must be positive',
    ],
    ['detail', { detail: 'City Atlantis is unknown' }, { city: 'Atlantis' }, 'City Atlantis is unknown'],
    [
      'behind a vague sentence',
      error('Request failed', { error: { message: 'Title is too long' } }),
      {},
      'Title is too long',
    ],
    ['errors of an exception', error('Bad', { errors: [{ message: 'Cart is empty' }] }), {}, 'Cart is empty'],
    [
      'detail of an exception',
      error('Failed', { detail: 'City Atlantis is unknown' }),
      {},
      'City Atlantis is unknown',
    ],
    [
      'a problem',
      error('Unprocessable', { title: 'Unprocessable', status: 422, detail: 'Amount exceeds the limit' }),
      {},
      'Amount exceeds the limit',
    ],
    [
      'a problem that is no exception',
      { type: 'about:blank', title: 'Invalid', status: 422, detail: 'Amount exceeds the limit' },
      {},
      'Amount exceeds the limit',
    ],
  ])('tells what it says: %s', async (_, reason, args, words) => {
    const [kind, text] = await said(reason, args);
    expect(kind).not.toBe('internal');
    expect(text.startsWith(words)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a connection', { error: { message: 'connect ECONNREFUSED 10.0.0.5:5432', code: 'ECONNREFUSED' } }],
    ['a program', { errors: [{ message: 'Worker pool is empty' }] }],
    ['one of several', { errors: ['Name is required', 'Worker pool is empty'] }],
    ['a credential', { error: { message: 'password authentication failed for user "svc"' } }],
    [
      'detail of a row',
      error('duplicate key', {
        code: '23505',
        severity: 'ERROR',
        routine: 'x',
        detail: 'Key (mail)=(a@b.c) exists.',
      }),
    ],
    ['nothing', { error: {} }],
  ])('and nothing of the server’s own: %s', async (_, reason) => {
    const [, text] = await said(reason, { id: 'o1' });
    expect(text).toContain('Reference: ');
    expect(text).not.toMatch(/10\.0\.0\.5|pool|svc|a@b|Name is/);
  });
});

const thrown = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (reason) {
    return reason;
  }
};

describe('a built-in function', () => {
  const LOCALE = 'xx-invalid-locale-zz-';

  it.each<[string, () => unknown, object, string]>([
    ['a whole number', () => BigInt('12x'), { amount: '12x' }, 'Cannot convert 12x to a BigInt'],
    ['base64', () => atob('%%%'), { data: '%%%' }, 'data is not correctly encoded'],
    ['a locale', () => new Intl.NumberFormat(LOCALE), { locale: LOCALE }, 'Incorrect locale information'],
    ['an escape', () => decodeURIComponent('%E0%A4%A'), { s: '%E0%A4%A' }, 'URI malformed'],
    ['base64 in a text', () => atob('***'), { s: '***' }, 's is not correctly encoded'],
    ['digits', () => (1.5).toFixed(500), { n: 500 }, 'n must be between 0 and 100'],
    ['a base', () => (7).toString(1), { radix: 1 }, 'radix must be between 2 and 36'],
    ['a count', () => 'a'.repeat(-1), { times: -1 }, 'Invalid count value: -1'],
  ])('is the caller’s over a value of theirs: %s', async (_, work, args, words) => {
    const [kind, text] = await said(thrown(work), args);
    expect(kind).toBe('invalid_arguments');
    expect(text).toContain(words);
  });

  it.each<[string, () => unknown, object]>([
    ['a whole number', () => BigInt('12x'), { amount: '5' }],
    ['base64', () => atob('%%%'), { data: 'aGk=' }],
    ['base64, and no value of that kind', () => atob('%%%'), { name: 'it’s %%' }],
    ['a locale', () => new Intl.NumberFormat(LOCALE), { locale: 'de-DE', note: 'a note of mine' }],
    ['digits', () => (1.5).toFixed(500), { n: 5 }],
    ['digits, and two that it may be', () => (1.5).toFixed(500), { n: 500, limit: 1000 }],
    ['a count', () => 'a'.repeat(-1), { times: 3 }],
  ])('is the server’s over any other: %s', async (_, work, args) => {
    expect(await said(thrown(work), args)).toEqual(['internal', INTERNAL]);
  });
});

describe('what a function in a database raises', () => {
  const raised = (message: string) =>
    error(message, { code: 'P0001', severity: 'ERROR', routine: 'exec_stmt_raise' });

  it.each([
    'Stock of item 7 is too low',
    'Cannot transfer to the same account',
    'The month was closed by the accountant',
  ])('is meant for people: %s', async (text) => {
    const [kind, words] = await said(raised(text), { item: 7 });
    expect(kind).not.toBe('internal');
    expect(words.startsWith(text)).toBe(true);
  });

  it.each([
    'trigger audit_log failed: relation "audit_2026" missing',
    'partition orders_2026_11 is missing',
    'SELECT id FROM orders WHERE x = 1',
    'replica is behind',
  ])('and not where it is about the database: %s', async (text) => {
    expect((await said(raised(text), { item: 7 }))[1]).not.toContain(text);
  });
});

describe('what a browser’s driver says', () => {
  it.each<[string, object]>([
    [
      'page.fill: Error: Element is not an <input>, <textarea> or [contenteditable] element',
      { selector: '#x' },
    ],
    ['locator.click: Error: Element is not visible', { selector: '#x' }],
  ])('of what the caller has named: %s', async (text, args) => {
    const [kind, words] = await said(new Error(text), args);
    expect(['unprocessable', 'invalid_arguments']).toContain(kind);
    expect(words).toContain(text.split(' ').at(-1));
  });

  it.each<[string, object]>([
    ['page.goto: net::ERR_NAME_NOT_RESOLVED at https://billing.internal/', { id: 'o1' }],
    ['page.fill: Error: Element is not an <input>, <textarea> or [contenteditable] element', { id: 'o1' }],
  ])('and not of what it has not: %s', async (text, args) => {
    expect((await said(new Error(text), args))[1]).toContain('Reference: ');
  });
});

describe('Ajv’s sentence in a plain exception', () => {
  it('is the caller’s where the field was sent', async () => {
    const [kind, words] = await said(new Error('data/age must be integer'), { age: 'x' });
    expect([kind, words.includes('must be integer')]).toEqual(['invalid_arguments', true]);
    const [other] = await said(new Error('data/items/0/size must be equal to one of the allowed values'), {
      items: [{ size: 'x' }],
    });
    expect(other).toBe('invalid_arguments');
  });

  it('is about something else where it was not', async () => {
    for (const text of [
      'data/internalShard must be string',
      'data/id must be string, data/shard must be integer',
    ])
      expect(await said(new Error(text), { id: 1 })).toEqual(['internal', INTERNAL]);
  });
});

describe('a body in bytes', () => {
  const body = JSON.stringify({ message: 'Quantity must not be more than 5' });
  const bytes = Buffer.from(body);

  it.each<[string, unknown]>([
    ['a Buffer', bytes],
    ['an array of bytes', new TextEncoder().encode(body)],
    ['a buffer', new TextEncoder().encode(body).buffer],
    ['a Buffer that went through JSON', bytes.toJSON()],
    ['a sentence', Buffer.from('Quantity must not be more than 5')],
  ])('says what the text would: %s', async (_, data) => {
    for (const thrown of [axios(422, data), error('422 Unprocessable', { status: 422, body: data })]) {
      const [kind, words] = await said(thrown);
      expect(kind).toBe('unprocessable');
      expect(words).toContain('Quantity must not be more than 5');
    }
  });

  it('that are no text says nothing', async () => {
    expect((await said(axios(422, Buffer.from([0, 1, 2, 255, 254, 3, 0, 0]))))[1]).toMatch(
      /^Request failed with status code 422\./,
    );
  });
});
