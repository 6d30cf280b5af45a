import {
  answered,
  type Back,
  CallEnded,
  endOf,
  lost,
  noteStart,
  OpenQuestions,
  type WireHandler,
} from '@mayday/relay';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { wireCall } from '../../test/calls.ts';
import { timeLimit } from './time-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FINE = answered({ body: Buffer.from('{}'), status: 200, headers: {}, isStream: false });
const within = (timeoutMs: number, maxTimeMs = 60_000) => ({ timeoutMs, maxTimeMs });
const never: WireHandler = () => new Promise(() => {});

it('gives an answer that comes in time', async () => {
  expect(await timeLimit(within(100))(async () => FINE)(wireCall())).toBe(FINE);
});

it('ends a call whose server says nothing, and tells whoever carries it', async () => {
  const signals: AbortSignal[] = [];
  const running = timeLimit(within(1500))((call) => {
    signals.push(call.signal);
    return never(call);
  })(wireCall());
  await vi.advanceTimersByTimeAsync(1499);
  expect(signals[0]?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await running).toMatchObject({
    ok: false,
    fault: {
      kind: 'timeout',
      origin: 'gateway',
      message: 'The server did not answer within 1.5 s (`timeout_ms`)',
    },
  });
  expect(signals[0]?.aborted).toBe(true);
});

it('says that nothing was executed while nothing was sent, and that it may have been afterwards', async () => {
  const waiting = timeLimit(within(10))(never)(wireCall());
  const sent = timeLimit(within(10))((call) => {
    call.progress.began = true;
    return never(call);
  })(wireCall());
  await vi.advanceTimersByTimeAsync(10);
  expect([(await waiting) as object, (await sent) as object]).toMatchObject([
    { fault: { executed: 'no' } },
    { fault: { executed: 'maybe' } },
  ]);
});

it('gives a server that reports progress its time again, and one that sends comments none', async () => {
  const report =
    (data: string): WireHandler =>
    (call) =>
      new Promise((resolve) => {
        const beat = setInterval(() => call.back.related({ data: Buffer.from(data) }), 80);
        setTimeout(() => {
          clearInterval(beat);
          resolve(FINE);
        }, 250);
      });
  const [alive, silent] = ['{"method":"notifications/progress"}', ''].map((data) =>
    timeLimit(within(100))(report(data))(wireCall()),
  );
  await vi.advanceTimersByTimeAsync(300);
  expect(await alive).toBe(FINE);
  expect(await silent).toMatchObject({ ok: false, fault: { kind: 'timeout' } });
});

it.each(['initialize', 'server/discover'])(
  'waits by a limit of its own for %s, which changes nothing',
  async (method) => {
    const limits = { timeoutMs: 300_000, openTimeoutMs: 50_000, maxTimeMs: 3_600_000 };
    const begun: WireHandler = (call) => {
      call.progress.began = true;
      return never(call);
    };
    const opening = timeLimit(limits)(begun)(wireCall({}, { method }));
    const other = timeLimit(limits)(begun)(wireCall());
    await vi.advanceTimersByTimeAsync(49_999);
    expect(await Promise.race([opening, Promise.resolve('waits')])).toBe('waits');
    await vi.advanceTimersByTimeAsync(1);
    expect(await opening).toMatchObject({
      fault: {
        kind: 'timeout',
        executed: 'no',
        message: 'The server did not answer within 50 s (`open_timeout_ms`)',
      },
    });
    await vi.advanceTimersByTimeAsync(240_000);
    expect(await Promise.race([other, Promise.resolve('waits')])).toBe('waits');
  },
);

it('gives a server its time to start, however little a call has', async () => {
  const limits = { timeoutMs: 1000, openTimeoutMs: 50_000, maxTimeMs: 3_600_000 };
  const opening = timeLimit(limits)(never)(wireCall({}, { method: 'initialize' }));
  await vi.advanceTimersByTimeAsync(49_999);
  expect(await Promise.race([opening, Promise.resolve('waits')])).toBe('waits');
});

