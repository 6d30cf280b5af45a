import { type FaultInit, makeFault } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import type { CallEvent } from '../events.ts';
import type { Outcome } from '../outcome.ts';
import type { Verdict } from './breaker.ts';
import type { Aimed, Circuits } from './circuits.ts';
import { createCircuitsByCaller } from './circuits-by-caller.ts';

function setup(tryStart?: () => Promise<Verdict>) {
  const clock = fakeClock();
  const events: CallEvent[] = [];
  const emit = (event: CallEvent): void => void events.push(event);
  const breaker = { consecutive: 5, openMs: 1000 };
  const options = { name: 'shop', breaker, targetBreaker: breaker, clock, random: () => 0, emit, tryStart };
  return { clock, circuits: createCircuitsByCaller(options), events };
}

const fine: Outcome<string> = { ok: true, value: 'fine' };
const failed = (fault: FaultInit, more: object = {}): Outcome<string> => ({
  ok: false,
  fault: makeFault(fault),
  ...more,
});
const SAID = failed({ kind: 'upstream_failed' }, { answered: true });
const DIED = failed({ kind: 'disconnected', origin: 'upstream', executed: 'maybe' });
const HUNG = failed({ kind: 'timeout', origin: 'gateway', executed: 'maybe' }, { ended: 'attempt_timeout' });
const UNREACHABLE = failed({ kind: 'unavailable', origin: 'upstream', executed: 'no' });
const UNKNOWN_THERE = failed({ kind: 'unavailable', origin: 'upstream', executed: 'no' }, { reached: true });
const ENDED_AT_WORDS = failed(
  { kind: 'unavailable', origin: 'upstream', executed: 'no' },
  { mayBeOwn: true },
);
const UNFIT_AT_WORDS = failed(
  { kind: 'misconfigured', origin: 'upstream', executed: 'no' },
  { mayBeOwn: true },
);
const NOT_STARTED_YET = failed({ kind: 'unavailable', origin: 'gateway', executed: 'no' });

function make(circuits: Circuits, call: Aimed, outcome: Outcome<string>): boolean {
  const asked = circuits.admit(call);
  if (asked.admitted) asked.settle(outcome);
  return asked.admitted;
}

const TOOLS = ['do', 'read', 'other'];
const turn = (index: number): string => TOOLS[index % TOOLS.length] as string;

describe('what one caller meets', () => {
  it.each([
    ['failing answers', SAID],
    ['ends of a process', DIED],
    ['silence', HUNG],
    ['a process that is not started again yet', NOT_STARTED_YET],
    ['a process that ends over what it is told', ENDED_AT_WORDS],
  ])('is nothing to the others: %s', (_name, outcome) => {
    const { circuits } = setup();
    const ann: boolean[] = [];
    for (let index = 0; index < 60; index += 1)
      ann.push(make(circuits, { caller: 'ann', session: 'a', target: turn(index) }, outcome));
    expect(ann.at(-1)).toBe(false);
    for (const target of TOOLS)
      expect(circuits.check({ caller: 'bob', session: 'b', target })).toBeUndefined();
    for (const target of TOOLS) expect(make(circuits, { caller: 'bob', target }, fine)).toBe(true);
  });

  it('is nothing to anybody where the server does not know the conversation', () => {
    const { circuits } = setup();
    for (let index = 0; index < 60; index += 1)
      expect(make(circuits, { caller: 'ann', session: 'a', target: turn(index) }, UNKNOWN_THERE)).toBe(true);
    expect(circuits.check({ caller: 'bob', session: 'b', target: 'do' })).toBeUndefined();
  });

  it('holds back the tool in all of its sessions', () => {
    const { circuits } = setup();
    make(circuits, { caller: 'ann', target: 'read' }, fine);
    for (let index = 0; index < 5; index += 1)
      make(circuits, { caller: 'ann', session: `s${index}`, target: 'do' }, SAID);
    expect(circuits.check({ caller: 'ann', session: 'another', target: 'do' })).toMatchObject({
      by: 'target',
      fault: { message: 'Not sent: the tool do has failed repeatedly and is left alone for now' },
    });
    expect(circuits.troubled).toEqual(['do']);
  });

  it('a process of one session is nothing to another, of the same caller or of somebody without a name', () => {
    for (const caller of ['ann', undefined]) {
      const { circuits } = setup();
      for (let index = 0; index < 30; index += 1)
        make(circuits, { caller, session: 'a', target: turn(index) }, DIED);
      expect(circuits.check({ caller, session: 'a', target: 'new' })).toMatchObject({ by: 'upstream' });
      expect(circuits.check({ caller, session: 'b', target: 'new' })).toBeUndefined();
      expect(circuits.check({ caller, target: 'new' })).toBeUndefined();
    }
  });

  it('shares among those without a name', () => {
    const { circuits } = setup();
    make(circuits, { target: 'read' }, fine);
    for (let index = 0; index < 5; index += 1) make(circuits, { target: 'do' }, SAID);
    expect(circuits.check({ target: 'do' })).toMatchObject({ by: 'target' });
    expect(circuits.check({ caller: 'ann', target: 'do' })).toBeUndefined();
  });

  it('a probe of one that hangs is nothing to the others', async () => {
    const { circuits, clock } = setup();
    for (const caller of ['ann', 'bob']) {
      make(circuits, { caller, target: 'read' }, fine);
      for (let index = 0; index < 5; index += 1) make(circuits, { caller, target: 'do' }, SAID);
    }
    await clock.advance(1000);
    expect(circuits.admit({ caller: 'ann', target: 'do' })).toMatchObject({ admitted: true });
    expect(make(circuits, { caller: 'bob', target: 'do' }, fine)).toBe(true);
  });
});

