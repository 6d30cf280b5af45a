import { afterEach, expect, it, vi } from 'vitest';
import type { Link } from '../links/link.ts';
import { ANYBODY, type Caller } from './call.ts';
import type { Reply } from './reply.ts';
import type { Session } from './session.ts';
import { Sessions } from './sessions.ts';

const ada: Caller = { id: 'ada', isKnown: true };
const bob: Caller = { id: 'bob', isKnown: true };
const eve: Caller = { id: 'eve', isKnown: true };

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

/** Something is under way in it. */
function use(session: Session | undefined): void {
  if (session === undefined) throw new Error('there is room');
  session.calls += 1;
}

/** It is done. */
function leave(session: Session | undefined): void {
  if (session !== undefined) session.calls -= 1;
}

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
  use(session);
  expect(sessions.open(key('old'), link)).toBeUndefined();
  leave(session);
  expect(sessions.open(key('new'), link)).toBeDefined();
  expect(sessions.find(session?.id ?? '', key('old'))).toBeUndefined();
});

it('bounds what one caller can hold, and leaves room for the others', () => {
  open({ perCaller: 2 });
  for (let i = 0; i < 2; i++) use(sessions.open(ada, link));
  expect(sessions.open(ada, link)).toBeUndefined();
  sessions.open(bob, link);
  expect(sessions.roomInMs(ada)).toBeUndefined();
  expect(sessions.open(bob, link)).toBeDefined();
});

it('bounds all of them together', () => {
  open({ max: 1 });
  use(sessions.open(ada, link));
  expect(sessions.open(bob, link)).toBeUndefined();
});

it('counts nothing for callers that cannot be told apart', () => {
  open({ max: 4, perCaller: 1 });
  for (let i = 0; i < 4; i++) use(sessions.open(ANYBODY, link));
  expect(sessions.open(ANYBODY, link)).toBeUndefined();
});

it.each([
  ['a caller', ada],
  ['callers that cannot be told apart', ANYBODY],
])('%s can open sessions for ever: the one that is unused for longest makes room', (_who, caller) => {
  open({ max: 4, perCaller: 3 });
  const first = sessions.open(caller, link);
  for (let i = 0; i < 20; i++) {
    now += 1;
    sessions.find(first?.id ?? '', caller);
    expect(sessions.open(caller, link)).toBeDefined();
  }
  expect(sessions.find(first?.id ?? '', caller)).toBe(first);
  expect(sessions.size).toBe(caller === ada ? 3 : 4);
});

it('when all places are taken, who has fewer takes the one unused for longest of the caller that has most', () => {
  open({ max: 5, perCaller: 3 });
  const hers = [1, 2, 3].map(() => {
    now += 1000;
    return sessions.open(ada, link);
  });
  const his = [sessions.open(bob, link), sessions.open(bob, link)];
  now += 1000;
  sessions.find(hers[0]?.id ?? '', ada);
  expect(sessions.open(eve, link)).toBeDefined();
  expect([...hers, ...his].map((session) => session?.isEnded)).toEqual([false, true, false, false, false]);
});

it('takes no place of a caller that has no more, and says when there may be room', () => {
  open({ max: 3, perCaller: 2, idleMs: 60_000 });
  const [hers, eves] = [sessions.open(ada, link), sessions.open(eve, link)];
  for (const session of [hers, eves]) use(session);
  now += 1000;
  const his = sessions.open(bob, link);
  now += 9000;
  expect([sessions.open(ada, link), sessions.roomInMs(ada)]).toEqual([undefined, 51_000]);
  leave(hers);
  expect(sessions.open(ada, link)).toBeDefined();
  expect([hers?.isEnded, his?.isEnded, eves?.isEnded]).toEqual([true, false, false]);
});

it('takes no place that is in use; then it has no time to name', () => {
  open({ max: 3, perCaller: 2 });
  for (const caller of [ada, ada, bob]) use(sessions.open(caller, link));
  expect([sessions.open(eve, link), sessions.roomInMs(eve)]).toEqual([undefined, undefined]);
});

it('takes that of the next, where all of the caller that has most are in use', () => {
  open({ max: 5, perCaller: 3 });
  for (let i = 0; i < 3; i++) use(sessions.open(ada, link));
  const his = [sessions.open(bob, link), sessions.open(bob, link)];
  expect(sessions.open(eve, link)).toBeDefined();
  expect(his.map((session) => session?.isEnded)).toEqual([true, false]);
});

it('whoever opens for ever gains an equal part of the places, and no more', () => {
  open({ max: 6, perCaller: 5 });
  for (let i = 0; i < 5; i++) sessions.open(ada, link);
  for (let i = 0; i < 100; i++) {
    now += 1;
    expect(sessions.open(bob, link)).toBeDefined();
  }
  const of = (caller: Caller): number => sessions.all().filter((session) => session.caller === caller).length;
  expect([of(ada), of(bob)]).toEqual([3, 3]);
});

it('keeps a session in which something is under way, or to which somebody listens', () => {
  open({ max: 2, perCaller: 2 });
  const [busy, listening] = [sessions.open(ANYBODY, link), sessions.open(ANYBODY, link)];
  use(busy);
  const reply = { isDone: false, stream: () => {}, event: () => true, end: () => {} } as unknown as Reply;
  listening?.open(reply, undefined);
  now += 59_000;
  expect([sessions.open(ANYBODY, link), sessions.roomInMs(ANYBODY)]).toEqual([undefined, undefined]);
});

it('keeps to other limits from when they are set, also for those that are open', async () => {
  vi.useFakeTimers();
  try {
    open({ max: 3, perCaller: 3, idleMs: 60_000 });
    const [first, second] = [sessions.open(ada, link), sessions.open(ada, link)];
    for (const session of [first, second]) use(session);
    sessions.limit({ max: 3, perCaller: 2, idleMs: 2000 });
    expect(sessions.open(ada, link)).toBeUndefined();
    for (const session of [first, second]) leave(session);
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