it('never outlives the deadline that the caller set', async () => {
  const call = { ...wireCall(), above: { deadline: Date.now() + 40 } };
  const deadlines: number[] = [];
  const running = timeLimit(within(5000))((inner) => {
    deadlines.push(inner.deadline - Date.now());
    setInterval(() => inner.back.related({ data: Buffer.from('x') }), 10);
    return never(inner);
  })(call);
  await vi.advanceTimersByTimeAsync(45);
  expect(await running).toMatchObject({
    fault: { kind: 'timeout', message: 'The deadline that the caller set has passed' },
  });
  expect(deadlines).toEqual([40]);
});

it('ends with its caller, in the words of whoever ended it', async () => {
  const ender = new AbortController();
  const seen: string[] = [];
  const running = timeLimit(within(5000))((call) => {
    call.signal.addEventListener('abort', () => seen.push(endOf(call).fault.message ?? ''));
    return never(call);
  })(wireCall({ name: 'pay' }, { signal: ender.signal }));
  ender.abort(new CallEnded({ kind: 'disconnected', origin: 'gateway', message: 'The gateway stopped' }));
  expect(await running).toMatchObject({ fault: { kind: 'disconnected', message: 'The gateway stopped' } });
  expect(seen).toEqual(['The gateway stopped']);
});

it('says of an opening that it has changed nothing, whoever ended it', async () => {
  const ender = new AbortController();
  const running = timeLimit(within(5000))(never)(
    wireCall({}, { method: 'initialize', signal: ender.signal }),
  );
  ender.abort(
    new CallEnded({ kind: 'disconnected', origin: 'gateway', executed: 'maybe', message: 'stopped' }),
  );
  expect(await running).toMatchObject({ fault: { kind: 'disconnected', executed: 'no' } });
});

it('does not say of a task that it was not executed when the gateway ends, sent or not', async () => {
  const ended = [true, false].map((began) => {
    const ender = new AbortController();
    const running = timeLimit(within(5000))((call) => {
      call.progress.began = began;
      return never(call);
    })(wireCall({ taskId: 'job' }, { method: 'tasks/result', signal: ender.signal }));
    ender.abort(new CallEnded({ kind: 'disconnected', origin: 'gateway', executed: 'maybe' }));
    return running;
  });
  for (const outcome of await Promise.all(ended))
    expect(outcome).toMatchObject({ fault: { kind: 'disconnected', executed: 'maybe' } });
});

it('gives up at once on a call that has ended before it began', async () => {
  const ender = new AbortController();
  ender.abort(new CallEnded({ kind: 'cancelled', origin: 'caller', message: 'gone' }));
  const asked = vi.fn(async () => FINE);
  const outcome = await timeLimit(within(5000))(asked)(wireCall({ name: 'pay' }, { signal: ender.signal }));
  expect([outcome.ok, asked.mock.calls.length]).toEqual([false, 0]);
});

it('passes a failure on as it is', async () => {
  const call = wireCall();
  const outcome = lost(call, { kind: 'unavailable', message: 'x' });
  expect(await timeLimit(within(5000))(async () => outcome)(call)).toBe(outcome);
});

it('ends a call that reports progress for ever', async () => {
  const running = timeLimit(within(100, 1000))((call) => {
    call.progress.began = true;
    setInterval(() => call.back.related({ data: Buffer.from('{"method":"notifications/progress"}') }), 50);
    return never(call);
  })(wireCall());
  await vi.advanceTimersByTimeAsync(999);
  const early = await Promise.race([running, Promise.resolve('still running')]);
  await vi.advanceTimersByTimeAsync(2);
  expect(early).toBe('still running');
  expect(await running).toMatchObject({
    ok: false,
    fault: {
      kind: 'timeout',
      executed: 'maybe',
      message: 'The server did not answer within 1 s (`max_time_ms`)',
    },
  });
});

/** A call whose server has still to start. */
const toStart: WireHandler = (call) => {
  noteStart(call, () => true);
  return never(call);
};

