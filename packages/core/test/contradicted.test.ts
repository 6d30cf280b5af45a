/** A fault document that says `no`, beside content that tells of work: who hands both on says nothing that can be relied on. */
import { describe, expect, it } from 'vitest';
import { makeFault, read, write } from '../src/index.ts';

const REFUSED = makeFault({ kind: 'rate_limited', message: 'Too many payments', executed: 'no' });

interface Written {
  readonly content: readonly object[];
  readonly [member: string]: unknown;
}

/** The answer of a kit, with something beside it. */
function answer(beside: object = {}, blocks: readonly string[] = [], fault = REFUSED): object {
  const { result } = write(fault, 'mayday').wire as unknown as { readonly result: Written };
  const texts = blocks.map((text) => ({ type: 'text', text }));
  return { jsonrpc: '2.0', id: 1, result: { ...result, ...beside, content: [...result.content, ...texts] } };
}

function executed(value: object): string {
  const reading = read(value, { called: { type: 'tool', id: 'pay' } });
  return reading.failure ? `${reading.fault.kind} ${reading.fault.executed}` : 'success';
}

it.each<readonly [string, object, readonly string[]]>([
  ['a member that says what was done', { structuredContent: { paid: true, id: 'pay_991' } }, []],
  ['a value that does', { structuredContent: { payment: { state: 'captured' } } }, []],
  ['a second block', {}, ['payment pay_991 booked']],
  ['a second block in another language', {}, ['Zahlung gebucht']],
])('proves nothing beside %s', (_what, beside, blocks) => {
  expect(executed(answer(beside, blocks))).toBe('rate_limited maybe');
});

describe('is believed', () => {
  it.each<readonly [string, object, readonly string[]]>([
    ['alone', {}, []],
    ['beside what was not done', { structuredContent: { paid: false, limit: 5 } }, []],
    ['beside what is possible', { structuredContent: { limit: 5, window: '1 min' } }, ['Ask in a minute']],
  ])('%s', (_what, beside, blocks) => {
    expect(executed(answer(beside, blocks))).toBe('rate_limited no');
  });

  it('whatever its own words are', () => {
    const fault = makeFault({ kind: 'conflict', message: 'Order 7 was already shipped', executed: 'no' });
    expect(executed(answer({}, [], fault))).toBe('conflict no');
  });
});
