/** A validator over the arguments, or over what a backend answered: which of both it is, by what it says it found. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { type Args, answeredBy, type Check, LOW_LEVEL, registered, waited, yup } from './checking.ts';
import { error } from './thrown.ts';

const tell = (sdk: string) => LOW_LEVEL[sdk] as (typeof LOW_LEVEL)[string];
const SDKS = Object.keys(LOW_LEVEL);
/** A customer's data, in no form that is known to be a secret. */
const PRIVATE = 'n/a, ask Mrs. Thornbury-Vale';

/** As Joi throws it. Where it was awaited, it has no frames. */
const joi =
  (type: string, path: readonly string[], words: string, context: object = {}): Check =>
  async (value) => {
    await waited();
    const details = [{ message: words, path, type, context: { label: path.join('.'), ...context } }];
    const thrown = error(words, { name: 'ValidationError', isJoi: true, details, _original: value });
    throw Object.assign(thrown, { stack: `ValidationError: ${words}` });
  };

const OVER_AN_ANSWER: readonly (readonly [string, Check])[] = [
  [
    'Yup, a type',
    yup(`total must be a \`number\` type, but the final value was: \`"${PRIVATE}"\`.`, 'total', 'typeError', {
      originalValue: PRIVATE,
      type: 'number',
    }),
  ],
  [
    'Yup, a list of values',
    yup('status must be one of the following values: open, paid', 'status', 'oneOf', {
      originalValue: 'FRAUD',
    }),
  ],
  ['Yup, missing', yup('currency is a required field', 'currency', 'optionality')],
  [
    'Joi, a pattern',
    joi('string.pattern.base', ['total'], `"total" with value "${PRIVATE}" fails to match /^d/`, {
      value: PRIVATE,
    }),
  ],
  ['Joi, a list of values', joi('any.only', ['status'], '"status" must be [open]', { value: 'FRAUD' })],
  ['Joi, missing', joi('any.required', ['currency'], '"currency" is required')],
  ['Joi, unknown', joi('object.unknown', ['total'], '"total" is not allowed', { child: 'total' })],
];

const ROW = { id: '7', total: PRIVATE, status: 'FRAUD' };
const byId = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

describe('what a validator finds in a backend’s answer', () => {
  it.each(OVER_AN_ANSWER)(
    'is nothing for the caller of a tool that is registered: %s',
    async (_name, check) => {
      const server = registered(z.object({ id: z.string() }), async () => check(ROW));
      const [kind, words] = await answeredBy(server, { id: '7' });
      expect(kind).toBe('internal');
      expect(words).not.toContain('Thornbury');
    },
  );

  it.each(OVER_AN_ANSWER)('is nothing for the caller of a low-level server: %s', async (_name, check) => {
    for (const sdk of SDKS) {
      const [kind, words] = await answeredBy(
        tell(sdk)(async () => check(ROW), byId),
        { id: '7' },
      );
      expect(kind).toBe('internal');
      expect(words).not.toContain('Thornbury');
    }
  });

  it('is nothing for the caller where the answer is like the arguments, and lacks what no argument is named like', async () => {
    const check = yup('total is a required field', 'total', 'optionality');
    const server = registered(z.object({ id: z.string() }), async () => check({ id: '7' }));
    expect((await answeredBy(server, { id: '7' }))[0]).toBe('internal');
  });

  const issue = {
    type: 'object',
    properties: { title: { type: 'string' }, body: { type: 'string' } },
    required: ['title'],
  };
  const below = z.object({ a: z.number(), b: z.number() }).refine(({ a, b }) => a < b, 'a must be below b');
  const below3 = z3
    .object({ a: z3.number(), b: z3.number() })
    .refine(({ a, b }) => a < b, 'a must be below b');
  const synced = z
    .object({ title: z.string() })
    .refine(() => false, { message: 'title is not synced', path: ['title'] });

  it.each<readonly [string, () => unknown]>([
    ['what is named like an optional argument', () => z.object({ body: z.string() }).parse({ title: 'T' })],
    ['the same, of Zod 3', () => z3.object({ body: z3.string() }).parse({ title: 'T' })],
    ['a rule of the whole', () => below.parse({ a: 2, b: 1 })],
    ['the same, of Zod 3', () => below3.parse({ a: 2, b: 1 })],
    ['a rule of a field', () => synced.parse({ title: 'T' })],
    [
      'a value, where the argument was left out',
      () => z.object({ body: z.enum(['a']) }).parse({ body: 'b' }),
    ],
  ])('does not become the caller’s by a name, once something was waited for: %s', async (_name, check) => {
    for (const sdk of SDKS) {
      const server = tell(sdk)(async () => {
        await waited();
        check();
      }, issue);
      expect((await answeredBy(server, { title: 'T' }))[0]).toBe('internal');
    }
  });

  it.each<readonly [string, () => unknown]>([
    [
      'a rule',
      () =>
        z
          .object({})
          .refine(() => false, 'Row is inconsistent')
          .parse({}),
    ],
    ['a type', () => z.object({ KEY: z.string() }).parse({})],
  ])('does not become that of a tool without arguments: %s', async (_name, check) => {
    for (const schema of [undefined, z.object({})])
      expect((await answeredBy(registered(schema, check), {}))[0]).toBe('internal');
  });

  it('does not become the caller’s where it was no object', async () => {
    const found = {
      kind: 'schema',
      type: 'object',
      input: null,
      received: 'null',
      message: 'Expected Object',
    };
    const server = registered(z.looseObject({}), () => {
      throw error('Expected Object but received null', { name: 'ValiError', issues: [found] });
    });
    expect((await answeredBy(server, { id: '7' }))[0]).toBe('internal');
  });
});

