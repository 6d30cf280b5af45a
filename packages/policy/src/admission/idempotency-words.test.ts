/** What a caller with a key is told, to the word, and how often a store is asked. */
import { makeFault } from '@mayday/core';
import { forModel } from '@mayday/core/render';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import { startCall } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { jsonAnswers } from './answer-codec.ts';
import { Ends } from './ends.ts';
import { type IdempotencyOptions, idempotency } from './idempotency.ts';
import {
  createMemoryIdempotency,
  type IdempotencyStore,
  type KeyClaim,
  type KeyState,
} from './idempotency-store.ts';

const STORE: IdempotencyStore = {
  claim: () => ({ state: 'claimed' }),
  finish: () => undefined,
  free: () => undefined,
};

const ask = (
  options: IdempotencyOptions<string>,
  idempotencyKey = 'k',
  outcome: Outcome<string> = { ok: true, value: 'paid' },
) =>
  idempotency<string, ReturnType<typeof startCall>>({ fingerprint: () => 'f', ...options })(
    async () => outcome,
  )(startCall({ upstream: 'bank', idempotencyKey }));

const saying = (state: KeyState): IdempotencyOptions<string> => ({
  store: { ...STORE, claim: () => state },
});

it('tells a failure that stays without the advice to try again', async () => {
  const store = createMemoryIdempotency();
  const advice = 'The service is down; back off, then try again.';
  const down = (more: object): Outcome<string> => ({
    ok: false,
    fault: makeFault({ kind: 'unavailable', executed: 'maybe', advice, ...more }),
    answered: true,
  });
  expect(await ask({ store }, 'a', down({}))).toMatchObject({ fault: { retryable: true, advice } });
  const again = await ask({ store }, 'a', down({}));
  expect(again).toMatchObject({ replayed: true, fault: { reaction: 'terminal', retryable: false } });
  expect(again).toMatchObject({
    fault: { advice: 'It may have happened; check before you repeat a change.' },
  });

  const mended = { kind: 'not_found', advice: 'Ask the shop.' };
  await ask({ store }, 'b', down(mended));
  expect(await ask({ store }, 'b', down(mended))).toMatchObject({ fault: { advice: 'Ask the shop.' } });
});

it.each([
  ['invalid_output', 'terminal', {}],
  ['unavailable', 'terminal', {}],
  ['timeout', 'terminal', {}],
  ['disconnected', 'terminal', { retryable: false }],
] as const)(
  'does not say of what was executed that it only may have been: %s',
  async (kind, reaction, more) => {
    const store = createMemoryIdempotency();
    const failed: Outcome<string> = { ok: false, fault: makeFault({ kind, executed: 'yes', ...more }) };
    await ask({ store }, 'a', failed);
    const again = await ask({ store }, 'a', failed);
    expect(again).toMatchObject({ replayed: true, fault: { executed: 'yes', reaction, retryable: false } });
    if (again.ok) throw new Error('Expected a failure');
    expect(forModel(again.fault)).not.toMatch(/may have/i);
  },
);

describe('a refusal', () => {
  const BAD_KEY = 'An idempotency key has 1 to 255 characters';
  it.each<readonly [IdempotencyOptions<string>, key: string, kind: string, message: string]>([
    [{}, '', 'invalid_arguments', BAD_KEY],
    [{}, 'k'.repeat(256), 'invalid_arguments', BAD_KEY],
    [
      {},
      'k\ud800',
      'invalid_arguments',
      'An idempotency key is well-formed Unicode; this holds half a character',
    ],
    [saying({ state: 'full' }), 'k', 'overloaded', 'Too many calls with a key are kept'],
    [
      { store: { ...STORE, claim: () => Promise.reject(new Error('down')) } },
      'k',
      'unavailable',
      'The idempotency key cannot be looked up now',
    ],
    [
      saying({ state: 'running', fingerprint: 'other' }),
      'k',
      'conflict',
      'The idempotency key was used for a call with other arguments',
    ],
  ])('%o %s: %s', async (options, key, kind, message) => {
    expect(await ask(options, key)).toMatchObject({
      ok: false,
      refused: { by: 'idempotency' },
      fault: { kind, executed: 'no', subject: { type: 'key' }, message },
    });
  });

  it('of a key that was used for other arguments says one thing to do, and not another', async () => {
    const outcome = await ask(saying({ state: 'running', fingerprint: 'other' }), 'k');
    expect(outcome).toMatchObject({
      fault: {
        advice:
          'Make the call with these arguments under a new key; to repeat the first one, send the arguments that it had.',
      },
    });
  });

  it('a key of 255 characters is one', async () => {
    expect(await ask({}, 'k'.repeat(255))).toEqual({ ok: true, value: 'paid' });
  });
});