it.each([
  [{ timeoutMs: 1000, openTimeoutMs: 2000, maxTimeMs: 9000 }, 2000, 'open_timeout_ms', '2 s'],
  [{ timeoutMs: 1000, openTimeoutMs: 50_000, maxTimeMs: 4000 }, 4000, 'max_time_ms', '4 s'],
  [{ timeoutMs: 60_000, openTimeoutMs: 50_000, maxTimeMs: 4000 }, 4000, 'max_time_ms', '4 s'],
])('names the limit that has ended the wait for a start: %j', async (limits, timeout_ms, setting, span) => {
  const running = timeLimit(limits)(toStart)(wireCall());
  await vi.advanceTimersByTimeAsync(timeout_ms - 1);
  expect(await Promise.race([running, Promise.resolve('still running')])).toBe('still running');
  await vi.advanceTimersByTimeAsync(51);
  expect(await running).toMatchObject({
    fault: {
      message: `The server did not answer within ${span} (\`${setting}\`)`,
      details: { timeout_ms, setting },
    },
  });
});

it("tells the caller's own deadline from a server that has to start", async () => {
  const call = { ...wireCall(), above: { deadline: Date.now() + 3000 } };
  const limits = { timeoutMs: 1000, openTimeoutMs: 50_000, maxTimeMs: 60_000 };
  const running = timeLimit(limits)(toStart)(call);
  await vi.advanceTimersByTimeAsync(3050);
  expect(await running).toMatchObject({
    ended: 'deadline',
    fault: { kind: 'timeout', message: 'The deadline that the caller set has passed' },
  });
});

it('lets a subscription wait once it was acknowledged, and not before', async () => {
  const subscribe = wireCall({}, { method: 'subscriptions/listen' });
  const ends: string[] = [];
  const acknowledged = timeLimit(within(100))((call) => {
    call.back.related({ data: Buffer.from('{"method":"notifications/subscriptions/acknowledged"}') });
    return never(call);
  });
  void acknowledged(subscribe).then(() => ends.push('acknowledged'));
  void timeLimit(within(100))(never)(subscribe).then(() => ends.push('silent'));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(ends).toEqual(['silent']);
});

/** A caller that takes nothing before it is told to. */
function slowReader(): { readonly back: Back; readonly read: () => void } {
  let drained = (): void => {};
  const back: Back = {
    isStream: true,
    committed: true,
    open: () => {},
    related: () => false,
    onDrain: (listener) => {
      drained = listener;
    },
  };
  return { back, read: () => drained() };
}

const PROGRESS = { data: Buffer.from('{"method":"notifications/progress"}') };

it('does not blame the server for an answer that waits for its caller', async () => {
  const { back } = slowReader();
  const running = timeLimit(within(1500))((inner) => {
    inner.progress.began = true;
    inner.back.related(PROGRESS);
    return never(inner);
  })({ ...wireCall(), back });
  await vi.advanceTimersByTimeAsync(1500);
  expect(await running).toMatchObject({
    ok: false,
    ended: 'cancelled',
    fault: {
      kind: 'timeout',
      origin: 'caller',
      executed: 'maybe',
      message: 'The caller did not read for 1.5 s (`timeout_ms`) what the server had sent',
    },
  });
});

it('gives a server its time again when the caller has read, and blames it for silence after that', async () => {
  const { back, read } = slowReader();
  const resumed: string[] = [];
  const running = timeLimit(within(1000))((inner) => {
    inner.back.onDrain(() => resumed.push('resumed'));
    inner.back.related(PROGRESS);
    return never(inner);
  })({ ...wireCall(), back });
  await vi.advanceTimersByTimeAsync(900);
  read();
  await vi.advanceTimersByTimeAsync(900);
  expect(resumed).toEqual(['resumed']);
  expect(await Promise.race([running, Promise.resolve('still running')])).toBe('still running');
  await vi.advanceTimersByTimeAsync(100);
  expect(await running).toMatchObject({
    ended: 'attempt_timeout',
    fault: { origin: 'gateway', message: 'The server did not answer within 1 s (`timeout_ms`)' },
  });
});