/** Fields whose absence Zod tells in other words than "received undefined". */
const FIELDS: { readonly [name: string]: readonly [z.ZodType, z3.ZodTypeAny] } = {
  'a list of values': [z.enum(['air', 'sea']), z3.enum(['air', 'sea'])],
  'a value': [z.literal('air'), z3.literal('air')],
  'one of several types': [z.union([z.string(), z.number()]), z3.union([z3.string(), z3.number()])],
  'a number out of anything': [z.coerce.number(), z3.coerce.number()],
  'a date out of anything': [z.coerce.date(), z3.coerce.date()],
  'a message of its own': [z.string('Name is needed'), z3.string({ required_error: 'Name is needed' })],
  'a text out of anything': [
    z.preprocess((value) => value ?? '', z.string().min(1)),
    z3.preprocess((value) => value ?? '', z3.string().min(1)),
  ],
};
const VERSIONS: { readonly [name: string]: (field: (typeof FIELDS)[string]) => Check } = {
  'Zod 4':
    ([field]) =>
    (args) =>
      z.object({ id: z.string(), f: field }).parse(args),
  'Zod 3':
    ([, field]) =>
    (args) =>
      z3.object({ id: z3.string(), f: field }).parse(args),
};
const CHECKS: readonly (readonly [string, Check])[] = [
  ...Object.entries(VERSIONS).flatMap(([version, checkOf]) =>
    Object.entries(FIELDS).map(([name, field]) => [`${version}, ${name}`, checkOf(field)] as const),
  ),
  ['Zod 4, a tag', (args) => z.discriminatedUnion('f', [z.object({ f: z.literal('a') })]).parse(args)],
  ['Zod 3, a tag', (args) => z3.discriminatedUnion('f', [z3.object({ f: z3.literal('a') })]).parse(args)],
];
const listed = { type: 'object', properties: { id: { type: 'string' }, f: {} }, required: ['id', 'f'] };