describe('a repeat', () => {
  const made = 'The call with this idempotency key has been made; its answer was not kept';
  const lost = 'The first call with this idempotency key never reported back; it may have been executed';
  it.each<readonly [KeyState, object]>([
    [
      { state: 'lost', fingerprint: 'f' },
      { kind: 'disconnected', executed: 'maybe', retryable: false, subject: { type: 'key' }, message: lost },
    ],
    [
      { state: 'done', fingerprint: 'f', answer: '' },
      { kind: 'conflict', executed: 'yes', retryable: false, subject: { type: 'key' }, message: made },
    ],
  ])('%j', async (state, fault) => {
    expect(await ask(saying(state))).toMatchObject({ ok: false, replayed: true, fault });
  });
});

describe('an answer', () => {
  const kept = async (options: IdempotencyOptions<string>, outcome: Outcome<string>) => {
    const answers: string[] = [];
    const store = { ...STORE, finish: ({ answer }: { answer: string }) => void answers.push(answer) };
    await ask({ store, ...options }, 'k', outcome);
    return answers;
  };

  it('is kept up to its greatest length, a million unless it is said', async () => {
    const long = (length: number): Outcome<string> => ({ ok: true, value: 'x'.repeat(length - 22) });
    expect((await kept({}, long(1_000_000)))[0]).toHaveLength(1_000_000);
    expect(await kept({}, long(1_000_001))).toEqual(['']);
    expect(await kept({ maxAnswerLength: 30 }, long(31))).toEqual(['']);
  });

  it('is told to have been given where its codec fails', async () => {
    const encode = () => {
      throw new Error('no');
    };
    expect(await kept({ codec: { encode, decode: () => undefined } }, { ok: true, value: 'x' })).toEqual([
      '',
    ]);
  });
});

describe('as JSON', () => {
  const codec = jsonAnswers<unknown>();
  const fault = makeFault({ kind: 'conflict', message: 'Taken' });

  it.each<Outcome<unknown>>([
    { ok: true, value: { a: 1 } },
    { ok: false, fault, value: 'b', answered: true },
    { ok: false, fault, value: undefined, answered: undefined },
  ])('%j comes back as it was', (outcome) => {
    expect(codec.decode(codec.encode(outcome) as string)).toEqual(outcome);
  });

  it('has no text for a circle, and no outcome for the texts of others', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(codec.encode({ ok: true, value: circle })).toBeUndefined();
    expect(['', '{', '{"ok":false}', '{"ok":"true","value":1}'].map((text) => codec.decode(text))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('the store', () => {
  it('is asked for a call of another process after 50 ms, then half as often, once a second in the end', async () => {
    const clock = fakeClock(0);
    const asked: number[] = [];
    const claim = ({ now }: KeyClaim): KeyState =>
      asked.push(now) < 9
        ? { state: 'running', fingerprint: 'f' }
        : { state: 'done', fingerprint: 'f', answer: '{"ok":true,"value":"paid"}' };
    expect(await clock.until(ask({ clock, store: { ...STORE, claim } }))).toEqual({
      ok: true,
      value: 'paid',
      replayed: true,
    });
    expect(asked).toEqual([0, 50, 150, 350, 750, 1550, 2550, 3550, 4550]);
  });

  it('is told the end again after 20 ms, then half as often, for a second', async () => {
    const clock = fakeClock(0);
    const told: number[] = [];
    const finish = () => {
      told.push(clock.now());
      throw new Error('down');
    };
    const ends = new Ends({ ...STORE, finish }, clock, 5000);
    const given = ends.give('k', { fingerprint: 'f', answer: 'a', token: 't' }, 9000);
    await clock.until(given);
    await clock.advance(3000);
    expect(told).toEqual([0, 20, 60, 140, 300, 620]);
    expect(await ends.find('k', 9000)).toMatchObject({ fingerprint: 'f', answer: 'a' });
    await clock.advance(4999 - clock.now());
    expect(await ends.find('k', 9000)).toMatchObject({ answer: 'a' });
    await clock.advance(1);
    expect(await ends.find('k', 9000)).toBeUndefined();
  });

  it.each([
    [5000, 1000],
    [300, 150],
    [0, 0],
    [-5, 0],
  ])('that hangs is waited for half of the %i ms that are left: %i', async (leftMs, waitedMs) => {
    const clock = fakeClock(100);
    const ends = new Ends({ ...STORE, free: () => new Promise<void>(() => {}) }, clock, 5000);
    await clock.until(ends.give('k', { fingerprint: 'f', answer: undefined, token: 't' }, 100 + leftMs));
    expect(clock.now() - 100).toBe(waitedMs);
  });

  it('that takes nothing fills no memory: ten thousand ends are held, the oldest goes', async () => {
    const clock = fakeClock(0);
    const ends = new Ends({ ...STORE, finish: () => Promise.reject(new Error('down')) }, clock, 5000);
    const give = (key: string) => ends.give(key, { fingerprint: 'f', answer: 'a', token: 't' }, 0);
    const given = Array.from({ length: 10_000 }, (_, i) => give(`k${i}`));
    expect(await ends.find('k0', 0)).toBeDefined();
    given.push(give('one more'));
    expect([await ends.find('k0', 0), await ends.find('k1', 0)]).toMatchObject([undefined, { answer: 'a' }]);
    void Promise.all(given);
  });
});
