import { fault, makeFault } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import type { CallEvent } from '../events.ts';
import type { Attempt } from './attempt.ts';
import { run } from './run.ts';
import { createUpstream, type UpstreamOptions } from './upstream.ts';

const reads = { readOnly: true, target: 'search' };
const writes = { target: 'pay' };

/** An upstream under a clock that stands still, with chance always at its end. */
function setup(options: UpstreamOptions = {}) {
  const clock = fakeClock();
  const events: CallEvent[] = [];
  const upstream = createUpstream({
    clock,
    random: () => 1,
    name: 'shop',
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { clock, upstream, events };
}

/** Fails with each of these in turn, then succeeds. */
function script(...faults: readonly Error[]) {
  const seen: Attempt[] = [];
  const send = async (attempt: Attempt): Promise<string> => {
    seen.push(attempt);
    const thrown = faults[seen.length - 1];
    if (thrown !== undefined) throw thrown;
    return 'done';
  };
  return { seen, send };
}

/** Thrown by a sender that knows that nothing was executed. */
const refused = { executed: 'no' } as const;

const never = (): Promise<never> => new Promise(() => undefined);

describe('attempts', () => {
  it('returns at once what succeeds at once', async () => {
    const { upstream } = setup();
    const { seen, send } = script();
    expect(await run(upstream, reads, send)).toEqual({
      outcome: { ok: true, value: 'done' },
      attempts: 1,
      elapsedMs: 0,
    });
    expect(seen).toHaveLength(1);
  });

  it('waits and tries again until it succeeds', async () => {
    const { clock, upstream } = setup();
    const { send } = script(fault.unavailable('', refused), fault.unavailable('', refused));
    const settled = await clock.until(run(upstream, writes, send));
    expect(settled).toEqual({ outcome: { ok: true, value: 'done' }, attempts: 3, elapsedMs: 150 });
  });

  it('tells each attempt the same deadline and its own number', async () => {
    const { clock, upstream } = setup();
    const deadline = clock.now() + 60_000;
    const { seen, send } = script(fault.overloaded('', refused));
    await clock.until(run(upstream, reads, send));
    expect(seen.map(({ meta }) => meta)).toEqual([
      { deadline, attempt: 1 },
      { deadline, attempt: 2 },
    ]);
  });

  it('ends with the last fault, the number of attempts and the reason', async () => {
    const { clock, upstream } = setup();
    const { send } = script(fault.timeout(), fault.unavailable(), fault.unavailable('down'));
    const reason = 'All 3 attempts are used; treat it as an outage';
    const { outcome } = await clock.until(run(upstream, reads, send, { attempts: 3 }));
    expect(outcome).toMatchObject({
      ok: false,
      reason,
      fault: { kind: 'unavailable', message: 'down', details: { attempts: 3, stopped: reason } },
    });
  });

  it('says that it may have been executed if any attempt may have been', async () => {
    const { clock, upstream } = setup();
    const { send } = script(fault.timeout(), fault.unavailable(), fault.unavailable());
    const { outcome } = await clock.until(run(upstream, reads, send, { attempts: 3 }));
    expect(outcome).toMatchObject({ fault: { kind: 'unavailable', executed: 'maybe' } });
  });

  it('makes one attempt at a write that may have happened', async () => {
    const { upstream } = setup();
    const { seen, send } = script(fault.disconnected());
    const { outcome } = await run(upstream, writes, send);
    expect(seen).toHaveLength(1);
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'disconnected', executed: 'maybe' } });
  });

  it('leaves retrying to a caller above, and passes its count and deadline on', async () => {
    const { clock, upstream } = setup();
    const { seen, send } = script(fault.unavailable());
    const above = { attempt: 2, deadline: clock.now() + 700 };
    const { outcome } = await run(upstream, { ...reads, above }, send);
    expect(outcome).toMatchObject({
      reason: 'Not tried again here: the caller above counts the attempts and retries itself',
    });
    expect(seen.map(({ meta }) => meta)).toEqual([above]);
  });

  it('finds the fault in an answer', async () => {
    const { clock, upstream } = setup();
    const limited = makeFault({ kind: 'rate_limited', retry: { afterMs: 2000 } });
    const answers = ['slow down', 'fine'];
    const settled = await clock.until(
      run(upstream, writes, async () => answers.shift(), {
        faultIn: (value) => (value === 'slow down' ? limited : undefined),
      }),
    );
    expect(settled).toEqual({ outcome: { ok: true, value: 'fine' }, attempts: 2, elapsedMs: 2200 });
  });

  it('survives an exception that throws when it is looked at', async () => {
    const { upstream } = setup();
    const hostile = new Proxy(new Error('x'), {
      get() {
        throw new Error('look away');
      },
    });
    const { outcome } = await run(upstream, reads, () => Promise.reject(hostile));
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'unknown', retryable: false } });
  });

  it('mends what can be mended, once; what is sent then is an attempt like any other', async () => {
    const { upstream } = setup();
    const expired = fault.expired('', { subject: { type: 'session' }, executed: 'no' });
    const { seen, send } = script(expired, expired);
    const mended: string[] = [];
    const recover = async ({ kind }: { kind: string }): Promise<boolean> => {
      mended.push(kind);
      return true;
    };
    const { attempts, outcome } = await run(upstream, writes, send, { recover });
    expect([seen.length, attempts, mended, outcome.ok]).toEqual([2, 2, ['expired'], false]);
  });
});

