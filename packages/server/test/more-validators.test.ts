/** Validators and models in a handler that has waited before: what is proven of an argument is told, what is not stays back. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { answeredBy, type Check, registered, waited } from './checking.ts';
import { error } from './thrown.ts';

const ANY = z.looseObject({});
const byTool = async (
  check: Check,
  args: object,
  schema: z.ZodType = ANY,
): Promise<readonly [unknown, string]> =>
  answeredBy(
    registered(schema, async (sent) => {
      await waited();
      return check(sent);
    }),
    args as { readonly [name: string]: unknown },
  );
const throws =
  (make: (value: object) => unknown, value?: object): Check =>
  (sent) => {
    throw make(value ?? (sent as object));
  };

type Row = readonly [what: string, check: Check, args: object, says: string];

describe('a format that the value has not', () => {
  const three =
    (shape: z3.ZodRawShape): Check =>
    (args) =>
      z3.object(shape).parse(args);
  const rows: readonly Row[] = [
    ['Zod 3, email', three({ email: z3.string().email() }), { email: 'nope' }, 'email: Invalid email'],
    ['Zod 3, uuid', three({ id: z3.string().uuid() }), { id: 'x' }, 'id: Invalid uuid'],
    ['Zod 3, url', three({ u: z3.string().url() }), { u: 'x' }, 'u: Invalid url'],
    ['Zod 3, datetime', three({ at: z3.string().datetime() }), { at: 'soon' }, 'at: Invalid datetime'],
    ['Zod 3, date', three({ on: z3.string().date() }), { on: '2026-13-45' }, 'on: Invalid date'],
    ['Zod 3, ip', three({ ip: z3.string().ip() }), { ip: 'x' }, 'ip: Invalid ip'],
    ['Zod 3, start', three({ s: z3.string().startsWith('q') }), { s: 'x' }, 'must start with "q"'],
    ['Zod 3, end', three({ s: z3.string().endsWith('q') }), { s: 'x' }, 'must end with "q"'],
    ['Zod 3, part', three({ s: z3.string().includes('q') }), { s: 'x' }, 'must include "q"'],
    [
      'Zod 3, multiple',
      three({ n: z3.number().multipleOf(5) }),
      { n: 7 },
      'n: Number must be a multiple of 5',
    ],
    [
      'Zod 3, beside another',
      three({ email: z3.string().email(), age: z3.number() }),
      { email: 'nope', age: 'abc' },
      'email: Invalid email; age: Expected number, received string',
    ],
    ['Zod 4, url', (args) => z.object({ u: z.url() }).parse(args), { u: 'x' }, 'u: Invalid URL'],
    [
      'Zod 4, start',
      (args) => z.object({ s: z.string().startsWith('k') }).parse(args),
      { s: 'x' },
      'must start',
    ],
    [
      'Zod 4, email alone',
      (args) => z.email().parse(args?.['email']),
      { email: 'nope', name: 'Ada' },
      'email: Invalid',
    ],
    [
      'Zod 3, email alone',
      (args) => z3.string().email().parse(args?.['toEmail']),
      { toEmail: 'x' },
      'toEmail: Invalid',
    ],
    [
      'Zod 4, url alone',
      (args) => z.url().parse(args?.['webhookUrl']),
      { webhookUrl: 'x' },
      'webhookUrl: Invalid',
    ],
    [
      'Zod 4, its issues',
      (args) => {
        throw z.object({ age: z.number() }).safeParse(args).error?.issues;
      },
      { age: 'abc' },
      'age: expected number',
    ],
    [
      'proven beside what is not',
      three({ u: z3.string().refine(() => false, 'must start with u_'), age: z3.number() }),
      { u: 'x', age: 'abc' },
      'age: Expected number',
    ],
  ];
  it.each(rows)('%s', async (_what, check, args, says) => {
    const [kind, words] = await byTool(check, args);
    expect([kind, words]).toEqual(['invalid_arguments', expect.stringContaining(says)]);
  });

  const kept: readonly (readonly [what: string, check: Check, args: object])[] = [
    [
      'one that the argument has',
      () => z3.object({ email: z3.string().email() }).parse({ email: 'x' }),
      { email: 'ada@example.com' },
    ],
    [
      'a rule of the author’s',
      three({ u: z3.string().refine(() => false, 'must start with u_') }),
      { u: 'x' },
    ],
    ['a pattern that nobody tells', three({ u: z3.string().regex(/^\d+$/) }), { u: 'x' }],
    ['of a value alone that no argument is named after', () => z.email().parse('bob-internal'), { id: '7' }],
    [
      'of a value alone where the argument is right',
      () => z.email().parse('bob'),
      { email: 'ada@example.com' },
    ],
    ['of a value alone where two could be meant', () => z.email().parse('bob'), { email: 'a', ccEmail: 'b' }],
    [
      'proven beside what the caller never sent',
      () => z.object({ id: z.string(), total: z.number() }).parse({ id: 7, total: 'x' }),
      { id: 7 },
    ],
  ];
  it.each(kept)('not %s', async (_what, check, args) => {
    const [kind, words] = await byTool(check, args);
    expect(kind).toBe('internal');
    expect(words).toMatch(/^Internal error\./);
  });
});

/** One wrong member, as each of them tells it. */
const wrong = { age: 'abc' };
const at = (value: object): string => (value as { age: string }).age;
const LIBRARIES: { readonly [name: string]: (value: object) => unknown } = {
  'TypeBox, assert': (value) =>
    error('Expected number', {
      error: {
        type: 41,
        schema: { type: 'number' },
        path: '/age',
        value: at(value),
        message: 'Expected number',
        errors: [],
      },
    }),
  'TypeBox, decode': (value) =>
    error('Unable to decode value as it does not match the expected schema', {
      schema: { type: 'object' },
      value,
      error: {
        type: 41,
        schema: { type: 'number' },
        path: '/age',
        value: at(value),
        message: 'Expected number',
        errors: [],
      },
    }),
  'TypeBox, its errors': (value) => [
    {
      type: 41,
      schema: { type: 'number' },
      path: '/age',
      value: at(value),
      message: 'Expected number',
      errors: [],
    },
  ],
  'TypeBox 1': (value) =>
    error('Parse', {
      name: 'ParseError',
      cause: {
        source: 'Parse',
        value,
        errors: [
          {
            keyword: 'type',
            schemaPath: '#/properties/age',
            instancePath: '/age',
            params: { type: 'number' },
            message: 'must be number',
          },
        ],
      },
    }),
  'Effect 3': (value) =>
    error('{ readonly age: number }\n└─ ["age"]\n   └─ Expected number, actual "abc"', {
      name: 'ParseError',
      _tag: 'ParseError',
      issue: {
        _tag: 'Composite',
        actual: value,
        issues: {
          _tag: 'Pointer',
          path: 'age',
          actual: value,
          issue: {
            _tag: 'Type',
            actual: at(value),
            ast: { _tag: 'NumberKeyword', toString: () => 'number' },
          },
        },
      },
    }),
  'Ajv, its errors': () => [
    {
      instancePath: '/age',
      schemaPath: '#/properties/age/type',
      keyword: 'type',
      params: { type: 'number' },
      message: 'must be number',
    },
  ],
  'Ajv, its errors in another': () =>
    error('invalid', {
      errors: [
        {
          instancePath: '/age',
          schemaPath: '#/properties/age/type',
          keyword: 'type',
          params: { type: 'number' },
          message: 'must be number',
        },
      ],
    }),
  Runtypes: (value) =>
    error('Expected { age: number; }, but was incompatible', {
      name: 'ValidationError',
      failure: {
        success: false,
        code: 'CONTENT_INCORRECT',
        message: 'Expected { age: number; }, but was incompatible',
        received: value,
        details: {
          age: {
            success: false,
            code: 'TYPE_INCORRECT',
            message: 'Expected number, but was string',
            received: at(value),
          },
        },
      },
    }),
  Superstruct: (value) =>
    error(`At path: age -- Expected a number, but received: "${at(value)}"`, {
      name: 'StructError',
      value: at(value),
      type: 'number',
      key: 'age',
      path: ['age'],
      branch: [value, at(value)],
      failures: () => [],
    }),
  ArkType: (value) =>
    error('age must be a number (was a string)', {
      name: 'TraversalError',
      arkErrors: [
        {
          ' arkKind': 'error',
          code: 'domain',
          path: ['age'],
          data: at(value),
          message: 'age must be a number (was a string)',
          problem: 'must be a number (was a string)',
          ctx: { root: value },
        },
      ],
    }),
  'class-validator': (value) => [
    {
      target: value,
      value: at(value),
      property: 'age',
      children: [],
      constraints: { isInt: 'age must be an integer number' },
    },
  ],
  'class-validator, nested': (value) => [
    {
      target: { order: value },
      value,
      property: 'order',
      children: [
        {
          target: value,
          value: at(value),
          property: 'age',
          children: [],
          constraints: { isInt: 'age must be an integer number' },
        },
      ],
    },
  ],
  Mongoose: (value) =>
    error('Order validation failed: age: Cast to Number failed', {
      name: 'ValidationError',
      _message: 'Order validation failed',
      errors: {
        age: error(
          `Cast to Number failed for value "${at(value)}" (type string) at path "age" for model "Order"`,
          {
            name: 'CastError',
            kind: 'Number',
            value: at(value),
            path: 'age',
          },
        ),
      },
    }),
  Sequelize: (value) =>
    error('Validation error: Validation isInt on age failed', {
      name: 'SequelizeValidationError',
      errors: [
        {
          message: 'Validation isInt on age failed',
          type: 'Validation error',
          path: 'age',
          value: at(value),
          validatorKey: 'isInt',
        },
      ],
    }),
};

