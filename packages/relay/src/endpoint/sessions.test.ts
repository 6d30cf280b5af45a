import { afterEach, expect, it, vi } from 'vitest';
import type { Link } from '../links/link.ts';
import { ANYBODY, type Caller } from './call.ts';
import { Sessions } from './sessions.ts';

const ada: Caller = { id: 'ada', isKnown: true };
const bob: Caller = { id: 'bob', isKnown: true };

let sessions: Sessions;
let now = 0;
const closed: number[] = [];

function open(limits: { max?: number; perCaller?: number; idleMs?: number }): Sessions {
  now = 1_000_000;
  sessions = new Sessions({ max: 10, perCaller: 2, idleMs: 60_000, ...limits }, () => now);
  return sessions;
}

const link = (): Link => ({
  request: () => () => {},
  send: () => {},
  close: async () => {
    closed.push(now);
  },
});

afterEach(() => sessions.close());

it('finds a session for the caller that opened it, and for nobody else', () => {
  const session = open({}).open(ada, link);
  expect(sessions.find(session?.id ?? '', ada)).toBe(session);
  expect(sessions.find(session?.id ?? '', bob)).toBeUndefined();
  expect(sessions.find('another', ada)).toBeUndefined();
});

it('a session belongs to the key that opened it: a new one of the same caller opens its own', () => {
  const key = (text: string): Caller => ({ ...ada, seal: Buffer.from(text) });
  const session = open({ perCaller: 1 }).open(key('old'), link);
  expect(sessions.find(session?.id ?? '', key('old'))).toBe(session);
  expect(sessions.find(session?.id ?? '', key('new'))).toBeUndefined();
  expect(sessions.find(session?.id ?? '', ada)).toBeUndefined();
  expect(sessions.open(key('old'), link)).toBeUndefined();
  expect(sessions.open(key('new'), link)).toBeDefined();
  expect(sessions.find(session?.id ?? '', key('old'))).toBeUndefined();
});

it('bounds what one caller can hold, and leaves room for the others', () => {
  open({ perCaller: 2 });
  expect([sessions.open(ada, link), sessions.open(ada, link)]).not.toContain(undefined);
  expect(sessions.open(ada, link)).toBeUndefined();
  expect(sessions.open(bob, link)).toBeDefined();
});

it('bounds all of them together', () => {
  open({ max: 1 });
  expect(sessions.open(ada, link)).toBeDefined();
  expect(sessions.open(bob, link)).toBeUndefined();
});

it('counts nothing for callers that cannot be told apart', () => {
  open({ max: 4, perCaller: 1 });
  expect(Array.from({ length: 5 }, () => sessions.open(ANYBODY, link) !== undefined)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});

it('replaces the longest unused session of the same caller, never of another', () => {
  open({ max: 2, perCaller: 2 });
  const oldest = sessions.open(ada, link);
  now += 1000;
  const other = sessions.open(bob, link);
  now += 61_000;
  const replacing = sessions.open(ada, link);
  expect(replacing).toBeDefined();
  expect(sessions.find(oldest?.id ?? '', ada)).toBeUndefined();
  expect(sessions.find(other?.id ?? '', bob)).toBeDefined();
});

it('keeps a session that is used', () => {
  open({ max: 1 });
  const session = sessions.open(ada, link);
  now += 59_000;
  sessions.find(session?.id ?? '', ada);
  now += 30_000;
  expect(sessions.open(ada, link)).toBeUndefined();
});

it('keeps to other limits from when they are set, also for those that are open', async () => {
  vi.useFakeTimers();
  try {
    open({ max: 3, perCaller: 3, idleMs: 60_000 });
    const [first, second] = [sessions.open(ada, link), sessions.open(ada, link)];
    sessions.limit({ max: 3, perCaller: 2, idleMs: 2000 });
    expect(sessions.open(ada, link)).toBeUndefined();
    now += 2001;
    sessions.find(second?.id ?? '', ada);
    await vi.advanceTimersByTimeAsync(2000);
    expect(sessions.all()).toEqual([second]);
    expect(first?.isEnded).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

it('ends a session at its time, used or not, but not in the middle of a call', async () => {
  vi.useFakeTimers();
  try {
    const session = open({ idleMs: 1000 }).open(ada, link);
    if (session === undefined) throw new Error('there is room');
    session.endsAt = now + 500;
    session.calls = 1;
    now += 501;
    await vi.advanceTimersByTimeAsync(1000);
    expect(session.isEnded).toBe(false);
    session.calls = 0;
    session.usedAt = now;
    await vi.advanceTimersByTimeAsync(1000);
    expect(session.isEnded).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