const QUESTION = Buffer.from('{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}');

/** A call in a session in which the client is asked something at once. */
function askedCall() {
  const asks = new OpenQuestions();
  const call = wireCall();
  return { asks, call: { ...call, back: { ...call.back, asks } } };
}

it('does not blame the server for a question that its client leaves alone', async () => {
  const { asks, call } = askedCall();
  const running = timeLimit(within(1500))(never)(call);
  asks.toClient(QUESTION);
  await vi.advanceTimersByTimeAsync(1500);
  expect(await running).toMatchObject({
    ended: 'cancelled',
    fault: {
      kind: 'timeout',
      origin: 'caller',
      message: 'The client did not answer within 1.5 s (`timeout_ms`) what the server has asked it',
    },
  });
});

it('gives a server its time again when its question is answered, and blames it for silence after that', async () => {
  const { asks, call } = askedCall();
  const running = timeLimit(within(1000))(never)(call);
  asks.toClient(QUESTION);
  await vi.advanceTimersByTimeAsync(900);
  asks.answered('q');
  await vi.advanceTimersByTimeAsync(900);
  expect(await Promise.race([running, Promise.resolve('still running')])).toBe('still running');
  await vi.advanceTimersByTimeAsync(100);
  expect(await running).toMatchObject({
    ended: 'attempt_timeout',
    fault: { origin: 'gateway', message: 'The server did not answer within 1 s (`timeout_ms`)' },
  });
});

it('blames the server when the question is withdrawn, or older than the call', async () => {
  const older = askedCall();
  older.asks.toClient(QUESTION);
  await vi.advanceTimersByTimeAsync(1);
  const withdrawn = askedCall();
  const running = [older, withdrawn].map(({ call }) => timeLimit(within(1000))(never)(call));
  withdrawn.asks.toClient(QUESTION);
  withdrawn.asks.toClient(
    Buffer.from('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}'),
  );
  await vi.advanceTimersByTimeAsync(1000);
  expect(await Promise.all(running)).toMatchObject([
    { fault: { origin: 'gateway' } },
    { fault: { origin: 'gateway' } },
  ]);
});

it('does not take it for silence that a task has not ended yet', async () => {
  const signals: AbortSignal[] = [];
  const running = timeLimit(within(1500, 60_000))((call) => {
    signals.push(call.signal);
    call.progress.began = true;
    return never(call);
  })(wireCall({ taskId: 'job' }, { method: 'tasks/result' }));
  await vi.advanceTimersByTimeAsync(59_999);
  expect(signals[0]?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await running).toMatchObject({
    ended: 'cancelled', // which speaks against nobody
    fault: { kind: 'timeout', executed: 'no', message: 'The task did not end within 60 s (`max_time_ms`)' },
  });
});

/** Nothing else gets a turn for so long. */
function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it('does not count the time in which this process is busy', async () => {
  vi.useRealTimers();
  const answering =
    (afterMs: number): WireHandler =>
    () =>
      new Promise((resolve) => {
        setTimeout(() => resolve(FINE), afterMs);
      });
  // Answered before the limit, as far as anybody can tell: the timer of the limit comes first.
  const [came, asked, silent] = [answering(120), answering(250), never].map((next) =>
    timeLimit(within(100))(next)(wireCall()),
  );
  const started = performance.now();
  busy(300);
  expect(await came).toBe(FINE);
  expect(await asked).toBe(FINE);
  expect(await silent).toMatchObject({ ok: false, fault: { kind: 'timeout' } });
  expect(performance.now() - started).toBeLessThan(1000);
});

it('but moves no end of all time, nor a deadline of its caller', async () => {
  vi.useRealTimers();
  const running = timeLimit(within(100, 100))(never)(wireCall());
  const started = performance.now();
  busy(300);
  expect(await running).toMatchObject({ ok: false, fault: { kind: 'timeout' } });
  expect(performance.now() - started).toBeLessThan(360);
});
