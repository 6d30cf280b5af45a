/** What databases say about a key, and who is let in by it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifier } from './keys.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const HOUR = 3_600_000;

const ask = (answer: unknown) =>
  identifier({ lookup: () => answer as never, from: () => 'qx_live_good', clock: { now: () => NOW } })({});
const UNKNOWN = JSON.stringify(ask(undefined));

describe('a lookup that says that there is no such key', () => {
  it.each([[null], [false], [0], [''], [[]], [{}], [{ principal: null }], [{ principal: '' }]])(
    'as %j answers as one that says nothing, to the byte',
    (answer) => {
      expect(UNKNOWN).toContain('unknown key');
      expect(JSON.stringify(ask(answer))).toBe(UNKNOWN);
    },
  );
});

describe('a key', () => {
  it.each([
    [true],
    [1],
    ['true'],
    ['1'],
    ['t'],
    ['yes'],
    [new Date()],
    ['2020-01-01'],
    [{}],
    [Number.NaN],
    ['False'],
  ])('is revoked by %j', (revoked) => {
    expect(ask({ principal: 'ada', revoked })).toMatchObject({ reason: 'revoked key' });
  });

  it.each([[undefined], [null], [false], [0], [0n], [''], ['false'], ['0'], ['f']])(
    'is not revoked by %s',
    (revoked) => {
      expect(ask({ principal: 'ada', revoked })).toEqual({ caller: 'ada', scopes: [] });
    },
  );

  it.each([
    [NOW],
    [-1],
    [BigInt(NOW)],
    [String(NOW)],
    [new Date(NOW)],
    ['2020-01-01 00:00:00'],
    ['2020-01-01'],
    ['2026-06-01T12:00:00Z'],
    ['2026-06-01 12:00:00'],
    ['2026-06-01 12:00'],
    ['2026-06-01 12:00:00.000000'],
    ['2026-06-01 14:00:00+02'],
    ['2026-06-01T14:00:00+0200'],
    ['2026-06-01 12:00:00 UTC'],
  ])('is expired by %s', (expiresAt) => {
    expect(ask({ principal: 'ada', expiresAt })).toMatchObject({ reason: 'expired key' });
  });

  it.each([
    [undefined],
    [null],
    [Number.POSITIVE_INFINITY],
    [NOW + 1],
    [BigInt(NOW + 1)],
    [String(NOW + 1)],
    [new Date(NOW + 1)],
    ['2026-06-01T12:00:01Z'],
    ['2026-06-01T12:00:00.001Z'],
    ['2026-06-01 12:00:00.001'],
    ['2026-06-01 10:00:01-02'],
    ['2026-06-02'],
  ])('is not expired by %s', (expiresAt) => {
    expect(ask({ principal: 'ada', expiresAt })).toEqual({ caller: 'ada', scopes: [] });
  });

  it.each([
    ['principal', true],
    ['principal', Symbol('ada')],
    ['principal', 1.5],
    ['principal', ' '],
    ['principal', ['ada']],
    ['expiresAt', Number.NaN],
    ['expiresAt', new Date('x')],
    ['expiresAt', ''],
    ['expiresAt', true],
    ['expiresAt', {}],
    ['expiresAt', '2030'.padEnd(20, '0')],
    ['expiresAt', '01/02/2030'],
    ['expiresAt', '2030-02-31'],
    ['expiresAt', '2030-13-01 00:00:00'],
    ['expiresAt', '2030-01-01 25:00:00'],
    ['expiresAt', '0000-00-00 00:00:00'],
    ['scopes', {}],
    ['scopes', 7],
    ['scopes', new Set(['pay'])],
    ['scopes', [['pay']]],
    ['scopes', ['pay', 1]],
    ['scopes', '["pay"'],
    ['scopes', '[1]'],
    ['scopes', '{pay,look}'],
    ['scopes', '"pay"'],
  ])('whose %s is %j lets nobody in, answers as an unknown one, and the log learns why', (name, value) => {
    const told = ask({ principal: 'ada', [name]: value });
    expect(told).toMatchObject({ reason: expect.stringMatching(`^TypeError: Expected \`${name}\``) });
    expect(JSON.stringify({ ...told, reason: 'unknown key' })).toBe(UNKNOWN);
  });

  it.each([['ada'], [true], [7], [[{ principal: 'ada' }]], [() => ({ principal: 'ada' })]])(
    'is not what %s says',
    (answer) => {
      expect(ask(answer)).toMatchObject({ by: 'keys', reason: expect.stringContaining('`lookup`') });
    },
  );

  it('has the scopes that are written, and none that is part of one', () => {
    const scopesOf = (scopes: unknown) => (ask({ principal: 7, scopes }) as { scopes: unknown }).scopes;
    expect(
      [null, '', 'pay', 'pay look', 'pay, look', '["pay","look"]', 'pay_readonly', ['a b']].map(scopesOf),
    ).toEqual([
      [],
      [],
      ['pay'],
      ['pay', 'look'],
      ['pay', 'look'],
      ['pay', 'look'],
      ['pay_readonly'],
      ['a b'],
    ]);
  });

  it('of a row without `principal` is unknown, and the log learns why', () => {
    expect(ask({ id: 'ada' })).toMatchObject({ reason: expect.stringContaining('`principal`') });
    expect(JSON.stringify({ ...ask({ id: 'ada' }), reason: 'unknown key' })).toBe(UNKNOWN);
  });

  it('belongs to whom a number names', () => {
    expect([ask({ principal: 7 }), ask({ principal: 7n })]).toMatchObject([{ caller: '7' }, { caller: '7' }]);
  });

  it('is waited for, whatever the database calls a promise', async () => {
    const name = 'then';
    const later = (answer: unknown) => ({ [name]: (go: (value: unknown) => void) => go(answer) });
    expect(await ask(later({ principal: 'ada' }))).toEqual({ caller: 'ada', scopes: [] });
    expect(await ask(later([]))).toMatchObject({ reason: 'unknown key' });
  });

  it('that cannot be looked at lets nobody in', () => {
    const record = {
      get principal(): string {
        throw new Error('gone');
      },
    };
    expect(ask(record)).toMatchObject({ by: 'keys', reason: 'Error: gone' });
  });
});

it('lets nobody in whom no well-formed record lets in, whatever is answered', () => {
  const odd = fc.anything({
    withDate: true,
    withBigInt: true,
    withSparseArray: true,
    withNullPrototype: true,
  });
  const record = fc.record(
    {
      principal: fc.oneof(fc.constant('ada'), odd),
      scopes: fc.oneof(fc.constantFrom('pay', 'pay_readonly', '["pay"]', ['pay']), odd),
      revoked: fc.oneof(fc.constantFrom(false, true, 0, 1, '0', '1', null), odd),
      expiresAt: fc.oneof(fc.constantFrom(NOW - HOUR, NOW + HOUR, null, '2020-01-01', '2030-01-01'), odd),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(record, odd), (answer) => {
      const told = ask(answer) as { caller?: string; scopes?: string[] };
      const { principal, scopes, revoked, expiresAt } = Object(answer);
      const isNamed =
        ['string', 'number', 'bigint'].includes(typeof principal) && `${principal}`.trim() !== '';
      const isUnrevoked = [undefined, null, false, 0, 0n, '', 'false', '0', 'f'].includes(revoked);
      const isUnexpired = expiresAt === undefined || expiresAt === null || endOf(expiresAt) > NOW;
      const mayEnter = isNamed && isUnrevoked && isUnexpired;
      expect(told.caller === undefined || mayEnter).toBe(true);
      expect(
        told.scopes?.includes('pay') !== true ||
          ['"pay"', '"[\\"pay\\"]"', '["pay"]'].includes(JSON.stringify(scopes)),
      ).toBe(true);
    }),
    { numRuns: 5000 },
  );
});

/** When a key ends, as a plain reading has it. */
function endOf(expiresAt: unknown): number {
  if (expiresAt instanceof Date) return expiresAt.getTime();
  if (typeof expiresAt === 'string' && expiresAt.includes('-')) return Date.parse(expiresAt);
  return ['string', 'number', 'bigint'].includes(typeof expiresAt) ? Number(expiresAt) : Number.NaN;
}
