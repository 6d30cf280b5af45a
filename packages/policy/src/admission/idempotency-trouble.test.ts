/** Calls with a key whose store is down, slow, forgetful or mistaken. */
import { expect, it } from 'vitest';
import { failed, setup, tick } from '../../test/keyed-calls.ts';
import type { Outcome } from '../outcome.ts';
import { createMemoryIdempotency, type IdempotencyStore } from './idempotency-store.ts';

it('refuses when the key cannot be looked up', async () => {
  const store = { claim: () => Promise.reject(new Error('down')), finish() {}, free() {} };
  const { runs, pay } = setup({ store });
  expect(await pay()).toMatchObject({ fault: { kind: 'unavailable', executed: 'no', origin: 'local' } });
  expect(runs).toHaveLength(0);
});

it.each([
  ['runs elsewhere', { state: 'running', fingerprint: '' }],
  [
    'was made elsewhere',
    { state: 'done', fingerprint: '', answer: JSON.stringify({ ok: true, value: 'paid' }) },
  ],
] as const)(
  'does not say that nothing was done of a call that %s, when the store goes away',
  async (_, known) => {
    let isDown = false;
    const store: IdempotencyStore = {
      claim({ fingerprint }) {
        if (isDown) throw new Error('down');
        return { ...known, fingerprint };
      },
      finish() {},
      free() {},
    };
    const { clock, pay } = setup({ store });
    const first = pay();
    await tick();
    isDown = true;
    await clock.advance(60_000);
    await first;
    expect(await pay()).toMatchObject({ ok: false, fault: { kind: 'unavailable', executed: 'maybe' } });
    expect(await pay({ idempotencyKey: 'k2' })).toMatchObject({ ok: false, fault: { executed: 'no' } });
  },
);

/** A store in memory, one method of which does something else first. */
function storeWith(over: Partial<IdempotencyStore>): IdempotencyStore {
  const store = createMemoryIdempotency();
  return {
    claim: (claim) => store.claim(claim),
    finish: (done) => store.finish(done),
    free: (key) => store.free(key),
    ...over,
  };
}

/** Fails so often, and then does its work. */
function failing<A>(times: number, work: (given: A) => unknown): (given: A) => Promise<void> {
  let left = times;
  return async (given) => {
    left -= 1;
    if (left >= 0) throw new Error('redis://svc:hunter2@10.0.0.5 is down');
    await work(given);
  };
}

it.each([1, Number.POSITIVE_INFINITY])(
  'answers and repeats when the answer cannot be stored %d times',
  async (times) => {
    const store = createMemoryIdempotency();
    const broken = storeWith({
      claim: (claim) => store.claim(claim),
      finish: failing(times, (done: never) => store.finish(done)),
    });
    const { clock, runs, pay } = setup({ store: broken });
    const first = pay();
    await tick();
    const joined = pay();
    await tick();
    runs[0]?.end();
    expect(await clock.until(first)).toEqual({ ok: true, value: 'paid 1' });
    expect(await clock.until(joined)).toEqual({ ok: true, value: 'paid 1', replayed: true });
    expect(await clock.until(pay())).toEqual({ ok: true, value: 'paid 1', replayed: true });
    expect(await clock.until(pay({ arguments: { to: 'eve' } }))).toMatchObject({
      fault: { kind: 'conflict' },
    });
    await clock.advance(7_200_000);
    expect(await clock.until(pay())).toEqual({ ok: true, value: 'paid 1', replayed: true });
    expect(runs).toHaveLength(1);
  },
);

it('answers in time when the store never takes the answer', async () => {
  const { clock, runs, pay } = setup({ store: storeWith({ finish: () => new Promise(() => {}) }) });
  const startedAt = clock.now();
  const first = pay({ deadline: startedAt + 300 });
  await tick();
  runs[0]?.end();
  expect(await clock.until(first)).toEqual({ ok: true, value: 'paid 1' });
  expect(clock.now() - startedAt).toBeLessThan(300);
  expect(await clock.until(pay())).toEqual({ ok: true, value: 'paid 1', replayed: true });
  expect(runs).toHaveLength(1);
});

