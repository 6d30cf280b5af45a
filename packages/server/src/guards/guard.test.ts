/** How guards are asked, and what they are told afterwards. */
import { fault, faultOf } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { callOf } from '../../test/call-of.ts';
import { type Guard, Passage, protect, shortestDeadline, tooLate } from './guard.ts';

/** Guards that write down what happens to them. */
function diary() {
  const lines: string[] = [];
  const bugs: unknown[] = [];
  const guard = (name: string, more: Partial<Guard> = {}): Guard => ({
    name,
    before: () => void lines.push(`${name} before`),
    after: () => void lines.push(`${name} after`),
    over: (_, began) => void lines.push(`${name} over ${began}`),
    dropped: () => void lines.push(`${name} dropped`),
    result: (_, result) => void lines.push(`${name} result ${String(result)}`),
    ...more,
  });
  return { lines, bugs, guard, passage: (call = callOf()) => new Passage(call, (bug) => bugs.push(bug)) };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('a passage', () => {
  it('asks in order, and tells in reverse: answered, then over', () => {
    const { lines, guard, passage } = diary();
    const one = passage();
    const both = [guard('a'), guard('b')];
    expect(one.enter(both)).toBeUndefined();
    one.began();
    one.show(both, 'done');
    one.ended();
    one.leave();
    expect(lines).toEqual([
      'a before',
      'b before',
      'a result done',
      'b result done',
      'b over true',
      'a over true',
      'b after',
      'a after',
    ]);
  });

  it('tells that it is over when the work has ended, which may be after the answer', () => {
    const { lines, guard, passage } = diary();
    const one = passage();
    void one.enter([guard('a')]);
    one.began();
    one.leave();
    expect(lines).toEqual(['a before', 'a after']);
    one.ended();
    one.ended();
    one.leave();
    expect(lines).toEqual(['a before', 'a after', 'a over true']);
  });

  it('tells who let it through that its work never began', () => {
    const { lines, guard, passage } = diary();
    const one = passage();
    const refuse = (): never => {
      throw fault.forbidden('No');
    };
    expect(() => one.enter([guard('a'), guard('b', { before: refuse }), guard('c')])).toThrow('No');
    one.leave();
    expect(lines).toEqual(['a before', 'a after', 'a over false']);
  });

  it('goes on when a promise of a guard settles, and not when the caller has left', async () => {
    const { lines, guard, passage } = diary();
    let letThrough: () => void = () => undefined;
    const slow = guard('slow', {
      before: () => {
        lines.push('slow before');
        return new Promise<void>((resolve) => (letThrough = resolve));
      },
    });
    const first = passage();
    const entered = first.enter([slow, guard('b')]);
    letThrough();
    await entered;
    expect(lines).toEqual(['slow before', 'b before']);
    first.leave();
    expect(lines.slice(2)).toEqual(['b after', 'slow after', 'b over false', 'slow over false']);
    lines.length = 0;
    const second = passage();
    const held = second.enter([slow, guard('b')]);
    second.leave();
    expect(lines).toEqual(['slow before', 'slow dropped']);
    letThrough();
    await held;
    expect(lines).toEqual(['slow before', 'slow dropped']);
    second.leave();
    expect(lines.slice(2)).toEqual(['slow after', 'slow over false']);
  });

  it('hears what goes wrong afterwards, and nobody pays for it', async () => {
    const { lines, bugs, guard, passage } = diary();
    const one = passage();
    const thrown = guard('thrown', {
      after: () => {
        throw 'after';
      },
    });
    const rejected = guard('rejected', { over: () => Promise.reject('over') as never });
    const all = [guard('a'), thrown, rejected];
    void one.enter(all);
    one.show(all, 'done');
    one.leave();
    await tick();
    expect(bugs.sort()).toEqual(['after', 'over']);
    expect(lines).toContain('a after');
  });

  it.each([
    [undefined, 'tools/call', true],
    [undefined, 'resources/read', true],
    [undefined, 'resources/subscribe', true],
    [undefined, 'resources/unsubscribe', false],
    [undefined, 'prompts/get', true],
    [undefined, 'completion/complete', true],
    [undefined, 'subscriptions/listen', true],
    [undefined, 'tasks/result', true],
    [undefined, 'acme/export', true],
    [undefined, 'initialize', false],
    [undefined, 'server/discover', false],
    [undefined, 'logging/setLevel', false],
    [undefined, 'tools/list', false],
    [undefined, 'prompts/list', false],
    [undefined, 'resources/list', false],
    [undefined, 'resources/templates/list', false],
    [undefined, 'ping', false],
    ['all', 'ping', true],
    [['ping'], 'ping', true],
    [['ping'], 'tools/call', false],
  ] as const)('a guard of %j looks at %s: %s', (methods, method, looks) => {
    const { lines, guard, passage } = diary();
    const one = passage(callOf({ method }));
    void one.enter([guard('a', { methods })]);
    one.leave();
    expect(lines).toEqual(looks ? ['a before', 'a after', 'a over false'] : []);
  });
});

describe('a deadline', () => {
  const of = (deadlineMs: number | false, methods?: readonly string[]): Guard => ({
    name: 'x',
    methods,
    deadlineMs: () => deadlineMs,
  });

  it.each([
    [[], Number.POSITIVE_INFINITY],
    [[of(500), of(200), of(300)], 200],
    [[of(false), of(500)], 500],
    [[of(100, ['ping']), of(500)], 500],
    [[{ name: 'none' }], Number.POSITIVE_INFINITY],
  ])('of %j is the shortest: %d', (guards, ms) => {
    expect(shortestDeadline(guards, callOf())).toBe(ms);
  });

  it('is answered at once, or not at all', () => {
    const late = { name: 'x', deadlineMs: () => Promise.resolve(5) as never };
    expect(() => shortestDeadline([late], callOf())).toThrow(
      new TypeError('Expected `deadlineMs` to answer at once, got a promise'),
    );
  });

  it.each([
    [0.4, true, 'No answer within 1 ms', 'maybe'],
    [999, true, 'No answer within 999 ms', 'maybe'],
    [1000, false, 'No answer within 1 s', 'no'],
    [1999, false, 'No answer within 1.9 s', 'no'],
  ])('of %d ms, begun %s: %s', (ms, began, message, executed) => {
    expect(tooLate(ms, began).fault).toMatchObject({ kind: 'timeout', message, executed });
  });
});

describe('protect', () => {
  /** Fires when it is told to. */
  function clockOf() {
    const set: { readonly ms: number; readonly fire: () => void }[] = [];
    const cleared: unknown[] = [];
    const clock = {
      now: () => 0,
      setTimeout: (fire: () => void, ms: number) => set.push({ ms, fire }),
      clearTimeout: (timer: unknown) => void cleared.push(timer),
    };
    return { set, cleared, clock: clock as never };
  }

  it('runs what the guards let through, shows its result, and clears its timer', async () => {
    const { lines, guard } = diary();
    const { set, cleared, clock } = clockOf();
    const guards = [guard('a', { deadlineMs: () => 70 })];
    expect(await protect(guards, callOf(), () => 'done', clock)).toBe('done');
    expect(lines).toEqual(['a before', 'a over true', 'a result done', 'a after']);
    expect([set.map(({ ms }) => ms), cleared]).toEqual([[70], [1]]);
  });

  it('needs no timer where nobody is in a hurry', async () => {
    const { set, cleared, clock } = clockOf();
    await protect([], callOf(), () => 'done', clock);
    expect([set, cleared]).toEqual([[], []]);
  });

  it.each([
    ['before the work', false, 'no'],
    ['in the work', true, 'maybe'],
  ])('is cut off %s', async (_, isWorking, executed) => {
    const { set, clock } = clockOf();
    const forever = () => new Promise<never>(() => undefined);
    const guards: Guard[] = [
      { name: 'x', deadlineMs: () => 70, before: () => (isWorking ? undefined : forever()) },
    ];
    const answer = protect(guards, callOf(), forever, clock).catch(faultOf);
    await tick();
    set[0]?.fire();
    expect(await answer).toMatchObject({ kind: 'timeout', executed, message: 'No answer within 70 ms' });
  });

  it('warns of what a guard does wrong afterwards', async () => {
    const warned: Error[] = [];
    const hear = (warning: Error): void => void warned.push(warning);
    process.on('warning', hear);
    const after = (bug: unknown) => () => {
      throw bug;
    };
    const guards = ['late', new Error('bug')].map((bug) => ({ name: 'x', after: after(bug) }));
    await protect(guards, callOf(), () => 'done');
    await tick();
    process.off('warning', hear);
    const said = warned.map(({ message }) => message.split('\n')[0]);
    expect(said).toEqual(['a guard failed: Error: bug', 'a guard failed: late']);
  });
});
