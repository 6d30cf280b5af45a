import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom, expand } from '../../../../bench/redact-random.ts';
import { runs } from '../../../../test/runs.ts';
import { isClean } from './glance.ts';
import { createEngine } from './redactor.ts';
import type { Engine } from './text.ts';
import { redactValue, walkValue } from './value.ts';

/** Keys that say nothing, that name a secret, a value, a label, a table's parts, an identifier. */
const KEYS =
  'id a message status name key header field value val data text content input received password api_key token tokens secret pin card phone gtin order tracking rows columns values fields headers args argv command path loc credentials cookie passwords secrets kind sensitive sql params got expected default'.split(
    ' ',
  );
/** Texts that are nothing by themselves, and something beside others. */
const WORDS =
  'ok,not found,password,API_TOKEN,x-api-key,authorization,--password,-u,curl,jo:k9Xw2LmQ8rTz,k9Xw2LmQ8rTz4v,hunter2,correct horse,4111111111111111,4006381333931,1234,a=b; c=d,user.password,items.0.token,Secret,Invalid password,select a from b,Tr0ub4dor&3'.split(
    ',',
  );
const SECRETS = ['ghp_{n36}', 'password={n12}', 'jo.doe@acme.org', 'postgres://app:{n12}@db/x', '{ip10}'];

const secret = fc
  .tuple(fc.constantFrom(...SECRETS), fc.integer({ min: 1, max: 1e6 }))
  .map(([template, seed]) => expand(template, createRandom(seed)));
const leaf = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: secret },
  { weight: 1, arbitrary: fc.string() },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(4111111111111111, 4711, -4111111111111111, 0, 1e21, true),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, undefined, 5n, 4111111111111111n) },
);
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    leaf,
    fc.dictionary(
      fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: secret }),
      tie('value'),
      {
        maxKeys: 4,
      },
    ),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}));
/** `{name: 'token', value: …}`, its turn, and the same in lists. */
const labelled = fc
  .tuple(
    fc.constantFrom('name', 'key', 'header', 'field', 'path'),
    fc.constantFrom(...WORDS),
    fc.constantFrom('value', 'val', 'input', 'received', 'data'),
    leaf,
  )
  .map(([label, name, place, value]) => [
    { [label]: name, [place]: value, at: 1 },
    { [place]: value, [label]: name },
  ]);
const table = fc
  .tuple(
    fc.constantFrom('columns', 'fields', 'headers'),
    fc.array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('rows', 'values', 'data', 'records'),
    fc.array(fc.array(leaf, { maxLength: 3 }), { maxLength: 3 }),
  )
  .map(([heads, names, body, rows]) => ({ [heads]: names, [body]: rows }));
const shared = json.map((part) => ({ password: part, value: part, list: [part, { token: part }] }));

/** Strings go another way: what is looked at is a value that holds others. */
const value = fc
  .oneof(json, labelled, table, shared)
  .map((one) => (typeof one === 'string' ? { text: one } : one));

function agree(engine: Engine, one: unknown): void {
  expect(redactValue(engine, one)).toEqual(walkValue(createEngine(), one));
}

describe('a glance', () => {
  test('never changes what is redacted', () => {
    fc.assert(
      fc.property(value, (one) => agree(createEngine(), one)),
      { numRuns: runs(3000) },
    );
  });

  test('nor does the memory of clean texts', () => {
    const engine = createEngine();
    fc.assert(
      fc.property(value, (one) => {
        agree(engine, one);
        agree(engine, one);
      }),
      { numRuns: runs(2000) },
    );
  });

  test('finds plain values clean, and values with a secret not', () => {
    const engine = createEngine();
    expect(isClean(engine, { code: -32602, message: 'not found', data: { id: 7, ok: true } })).toBe(true);
    expect(isClean(engine, { message: expand('ghp_{n36}', createRandom(1)) })).toBe(false);
    expect(isClean(engine, { password: 'hunter2' })).toBe(false);
    expect(isClean(engine, { name: 'API_TOKEN', value: 'k9Xw2LmQ8rTz4v' })).toBe(false);
  });
});

test.each([
  ['holds nothing', 'all is well here, '],
  ['is full of findings', 'jo@example.com 81.2.69.142\n'],
])('a long text that %s is read in a value as often as it is by itself', (_what, part) => {
  const text = Array.from({ length: 400 }, (_, at) => `${at} ${part}`).join('');
  const engine = createEngine();
  let letters = 0;
  const counting: Engine = {
    ...engine,
    scanner: {
      isNear: engine.scanner.isNear,
      scan(page, from = 0, to = page.text.length) {
        letters += to - from;
        engine.scanner.scan(page, from, to);
      },
    },
  };
  const read = (value: unknown): number => {
    letters = 0;
    redactValue(counting, value);
    return letters;
  };
  const alone = read(text);
  expect(alone).toBeGreaterThanOrEqual(text.length);
  expect(read({ level: 'info', data: text }) - alone).toBeLessThan(text.length / 2);
});