it('makes a call again that did nothing as soon as the store can free its key', async () => {
  const store = createMemoryIdempotency();
  const { clock, runs, pay } = setup({
    store: {
      claim: (claim) => store.claim(claim),
      finish: (done) => store.finish(done),
      free: failing(9, (key: string) => store.free(key)),
    },
  });
  const first = pay();
  await tick();
  runs[0]?.end(failed({ kind: 'overloaded', executed: 'no' }));
  expect(await clock.until(first)).toMatchObject({ fault: { kind: 'overloaded' } });
  const again = pay();
  await clock.advance(2000);
  runs[1]?.end();
  expect(await clock.until(again)).toEqual({ ok: true, value: 'paid 2' });
});

it('refuses, and does not wait for ever, while the store hangs in freeing a key', async () => {
  const { clock, runs, pay } = setup({ store: storeWith({ free: () => new Promise(() => {}) }) });
  const first = pay();
  await tick();
  runs[0]?.end(failed({ kind: 'overloaded', executed: 'no' }));
  await clock.until(first);
  expect(await clock.until(pay())).toMatchObject({
    fault: { kind: 'unavailable', executed: 'no', message: 'The key cannot be freed now' },
  });
  expect(runs).toHaveLength(1);
});

it.each([undefined, null, 'claimed', {}, [], { state: 'soon' }, { state: 'DONE', fingerprint: 'x' }])(
  'refuses when the store says %j of a key, and nothing is executed',
  async (said) => {
    const { runs, pay } = setup({ store: storeWith({ claim: () => said as never }) });
    expect(await pay()).toMatchObject({
      refused: { by: 'idempotency' },
      fault: { kind: 'unavailable', executed: 'no' },
    });
    expect(runs).toHaveLength(0);
  },
);

it.each(['running', 'unheard', 'done', 'lost'])(
  'does not say that nothing was done where the store says %s, and not of which call',
  async (state) => {
    for (const fingerprint of [undefined, null, 5, {}]) {
      const said = { state, fingerprint, answer: JSON.stringify({ ok: true, value: 'paid' }) };
      const { runs, pay } = setup({ store: storeWith({ claim: () => said as never }) });
      const unknown = { refused: { by: 'idempotency' }, fault: { kind: 'unavailable', executed: 'maybe' } };
      expect(await pay()).toMatchObject(unknown);
      expect(runs).toHaveLength(0);
    }
  },
);

it('does not say that nothing was done of a call whose record cannot be read', async () => {
  const { runs, pay } = setup({ store: storeWith({ claim: () => ({ state: 'unreadable' }) }) });
  expect(await pay()).toMatchObject({ fault: { kind: 'unavailable', executed: 'maybe' } });
  expect(runs).toHaveLength(0);
});

it.each([undefined, null, { ok: true }, new Uint8Array(2), 7])(
  'says of a call that is done, and whose answer is %j, that it was made',
  async (answer) => {
    const claim = ({ fingerprint }: { fingerprint: string }) => ({ state: 'done', fingerprint, answer });
    const { runs, pay } = setup({ store: storeWith({ claim: claim as never }) });
    expect(await pay()).toMatchObject({ replayed: true, fault: { kind: 'conflict', executed: 'yes' } });
    expect(runs).toHaveLength(0);
  },
);

it('says of a call that others who share the store may have made, when the key cannot be looked up, that it may be', async () => {
  const store = storeWith({ claim: () => Promise.reject(new Error('down')) });
  const { runs, pay } = setup({ store, isShared: (call) => call.target === 'pay' });
  expect(await pay()).toMatchObject({ fault: { kind: 'unavailable', executed: 'maybe' } });
  expect(await pay({ target: 'list' })).toMatchObject({ fault: { kind: 'unavailable', executed: 'no' } });
  expect(runs).toHaveLength(0);
});

it('says of a call with a new key, for which a shared store has no room, that nothing was done', async () => {
  const { pay } = setup({ store: storeWith({ claim: () => ({ state: 'full' }) }), isShared: () => true });
  expect(await pay()).toMatchObject({ fault: { kind: 'overloaded', executed: 'no' } });
});

