/** Functions and stores that answer what nobody can go by: no limit is lifted by it. */
import { describe, expect, it } from 'vitest';
import { approvalDesk } from './admission/approval.ts';
import { concurrency } from './admission/concurrency.ts';
import { idempotency } from './admission/idempotency.ts';
import { rateCheck } from './admission/rate.ts';
import { startCall } from './call.ts';
import { compose } from './policy.ts';

const call = () => startCall({ upstream: 'shop', target: 'pay', idempotencyKey: 'k' });

/** Whoever has put the policies together learns what is wrong, and the caller that it is not theirs to mend. */
const misused = (sentence: string) => ({
  ok: false,
  fault: { kind: 'internal', executed: 'no', message: 'The call could not be handled' },
  thrown: expect.objectContaining({ message: expect.stringContaining(sentence) }),
});

describe('a store of places', () => {
  const ask = (answer: unknown) => {
    const store = { acquire: async () => answer as never };
    return compose([concurrency({ limit: 1, store })], async () => ({ ok: true, value: 'RAN' }))(call());
  };

  it.each([[undefined], [null], [false]])('has none when it says %s', async (answer) => {
    expect(await ask(answer)).toMatchObject({ ok: false, fault: { kind: 'overloaded' } });
  });

  it.each([[true], [1], [{}], ['no'], [[]]])('is wrong when it says %j', async (answer) => {
    expect(await ask(answer)).toMatchObject(
      misused('Expected `acquire` to give a place with `release`, or nothing'),
    );
  });
});

describe('a store of rates', () => {
  const ask = (answer: unknown, whenStoreFails?: 'open') => {
    const store = { take: async () => answer as never };
    return rateCheck({ limit: 1, windowMs: 1000, store, whenStoreFails })(call());
  };

  it.each([[undefined], [null], [false], [true], [-5], [Number.NaN], ['0'], ['500'], [{}], [[]]])(
    'has failed when it says %j',
    async (answer) => {
      expect(await ask(answer)).toMatchObject({
        fault: { kind: 'unavailable', executed: 'no', message: 'The rate limiter is not available' },
        reason: expect.stringContaining('Expected `take` to give 0 or milliseconds'),
      });
      expect(await ask(answer, 'open')).toBeUndefined();
    },
  );

  it('lets through what fits, and nothing that has to wait', async () => {
    expect(await ask(0)).toBeUndefined();
    expect(await ask(5)).toMatchObject({ fault: { kind: 'rate_limited' } });
    expect(await ask(Number.POSITIVE_INFINITY)).toMatchObject({ fault: { kind: 'rate_limited' } });
  });
});

describe('what is counted together', () => {
  it.each([[Promise.resolve('ada')], [{ caller: 'ada' }], [() => 'ada'], [['ada']]])(
    'is not what %s says: each would have a count of its own',
    async (name) => {
      const per = () => name as never;
      expect(() => rateCheck({ limit: 1, windowMs: 1000, per, whenStoreFails: 'open' })(call())).toThrow(
        'Expected `per` to give a text',
      );
      const handle = compose([concurrency({ limit: 1, per })], async () => ({ ok: true, value: 'RAN' }));
      expect(await handle(call())).toMatchObject(misused('Expected `per` to give a text'));
    },
  );

  it('is everybody who has no name', () => {
    let name: unknown;
    const per = () => name as string;
    const check = rateCheck({ limit: 1, windowMs: 1000, per, clock: { now: () => 0 } });
    const fits = [undefined, null, ''].map((one) => {
      name = one;
      return check(call()) === undefined;
    });
    expect(fits).toEqual([true, false, false]);
  });
});

describe('a fingerprint', () => {
  it.each([[Promise.resolve('x')], [{}], [undefined], ['']])(
    'that is %s would be that of every call',
    async (answer) => {
      const fingerprint = () => answer as never;
      const handle = compose([idempotency<string, never>({ fingerprint })], async () => ({
        ok: true,
        value: 'RAN',
      }));
      expect(await handle(call() as never)).toMatchObject(misused('Expected `fingerprint` to give a text'));
      const store = { claim: () => ({ state: 'claimed', id: '1' }), confirm() {}, release() {} } as never;
      expect(await approvalDesk({ targets: ['pay'], store, fingerprint })(call())).toMatchObject({
        fault: { kind: 'unavailable' },
        reason: expect.stringContaining('Expected `fingerprint`'),
      });
    },
  );
});

it.each([[undefined], [null], [true], ['claimed'], [{}], [{ state: 'approved' }]])(
  'a store of approvals that says %j consents to nothing',
  async (answer) => {
    const store = { claim: async () => answer, confirm() {}, release() {} } as never;
    const told = await approvalDesk({ targets: ['pay'], store })(call());
    expect(told).toMatchObject({ by: 'approval', fault: { executed: 'no' } });
  },
);
