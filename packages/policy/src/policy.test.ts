import { expect, it } from 'vitest';
import { startCall } from './call.ts';
import type { Outcome } from './outcome.ts';
import { after, compose, type Policy } from './policy.ts';

const call = startCall({ upstream: 'shop' });
const said = (words: string): Outcome<string> => ({ ok: true, value: words });
const adds = (letter: string): Policy<string> =>
  after((outcome) => (outcome.ok ? said(outcome.value + letter) : outcome));
const around =
  (letter: string): Policy<string> =>
  (next) =>
  async (asked) => {
    const outcome = await next(asked);
    return outcome.ok ? said(outcome.value + letter) : outcome;
  };

it('lets the innermost look first, however many stand in a row', async () => {
  const policies = [adds('f'), adds('e'), around('d'), adds('c'), around('b'), adds('a')];
  expect(await compose(policies, async () => said('x'))(call)).toEqual(said('xabcdef'));
});

it('is the same alone as in a row', async () => {
  expect(await adds('a')(async () => said('x'))(call)).toEqual(said('xa'));
});

it('waits for those who take a moment', async () => {
  const slow: Policy<string> = after(async (outcome) => (outcome.ok ? said(`${outcome.value}s`) : outcome));
  expect(await compose([adds('a'), slow, adds('b')], async () => said('x'))(call)).toEqual(said('xbsa'));
});

it('makes an outcome of whatever is thrown', async () => {
  const broken: Policy<string> = after(() => {
    throw new Error('boom');
  });
  expect(await compose([adds('a'), broken], async () => said('x'))(call)).toMatchObject({
    ok: false,
    fault: { kind: 'internal' },
  });
});
