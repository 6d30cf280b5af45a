import { FaultError, fault, read } from '@mayday/core';
import { expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import { withRetries } from './with-retries.ts';

it('retries without any MCP', async () => {
  const clock = fakeClock();
  let calls = 0;
  const page = await clock.until(
    withRetries(
      async () => {
        calls += 1;
        if (calls < 3)
          throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
        return 'page';
      },
      { clock, random: () => 1, call: { readOnly: true } },
    ),
  );
  expect([page, calls]).toEqual(['page', 3]);
});

it('throws a fault in the end', async () => {
  const failing = withRetries(async () => {
    throw fault.conflict('Already paid');
  });
  await expect(failing).rejects.toBeInstanceOf(FaultError);
  await expect(failing).rejects.toMatchObject({ message: 'Already paid', fault: { kind: 'conflict' } });
});

/** Faults of other calls, which a function throws on after it has done something. */
const ELSEWHERE: { readonly [name: string]: () => Error } = {
  'a kind': () => fault.unavailable('The mail service is down'),
  'a fault that was read': () => {
    const heard = read({ http: { status: 429, headers: { 'retry-after': '0' }, body: '' } });
    return new FaultError((heard as { fault: FaultError['fault'] }).fault);
  },
  'a fault of our own client': () =>
    FaultError.from(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), { began: false }),
};

it.each(Object.entries(ELSEWHERE))('does not repeat a write after %s', async (_name, make) => {
  const clock = fakeClock();
  let booked = 0;
  const pay = withRetries(
    async () => {
      booked += 1;
      throw make();
    },
    { clock },
  );
  await expect(clock.until(pay)).rejects.toMatchObject({ fault: { executed: 'maybe' } });
  expect(booked).toBe(1);
});

it('repeats it after the word of its author', async () => {
  const clock = fakeClock();
  let booked = 0;
  const pay = withRetries(
    async () => {
      booked += 1;
      if (booked === 1) throw fault.unavailable('Closed', { executed: 'no' });
      return 'paid';
    },
    { clock, random: () => 1 },
  );
  expect([await clock.until(pay), booked]).toEqual(['paid', 2]);
});
