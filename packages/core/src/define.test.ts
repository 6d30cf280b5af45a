import { describe, expect, it } from 'vitest';
import { defineFault, fault, read, write } from './index.ts';

const OrderNotFound = defineFault<{ orderId: string }>('ORDER_NOT_FOUND', {
  kind: 'not_found',
  subject: 'order',
  subjectId: 'orderId',
  message: ({ orderId }) => `No order ${orderId}`,
  advice: 'List the orders first.',
  meaning: 'The order does not exist in this shop.',
});

describe('defineFault', () => {
  it('throws a typed specialisation of a kind', () => {
    const thrown = OrderNotFound({ orderId: '4711' }, { cause: new Error('x') });
    expect(thrown.fault).toMatchObject({
      kind: 'not_found',
      name: 'ORDER_NOT_FOUND',
      message: 'No order 4711',
      subject: { type: 'order', id: '4711' },
      advice: 'List the orders first.',
      details: { orderId: '4711' },
    });
    expect([OrderNotFound.is(thrown), OrderNotFound.is(fault.notFound('x'))]).toEqual([true, false]);
  });

  it('keeps its name in the dialects that have a place for it', () => {
    const { wire } = write(OrderNotFound({ orderId: '1' }).fault, 'onx', { id: 1 });
    expect(read(wire)).toMatchObject({
      fault: { name: 'ORDER_NOT_FOUND', kind: 'not_found', subject: { type: 'order', id: '1' } },
    });
  });

  it('says what is wrong with a definition', () => {
    const base = OrderNotFound.definition;
    expect(() => defineFault('orderNotFound', base)).toThrow(
      'Expected `code` to be UPPER_SNAKE_CASE, like ORDER_NOT_FOUND, got "orderNotFound"',
    );
    expect(() => defineFault('A', { ...base, kind: 'nope' as never })).toThrow(
      'Expected `kind` to be one of the kinds, got "nope"',
    );
  });
});