describe('a server that cannot be reached', () => {
  it('is left alone by everybody, and none of its tools is blamed', () => {
    const { circuits, events } = setup();
    for (let index = 0; index < 5; index += 1)
      expect(
        make(circuits, { caller: `c${index}`, session: `s${index}`, target: turn(index) }, UNREACHABLE),
      ).toBe(true);
    expect(circuits.check({ caller: 'somebody', target: 'else' })).toMatchObject({
      by: 'upstream',
      fault: { subject: { type: 'upstream', id: 'shop' }, retry: { afterMs: 1000 } },
    });
    expect([circuits.stateOf(), circuits.troubled]).toEqual(['open', []]);
    expect(events).toEqual([{ type: 'circuit', upstream: 'shop', state: 'open' }]);
  });

  it('is back for everybody when it answers anybody', async () => {
    const { circuits, clock } = setup();
    for (let index = 0; index < 5; index += 1) make(circuits, { caller: 'ann', target: 'do' }, UNREACHABLE);
    await clock.advance(1000);
    make(circuits, { caller: 'bob', target: 'do' }, fine);
    make(circuits, { caller: 'eve', target: 'do' }, SAID);
    expect(circuits.stateOf()).toBe('closed');
    expect(make(circuits, { caller: 'ann', target: 'do' }, fine)).toBe(true);
  });
});