describe.each(SDKS)('what is missing, on a low-level server of %s,', (sdk) => {
  it.each(CHECKS)('is told where the list requires it: %s', async (_name, check) => {
    const late: Check = async (args) => {
      await waited();
      check(args);
    };
    for (const args of [{ id: '7' }, {}])
      for (const one of [check, late]) {
        const [kind, words] = await answeredBy(tell(sdk)(one, listed), args);
        expect(words).toContain('f: required');
        expect(kind).toBe('invalid_arguments');
      }
  });

  it('is told where Yup has put an empty object in its place', async () => {
    const check: Check = async (args) =>
      yup('f.zip is a required field', 'f.zip', 'optionality')({ ...args, f: {} });
    const [kind, words] = await answeredBy(tell(sdk)(check, listed), { id: '7' });
    expect(words).toContain('f.zip: required');
    expect(kind).toBe('invalid_arguments');
  });

  it('is told with the others that are missing', async () => {
    const check = VERSIONS['Zod 4']?.([z.enum(['air']), z3.any()]) as Check;
    const [, words] = await answeredBy(tell(sdk)(check, listed), {});
    expect(words).toContain('id: required');
  });
});

describe('what is missing where nothing was sent, and nothing says what is taken,', () => {
  it.each<readonly [string, Check]>([
    ['Joi', joi('any.required', ['id'], '"id" is required')],
    ['Yup', yup('id is a required field', 'id', 'optionality')],
    [
      'Yup, which puts in what is empty',
      () => yup('id is a required field', 'id', 'optionality')({ addr: {} }),
    ],
  ])('is told where the validator was given nothing either: %s', async (_name, check) => {
    for (const args of [{}, undefined]) {
      const [kind, words] = await answeredBy(
        registered(z.looseObject({}), (given) => check(given ?? {})),
        args,
      );
      expect(words).toContain('id: required');
      expect(kind).toBe('invalid_arguments');
    }
    const other = registered(z.looseObject({}), () => check({ total: 1 }));
    const [kind] = await answeredBy(other, { n: 1 });
    expect(kind).toBe('internal');
  });
});

describe('Joi, over the arguments,', () => {
  const open = z.looseObject({});
  it.each<readonly [string, Check, Args, string]>([
    [
      'unknown',
      joi('object.unknown', ['zz'], '"zz" is not allowed', { child: 'zz', value: 1 }),
      { id: '7', zz: 1 },
      'zz: unknown argument',
    ],
    [
      'unknown in a member',
      joi('object.unknown', ['o', 'zz'], '"o.zz" is not allowed', { child: 'zz', value: 1 }),
      { id: '7', o: { zz: 1 } },
      'o.zz: unknown argument',
    ],
    ['missing', joi('any.required', ['id'], '"id" is required'), { n: 1 }, 'id: required'],
    [
      'a type',
      joi('number.base', ['n'], '"n" must be a number', { value: 'x' }),
      { n: 'x' },
      'must be a number',
    ],
    [
      'a limit',
      joi('number.min', ['n'], '"n" must be at least 3', { value: 1, limit: 3 }),
      { n: 1 },
      'at least 3',
    ],
  ])('is told: %s', async (_name, check, args, says) => {
    for (const server of [registered(open, check), ...SDKS.map((sdk) => tell(sdk)(check, listed))]) {
      const [kind, words] = await answeredBy(server, args);
      expect(words).toContain(says);
      expect(kind).toBe('invalid_arguments');
    }
  });
});

describe('a validator that was given one argument by itself', () => {
  const words = 'this must be greater than or equal to 1';
  const alone: Check = () => yup(words, '', 'min', { originalValue: -4 })(undefined);

  it.each<readonly [string, Args, string]>([
    ['is told by the name of what it found', { n: -4, id: '7' }, 'invalid_arguments'],
    ['is not told where no argument is what it found', { n: 4, id: '7' }, 'internal'],
    ['is not told where several are', { n: -4, m: -4 }, 'internal'],
  ])('%s', async (_name, args, kind) => {
    const [found, text] = await answeredBy(registered(z.looseObject({}), alone), args);
    expect(found).toBe(kind);
    expect(text.includes(`n: ${words}`)).toBe(kind === 'invalid_arguments');
  });
});
