/** Handlers that check their arguments by a validator of their own: what is wrong with them is told, and nothing else. */
import { Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { guard } from '../src/index.ts';
import {
  type Args,
  answeredBy,
  asked,
  type Check,
  INFO,
  LOW_LEVEL,
  type McpServerLike,
  registered,
  TOOLS,
  valibot,
  waited,
  yup,
} from './checking.ts';
import { error } from './thrown.ts';
import { connectRaw, faultIn } from './wire.ts';

const NAMED = { type: 'object', properties: { qty: { type: 'number' }, sku: { type: 'string' } } };
const REQUIRED = { ...NAMED, required: ['qty', 'sku'] };
const BARE = { type: 'object' };

const Order = z.object({ qty: z.number().min(1), sku: z.string() });
const Order3 = z3.object({ qty: z3.number().min(1), sku: z3.string() });
const few = (order: { readonly qty: number }): boolean => order.qty < 5;
/** As Ajv finds it, with all errors. */
const byAjv: Check = (args) => {
  const found = (instancePath: string, keyword: string, params: object, message: string) => ({
    instancePath,
    schemaPath: '#/x',
    keyword,
    params,
    message,
  });
  const missing = ['qty', 'sku'].filter((name) => args !== undefined && !Object.hasOwn(args, name));
  const strangers = Object.keys(args ?? {}).filter((name) => !['qty', 'sku'].includes(name));
  const errors = [
    ...(args === undefined ? [found('', 'type', { type: 'object' }, 'must be object')] : []),
    ...missing.map((name) => found('', 'required', { missingProperty: name }, 'must have it')),
    ...strangers.map((name) => found('', 'additionalProperties', { additionalProperty: name }, 'must NOT')),
    ...(typeof args?.['qty'] === 'string'
      ? [found('/qty', 'type', { type: 'number' }, 'must be number')]
      : []),
  ];
  throw error('validation failed', { errors, ajv: true, validation: true });
};

const noKey =
  (key: string): Check =>
  (input) => {
    const message = `Invalid key: Expected "${key}" but received undefined`;
    const path = [{ type: 'object', origin: 'key', input, key }];
    throw valibot({
      kind: 'schema',
      type: 'object',
      expected: `"${key}"`,
      received: 'undefined',
      message,
      path,
    });
  };
type Row = readonly [name: string, check: Check, args: Args, says: string];

/** What is told wherever the server lists its tools. */
const MISSING: readonly Row[] = [
  ['Zod 4, missing', (args) => Order.parse(args), { sku: 'a' }, 'qty: required'],
  ['Zod 4, misspelt', (args) => Order.parse(args), { quantity: 2, sku: 'a' }, 'qty: required'],
  ['Zod 4, all missing', (args) => Order.parse(args), {}, 'sku: required'],
  ['Zod 4, no arguments', (args) => Order.parse(args), undefined, 'required'],
  ['Zod 3, missing', (args) => Order3.parse(args), { sku: 'a' }, 'qty: required'],
  ['Zod 3, no arguments', (args) => Order3.parse(args), undefined, 'required'],
  ['Ajv, missing', byAjv, { sku: 'a' }, 'qty: required'],
  ['Ajv, misspelt', byAjv, { quantity: 2, sku: 'a' }, 'quantity: unknown argument'],
  ['Ajv, no arguments', byAjv, undefined, 'required'],
  ['Valibot, missing', noKey('qty'), { sku: 'a' }, 'qty: required'],
];

const WRONG: readonly Row[] = [
  ['Zod 4, wrong', (args) => Order.parse(args), { qty: 'x', sku: 'a' }, 'qty: expected number'],
  ['Zod 4, waited', async (args) => Order.parseAsync(args), { qty: 0, sku: 'a' }, 'qty: Too small'],
  [
    'Zod 4, a rule of all',
    (args) => Order.refine(few, 'At most 4 at once').parse(args),
    { qty: 9, sku: 'a' },
    'At most 4 at once',
  ],
  [
    'Zod 4, a rule that waits',
    async (args) => {
      const rule = async (order: { readonly qty: number }): Promise<boolean> => {
        await waited();
        return few(order);
      };
      await Order.refine(rule, 'At most 4 at once').parseAsync(args);
    },
    { qty: 9, sku: 'a' },
    'At most 4 at once',
  ],
  [
    'Zod 3, a rule of all',
    (args) => Order3.refine(few, 'At most 4 at once').parse(args),
    { qty: 9, sku: 'a' },
    'At most 4 at once',
  ],
  [
    'Zod 4, unknown',
    (args) => Order.strict().parse(args),
    { qty: 1, sku: 'a', zz: 1 },
    'zz: unknown argument',
  ],
  [
    'Zod 3, unknown',
    (args) => Order3.strict().parse(args),
    { qty: 1, sku: 'a', zz: 1 },
    'zz: unknown argument',
  ],
  ['Ajv, wrong', byAjv, { qty: 'x', sku: 'a' }, 'qty: must be number'],
  [
    'Valibot, a rule of all',
    (input) => {
      throw valibot({ kind: 'validation', type: 'check', input, expected: null, message: 'Too many' });
    },
    { qty: 9, sku: 'a' },
    'Too many',
  ],
  [
    'Yup, unknown',
    yup('this field has unspecified keys: zz', '', 'noUnknown', { unknown: 'zz' }),
    { qty: 1, sku: 'a', zz: 1 },
    'zz: unknown argument',
  ],
  [
    'Yup, too small',
    yup('qty must be greater than or equal to 1', 'qty', 'min', { originalValue: 0 }),
    { qty: 0, sku: 'a' },
    'qty must be greater than or equal to 1',
  ],
  ['Yup, all missing', yup('qty is a required field', 'qty', 'optionality'), {}, 'required'],
  ['Yup, missing', yup('qty is a required field', 'qty', 'optionality'), { sku: 'a' }, 'qty: required'],
];

describe.each(Object.entries(LOW_LEVEL))('a low-level server of %s', (_sdk, serverWith) => {
  const tell =
    (schema?: object) =>
    async (...[, check, args, says]: Row): Promise<void> => {
      const [kind, words] = await answeredBy(serverWith(check, schema), args);
      expect(words).toContain(says);
      expect(kind).toBe('invalid_arguments');
    };

  it.each([...MISSING, ...WRONG])('that lists what it requires tells it: %s', tell(REQUIRED));
  it.each([...MISSING, ...WRONG])('that lists names alone tells it: %s', tell(NAMED));
  it.each([...MISSING, ...WRONG])('that lists no names tells it: %s', tell(BARE));
  it.each([...MISSING, ...WRONG])('that lists nothing tells it: %s', tell());

  it('is asked what it lists by the guard, where something waited before it was checked', async () => {
    const late: Check = async (args) => {
      await waited();
      Order.parse(args);
    };
    for (const [schema, kind] of [
      [REQUIRED, 'invalid_arguments'],
      [undefined, 'internal'],
    ] as const)
      expect((await answeredBy(serverWith(late, schema), { zz: 1 }))[0]).toBe(kind);
  });

  it('names what is required of a caller who sent nothing', async () => {
    const message = await asked(
      serverWith((args) => Order.parse(args), REQUIRED),
      undefined,
    );
    expect(faultIn(message)['issues']).toEqual([
      { path: ['qty'], message: 'required', code: 'required' },
      { path: ['sku'], message: 'required', code: 'required' },
    ]);
  });

  it.each<readonly [string, Check, Args]>([
    ['what no argument is named like', () => z.object({ total: z.number() }).parse({}), { qty: 1, sku: 'a' }],
    ['another type', () => z.object({ qty: z.string() }).parse({ qty: 7 }), { qty: 'seven', sku: 'a' }],
    ['what is there', () => Order.parse({ qty: 1 }), { qty: 1, sku: 'a' }],
    [
      'a name that is known, later',
      async () => {
        await waited();
        z.strictObject({}).parse({ sku: 'b' });
      },
      { qty: 1, sku: 'a' },
    ],
    ['a name that was not sent', () => z.strictObject({}).parse({ zz: 'b' }), { qty: 1, sku: 'a' }],
    ['nothing', () => Order.parse(undefined), { qty: 1, sku: 'a' }],
    ['a list', () => Order.parse([]), { qty: 1, sku: 'a' }],
    [
      'members',
      () => z.object({ rows: z.array(Order) }).parse({ rows: [{}] }),
      { qty: 1, sku: 'a', rows: {} },
    ],
    [
      'another value, by Valibot',
      () => {
        const path = [{ type: 'object', input: { qty: 'x' }, key: 'qty', value: 'x' }];
        throw valibot({ kind: 'validation', type: 'min_value', input: 'x', message: 'Wrong', path });
      },
      { qty: 1, sku: 'a' },
    ],
  ])('keeps what is wrong with a backend’s answer to itself: %s', async (_name, check, args) => {
    expect((await answeredBy(serverWith(check, REQUIRED), args))[0]).toBe('internal');
  });
});

describe('a listing that the guard asks for', () => {
  const serverThatLists = (list: () => unknown, check: Check): McpServerLike => {
    const server = guard(new Server(INFO, TOOLS));
    server.setRequestHandler('tools/call', async ({ params }) => {
      await waited();
      await check(params.arguments);
      return { content: [] };
    });
    server.setRequestHandler('tools/list', list as never);
    return server;
  };
  const parse: Check = (args) => Order.parse(args);
  const tool = { name: 't', inputSchema: REQUIRED };

  it('may have pages', async () => {
    const pages = ({ params }: { params?: { cursor?: string } } = {}): object =>
      params?.cursor === 'b' ? { tools: [tool] } : { tools: [], nextCursor: 'b' };
    expect((await answeredBy(serverThatLists(pages as () => unknown, parse), {}))[0]).toBe(
      'invalid_arguments',
    );
  });

  it.each<readonly [string, () => unknown]>([
    ['fails', () => Promise.reject(new Error('no list'))],
    ['throws', () => z.object({ a: z.string() }).parse({})],
    ['is nothing', () => undefined],
    ['never ends', () => ({ tools: [], nextCursor: 'again' })],
    ['has another tool', () => ({ tools: [{ ...tool, name: 'other' }] })],
  ])('says nothing where it %s', async (_name, list) => {
    expect((await answeredBy(serverThatLists(list, parse), {}))[0]).toBe('internal');
  });

  it('is not waited for', async () => {
    const server = serverThatLists(() => new Promise(() => {}), parse);
    const begun = Date.now();
    expect((await answeredBy(server, {}))[0]).toBe('internal');
    expect(Date.now() - begun).toBeLessThan(5000);
  });

  it('is asked once, and only where a validator has complained', async () => {
    let times = 0;
    const list = (): object => {
      times++;
      return { tools: [] };
    };
    const calm = await connectRaw(
      serverThatLists(list, () => {
        throw new Error('Order 7 not found');
      }),
    );
    await calm.ask('tools/call', { name: 't', arguments: {} });
    expect(times).toBe(0);
    const { ask } = await connectRaw(serverThatLists(list, parse));
    for (let call = 0; call < 3; call++) await ask('tools/call', { name: 't', arguments: {} });
    expect(times).toBe(1);
  });
});

describe('a tool that is registered', () => {
  const open = z.looseObject({});
  const dates = z.object({ start: z.string(), end: z.string() });

  it.each<Row>([
    [
      'a rule of all',
      (args) => dates.refine(({ start, end }) => end > start, 'End must be after start').parse(args),
      { start: '2', end: '1' },
      'End must be after start',
    ],
    [
      'a rule with a path',
      (args) =>
        dates
          .refine(({ start, end }) => end > start, { message: 'Must be after start', path: ['end'] })
          .parse(args),
      { start: '2', end: '1' },
      'end: Must be after start',
    ],
    [
      'a rule of its own',
      (args) =>
        z
          .object({
            iban: z.string().superRefine((_, on) => on.addIssue({ code: 'custom', message: 'No IBAN' })),
          })
          .parse(args),
      { iban: 'DE00' },
      'iban: No IBAN',
    ],
    ['missing', (args) => Order.parse(args), { sku: 'a' }, 'qty: required'],
    [
      'unknown',
      (args) => z.strictObject({ a: z.number() }).parse(args),
      { a: 1, zz: 2 },
      'zz: unknown argument',
    ],
    [
      'a member',
      (args) => Order.parse(args?.['order']),
      { order: { qty: 0, sku: 'a' } },
      'order.qty: Too small',
    ],
    ['Valibot, missing', noKey('qty'), { sku: 'a' }, 'qty: required'],
  ])('tells what its handler found in its arguments: %s', async (_name, check, args, says) => {
    const [kind, words] = await answeredBy(registered(open, check), args);
    expect(words).toContain(says);
    expect(kind).toBe('invalid_arguments');
  });

  it.each<readonly [string, z.ZodType | undefined, Check, Args]>([
    ['settings, of a tool without arguments', undefined, () => z.object({ KEY: z.string() }).parse({}), {}],
    ['settings, of a tool that takes none', z.object({}), () => z.object({ KEY: z.string() }).parse({}), {}],
    ['a row', z.object({ id: z.string() }), () => z.object({ total: z.number() }).parse({}), { id: '7' }],
    [
      'an answer that came later',
      open,
      async () => {
        await waited();
        z.object({ total: z.number() }).parse({});
      },
      { id: '7' },
    ],
    [
      'a rule over an answer that came later',
      open,
      async () => {
        await waited();
        z.object({})
          .refine(() => false, 'No longer open')
          .parse({});
      },
      { id: '7' },
    ],
    ['a row beside a member', open, () => z.object({ total: z.number() }).parse({}), { where: {}, total: 1 }],
  ])('keeps what else its handler found to itself: %s', async (_name, schema, check, args) => {
    expect((await answeredBy(registered(schema, check), args))[0]).toBe('internal');
  });
});
