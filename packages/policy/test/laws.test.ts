/** Laws that hold for every script of outcomes, whatever the call is. */
import { type Executed, KIND_NAMES, makeFault } from '@mayday/core';
import { safetyOf } from '@mayday/core/plan';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Call,
  compose,
  concurrency,
  createBreaker,
  createCircuits,
  deadline,
  type Outcome,
  retry,
  startCall,
} from '../src/index.ts';
import { fakeClock } from './fake-clock.ts';

const PASSING = KIND_NAMES.filter((name) => makeFault({ kind: name }).retryable);

/** Mostly what passes by repeating: the rest ends a call at once. */
const kind = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PASSING) },
  { weight: 1, arbitrary: fc.constantFrom(...KIND_NAMES) },
);

const failed = fc.record({
  kind,
  executed: fc.constantFrom<Executed>('no', 'no', 'maybe', 'yes'),
  committed: fc.constantFrom(false, false, false, false, false, true),
});

const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const facts = fc.record({
  readOnly: fc.boolean(),
  idempotent: fc.boolean(),
  repeatable: rarely(fc.boolean()),
  once: rarely(fc.constant(true)),
  idempotencyKey: rarely(fc.constant('k')),
  above: rarely(fc.record({ attempt: fc.integer({ min: 1, max: 5 }) })),
});

it('a further attempt is made only where it can do no harm, and never after bytes were passed on', async () => {
  let repeated = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(failed, { minLength: 1, maxLength: 12, size: 'max' }),
      facts,
      fc.integer({ min: 1, max: 6 }),
      async (script, about, attempts) => {
        const clock = fakeClock();
        let sent = 0;
        const handle = compose<string, Call>(
          [deadline({ ms: 120_000, clock }), retry({ attempts, clock, random: () => 0 })],
          async () => {
            const next = script[sent];
            sent += 1;
            if (next === undefined) return { ok: true, value: 'done' };
            return { ok: false, fault: makeFault(next), committed: next.committed };
          },
        );
        const call = startCall<Call>({ upstream: 'shop', target: 'pay', ...about });
        const outcome = await clock.until(handle(call));
        expect(sent).toBeGreaterThanOrEqual(1);
        expect(sent).toBeLessThanOrEqual(attempts);
        repeated += sent - 1;
        for (const { executed, committed } of script.slice(0, sent - 1)) {
          expect(committed).toBe(false);
          expect(safetyOf(call, executed).safe).toBe(true);
          expect(call.once ?? call.above).toBeUndefined();
        }
        const mayHaveRun = script.slice(0, sent).some(({ executed }) => executed !== 'no');
        const told = outcome.ok ? 'done' : outcome.fault.executed;
        expect(told === 'no' && mayHaveRun).toBe(false);
        expect(call.progress.attempts).toBe(sent);
      },
    ),
    { numRuns: 600 },
  );
  // Otherwise it has proved nothing.
  expect(repeated).toBeGreaterThan(300);
});

it('as many run at a time as may, whatever is cut off, cancelled or thrown', async () => {
  const step = fc.record({
    act: fc.constantFrom('call', 'call', 'cancel', 'end', 'throw', 'wait'),
    which: fc.nat(8),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, limit) => {
        const clock = fakeClock();
        const running: { end(): void; fail(): void }[] = [];
        const callers: AbortController[] = [];
        let [active, most] = [0, 0];
        const handle = compose<string, Call>(
          [deadline({ ms: 300, clock }), concurrency({ limit, queue: 5, clock })],
          async (call) => {
            call.progress.began = true;
            active += 1;
            most = Math.max(most, active);
            try {
              await new Promise<void>((resolve, reject) =>
                running.push({ end: resolve, fail: () => reject(new Error('boom')) }),
              );
              return { ok: true, value: 'done' };
            } finally {
              active -= 1;
            }
          },
        );
        const outcomes: Promise<Outcome<string>>[] = [];
        for (const { act, which } of steps) {
          if (act === 'call') {
            const caller = new AbortController();
            callers.push(caller);
            outcomes.push(handle(startCall<Call>({ upstream: 'shop', signal: caller.signal })));
          }
          if (act === 'cancel') callers[which]?.abort();
          if (act === 'end') running[which]?.end();
          if (act === 'throw') running[which]?.fail();
          await clock.advance(act === 'wait' ? 200 : 0);
        }
        expect(most).toBeLessThanOrEqual(limit);
        for (let left = 40; left > 0 && active > 0; left -= 1) {
          for (const one of running) one.end();
          await clock.advance(0);
        }
        await clock.until(Promise.all(outcomes));
        // Every place has come back: as many as may can run again.
        const again = Array.from({ length: limit }, () => handle(startCall<Call>({ upstream: 'shop' })));
        await clock.advance(0);
        expect(active).toBe(limit);
        for (const one of running) one.end();
        await clock.until(Promise.all(again));
      },
    ),
    { numRuns: 80 },
  );
});

it('a breaker that has opened can always be closed again, whatever its permits are settled with', async () => {
  const act = fc.constantFrom('admit', 'success', 'failure', 'neutral', 'none', 'twice', 'wait');
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 10, maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 3 }),
      async (acts, probes) => {
        const clock = fakeClock();
        const breaker = createBreaker({ clock, probes, consecutive: 2, maxOpenMs: 4000 });
        const permits: { settle(verdict: 'success' | 'failure' | 'neutral' | 'none'): void }[] = [];
        for (const one of acts) {
          if (one === 'wait') await clock.advance(700);
          else if (one === 'admit') {
            const asked = breaker.admit();
            if (asked.admitted) permits.push(asked);
          } else if (one === 'twice') {
            permits[0]?.settle('failure');
            permits.shift()?.settle('failure');
          } else permits.shift()?.settle(one);
        }
        // Permits that are never settled wedge nothing.
        await clock.advance(60_000);
        for (let left = probes; left > 0 && breaker.state !== 'closed'; left -= 1) {
          const asked = breaker.admit();
          expect(asked.admitted).toBe(true);
          if (asked.admitted) asked.settle('success');
        }
        expect(breaker.state).toBe('closed');
      },
    ),
    { numRuns: 150 },
  );
});

it('a tool’s answers never open its server’s circuit, whatever they say', () => {
  const answers = fc.array(fc.record({ tool: fc.constantFrom('a', 'b', 'c'), kind }), {
    minLength: 40,
    maxLength: 80,
    size: 'max',
  });
  fc.assert(
    fc.property(answers, (script) => {
      const circuits = createCircuits({ name: 'shop', clock: fakeClock(), random: () => 0 });
      for (const { tool, kind } of script) {
        const permit = circuits.admit({ target: tool });
        if (permit.admitted) permit.settle({ ok: false, fault: makeFault({ kind }), answered: true });
      }
      return circuits.stateOf() === 'closed';
    }),
    { numRuns: 200 },
  );
});
