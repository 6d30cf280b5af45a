import { expect, it } from 'vitest';
import { startCall } from '../call.ts';
import type { Refusal } from '../outcome.ts';
import { scopesCheck } from './scopes.ts';

const callOf = (init: object = {}) => startCall({ upstream: 'shop', target: 'pay', ...init });
const required = { pay: ['orders.write', 'orders.read'] };

it('names what is missing', () => {
  expect(scopesCheck({ required })(callOf({ scopes: ['orders.read'] }))).toMatchObject({
    by: 'scopes',
    fault: {
      kind: 'forbidden',
      executed: 'no',
      message: 'Missing scope orders.write',
      details: { required_scopes: ['orders.write'] },
    },
  });
});

it('lets through who has them all, and everybody to what needs none', () => {
  const check = scopesCheck({ required });
  expect(check(callOf({ scopes: ['orders.read', 'orders.write'] }))).toBeUndefined();
  expect(check(callOf({ target: 'constructor' }))).toBeUndefined();
  expect(check(callOf({ target: undefined }))).toBeUndefined();
});

it('gives one answer for everything that cannot be reached, if it is to be opaque', () => {
  const reach = ({ target }: { target?: string | undefined }) =>
    target === 'nope' ? 'unknown' : target === 'off' ? 'disabled' : 'known';
  const check = scopesCheck({ required, sensitive: ['refund'], opaque: true, reach, message: 'No.' });
  const refusals = ['nope', 'off', 'refund', 'pay'].map((target) => check(callOf({ target })));
  const faults = refusals.map((refusal) => JSON.stringify((refusal as { fault: object }).fault));
  expect(new Set(faults).size).toBe(1);
  expect(refusals.map((refusal) => (refusal as { reason: string }).reason)).toEqual([
    'unknown tool',
    'disabled tool',
    'sensitive tool',
    'missing scope',
  ]);
  expect(refusals.every((refusal) => (refusal as { opaque: boolean }).opaque)).toBe(true);
});

it('rejects scopes that are no list', () => {
  expect(() => scopesCheck({ required: { pay: 'orders' } as never })).toThrow(
    new TypeError(
      'Expected `required` to be a list of scopes for each tool, or a function, got {"pay":"orders"}',
    ),
  );
});

it('names all that is missing, and what to do', () => {
  expect(scopesCheck({ required })(callOf())).toMatchObject({
    fault: {
      message: 'Missing scopes orders.write, orders.read',
      details: { required_scopes: ['orders.write', 'orders.read'] },
      advice: 'Ask for access with these scopes, then call again.',
    },
  });
});

it('asks a function which scopes a call needs', () => {
  const check = scopesCheck({ required: ({ target }) => (target === 'pay' ? ['money'] : []) });
  expect(check(callOf())).toMatchObject({ fault: { message: 'Missing scope money' } });
  expect([check(callOf({ scopes: ['money'] })), check(callOf({ target: 'look' }))]).toEqual([
    undefined,
    undefined,
  ]);
});

it('lets nobody reach what is sensitive, opaque or not', () => {
  const told = { kind: 'forbidden', executed: 'no', message: 'This tool is not available for your key.' };
  const plain = scopesCheck({ sensitive: ['pay'] })(callOf({ scopes: ['all'] }));
  expect(plain).toMatchObject({ by: 'scopes', opaque: false, reason: 'sensitive tool', fault: told });
  const opaque = scopesCheck({ required, opaque: true })(callOf());
  expect(opaque).toMatchObject({ by: 'scopes', opaque: true, reason: 'missing scope', fault: told });
});

it('asks who is there only where the answer is kept to itself', () => {
  expect(scopesCheck({ reach: () => 'unknown' })(callOf())).toBeUndefined();
});

it.each([
  ['pay_readonly', 'forbidden'],
  ['["x.pay"]', 'forbidden'],
  ['look,pay', undefined],
  ['look pay', undefined],
])('reads what a token or a database writes as %j, and does not search it', (scopes, kind) => {
  const check = scopesCheck({ required: { pay: ['pay'] } });
  const found = check(startCall({ upstream: 'shop', target: 'pay', scopes: scopes as never }));
  expect((found as Refusal | undefined)?.fault.kind).toBe(kind);
});

it.each([['pay'], [undefined], [Promise.resolve([])], [[1]]])(
  'says that `required` gives what nobody can go by: %s',
  (wanted) => {
    const check = scopesCheck({ required: () => wanted as never });
    expect(() => check(startCall({ upstream: 'shop', target: 'pay' }))).toThrow(
      'Expected `required` to give a list of scopes, got ',
    );
  },
);

it('lets nobody through whose scopes cannot be read', () => {
  const check = scopesCheck({ required: { pay: ['pay'] } });
  const scopes = { pay: true } as never;
  expect(() => check(startCall({ upstream: 'shop', target: 'pay', scopes }))).toThrow('Expected `scopes`');
});
