/** What a validator says of a backend's answer, where the tool's own schema or what was sent shows that it is of nothing else. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { type Args, answeredBy, registered, waited } from './checking.ts';

const TOOL = z.object({ q: z.string(), n: z.number().optional() });
const SENT = { q: 'x', n: 3 };

async function told(schema: z.ZodObject, sent: Args, thrown: () => unknown) {
  const server = registered(schema, async () => {
    await waited();
    throw thrown();
  });
  return answeredBy(server, sent);
}

const errorOf = (check: () => unknown): unknown => {
  try {
    return check();
  } catch (caught) {
    return caught;
  }
};

describe('a type that the tool itself does not take', () => {
  it.each<readonly [string, () => unknown]>([
    ['Zod 4, a member', () => z.object({ q: z.number() }).parse({ q: 'x' })],
    ['Zod 3, a member', () => z3.object({ q: z3.number() }).parse({ q: 'x' })],
    ['Zod 4, a value alone', () => z.number().parse('17')],
    ['Zod 3, a value alone', () => z3.string().parse(17)],
    ['Zod 4, another value alone', () => z.string().parse(17)],
  ])('is no argument’s: %s', async (_, check) => {
    const [kind, words] = await told(TOOL, SENT, () => errorOf(check));
    expect([kind, /xpected (?:number|string)/.test(words)]).toEqual(['internal', false]);
  });

  it.each<readonly [string, z.ZodObject, Args, () => unknown, RegExp]>([
    [
      'a number made of a text',
      z.object({ limit: z.string() }),
      { limit: 'many' },
      () => z.object({ limit: z.coerce.number() }).parse({ limit: 'many' }),
      /limit: .*expected number/,
    ],
    [
      'anything is taken',
      z.object({ limit: z.any() }),
      { limit: 'many' },
      () => z.object({ limit: z.number() }).parse({ limit: 'many' }),
      /limit: .*expected number/,
    ],
    [
      'one of two types',
      z.object({ limit: z.union([z.string(), z.number()]) }),
      { limit: 'many' },
      () => z.object({ limit: z.number() }).parse({ limit: 'many' }),
      /limit: .*expected number/,
    ],
    [
      'a whole number of a number',
      z.object({ limit: z.number() }),
      { limit: 1.5 },
      () => z.object({ limit: z.int() }).parse({ limit: 1.5 }),
      /limit: .*expected int/,
    ],
    [
      'a length',
      z.object({ q: z.string() }),
      { q: 'x' },
      () => z.object({ q: z.string().min(3) }).parse({ q: 'x' }),
      /q: .*>=3/,
    ],
  ])('is told where it may be: %s', async (_, schema, sent, check, says) => {
    const [kind, words] = await told(schema, sent, () => errorOf(check));
    expect([kind, words]).toEqual(['invalid_arguments', expect.stringMatching(says)]);
  });
});

describe('a field that was not sent and that the tool does not know, in a validator’s words', () => {
  it.each([
    'Unrecognized key: "internal_margin"',
    'Unrecognized keys: "internal_margin", "q"',
    "Unrecognized key(s) in object: 'internal_margin'",
    '✖ Unrecognized key: "internal_margin"\n  → at items[0]',
    '✖ Invalid input: expected string, received undefined\n  → at ledger_account',
    '✖ Invalid input: expected string, received undefined\n  → at q\n✖ Invalid option: expected one of "open"|"closed"\n  → at items[0].status',
    'Invalid response: Unrecognized key: "internal_margin"',
    'Invalid response from ledger: cursor: Invalid input: expected string, received number',
    "Invalid enum value. Expected 'open' | 'closed', received 'ITEMS_HOLD'",
    "✖ Invalid enum value. Expected 'open' | 'closed', received 'ITEMS_HOLD'\n  → at q",
    '✖ Invalid input: expected number, received string\n  → at q',
    'Unexpected response: q: Too small: expected string to have >=5 characters',
  ])('is nothing for the caller: %j', async (words) => {
    const [kind, said] = await told(TOOL, SENT, () => new Error(words));
    expect(['internal', 'upstream_failed']).toContain(kind);
    expect(said).not.toMatch(/margin|ledger|cursor|items|ITEMS|Too small|received/);
  });

  it.each<readonly [string, Args, string]>([
    ['Unrecognized key: "colour"', { q: 'x', colour: 'red' }, 'colour'],
    ["Unrecognized key(s) in object: 'colour'", { q: 'x', filter: { colour: 'red' } }, 'colour'],
    ["Invalid enum value. Expected 'open' | 'closed', received 'x'", SENT, "received 'x'"],
    ["Invalid enum value. Expected 'open' | 'closed', received 'red'", { q: ' RED ' }, "received 'red'"],
    ['✖ Invalid input: expected number, received string\n  → at page', { q: 'x', page: 'two' }, 'at page'],
    ['✖ Too small: expected string to have >=3 characters\n  → at q', SENT, '>=3'],
    ['✖ Invalid input: expected number, received undefined\n  → at n', { q: 'x' }, 'at n'],
    [
      '✖ Invalid input: expected string, received number\n  → at filter.since',
      { q: 'x', filter: { since: 3 } },
      'since',
    ],
  ])('is told where it was sent, or is known: %j', async (words, sent, says) => {
    const schema = z.looseObject({ q: z.string(), n: z.number().optional() });
    const [kind, said] = await told(schema, sent, () => new Error(words));
    expect([kind, said]).toEqual(['invalid_arguments', expect.stringContaining(says)]);
  });

  it('is told of a tool that takes anything', async () => {
    const words = '✖ Invalid input: expected string, received undefined\n  → at city';
    const [kind, said] = await told(z.looseObject({}), {}, () => new Error(words));
    expect([kind, said]).toEqual(['invalid_arguments', expect.stringContaining('city')]);
  });
});
