/** Zod's checks in a handler that has waited before: of one value, of one member, of what stands in a text. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { answeredBy, type Check, registered, waited } from './checking.ts';

type Args = { readonly [name: string]: unknown };

/** A tool that names its arguments, and says nothing else of them. */
async function told(check: (args: never) => unknown, args: Args): Promise<readonly [unknown, string]> {
  const schema = z.object(Object.fromEntries(Object.keys(args).map((name) => [name, z.any()])));
  const late: Check = async (sent) => {
    await waited();
    check(sent as never);
  };
  return answeredBy(registered(schema, late), args);
}

const three = z3 as unknown as typeof z;

describe.each([
  ['Zod 3', three],
  ['Zod 4', z],
])('%s, after a wait,', (_version, Z) => {
  it.each<readonly [string, Args, (args: never) => unknown, string]>([
    ['min', { n: 1 }, ({ n }: { n: unknown }) => Z.number().min(5).parse(n), 'n: '],
    ['max, of two', { n: 90, m: 2 }, ({ n }: { n: unknown }) => Z.number().max(5).parse(n), 'n: '],
    ['int', { n: 1.5 }, ({ n }: { n: unknown }) => Z.number().int().parse(n), 'n: '],
    ['a multiple', { n: 3, s: 'x' }, ({ n }: { n: unknown }) => Z.number().multipleOf(5).parse(n), 'n: '],
    ['keys', { o: { zz: 1 } }, ({ o }: { o: unknown }) => Z.object({}).strict().parse(o), 'zz'],
    [
      'JSON in a text',
      { body: '{"n":"x"}' },
      ({ body }: { body: string }) => Z.object({ n: Z.number() }).parse(JSON.parse(body)),
      'body.n: ',
    ],
    [
      'a rule at an argument',
      { start: 2, end: 1 },
      (args) =>
        Z.object({ start: Z.number(), end: Z.number() })
          .refine((one) => one.end > one.start, { path: ['end'], message: 'end must be after start' })
          .parse(args),
      'end must be after start',
    ],
    ['one of several', { c: 'red' }, ({ c }: { c: unknown }) => Z.enum(['blue', 'green']).parse(c), 'c: '],
    ['at most', { name: 'abcdef' }, ({ name }: { name: unknown }) => Z.string().max(3).parse(name), 'name: '],
    [
      'at least, of two',
      { title: '', note: 'a note' },
      ({ title }: { title: unknown }) => Z.string().min(1).parse(title),
      'title: ',
    ],
    ['a length', { zip: '12' }, ({ zip }: { zip: unknown }) => Z.string().length(5).parse(zip), 'zip: '],
    ['a start', { id: 'x' }, ({ id }: { id: unknown }) => Z.string().startsWith('usr_').parse(id), 'id: '],
    [
      'an end',
      { file: 'x' },
      ({ file }: { file: unknown }) => Z.string().endsWith('.md').parse(file),
      'file: ',
    ],
    [
      'a list',
      { tags: [] },
      ({ tags }: { tags: unknown }) => Z.array(Z.string()).min(1).parse(tags),
      'tags: ',
    ],
    ['a date', { d: 'x' }, ({ d }: { d: unknown }) => Z.coerce.date().parse(d), 'd: '],
    [
      'a date, of two',
      { due: 'x', n: 1 },
      ({ due }: { due: unknown }) => Z.coerce.date().parse(due),
      'due: ',
    ],
    ['either', { x: true }, ({ x }: { x: unknown }) => Z.union([Z.string(), Z.number()]).parse(x), 'x: '],
    ['a type', { x: true, n: 1 }, ({ x }: { x: unknown }) => Z.string().parse(x), 'x: '],
    [
      'either, by its name',
      { x: true },
      (args) => Z.object({ x: Z.union([Z.string(), Z.number()]) }).parse(args),
      'x: ',
    ],
  ])('tells what is true of an argument: %s', async (_what, args, check, says) => {
    const [kind, words] = await told(check, args);
    expect([kind, words]).toEqual(['invalid_arguments', expect.stringContaining(says)]);
  });

  it.each<readonly [string, Args, () => unknown]>([
    ['a number that none is like', { n: 7 }, () => Z.number().min(5).parse(-4041)],
    ['a number, of which two may be meant', { n: 1, m: 2 }, () => Z.number().min(5).parse(-4041)],
    ['a number beside an identifier', { id: 7 }, () => Z.number().max(5).parse(4041)],
    ['a number beside an identifier', { orderId: 7 }, () => Z.number().max(5).parse(4041)],
    ['a length beside a number', { n: 1 }, () => Z.string().min(5).parse('zoe')],
    ['a number beside a text', { s: 'abc' }, () => Z.number().min(5).parse(1)],
    ['a list beside a number', { n: 1 }, () => Z.array(Z.string()).min(5).parse([])],
    ['one of several values', { c: 'red' }, () => Z.enum(['a', 'b']).parse('zoe-private')],
    ['the same name', { c: 'a', n: 1 }, () => Z.object({ c: Z.enum(['a', 'b']) }).parse({ c: 'zoe' })],
    ['one of several, of two', { c: 'red', d: 'grey' }, () => Z.enum(['blue', 'green']).parse('zoe')],
    ['one of several, beside a name', { id: 'red' }, () => Z.enum(['blue', 'green']).parse('zoe')],
    ['one of several, beside a sentence', { q: 'What is it?' }, () => Z.enum(['blue', 'green']).parse('zoe')],
    ['a length beside an identifier', { orderId: 'ord_77' }, () => Z.string().max(3).parse('zoe1')],
    ['a length that is right', { name: 'ab' }, () => Z.string().max(3).parse('zoe1')],
    ['a start that is right', { id: 'usr_1' }, () => Z.string().startsWith('usr_').parse('zoe')],
    ['a start, of two', { id: 'x', q: 'y' }, () => Z.string().startsWith('usr_').parse('zoe')],
    [
      'a pattern, of two',
      { id: 'x', q: 'y' },
      () =>
        Z.string()
          .regex(/^[A-Z]{3}$/)
          .parse('zoe'),
    ],
    ['an address of mail', { q: 'x' }, () => Z.string().email().parse('zoe')],
    ['a list that is right', { tags: ['a'] }, () => Z.array(Z.string()).min(1).parse([])],
    ['a date beside a date', { on: '2026-01-01' }, () => Z.coerce.date().parse('zoe')],
    ['a date beside a text', { q: 'x', n: 1 }, () => Z.coerce.date().parse('zoe')],
    ['another type', { x: true }, () => Z.string().parse(4041)],
    ['a type beside an identifier', { id: 7 }, () => Z.string().parse(4041)],
    ['either, of another type', { x: true }, () => Z.union([Z.string(), Z.number()]).parse(null)],
    [
      'either, by its name',
      { x: 'a' },
      () => Z.object({ x: Z.union([Z.null(), Z.number()]) }).parse({ x: true }),
    ],
    ['keys that were not sent', { o: { zz: 1 } }, () => Z.object({}).strict().parse({ yy: 1 })],
    ['JSON', { body: '{"n":1}' }, () => Z.object({ n: Z.number() }).parse({ n: 'zoe' })],
    [
      'a rule that quotes',
      { start: 2, end: 1 },
      () =>
        Z.object({ end: Z.string() })
          .refine(() => false, { path: ['end'], message: 'end "zoe-private" is taken' })
          .parse({ end: 'zoe-private' }),
    ],
    [
      'a rule that names one argument',
      { start: 2, end: 1 },
      () =>
        Z.object({ end: Z.string() })
          .refine(() => false, { path: ['end'], message: 'end zoe is taken' })
          .parse({ end: 'zoe' }),
    ],
    [
      'a rule that names no argument',
      { start: 2, end: 1 },
      () =>
        Z.object({ end: Z.string() })
          .refine(() => false, { path: ['end'], message: 'Account is closed' })
          .parse({ end: 'x' }),
    ],
  ])('keeps what may be said of something else: %s', async (_what, args, check) => {
    const [kind, words] = await told(check, args);
    expect([kind, words]).toEqual(['internal', expect.not.stringMatching(/zoe|4041|closed/)]);
  });
});

it('Zod 4, which says its pattern, tells the argument that does not have it', async () => {
  const check = ({ sku }: { sku: unknown }) =>
    z
      .string()
      .regex(/^[A-Z]{3}$/)
      .parse(sku);
  const [kind, words] = await told(check, { sku: 'a' });
  expect([kind, words]).toEqual(['invalid_arguments', expect.stringContaining('sku: ')]);
});

describe('Zod 3, which says what it got,', () => {
  it('tells the argument that has it', async () => {
    const check = ({ c }: { c: unknown }) => z3.enum(['blue', 'green']).parse(c);
    const [kind, words] = await told(check, { c: 'red', d: 'x' });
    expect([kind, words]).toEqual(['invalid_arguments', expect.stringContaining('c: ')]);
  });

  it('keeps what no argument is', async () => {
    const check = () => z3.object({ c: z3.enum(['blue', 'green']) }).parse({ c: 'zoe' });
    expect((await told(check, { c: 'red' }))[0]).toBe('internal');
  });
});