it('knows what it has made itself, and what it was told, when the store has no room', async () => {
  let state: 'known' | 'full' = 'known';
  const inside = createMemoryIdempotency();
  const { runs, pay } = setup({
    store: storeWith({
      claim(claim) {
        if (state === 'full') return { state };
        return claim.owner === 'ada'
          ? inside.claim(claim)
          : { state: 'lost', fingerprint: claim.fingerprint };
      },
    }),
  });
  const first = pay();
  await tick();
  runs[0]?.end();
  await first;
  await pay({ caller: 'eve' });
  state = 'full';
  expect(await pay()).toEqual({ ok: true, value: 'paid 1', replayed: true });
  expect(await pay({ caller: 'eve' })).toMatchObject({ fault: { kind: 'overloaded', executed: 'maybe' } });
  expect(await pay({ idempotencyKey: 'k2' })).toMatchObject({
    fault: { kind: 'overloaded', executed: 'no' },
  });
  expect(runs).toHaveLength(1);
});

/** A store that can be emptied, and that can be down. */
function frailStore() {
  let inside = createMemoryIdempotency();
  let isDown = false;
  const up = (): IdempotencyStore => {
    if (isDown) throw new Error('down');
    return inside;
  };
  const store: IdempotencyStore = {
    claim: async (claim) => up().claim(claim),
    finish: async (done) => up().finish(done),
    free: async (key, token) => up().free(key, token),
  };
  const empty = (): void => {
    inside = createMemoryIdempotency();
  };
  const breakDown = (): void => {
    isDown = true;
  };
  return { store, empty, breakDown };
}

const lost: Outcome<string> = failed({ kind: 'disconnected', executed: 'maybe' });

it.each(['empty', 'breakDown'] as const)(
  'lets a repeat join what runs here, whatever becomes of the store: %s',
  async (what) => {
    const { store, ...frail } = frailStore();
    const { clock, runs, pay } = setup({ store });
    const first = pay();
    await tick();
    frail[what]();
    const second = pay();
    const other = await pay({ arguments: { to: 'eve' } });
    await tick();
    runs[0]?.end();
    expect(await clock.until(second)).toEqual({ ok: true, value: 'paid 1', replayed: true });
    expect(await clock.until(first)).toEqual({ ok: true, value: 'paid 1' });
    expect(other).toMatchObject({ fault: { kind: 'conflict' } });
    expect(runs).toHaveLength(1);
  },
);

it.each([
  ['empty', undefined, { ok: true, value: 'paid 1', replayed: true }],
  ['breakDown', undefined, { ok: true, value: 'paid 1', replayed: true }],
  ['empty', lost, { ok: false, fault: { kind: 'disconnected', executed: 'maybe' }, replayed: true }],
  ['breakDown', lost, { ok: false, fault: { kind: 'disconnected', executed: 'maybe' }, replayed: true }],
] as const)(
  'knows what it has made itself, whatever becomes of the store: %s, %j',
  async (what, end, told) => {
    const { store, ...frail } = frailStore();
    const { runs, pay } = setup({ store });
    const first = pay();
    await tick();
    runs[0]?.end(end);
    await first;
    frail[what]();
    expect(await pay()).toMatchObject(told);
    expect(await pay({ arguments: { to: 'eve' } })).toMatchObject({ fault: { kind: 'conflict' } });
    expect(runs).toHaveLength(1);
  },
);

it('tells a store that has forgotten a call what became of it, for all who share it', async () => {
  const { store, empty } = frailStore();
  const here = setup({ store });
  const there = setup({ store });
  const first = here.pay();
  await tick();
  here.runs[0]?.end();
  await first;
  empty();
  await here.pay();
  expect(await there.pay()).toEqual({ ok: true, value: 'paid 1', replayed: true });
  expect(there.runs).toHaveLength(0);
});

it('makes a call again whose time is over, and one that did nothing', async () => {
  const { store, empty } = frailStore();
  const { clock, runs, pay } = setup({ store, ttlMs: 1000 });
  const first = pay();
  await tick();
  runs[0]?.end(failed({ kind: 'unavailable', executed: 'no' }));
  await first;
  empty();
  const second = pay();
  await tick();
  runs[1]?.end();
  await second;
  await clock.advance(1001);
  empty();
  const third = pay();
  await tick();
  runs[2]?.end();
  expect(await third).toEqual({ ok: true, value: 'paid 3' });
});
