/**
 * The day in virtual time: the SDK's clients, every strategy and the server's model as they are, with the
 * machine's clock and dice replaced and a `fetch` in the network's place. The same on any machine.
 */
import { mock } from 'node:test';
import { DAY_MS, DEADLINE_MS, draw, type PlannedCall } from './day.ts';
import { type CallRecord, type Figures, measure } from './measure.ts';
import { createModel, type Model } from './model.ts';
import type { Strategy } from './strategies.ts';
import { answer, type Message, type Reply } from './wire.ts';

const NETWORK_MS = 1;

/** Node mocks `AbortSignal.timeout` too; its types do not know that yet. */
const APIS = ['setTimeout', 'setInterval', 'Date', 'AbortSignal.timeout'] as never;

/** Lives through a day with a strategy. */
export async function virtualDay(
  strategy: Strategy,
  day: readonly PlannedCall[],
  seed: number,
  knowsKeys: boolean,
): Promise<Figures> {
  const model = createModel(seed);
  const time = takeTime(seed);
  try {
    let begin = 0;
    const connecting = strategy.prepare(
      'http://shop.example/mcp',
      fetchFrom(model, () => Date.now() - begin, knowsKeys),
    );
    const { call, close } = await time.until(connecting);
    begin = Date.now();
    const records = await liveThrough(day, call, begin, time);
    await time.until(close());
    return measure(strategy.name, records, { arrivals: model.arrivals, executions: [...model.executions] });
  } finally {
    time.giveBack();
  }
}

interface Time {
  /** Lets one millisecond pass, and everything happen that it sets off. */
  tick(): Promise<void>;
  until<T>(work: Promise<T>): Promise<T>;
  giveBack(): void;
}

function takeTime(seed: number): Time {
  const { random } = Math;
  let drawn = 0;
  Math.random = () => {
    drawn += 1;
    return draw(seed, drawn, 99);
  };
  mock.timers.enable({
    apis: APIS,
    now: 1_800_000_000_000,
  });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  async function tick(): Promise<void> {
    mock.timers.tick(1);
    await settle();
  }
  return {
    tick,
    async until(work) {
      let done = false;
      const noted = work.finally(() => {
        done = true;
      });
      noted.catch(() => undefined);
      while (!done) await tick();
      return noted;
    },
    giveBack() {
      mock.timers.reset();
      Math.random = random;
    },
  };
}

/** Starts each call at its time, whatever became of those before it. */
async function liveThrough(
  day: readonly PlannedCall[],
  make: (call: PlannedCall) => Promise<void>,
  begin: number,
  time: Time,
): Promise<readonly CallRecord[]> {
  const records: CallRecord[] = [];
  let next = 0;
  while (records.length < day.length && Date.now() - begin < DAY_MS + 3 * DEADLINE_MS) {
    await time.tick();
    for (let call = day[next]; call !== undefined && call.at <= Date.now() - begin; call = day[next]) {
      next += 1;
      const planned = call;
      const startedAt = Date.now() - begin;
      const record = (ok: boolean): void =>
        void records.push({ call: planned, ok, startedAt, tookMs: Date.now() - begin - startedAt });
      make(planned).then(
        () => record(true),
        () => record(false),
      );
    }
  }
  return records;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A network of one server. */
function fetchFrom(model: Model, now: () => number, knowsKeys: boolean): Fetch {
  return async (_, init) => {
    if (init?.method !== 'POST') return new Response(null, { status: 405 });
    const { signal } = init;
    await pause(NETWORK_MS, signal);
    const message = JSON.parse(String(init.body)) as Message;
    return respond(answer(model, message, now(), knowsKeys), signal);
  };
}

async function respond(reply: Reply, signal: AbortSignal | null | undefined): Promise<Response> {
  if ('silent' in reply) return pause(Number.POSITIVE_INFINITY, signal) as Promise<never>;
  if ('brokenAfterMs' in reply) return new Response(broken(reply.brokenAfterMs), { headers: EVENT_STREAM });
  await pause(reply.afterMs, signal);
  const body = reply.body === undefined ? null : JSON.stringify(reply.body);
  return new Response(body, {
    status: reply.status,
    headers: { 'content-type': 'application/json', ...reply.headers },
  });
}

const EVENT_STREAM = { 'content-type': 'text/event-stream' };

function broken(afterMs: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(': working\n\n'));
      setTimeout(() => {
        const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
        controller.error(new TypeError('terminated', { cause }));
      }, afterMs);
    },
  });
}

/** Waits as a request does: an abort ends it. */
function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason ?? new DOMException('This operation was aborted', 'AbortError'));
    };
    const timer =
      ms === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => {
            signal?.removeEventListener('abort', onAbort);
            resolve();
          }, ms);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
