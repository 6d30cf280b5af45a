/** Assertions: their author's own sentence is told like any other, what Node makes of the code is not. */
import assert from 'node:assert';
import { expect, it } from 'vitest';
import { INTERNAL, said } from './thrown.ts';

const thrownBy = (check: () => void): unknown => {
  try {
    check();
  } catch (reason) {
    return reason;
  }
  throw new Error('It holds');
};

it.each<readonly [string, () => void, string]>([
  ['qty must be positive', () => assert(false, 'qty must be positive'), 'invalid_arguments'],
  ['qty must be positive', () => assert.fail('qty must be positive'), 'invalid_arguments'],
  ['Order o7 not found', () => assert.ok(false, 'Order o7 not found'), 'not_found'],
  ['qty must be a whole number', () => assert.equal(1, 2, 'qty must be a whole number'), 'invalid_arguments'],
])('tells: %s', async (text, check, kind) => {
  const [told, words] = await said(thrownBy(check), { qty: -2, id: 'o7' });
  expect([told, words.slice(0, text.length + 2)]).toEqual([kind, expect.stringMatching(`^${text}\\.? `)]);
});

it.each<readonly [string, () => void]>([
  ['a sentence', () => assert.strictEqual('a', 'SECRET', 'qty must be a whole number')],
  ['lists', () => assert.deepStrictEqual(['a'], ['SECRET'], 'qty must be a whole number')],
])('not what it compared: %s', async (_what, check) => {
  const [kind, words] = await said(thrownBy(check), { qty: 1.5 });
  expect([kind, words]).toEqual([
    'invalid_arguments',
    expect.stringMatching(/^qty must be a whole number\. /),
  ]);
  expect(words).not.toContain('SECRET');
});

it.each<readonly [string, () => void]>([
  ['a sentence of Node’s', () => assert.strictEqual(1, 2)],
  ['a falsy value', () => assert.ok(false)],
  ['a pattern', () => assert.match('qty', /must be/)],
  ['a state of the program', () => assert(false, 'state.tree is null')],
  ['a part of the program', () => assert(false, 'pool must be initialised')],
])('keeps %s', async (_what, check) => {
  expect(await said(thrownBy(check), { qty: -2 })).toEqual(['internal', INTERNAL]);
});
