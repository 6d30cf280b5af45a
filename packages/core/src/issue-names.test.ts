/** A field's name is data of somebody's: what it holds is gone from the path, and from every text that joins the path again. */
import { describe, expect, it, test } from 'vitest';
import { DIALECTS } from './dialects/index.ts';
import { type Fault, makeFault, read, write } from './index.ts';
import { redact } from './redact/index.ts';
import { redactFault } from './redact-fault.ts';
import { forModel } from './render/for-model.ts';

// Put together here, so that no scanner takes the source for a leak.
const HELD: { readonly [what: string]: string } = {
  jwt: [
    'eyJhbGciOiJIUzI1NiJ9',
    'eyJzdWIiOiIxMjM0NTY3ODkwIn0',
    'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  ].join('.'),
  mail: 'ada.lovelace@example.com',
  address: '10.20.30.40',
  sendgrid: ['SG', 'ngeVfQFYQlKU0ufo8x5d1A', 'TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr'].join('.'),
  dsn: ['postgres://app', 'hunter2x9@db.internal.corp:5432/shop'].join(':'),
  hook: `https://hooks.slack.com/services/T00000000/B00000000/${'abcdefghijkl'.repeat(2)}`,
};

/** The forms in which servers name a field. */
const FORMS: { readonly [form: string]: (name: string) => object } = {
  'keys of errors': (name) => ({ errors: { [name]: 'unknown' } }),
  'keys within keys': (name) => ({ errors: { to: { [name]: ['unknown'] } } }),
  'keys behind others': (name) => ({ errors: { [`to.${name}`]: 'unknown' } }),
  'keys in brackets': (name) => ({ errors: { [`to[${name}]`]: 'unknown' } }),
  field: (name) => ({ errors: [{ field: name, message: 'unknown' }] }),
  path: (name) => ({ issues: [{ path: name, message: 'unknown' }] }),
  'path in steps': (name) => ({ issues: [{ path: ['to', ...name.split('.')], message: 'unknown' }] }),
  instancePath: (name) => ({
    errors: [{ instancePath: `/to/${name.replaceAll('/', '~1')}`, message: 'unknown', keyword: 'x' }],
  }),
  target: (name) => ({ error: { message: 'bad', details: [{ target: name, message: 'unknown' }] } }),
  'invalid-params': (name) => ({ 'invalid-params': [{ name, reason: 'unknown' }] }),
};

/** A text with what split paths say put together again. */
const together = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/","/g, '.')
    .replace(/(\d),(?=\d)/g, '$1.');

/** What is none to start with: a number with a name before it, an address in pieces or in the spelling of a pointer. */
const NONE = ['keys behind others: address', 'path in steps: hook', 'instancePath: hook'];
const CASES = Object.entries(FORMS)
  .flatMap(([form, make]) =>
    Object.entries(HELD).map(([what, held]) => [`${form}: ${what}`, make(held), held] as const),
  )
  .filter(([title]) => !NONE.includes(title));

describe('what a field is called', () => {
  it.each(CASES)('%s', (_title, structuredContent, held) => {
    const answers = [
      { isError: true, content: [{ type: 'text', text: 'Validation failed' }], structuredContent },
      { isError: true, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] },
      { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Invalid params', data: structuredContent } },
    ];
    for (const answer of answers) {
      const said = read(answer) as { readonly fault: Fault };
      const fault = redactFault(said.fault);
      const texts = [
        forModel(fault),
        together(fault),
        ...DIALECTS.map(({ id }) => together(write(said.fault, id).wire)),
      ];
      for (const text of texts) {
        expect(text).not.toContain(held);
        expect(text).not.toMatch(/hunter2x9|abcdefghijkl/);
      }
    }
  });
});

test('steps that make up a secret go, those beside them stay', () => {
  expect(redact({ path: ['to', 'SG', ...(HELD['sendgrid'] ?? '').split('.').slice(1), 'x'] }).value).toEqual({
    path: ['to', '[api-key:1]', '[api-key:2]', '[api-key:3]', 'x'],
  });
  expect(redact({ path: [10, 20, 30, 40, 'x'] }).value).toEqual({
    path: ['[ip:1]', '[ip:2]', '[ip:3]', '[ip:4]', 'x'],
  });
  const once = redact({ path: ['to', 10, 20, 30, 40] });
  expect(JSON.stringify(once.value)).not.toContain('20');
  expect(redact(once.value)).toEqual({ value: once.value, findings: [] });
});

test.each([
  [['order', 'items', 0, 'sku']],
  [['a', 'b', 1, 2]],
  [['Settings', 'version', 1, 2, 3]],
  [['user', 'contact.email']],
  [['headers', 'Content-Type']],
  [['data', 'attributes', 'com']],
])('a path of fields stays: %j', (path) => {
  const fault = makeFault({
    kind: 'invalid_arguments',
    message: 'bad',
    issues: [{ path, message: 'wrong' }],
  });
  expect(redactFault(fault).issues).toEqual([{ path, message: 'wrong' }]);
});

const P = 'hunter2x9Q';

/** What a validator says of a secret, in forms of which reading makes issues. */
const REJECTED: readonly object[] = [
  { 'invalid-params': [{ name: 'password', reason: `${P} is weak` }] },
  { errors: { login: [{ field: 'password', message: `${P} is weak` }] } },
  { error: { code: 'x', message: 'Bad', details: [{ target: 'password', message: `${P} is weak` }] } },
  { errors: [{ source: { pointer: '/data/attributes/password' }, detail: `${P} is weak` }] },
  { errors: [{ source: { parameter: 'api_key' }, detail: `${P} is weak` }] },
  { violations: [{ propertyPath: 'user.password', message: `${P} is weak` }] },
  { message: [{ property: 'password', constraints: { isStrong: `${P} is weak` } }] },
];

it.each(REJECTED)('what was rejected is in no issue and no text: %j', (data) => {
  const text = { type: 'text', text: 'Validation failed' };
  for (const answer of [
    { isError: true, content: [text], structuredContent: data },
    { isError: true, content: [{ ...text, text: JSON.stringify(data) }] },
    { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Invalid params', data } },
  ]) {
    const { fault } = read(answer) as { readonly fault: Fault };
    expect(forModel(redactFault(fault)) + JSON.stringify(redactFault(fault))).not.toContain(P);
  }
});
