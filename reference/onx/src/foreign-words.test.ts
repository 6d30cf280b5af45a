import { describe, expect, it } from 'vitest';
import { fieldIn, identifierIn, safeContext } from './foreign-words.ts';

describe('a backend’s identifier', () => {
  it.each(['LOCKED', 'a', 'order.locked-1_b', 'x'.repeat(64)])('%s goes on', (code) => {
    expect(identifierIn({ code })).toBe(code);
  });

  it.each([
    undefined,
    null,
    7,
    true,
    ['LOCKED'],
    '',
    'two words',
    '1ST',
    '_x',
    'x'.repeat(65),
    'sk-live-9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  ])('%j stays', (code) => {
    expect(identifierIn({ code } as never)).toBeUndefined();
  });
});

describe('a backend’s field', () => {
  const long = 'x'.repeat(200);
  const input = { order: { items: [{ sku: 'A' }], note: null }, name: 'ana', [long]: 1, [`${long}x`]: 1 };

  it.each(['order', 'order.items', 'order.items.0', 'order.items.0.sku', 'order.note', long])(
    '%s is one that the caller has sent',
    (field) => {
      expect(fieldIn({ field }, input)).toBe(field);
    },
  );

  it.each([
    undefined,
    7,
    ['order'],
    '',
    'orders',
    'order.items.1',
    'order.note.text',
    'name.length',
    'toString',
    'order.constructor',
    `${long}x`,
  ])('%j is none', (field) => {
    expect(fieldIn({ field } as never, input)).toBeUndefined();
  });
});

describe('a backend’s context', () => {
  const from = (context: unknown, input: object = { orderId: 'o-1' }) =>
    safeContext({ context } as never, input);

  it('goes on where it tells states, counts, and the order that the caller named', () => {
    const harmless = { orderId: 'o-1', currentStatus: 'cancelled', requested: 3, available: 0 };
    expect(from({ ...harmless, host: 'db-1', operation: 'x' })).toEqual(harmless);
    expect(from({ available: 1 })).toEqual({ available: 1 });
  });

  it.each([
    [{ orderId: 'o-2' }],
    [{ currentStatus: 'on fire' }],
    [{ requested: '3' }],
    [{ available: 0.5 }],
    [{ host: 'o-1' }],
    [{ toString: true }],
    [{}],
    [[{ available: 1 }]],
    [null],
    ['available'],
    [undefined],
  ])('%j stays', (context) => {
    expect(from(context)).toBeUndefined();
  });

  it('an order that nobody named is not named', () => {
    expect(from({ orderId: 'o-1' }, {})).toBeUndefined();
  });
});