describe('time', () => {
  it('ends an attempt that never answers, and tells a timeout from a cancellation', async () => {
    const { clock, upstream } = setup();
    const { outcome } = await clock.until(run(upstream, writes, never, { attemptTimeoutMs: 300 }));
    expect(outcome).toMatchObject({
      ok: false,
      fault: { kind: 'timeout', origin: 'local', executed: 'maybe', message: 'No answer within 300 ms' },
    });
  });

  it('never outlives its deadline', async () => {
    const { clock, upstream } = setup();
    const settled = await clock.until(
      run(upstream, reads, never, { attemptTimeoutMs: 400, deadlineMs: 1000 }),
    );
    expect(settled.elapsedMs).toBe(1000);
    expect(settled.outcome).toMatchObject({ fault: { kind: 'timeout', origin: 'local' } });
  });

  it('gives each further attempt what is left', async () => {
    const { clock, upstream } = setup();
    const given: number[] = [];
    const send = ({ meta }: Attempt): Promise<never> => {
      given.push((meta.deadline ?? 0) - clock.now());
      return never();
    };
    await clock.until(run(upstream, reads, send, { attemptTimeoutMs: 400, deadlineMs: 1000 }));
    expect(given).toEqual([1000, 550, 50]);
  });

  it('starts the attempt’s time again at a sign of life, within the deadline', async () => {
    const { clock, upstream } = setup();
    const send = ({ extend }: Attempt): Promise<never> => {
      const beat = (): void => {
        extend();
        clock.timer(200, beat);
      };
      beat();
      return never();
    };
    const settled = await clock.until(
      run(upstream, writes, send, { attemptTimeoutMs: 300, deadlineMs: 1000 }),
    );
    expect(settled.elapsedMs).toBe(1000);
  });

  it('does not charge the attempt for what comes before it is sent', async () => {
    const { clock, upstream } = setup();
    const connecting = (): Promise<void> => new Promise((resolve) => void clock.timer(800, resolve));
    const send = async ({ prepare }: Attempt): Promise<string> => {
      await prepare(connecting());
      return 'done';
    };
    const settled = await clock.until(run(upstream, writes, send, { attemptTimeoutMs: 100 }));
    expect(settled).toEqual({ outcome: { ok: true, value: 'done' }, attempts: 1, elapsedMs: 800 });
  });

  it('knows that nothing was executed while nothing was sent', async () => {
    const { clock, upstream } = setup();
    const send = ({ prepare }: Attempt): Promise<never> => prepare(never());
    const cut = await clock.until(run(upstream, writes, send, { deadlineMs: 1000 }));
    expect(cut.outcome).toMatchObject({ fault: { kind: 'timeout', executed: 'no' } });
    const broken = ({ prepare }: Attempt): Promise<never> => prepare(Promise.reject(fault.disconnected()));
    const failed = await clock.until(run(upstream, writes, broken));
    expect(failed).toMatchObject({
      attempts: 8,
      outcome: { fault: { kind: 'disconnected', executed: 'no' } },
    });
  });

  it('stops when the caller gives up, during an attempt', async () => {
    const { upstream } = setup();
    const giveUp = new AbortController();
    const running = run(upstream, { ...reads, signal: giveUp.signal }, never);
    setImmediate(() => giveUp.abort());
    expect((await running).outcome).toMatchObject({
      fault: { kind: 'cancelled', origin: 'local', executed: 'maybe' },
    });
  });

  it('stops when the caller gives up, during a wait', async () => {
    const { clock, upstream } = setup();
    const giveUp = new AbortController();
    const { seen, send } = script(fault.overloaded('', refused));
    const running = run(upstream, { ...writes, signal: giveUp.signal }, send);
    await clock.advance(500);
    giveUp.abort();
    expect((await running).outcome).toMatchObject({ fault: { kind: 'cancelled', executed: 'no' } });
    expect(seen).toHaveLength(1);
  });

  it('takes a signal that was timed for a time that is over, not for a caller that gave up', async () => {
    const { clock, upstream } = setup();
    const timed = new AbortController();
    const overdue = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    const { send } = script(fault.overloaded('', refused));
    const hanging = run(upstream, { ...writes, signal: timed.signal }, never);
    const waiting = run(upstream, { ...writes, signal: timed.signal }, send);
    await clock.advance(500);
    timed.abort(overdue);
    const message = 'No answer within 500 ms: the deadline of the call has passed';
    expect((await hanging).outcome).toMatchObject({
      ended: 'deadline',
      fault: { kind: 'timeout', origin: 'local', executed: 'maybe', message },
    });
    // Its only attempt was answered: that answer says more than the silence after it.
    expect((await waiting).outcome).toMatchObject({
      ended: 'deadline',
      fault: { kind: 'overloaded', executed: 'no' },
    });
  });

  it('sends nothing when the caller had given up before', async () => {
    const { upstream } = setup();
    const { seen, send } = script();
    const { outcome } = await run(upstream, { ...reads, signal: AbortSignal.abort() }, send);
    expect(outcome).toMatchObject({ fault: { kind: 'cancelled', executed: 'no' } });
    expect(seen).toHaveLength(0);
  });
});

