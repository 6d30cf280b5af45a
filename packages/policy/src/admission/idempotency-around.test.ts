/** Policies with a defect, wherever they stand around a key: nobody is told that nothing was done once it was. */
import { type Executed, makeFault } from '@mayday/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Call, startCall } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { compose, type Policy } from '../policy.ts';
import { sender } from '../resilience/attempt.ts';
import { deadline } from '../resilience/deadline.ts';
import { retry } from '../resilience/retry.ts';
import { concurrency } from './concurrency.ts';
import { idempotency } from './idempotency.ts';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What a policy does with the outcome of the call once that has been made. */
const DEFECTS: { readonly [what: string]: () => unknown } = {
  'throws an error': () => {
    throw new TypeError('no such column');
  },
  'throws nothing': () => {
    throw null;
  },
  'forgets to return it': () => undefined,
  'gives null': () => null,
  'gives a text': () => 'done',
  'gives a failure without a fault': () => ({ ok: false }),
  'gives a failure whose fault is null': () => ({ ok: false, fault: null }),
  'gives a failure whose fault says nothing': () => ({ ok: false, fault: {} }),
  'gives what cannot be looked at': () => ({
    get ok() {
      throw new Error('not to be looked at');
    },
  }),
  'gives a failure whose fault cannot be looked at': () => ({
    ok: false,
    get fault() {
      throw new Error('not to be looked at');
    },
  }),
  'gives what succeeded at the first look alone': () => flipping({ ok: [true, false], value: ['paid'] }),
  'gives what failed at the first look alone': () => flipping({ ok: [false, true], fault: [UNKNOWN, null] }),
  'gives a fault that is gone at the second look': () => flipping({ ok: [false], fault: [UNKNOWN, null] }),
  'gives a fault that is gone at the third look': () =>
    flipping({ ok: [false], fault: [UNKNOWN, UNKNOWN, null] }),
  'gives a fault whose kind is gone at the second look': () => ({
    ok: false,
    fault: flipping({ ...constant(UNKNOWN), kind: ['unavailable', undefined] }),
  }),
  'gives a fault that does not say whether it ran': () => ({
    ok: false,
    fault: Object.defineProperty({ ...UNKNOWN }, 'executed', {
      enumerable: true,
      get: () => {
        throw new Error('not to be looked at');
      },
    }),
  }),
};

const UNKNOWN = makeFault({ kind: 'unavailable', executed: 'maybe', message: 'Nobody knows' });

/** Each member gives these in turn, and then its last for ever. */
function flipping(members: { readonly [name: string]: readonly unknown[] }): object {
  const odd = {};
  for (const [name, values] of Object.entries(members)) {
    let looks = 0;
    const get = (): unknown => values[Math.min(looks++, values.length - 1)];
    Object.defineProperty(odd, name, { enumerable: true, configurable: true, get });
  }
  return odd;
}

function constant(members: object): { [name: string]: readonly unknown[] } {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, [value]]));
}

function broken(what: string): Policy<string, Call> {
  return (next) => async (call) => {
    await next(call);
    return DEFECTS[what]?.() as never;
  };
}

const passes: Policy<string, Call> = (next) => async (call) => next(call);
const slow: Policy<string, Call> = (next) => async (call) => {
  const outcome = await next(call);
  await wait(2);
  return outcome;
};

/** What stands in a list, by name. */
const OTHERS: { readonly [name: string]: () => Policy<string, Call> } = {
  passes: () => passes,
  slow: () => slow,
  deadline: () => deadline({ ms: 2000 }),
  concurrency: () => concurrency({ limit: 1, queue: 10 }),
  retry: () => retry({ attempts: 1 }),
};

/** What the work comes to, which is done in any case. */
const WORK: { readonly [what: string]: () => string } = {
  succeeds: () => 'paid',
  'fails behind the work': () => {
    throw new Error('booked, but the mail failed');
  },
};

interface Story {
  readonly above: readonly string[];
  readonly below: readonly string[];
  readonly defect: string;
  /** At which place of the list, from 0, the outermost. */
  readonly place: number;
  readonly work: string;
}

interface Told {
  readonly runs: number;
  readonly executed: readonly (Executed | 'done' | 'never answered')[];
}