describe('starts that fail once they were told something', () => {
  const opening = (caller?: string): Aimed => ({ caller, method: 'initialize' });
  const OPENED = failed({ kind: 'internal' }, { answered: true });

  /** Tries what `verdict` says at that time, and counts. */
  function trying(verdict: () => Verdict) {
    const tried = { times: 0 };
    const made = setup(async () => {
      tried.times += 1;
      return verdict();
    });
    return { ...made, tried };
  }

  it.each(['ann', undefined])(
    'are held against nobody else where another start works: %s',
    async (caller) => {
      const { circuits, clock, tried, events } = trying(() => 'success');
      for (let index = 0; index < 30; index += 1) {
        make(circuits, opening(caller), index % 2 === 0 ? ENDED_AT_WORDS : UNFIT_AT_WORDS);
        await clock.advance(1);
        expect(circuits.check(opening('bob'))).toBeUndefined();
        expect(circuits.check({ caller, session: 's', target: 'do' })).toBeUndefined();
      }
      expect(tried.times).toBeGreaterThan(0);
      expect(tried.times).toBeLessThan(7);
      expect(events.filter((event) => event.type === 'circuit' && event.caller !== caller)).toEqual([]);
    },
  );

  it('hold back who has made them, and nobody where nobody can be told from others', async () => {
    const { circuits } = trying(() => 'success');
    for (let index = 0; index < 5; index += 1) {
      make(circuits, opening('ann'), ENDED_AT_WORDS);
      make(circuits, opening(), ENDED_AT_WORDS);
    }
    expect(circuits.check(opening('ann'))).toMatchObject({ by: 'upstream' });
    expect(circuits.check(opening())).toBeUndefined();
  });

  it.each([ENDED_AT_WORDS, UNFIT_AT_WORDS])(
    'are everybody’s where no start works, but not of those whose session runs: %o',
    async (outcome) => {
      const { circuits, clock, tried, events } = trying(() => 'failure');
      for (let index = 0; index < 5; index += 1) make(circuits, opening(`c${index}`), outcome);
      await clock.advance(1);
      expect(tried.times).toBe(1);
      for (const caller of ['bob', 'c1', undefined])
        expect(circuits.check(opening(caller))).toMatchObject({ by: 'upstream' });
      expect(circuits.check({ caller: 'bob', target: 'do' })).toMatchObject({ by: 'upstream' });
      expect(circuits.check({ caller: 'bob', session: 'b', target: 'do' })).toBeUndefined();
      expect(make(circuits, { caller: 'bob', session: 'b', target: 'do' }, fine)).toBe(true);
      expect(circuits.check(opening('bob'))).toMatchObject({ by: 'upstream' });
      expect(events).toEqual([{ type: 'circuit', upstream: 'shop', state: 'open' }]);
    },
  );

  it('are tried again for nobody, once for all who come, who wait for what that finds', async () => {
    let verdict: Verdict = 'failure';
    const { circuits, clock, tried } = trying(() => verdict);
    const crowd = (): readonly boolean[] =>
      Array.from({ length: 20 }, (_, index) => make(circuits, opening(`c${index}`), ENDED_AT_WORDS));
    for (let index = 0; index < 5; index += 1) make(circuits, opening('ann'), ENDED_AT_WORDS);
    await clock.advance(1000);
    expect(crowd()).not.toContain(true);
    await clock.advance(1);
    expect(crowd()).not.toContain(true);
    expect(tried.times).toBe(2);
    expect(circuits.check(opening('bob'))).toMatchObject({ by: 'upstream' });
    verdict = 'success';
    await clock.advance(2000);
    expect(circuits.check(opening('bob'))).toMatchObject({ by: 'upstream' });
    await clock.advance(1);
    expect(tried.times).toBe(3);
    expect(circuits.stateOf()).toBe('closed');
    expect(make(circuits, opening('bob'), fine)).toBe(true);
  });

  it('are made by those who want it again, where the one for nobody proves nothing', async () => {
    let verdict: Verdict = 'failure';
    const { circuits, clock } = trying(() => verdict);
    for (let index = 0; index < 5; index += 1) make(circuits, opening('ann'), ENDED_AT_WORDS);
    await clock.advance(1000);
    verdict = 'none';
    expect(make(circuits, opening('bob'), fine)).toBe(false);
    await clock.advance(1);
    expect(make(circuits, opening('bob'), fine)).toBe(true);
  });

  it('are forgotten when one works, and looked into again when nobody could tell', async () => {
    const { circuits, clock, tried } = trying(() => 'none');
    for (let index = 0; index < 20; index += 1) {
      make(circuits, opening(`c${index}`), index % 5 === 4 ? OPENED : ENDED_AT_WORDS);
      make(circuits, { caller: 'bob', session: 'b', target: 'do' }, fine);
    }
    await clock.advance(1);
    expect(tried.times).toBe(0);
    for (let index = 0; index < 7; index += 1) {
      make(circuits, opening(`d${index}`), ENDED_AT_WORDS);
      await clock.advance(1);
    }
    expect(tried.times).toBe(3);
    expect(circuits.check(opening('bob'))).toBeUndefined();
  });

  it('prove nothing where the one for nobody throws', async () => {
    const { circuits, clock } = setup(() => Promise.reject(new Error('no')));
    for (let index = 0; index < 9; index += 1) make(circuits, opening(`c${index}`), ENDED_AT_WORDS);
    await clock.advance(1);
    expect(circuits.check(opening('bob'))).toBeUndefined();
  });
});

it('says that calls are held back as long as they are', async () => {
  const { circuits, clock } = setup();
  for (let index = 0; index < 30; index += 1)
    make(circuits, { caller: 'ann', session: 'a', target: turn(index) }, DIED);
  make(circuits, { caller: 'bob', target: 'read' }, fine);
  for (let index = 0; index < 5; index += 1) make(circuits, { caller: 'bob', target: 'do' }, SAID);
  expect([circuits.stateOf(), circuits.stateOf('do'), circuits.troubled]).toEqual(['open', 'open', ['do']]);
  await clock.advance(1000);
  expect([circuits.stateOf(), circuits.stateOf('do'), circuits.troubled]).toEqual(['closed', 'closed', []]);
});

it('forgets whoever has not called for longest', () => {
  const { circuits } = setup();
  const hold = (caller: string): void => {
    make(circuits, { caller, target: 'read' }, fine);
    for (let index = 0; index < 5; index += 1) make(circuits, { caller, target: 'do' }, SAID);
  };
  hold('first');
  hold('second');
  for (let other = 0; other < 998; other += 1) make(circuits, { caller: `c${other}`, target: 'read' }, fine);
  make(circuits, { caller: 'first', target: 'read' }, fine);
  make(circuits, { caller: 'one more', target: 'read' }, fine);
  expect(circuits.check({ caller: 'first', target: 'do' })).toMatchObject({ by: 'target' });
  expect(circuits.check({ caller: 'second', target: 'do' })).toBeUndefined();
});