describe('together', () => {
  it('waits for the budget, and stops retrying when there is none', async () => {
    const { clock, upstream } = setup({ budget: { perSecond: 0, ratio: 0 }, patienceMs: 2000 });
    const { seen, send } = script(fault.unavailable());
    const { outcome, elapsedMs } = await clock.until(run(upstream, reads, send));
    expect(outcome).toMatchObject({ reason: 'Not tried again: the retry budget of shop is spent' });
    expect([seen.length, elapsedMs]).toEqual([1, 2050]);
  });

  it('makes the retry when the budget grants it again', async () => {
    const { clock, upstream } = setup({ budget: { perSecond: 1, ratio: 0, windowMs: 1000 } });
    const failing = (): ReturnType<typeof script> => script(fault.unavailable());
    const both = [failing(), failing()].map(({ send }) => run(upstream, reads, send));
    const settled = await clock.until(Promise.all(both));
    expect(settled.map(({ outcome, elapsedMs }) => [outcome.ok, elapsedMs])).toEqual([
      [true, 50],
      [true, 1050],
    ]);
  });

  it('does not take a tool for dead because everything fails', async () => {
    const { clock, upstream, events } = setup({ patienceMs: 0 });
    const busy = async (): Promise<never> => {
      throw fault.unavailable();
    };
    for (let call = 0; call < 40; call += 1) {
      await clock.until(run(upstream, { target: `tool${call % 4}` }, busy, { attempts: 1 }));
      await clock.until(run(upstream, { target: `tool${call % 4}` }, async () => 'fine'));
    }
    const circuits = events.filter((event) => event.type === 'circuit');
    expect(circuits.length).toBeGreaterThan(0);
    expect(circuits.filter((event) => event.target !== undefined)).toEqual([]);
  });

  it('refuses a dead tool at once, says until when, and leaves its siblings alone', async () => {
    const { clock, upstream } = setup();
    const down = makeFault({ kind: 'upstream_failed' });
    const dead = async (): Promise<string> => 'oops';
    const options = { faultIn: () => down };
    for (let call = 0; call < 5; call += 1) await run(upstream, writes, dead, options);
    // Two probes, half a second and a second later.
    await clock.until(run(upstream, writes, dead, options));
    await clock.until(run(upstream, writes, dead, options));
    const refused = await run(upstream, writes, dead, options);
    expect(refused).toMatchObject({
      attempts: 0,
      outcome: {
        fault: {
          kind: 'unavailable',
          origin: 'local',
          executed: 'no',
          subject: { type: 'tool', id: 'pay' },
          retry: { when: 'after_wait', afterMs: 2000 },
        },
      },
    });
    expect((await run(upstream, reads, async () => 'fine')).outcome.ok).toBe(true);
  });

  it('waits out a short outage of the upstream instead of failing', async () => {
    const { clock, upstream } = setup();
    const until = clock.now() + 2500;
    const send = async (): Promise<string> => {
      if (clock.now() < until) throw fault.unavailable('', refused);
      return 'back';
    };
    const all = Array.from({ length: 20 }, (_, at) =>
      run(upstream, { ...writes, target: `tool${at}` }, send),
    );
    const settled = await clock.until(Promise.all(all));
    expect(settled.filter(({ outcome }) => outcome.ok).length).toBeGreaterThanOrEqual(10);
  });

  it.each([
    'invalid_arguments',
    'forbidden',
    'not_found',
    'rate_limited',
    'conflict',
    'unauthenticated',
  ] as const)('never opens a circuit for %s', async (kind) => {
    const { clock, upstream, events } = setup();
    for (let call = 0; call < 40; call += 1) {
      await clock.until(
        run(
          upstream,
          reads,
          async () => {
            throw fault(kind);
          },
          { attempts: 1 },
        ),
      );
    }
    expect(events.filter(({ type }) => type === 'circuit')).toEqual([]);
  });

  it('does not take a failing answer for a sign that the whole upstream is down', async () => {
    const { clock, upstream, events } = setup();
    const options = { faultIn: () => makeFault({ kind: 'unavailable' }), attempts: 1 };
    for (let call = 0; call < 30; call += 1) {
      await clock.until(run(upstream, { target: `tool${call}` }, async () => 'oops', options));
    }
    expect(events.filter(({ type }) => type === 'circuit')).toEqual([]);
  });

  it('slows all calls down when the upstream says "too many"', async () => {
    const { clock, upstream } = setup();
    for (let at = 0; at < 50; at += 1) await run(upstream, reads, async () => 'fine');
    const limited = fault.rateLimited('', { retry: { afterMs: 1000 } });
    const settled = await clock.until(run(upstream, reads, script(limited).send));
    expect(settled).toMatchObject({ attempts: 2, outcome: { ok: true } });
    expect(upstream.pace?.perSecond).toBeGreaterThan(90);
    const line = Array.from({ length: 2000 }, () => run(upstream, reads, async () => 'fine'));
    const all = await clock.until(Promise.all(line));
    const refused = all.filter(({ outcome }) => !outcome.ok);
    expect(all.length - refused.length).toBeGreaterThan(900);
    expect(refused[0]).toMatchObject({
      attempts: 0,
      outcome: {
        reason: 'Its turn would come too late; nothing was sent',
        fault: { kind: 'overloaded', origin: 'local', executed: 'no' },
      },
    });
  });

  it('refuses with a fault when no place becomes free', async () => {
    const { clock, upstream } = setup({ concurrency: 1, patienceMs: 500 });
    const first = run(upstream, reads, never, { deadlineMs: 5000 });
    const second = await clock.until(run(upstream, reads, async () => 'fine'));
    expect(second).toMatchObject({
      elapsedMs: 500,
      outcome: { fault: { kind: 'overloaded', origin: 'local', executed: 'no' } },
    });
    await clock.until(first);
  });

  it('hedges a slow read and calls the loser off', async () => {
    const { clock, upstream } = setup();
    const signals: AbortSignal[] = [];
    const send = ({ signal }: Attempt): Promise<string> => {
      signals.push(signal);
      return signals.length === 1 ? never() : Promise.resolve('second');
    };
    const settled = await clock.until(run(upstream, reads, send, { hedgeAfterMs: 100 }));
    expect(settled).toMatchObject({ outcome: { ok: true, value: 'second' }, elapsedMs: 100 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('counts the second one among its attempts, and tells of it as of any other', async () => {
    const { clock, upstream } = setup();
    const told: (number | undefined)[] = [];
    const send = ({ meta }: Attempt): Promise<string> => {
      told.push(meta.attempt);
      return told.length === 1 ? never() : Promise.resolve('second');
    };
    const announced: number[] = [];
    upstream.subscribe((event) => {
      if (event.type === 'attempt') announced.push(event.attempt);
    });
    const settled = await clock.until(run(upstream, reads, send, { hedgeAfterMs: 100 }));
    expect(settled).toMatchObject({ outcome: { ok: true }, attempts: 2 });
    expect(told).toEqual([1, 2]);
    expect(announced).toEqual([1, 2]);
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ])('sends no more than its attempts in all, hedges included: %i', async (attempts, sent) => {
    const { clock, upstream } = setup();
    let count = 0;
    const send = async (): Promise<never> => {
      count += 1;
      await new Promise<void>((resolve) => {
        clock.timer(300, resolve);
      });
      throw fault.unavailable('down');
    };
    const options = { hedgeAfterMs: 100, attempts, baseMs: 1, deadlineMs: 60_000 };
    const settled = await clock.until(run(upstream, reads, send, options));
    expect(settled).toMatchObject({ outcome: { ok: false }, attempts: sent });
    expect(count).toBe(sent);
  });

  it.each([
    ['a write', writes],
    ['a write with a key', { ...writes, idempotencyKey: 'k' }],
    ['an idempotent write', { ...writes, idempotent: true }],
    ['a write that may be repeated', { ...writes, repeatable: true }],
    ['a read that is destructive', { ...reads, destructive: true }],
  ])('never hedges %s', async (_, call) => {
    const { clock, upstream } = setup();
    let sent = 0;
    const send = (): Promise<never> => {
      sent += 1;
      return never();
    };
    await clock.until(run(upstream, call, send, { hedgeAfterMs: 100, deadlineMs: 1000 }));
    expect(sent).toBe(1);
  });

  it('never hedges what has ceased to be a read meanwhile', async () => {
    const { clock, upstream } = setup();
    let sent = 0;
    const send = (): Promise<never> => {
      sent += 1;
      return never();
    };
    const asKnown = <C extends object>(call: C): C => ({ ...call, readOnly: undefined });
    await clock.until(run(upstream, reads, send, { hedgeAfterMs: 100, deadlineMs: 1000, asKnown }));
    expect(sent).toBe(1);
  });

  it('never repeats what has ceased to be a read while it waited', async () => {
    const { clock, upstream } = setup();
    let isRead = true;
    const asKnown = <C extends object>(call: C): C => ({ ...call, readOnly: isRead });
    const { seen, send } = script(fault.unavailable('down', { executed: 'maybe' }));
    const running = run(upstream, reads, send, { baseMs: 1000, asKnown });
    clock.timer(500, () => {
      isRead = false;
    });
    expect(await clock.until(running)).toMatchObject({
      attempts: 1,
      outcome: { ok: false, fault: { kind: 'unavailable', executed: 'maybe' } },
    });
    expect(seen).toHaveLength(1);
  });

  it('goes on when a listener throws', async () => {
    const { upstream } = setup({
      onEvent: () => {
        throw new Error('broken listener');
      },
    });
    expect((await run(upstream, reads, async () => 'fine')).outcome).toEqual({ ok: true, value: 'fine' });
  });

  it('reports every fault with its plan', async () => {
    const { clock, upstream } = setup();
    const { send } = script(fault.unavailable(), fault.notFound());
    const told: unknown[] = [];
    await clock.until(
      run(upstream, reads, send, {
        onFault: ({ fault, attempt, plan }) => told.push([fault.kind, attempt, plan.retry]),
      }),
    );
    expect(told).toEqual([
      ['unavailable', 1, true],
      ['not_found', 2, false],
    ]);
  });
});
