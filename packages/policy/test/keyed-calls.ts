/** Calls with a key, each of which runs until the test ends it. */
import { type FaultInit, makeFault } from '@mayday/core';
import { type IdempotencyOptions, idempotency } from '../src/admission/idempotency.ts';
import { type Call, startCall } from '../src/call.ts';
import type { Outcome } from '../src/outcome.ts';
import { compose, type Policy } from '../src/policy.ts';
import { fakeClock } from './fake-clock.ts';

interface Run {
  readonly call: Call;
  end(outcome?: Outcome<string>): void;
}

/** Each execution waits until the test ends it. */
export function setup(options: IdempotencyOptions<string> = {}, inside: Policy<string>[] = []) {
  const clock = fakeClock();
  const runs: Run[] = [];
  const policies = [idempotency<string, Call>({ clock, ...options }), ...inside];
  const handle = compose(policies, (call) => {
    call.progress.began = true;
    return new Promise((resolve) => {
      runs.push({ call, end: (outcome = { ok: true, value: `paid ${runs.length}` }) => resolve(outcome) });
    });
  });
  const pay = (init: object = {}) =>
    handle(
      startCall({
        upstream: 'bank',
        target: 'pay',
        caller: 'ada',
        arguments: { to: 'bob' },
        idempotencyKey: 'k1',
        ...init,
      }),
    );
  return { clock, runs, pay };
}

/** How a call ends that fails. */
export const failed = (init: FaultInit): Outcome<string> => ({ ok: false, fault: makeFault(init) });
/** What is under way has gone on. */
export const tick = () => new Promise((resolve) => setImmediate(resolve));
