/** How the conversation with one upstream is opened, in time that does not pass. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Link, type Outgoing, OWN_OPENING, peek, type Sink, type WireCall } from '@mayday/relay';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Lateness } from '../upstreams/lateness.ts';
import { TaskRunners } from '../upstreams/task-runners.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { OwnWords } from './own-words.ts';
import { Part } from './part.ts';
import { TaskNames } from './task-names.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const OPENING: Outgoing = {
  body: OWN_OPENING.initialize,
  peek: peek(OWN_OPENING.initialize),
  revision: '2025-11-25',
};
const ANSWER = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}');

/** A conversation with a server that swallows so many openings. */
function setup(swallowed: number, type: 'url' | 'command' = 'url') {
  const asked: string[] = [];
  const answers: WeakRef<Buffer>[] = [];
  let left = swallowed;
  const link: Link = {
    request({ peek: { method } }: Outgoing, sink: Sink) {
      asked.push(method);
      const isSwallowed = method === 'initialize' && left-- > 0;
      if (!isSwallowed)
        queueMicrotask(() => {
          const answer = Buffer.from(ANSWER);
          answers.push(new WeakRef(answer));
          sink.answered(answer);
        });
      return () => void asked.push('let go');
    },
    send: () => {},
    close: async () => {},
  };
  const settings = { type, timeoutMs: 300_000, openTimeoutMs: 50_000, retry: { attempts: 3 } };
  const hear = { failureIn: () => undefined };
  const upstream = {
    name: 'web',
    inner: [],
    hear,
    settings,
    late: new Lateness(),
    circuits: { admitStart: () => undefined },
    forgetTools: () => {},
    tasks: new TaskRunners('web'),
  };
  let told = 0;
  const onLate = (): void => {
    told += 1;
  };
  const part = new Part(upstream as unknown as Upstream, link, {
    onLate,
    lasting: undefined,
    words: {} as OwnWords,
    mark: 'web',
    tasks: new TaskNames(),
  });
  return { part, asked, answers, told: () => told };
}

function callOf(body = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}'): WireCall {
  const bytes = Buffer.from(body);
  return {
    body: bytes,
    peek: peek(bytes),
    method: 'tools/call',
    headers: {},
    by: { id: 'anybody', isKnown: false },
    signal: new AbortController().signal,
    progress: { attempts: 0, executed: 'no', began: false },
    back: { isStream: false, committed: false },
  } as unknown as WireCall;
}

it('asks again after ten seconds where an opening was swallowed, for all who wait', async () => {
  const { part, asked } = setup(1);
  part.openLater(OPENING);
  const calls = [part.ask(callOf()), part.ask(callOf())];
  await vi.advanceTimersByTimeAsync(9_999);
  expect(asked).toEqual(['initialize']);
  await vi.advanceTimersByTimeAsync(1);
  expect(await Promise.all(calls)).toMatchObject([{ ok: true }, { ok: true }]);
  expect(asked).toEqual(['initialize', 'let go', 'initialize', 'tools/call', 'tools/call']);
});

it('is given up after `open_timeout_ms` in all, from then on at once, and found when it comes', async () => {
  const { part, asked } = setup(20);
  part.openLater(OPENING);
  const told = {
    kind: 'timeout',
    executed: 'no',
    message: 'web did not answer within 50 s (`open_timeout_ms`)',
  };
  const first = part.ask(callOf());
  await vi.advanceTimersByTimeAsync(49_999);
  const isWaiting = Symbol('waiting');
  expect(await Promise.race([first, isWaiting])).toBe(isWaiting);
  await vi.advanceTimersByTimeAsync(1);
  expect(await first).toMatchObject({ ok: false, fault: told });
  for (const later of [0, 65_000, 40_000]) {
    await vi.advanceTimersByTimeAsync(later);
    const next = part.ask(callOf());
    await vi.advanceTimersByTimeAsync(50);
    expect(await next).toMatchObject({ ok: false, fault: told });
  }
  await vi.advanceTimersByTimeAsync(90_000);
  expect(await part.ask(callOf())).toMatchObject({ ok: true });
  expect(asked.filter((method) => method === 'initialize')).toHaveLength(21);
});

it('tells a client that waits when it comes, however long that takes', async () => {
  const { part, told } = setup(13);
  const opened = part.open(OPENING);
  part.announceWhenOpen();
  await vi.advanceTimersByTimeAsync(150_000);
  expect(await opened).toMatchObject({ ok: false, isSilent: true });
  expect(told()).toBe(1);
  expect(await part.ask(callOf())).toMatchObject({ ok: true });
});

it('does not go on when the client has left', async () => {
  const { part, asked } = setup(100);
  void part.open(OPENING);
  part.announceWhenOpen();
  await vi.advanceTimersByTimeAsync(20_000);
  await part.close();
  const openings = (): number => asked.filter((method) => method === 'initialize').length;
  const before = openings();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(openings()).toBe(before);
});

it('gives a process two minutes: it may have to be installed', async () => {
  const { part, asked } = setup(1, 'command');
  void part.open(OPENING);
  await vi.advanceTimersByTimeAsync(119_999);
  expect(asked).toEqual(['initialize']);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['initialize', 'let go', 'initialize']);
});

it('gives what a server has said of itself to whoever opens it, and keeps none of it', async () => {
  vi.useRealTimers();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { part, answers } = setup(0);
  expect(await part.open(OPENING)).toEqual({ ok: true, answer: ANSWER });
  await new Promise((resolve) => setTimeout(resolve, 10)); // what was looked at is held until the next turn
  collect();
  expect(answers.map((answer) => answer.deref())).toEqual([undefined]);
  expect(await part.ask(callOf())).toMatchObject({ ok: true });
});