describe('the exception of another library', () => {
  const cases = Object.entries(LIBRARIES);
  it.each(cases)('%s: told of an argument', async (name, make) => {
    const args = name.endsWith('nested') ? { order: wrong } : wrong;
    const given = name.endsWith('nested') ? throws(() => make(wrong)) : throws(make);
    const [kind, words] = await byTool(given, args);
    expect([kind, words]).toEqual([
      'invalid_arguments',
      expect.stringMatching(/\bage: .*(?:number|Number|isInt)/),
    ]);
    expect(words).not.toContain('model "Order"');
  });

  it.each(cases)('%s: not told of a backend’s answer', async (_name, make) => {
    const [kind, words] = await byTool(throws(make, { age: 'zoe-private' }), { id: 'o7' });
    expect([kind, words]).toEqual(['internal', expect.stringMatching(/^Internal error\./)]);
  });

  const OWN = z.object({ id: z.string() });
  it.each(cases)('%s: not told of what its tool does not take', async (_name, make) => {
    const [kind, words] = await byTool(throws(make, { age: 'zoe-private' }), { id: 'o7' }, OWN);
    expect([kind, words]).toEqual(['internal', expect.stringMatching(/^Internal error\./)]);
  });
});

describe('Effect 4, whose exception has only words', () => {
  const effect = (message: string): Error =>
    error(message, { name: 'SchemaError', _tag: 'SchemaError', issue: { _tag: 'Composite', issues: [] } });
  it('is told where they are true', async () => {
    const told = effect(
      'Expected number\n  at ["age"]\nExpected a value greater than 3\n  at ["items"][0]["qty"]',
    );
    const [kind, words] = await byTool(
      throws(() => told),
      { age: 'abc', items: [{ qty: 1 }] },
    );
    expect(kind).toBe('invalid_arguments');
    expect(words).toContain('age: Expected number; items.0.qty: Expected a value greater than 3');
  });
  it('is not where they are not', async () => {
    expect(
      (
        await byTool(
          throws(() => effect('Expected number\n  at ["age"]')),
          { age: 5 },
        )
      )[0],
    ).toBe('internal');
    expect(
      (
        await byTool(
          throws(() => effect('Missing key\n  at ["shard"]')),
          { age: 5 },
        )
      )[0],
    ).toBe('internal');
  });
});