/** What the first caller, two who join it and a later one of the same key are told. */
async function tell({ above, below, defect, place, work }: Story): Promise<Told> {
  let runs = 0;
  const made = (name: string): Policy<string, Call> => OTHERS[name]?.() ?? passes;
  const list = [...above.map(made), idempotency<string, Call>(), ...below.map(made)];
  const at = place % (list.length + 1);
  const handle = compose(
    [...list.slice(0, at), broken(defect), ...list.slice(at)],
    sender<string, Call>(async () => {
      await wait(15);
      runs += 1;
      return WORK[work]?.() ?? '';
    }),
  );
  const pay = async (afterMs: number): Promise<Told['executed'][number]> => {
    await wait(afterMs);
    const asked = handle(startCall({ upstream: 'bank', target: 'pay', caller: 'ada', idempotencyKey: 'k' }));
    const outcome: Outcome<string> | undefined = await Promise.race([
      asked,
      wait(1500).then(() => undefined),
    ]);
    if (outcome === undefined) return 'never answered';
    return outcome.ok ? 'done' : outcome.fault.executed;
  };
  return { executed: await Promise.all([pay(0), pay(0), pay(6), pay(120)]), runs };
}

const names = (of: object): fc.Arbitrary<string> => fc.constantFrom(...Object.keys(of));
const list = fc.array(names(OTHERS), { maxLength: 2 });
const story = fc.record({
  above: list,
  below: list,
  defect: names(DEFECTS),
  place: fc.nat({ max: 5 }),
  work: names(WORK),
});

/** Told in words that are known, and never that nothing was done. */
const TRUE_WORDS = ['done', 'maybe', 'yes'];

it.each(Object.keys(DEFECTS))(
  'a policy that %s costs nobody the truth, inside or outside',
  async (defect) => {
    const stories = Object.keys(WORK).flatMap((work) =>
      [0, 1].map((place) => ({ above: [], below: [], defect, place, work })),
    );
    for (const { executed, runs } of await Promise.all(stories.map(tell))) {
      expect(runs).toBe(1);
      for (const said of executed) expect(TRUE_WORDS).toContain(said);
    }
  },
);

it('wherever it stands in a list, nobody is told that nothing was done, and all are answered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(story, { minLength: 40, maxLength: 40 }), async (stories) => {
      const told = await Promise.all(stories.map(tell));
      const wrong = told.map(({ executed, runs }, i) => ({
        story: stories[i],
        runs,
        executed,
        isRight: runs === 1 && executed.every((said) => TRUE_WORDS.includes(said)),
      }));
      expect(wrong.filter(({ isRight }) => !isRight)).toEqual([]);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});

it('whoever has joined a call is not told so either while that still runs', async () => {
  const impatient: Policy<string, Call> = (next) => (call) =>
    Promise.race([next(call), wait(30).then(() => Promise.reject(new Error('Too slow')))]);
  const handle = compose(
    [impatient, idempotency<string, Call>()],
    sender(() => wait(100).then(() => 'paid')),
  );
  const pay = (): Promise<Outcome<string>> =>
    handle(startCall({ upstream: 'bank', target: 'pay', caller: 'ada', idempotencyKey: 'k' }));
  const cut = { ok: false, fault: { kind: 'internal', executed: 'maybe' } };
  const first = pay();
  await wait(5);
  expect(await pay()).toMatchObject(cut);
  expect(await first).toMatchObject(cut);
});

/** Policies that do not wait for what they have called. */
const CARELESS: { readonly [what: string]: Policy<string> } = {
  'looks at a promise': (next) => async (call) => {
    const outcome = next(call) as unknown as Extract<Outcome<string>, { readonly ok: false }>;
    return { ...outcome, reason: outcome.fault.kind };
  },
  'calls it and throws': (next) => async (call) => {
    void next(call);
    throw new Error('no such column');
  },
  'calls a copy and gives nothing': (next) => async (call) => {
    void next({ ...call });
    return undefined as never;
  },
};

it.each(Object.entries(CARELESS))('one that %s leaves it open whether it was done', async (_, careless) => {
  for (const policies of [
    [careless, idempotency<string, Call>()],
    [concurrency<string, Call>({ limit: 5 }), careless, idempotency<string, Call>()],
  ]) {
    let paid = 0;
    const handle = compose(
      policies,
      sender(async () => {
        await wait(20);
        paid += 1;
        return 'paid';
      }),
    );
    const told = async (): Promise<unknown> => {
      const outcome = await handle(startCall({ upstream: 'bank', caller: 'ada', idempotencyKey: 'order-7' }));
      return outcome.ok || outcome.fault.executed;
    };
    const both = await Promise.all([told(), told()]);
    await wait(60);
    expect([...both, await told(), paid]).toEqual(['maybe', 'maybe', 'maybe', 1]);
  }
});
