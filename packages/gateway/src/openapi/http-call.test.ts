import { expect, it } from 'vitest';
import type { CallableOperation } from './api-worker.ts';
import { toRequest } from './http-call.ts';
import type { Parameter } from './parameters.ts';

function parameter(name: string, more: Partial<Parameter> = {}): Parameter {
  return {
    argument: name,
    name,
    in: 'query',
    style: 'form',
    explode: true,
    spansSegments: false,
    isIdempotencyKey: false,
    isRequired: false,
    ...more,
  };
}

function request(
  operation: Partial<CallableOperation>,
  args: object,
  idempotencyKey?: unknown,
  query: { readonly [name: string]: string } = {},
) {
  return toRequest({
    operation: {
      tool: 't',
      operationId: 't',
      method: 'POST',
      path: '/x',
      parameters: [],
      body: undefined,
      ...operation,
    },
    basePath: '/v1/',
    args: args as { [name: string]: unknown },
    idempotencyKey,
    query,
  });
}

it.each<[string, Parameter, unknown, string]>([
  ['a text', parameter('q'), 'a b&c', '?q=a%20b%26c'],
  ['a list', parameter('q'), [1, 'b'], '?q=1&q=b'],
  ['a joined list', parameter('q', { explode: false }), [1, 'b'], '?q=1,b'],
  ['a list with pipes', parameter('q', { explode: false, style: 'pipeDelimited' }), ['a', 'b'], '?q=a%7Cb'],
  ['an empty list', parameter('q'), [], ''],
  ['an object', parameter('q'), { a: 1, b: 'c' }, '?a=1&b=c'],
  ['a joined object', parameter('q', { explode: false }), { a: 1 }, '?q=a,1'],
  ['a deep object', parameter('q', { style: 'deepObject' }), { a: { b: [1] } }, '?q%5Ba%5D%5Bb%5D%5B0%5D=1'],
  ['JSON', parameter('q', { style: 'json' }), { a: 1 }, '?q=%7B%22a%22%3A1%7D'],
])('puts %s into the query', (_what, declared, value, search) => {
  expect(request({ parameters: [declared] }, { q: value })).toMatchObject({ path: `/v1/x${search}` });
});

it.each(['appid', 'APPID', 'appid[]', 'AppId[x][y]', ' appid', 'key[x]', 'KEY[x][]'])(
  'lets no argument set what the operator gives: %j',
  (name) => {
    const given = { AppId: 'own', 'key[x]': 'own' };
    const declared = parameter('q');
    expect(request({ parameters: [declared] }, { q: { [name]: '1' } }, undefined, given)).toEqual([
      { path: ['q'], message: `${name} is set by the operator`, code: 'invalid_value' },
    ]);
    const others = { appids: 1, key: 2, 'key[y]': 3, 'x[appid]': 4 };
    expect(request({ parameters: [declared] }, { q: others }, undefined, given)).toMatchObject({
      path: '/v1/x?appids=1&key=2&key%5By%5D=3&x%5Bappid%5D=4&AppId=own&key%5Bx%5D=own',
    });
  },
);

it('fills a path in, and keeps what the document itself has put there', () => {
  const parameters = [parameter('id', { in: 'path' }), parameter('q')];
  const operation = { path: '/a b/{id}:go?fixed=1', parameters };
  expect(request(operation, { id: '{q}$&', q: 'x' })).toMatchObject({
    path: '/v1/a%20b/%7Bq%7D%24%26:go?fixed=1&q=x',
  });
});

it('does not take what every object has for an argument', () => {
  const parameters = [parameter('toString'), parameter('constructor', { in: 'header' })];
  expect(request({ parameters }, {})).toMatchObject({
    path: '/v1/x',
    headers: { accept: expect.any(String) },
  });
});

const FORMS: { readonly [type: string]: 'text' | 'fields' } = {
  'text/plain': 'text',
  'application/x-www-form-urlencoded': 'fields',
};

it.each<[string, unknown, string]>([
  ['application/json', { a: '\ud800' }, '{"a":"\\ud800"}'],
  ['application/json', 'text', '"text"'],
  ['application/merge-patch+json', [1], '[1]'],
  ['text/plain', 'text', 'text'],
  ['text/plain', { a: 1 }, '{"a":1}'],
  [
    'application/x-www-form-urlencoded',
    { a: 'b c', items: [{ price: 'p' }] },
    'a=b+c&items%5B0%5D%5Bprice%5D=p',
  ],
  ['application/x-www-form-urlencoded', { a: '1&2', b: ['x', 'y'] }, 'a=1%262&b=x&b=y'],
])('writes a body as %s: %j', (type, value, text) => {
  const form = FORMS[type] ?? 'json';
  const found = request({ body: { argument: 'body', type, form } }, { body: value });
  expect(found).toMatchObject({ headers: { 'content-type': type } });
  expect('body' in found && found.body?.toString()).toBe(text);
});

it('writes a list of a form in brackets where the document asks for that', () => {
  const fields = { expand: { inBrackets: true }, ids: { separator: '|' } } as const;
  const type = 'application/x-www-form-urlencoded';
  const found = request(
    { body: { argument: 'body', type, form: 'fields', fields } },
    { body: { expand: ['x', 'y'], tags: ['z'], ids: [1, 2] } },
  );
  expect('body' in found && found.body?.toString()).toBe('expand%5B0%5D=x&expand%5B1%5D=y&tags=z&ids=1%7C2');
});

it('keeps what stands between the values of a form apart from what they hold', () => {
  const fields = { ids: { separator: ',' }, words: { separator: ' ' } } as const;
  const type = 'application/x-www-form-urlencoded';
  const found = request(
    { body: { argument: 'body', type, form: 'fields', fields } },
    { body: { ids: ['x', 'y,z', 'a b'], words: ['p', 'q r'] } },
  );
  expect('body' in found && found.body?.toString()).toBe('ids=x,y%2Cz,a+b&words=p%20q+r');
});

it('asks for what is missing', () => {
  expect(request({ parameters: [parameter('q', { isRequired: true })] }, {})).toEqual([
    { path: ['q'], message: 'Required', code: 'required' },
  ]);
});

it('sends the key of the call, whatever an argument says, and makes one where the API requires it', () => {
  const key = parameter('Idempotency-Key', { in: 'header', isIdempotencyKey: true });
  const needed = { ...key, isRequired: true };
  const said = { 'Idempotency-Key': 'mine' };
  const keyIn = (found: ReturnType<typeof request>) => 'path' in found && found.headers['idempotency-key'];
  expect(keyIn(request({ parameters: [key] }, said, 'k-1'))).toBe('k-1');
  expect(keyIn(request({ parameters: [key] }, said))).toBeUndefined();
  const made = [1, 2].map(() => keyIn(request({ parameters: [needed] }, said)));
  expect(made).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(made[0]).not.toBe(made[1]);
});

it.each([[{ k: 1 }], [''], [' '], ['\t'], ['k-1 '], [' k-1']])(
  'refuses a key that a header would not carry as it is: %j',
  (said) => {
    const key = parameter('Idempotency-Key', { in: 'header', isIdempotencyKey: true });
    expect(request({ parameters: [key] }, {}, said)).toMatchObject([{ path: ['Idempotency-Key'] }]);
  },
);