describe('a model of the server’s', () => {
  const required = (path: string): object =>
    error(`Path \`${path}\` is required.`, { kind: 'required', path });
  const least = (value: number): object =>
    error(`Path \`qty\` (${value}) is less than minimum allowed value (1).`, {
      kind: 'min',
      path: 'qty',
      value,
    });
  const mongoose = (errors: object): Check =>
    throws(() =>
      error('Order validation failed: …', { name: 'ValidationError', _message: 'Order …', errors }),
    );
  const TAKES = z.object({
    email: z.string().optional(),
    qty: z.number().optional(),
    id: z.string().optional(),
  });

  it('says what is wrong with an argument, and nothing of its own', async () => {
    const check = mongoose({ internalShard: required('internalShard'), qty: least(0) });
    const [kind, words] = await byTool(check, { qty: 0 }, TAKES);
    expect([kind, words]).toEqual(['invalid_arguments', expect.stringContaining('qty')]);
    expect(words).not.toContain('internalShard');
  });
  it('says what is missing where its tool takes it', async () => {
    const [kind, words] = await byTool(mongoose({ email: required('email') }), { qty: 2 }, TAKES);
    expect([kind, words]).toEqual(['invalid_arguments', expect.stringContaining('email: required')]);
  });
  it.each([
    ['a field of its own', { internalShard: required('internalShard') }, { email: 'x', qty: 2 }],
    ['a record of its own', { internalShard: required('internalShard'), qty: least(-40) }, { id: 'o7' }],
    ['a value of its own', { qty: least(-40) }, { qty: 2 }],
  ])('says nothing of %s', async (_what, errors, args) => {
    const [kind, words] = await byTool(mongoose(errors), args, TAKES);
    expect([kind, words]).toEqual(['internal', expect.stringMatching(/^Internal error\./)]);
  });
  it('says nothing of its own either where the handler has not waited, and takes anything', async () => {
    const server = registered(ANY, mongoose({ internalShard: required('internalShard') }));
    expect((await answeredBy(server, { email: 'x' }))[0]).toBe('internal');
  });
  it('keeps nulls apart', async () => {
    const item = {
      message: 'Order.email cannot be null',
      type: 'notNull Violation',
      path: 'email',
      value: null,
    };
    const check = throws(() =>
      error('notNull Violation', { name: 'SequelizeValidationError', errors: [item] }),
    );
    expect((await byTool(check, { email: null }))[1]).toContain('email');
    expect((await byTool(check, { id: 'o7' }))[0]).toBe('internal');
  });
});
