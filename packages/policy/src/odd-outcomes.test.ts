/** Policies of somebody's own that give what is no outcome: their call fails, and nothing else does. */
import { makeFault } from '@mayday/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeClock } from '../test/fake-clock.ts';
import { concurrency } from './admission/concurrency.ts';
import { type Call, startCall } from './call.ts';
import type { Outcome } from './outcome.ts';
import { compose, type Policy } from './policy.ts';
import { circuit, createCircuits } from './resilience/circuits.ts';
import { deadline } from './resilience/deadline.ts';
import { retry } from './resilience/retry.ts';

const strays: unknown[] = [];
const note = (reason: unknown): void => void strays.push(reason);
beforeEach(() => {
  strays.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  await new Promise(setImmediate);
  process.off('unhandledRejection', note);
  expect(strays).toEqual([]);
});

const fresh = (): Call => startCall({ upstream: 'shop', target: 'pay' });
const gives =
  (given: () => unknown): Policy<string> =>
  () =>
  async () =>
    given() as never;
const never = async (): Promise<Outcome<string>> => ({ ok: true, value: 'not asked' });

/** A failure with a member that throws when it is looked at. */
function throwing(name: string): object {
  const get = (): never => {
    throw new Error('not to be looked at');
  };
  return Object.defineProperty({ ok: false }, name, { configurable: true, enumerable: true, get });
}

const ODD: readonly (readonly [string, unknown])[] = [
  ['a failure without a fault', { ok: false }],
  ['a failure whose fault is null', { ok: false, fault: null }],
  ['a failure whose fault is a text', { ok: false, fault: 'gone' }],
  ['a failure whose fault has no kind', { ok: false, fault: {} }],
  ['what throws when it is looked at', throwing('ok')],
  ['a failure whose fault throws when it is looked at', throwing('fault')],
];

it.each(ODD)('%s is an internal fault, whoever stands around it', async (_what, odd) => {
  const around: readonly (readonly Policy<string, Call>[])[] = [
    [],
    [concurrency({ limit: 1 })],
    [retry({ attempts: 1 })],
    [deadline({ ms: 1000 })],
    [deadline({ ms: 1000 }), retry({ attempts: 1 }), concurrency({ limit: 1 })],
  ];
  for (const policies of around) {
    const path = compose([...policies, gives(() => odd)], never);
    for (let i = 0; i < 3; i++)
      expect(await path(fresh())).toMatchObject({ ok: false, fault: { kind: 'internal' } });
  }
});

it.each([
  ['it is no promise', { rest: 5 }],
  ['it throws when it is looked at', throwing('rest')],
])('a place is given back where the rest of the work cannot be waited for: %s', async (_why, rest) => {
  const fault = makeFault({ kind: 'timeout', message: 'Late' });
  const odd = gives(() => Object.assign(rest, { ok: false, fault }));
  const path = compose([concurrency<string, Call>({ limit: 1 }), odd], never);
  for (let i = 0; i < 3; i++) expect(await path(fresh())).toMatchObject({ fault: { kind: 'timeout' } });
});

it.each(ODD)('%s takes no probe from a circuit', async (_what, odd) => {
  const clock = fakeClock();
  const circuits = createCircuits({ name: 'shop', clock, random: () => 0 });
  const down = { ok: false, fault: makeFault({ kind: 'unavailable', message: 'Down' }) };
  const answers: unknown[] = [...Array.from({ length: 10 }, () => down), odd, odd, odd];
  const path = compose(
    [circuit<string, Call>(circuits), gives(() => answers.shift() ?? { ok: true, value: 'back' })],
    never,
  );
  const call = (): Promise<Outcome<string>> => path(startCall({ upstream: 'shop' }));
  for (let i = 0; i < 10; i++) await call();
  expect(circuits.stateOf()).toBe('open');
  await clock.advance(500);
  for (let i = 0; i < 3; i++) expect(await call()).toMatchObject({ fault: { kind: 'internal' } });
  expect(await call()).toEqual({ ok: true, value: 'back' });
});

it('a policy that throws before it gives a promise leaves no timer behind', async () => {
  const before = timers();
  const breaks: Policy<string, Call> = () => () => {
    throw new Error('boom');
  };
  expect(await compose([deadline({ ms: 60_000 }), breaks], never)(fresh())).toMatchObject({
    fault: { kind: 'internal' },
  });
  expect(timers()).toBe(before);
});

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
