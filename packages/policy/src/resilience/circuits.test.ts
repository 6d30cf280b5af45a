import { type FaultInit, makeFault } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import { startCall } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { type CircuitPermit, type Circuits, createCircuits } from './circuits.ts';

function setup() {
  const clock = fakeClock();
  const circuits = createCircuits({ name: 'shop', clock, random: () => 0 });
  return { clock, circuits };
}

const fine: Outcome<string> = { ok: true, value: 'fine' };
const failed = (kind: FaultInit['kind'], more: object = {}): Outcome<string> => ({
  ok: false,
  fault: makeFault({ kind }),
  ...more,
});

function permit(circuits: Circuits, target: string | undefined): CircuitPermit {
  const given = circuits.admit({ target });
  if (!given.admitted) throw new Error(`refused by ${given.by}`);
  return given;
}

function after(
  circuits: Circuits,
  target: string | undefined,
  ...outcomes: readonly Outcome<string>[]
): void {
  for (const outcome of outcomes) permit(circuits, target).settle(outcome);
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('a dead tool', () => {
  it('is refused by its name after failures of its own, and nobody else is', () => {
    const { circuits } = setup();
    after(circuits, 'search', fine);
    after(circuits, 'pay', ...times(5, failed('upstream_failed', { answered: true })));
    expect(circuits.check({ target: 'pay' })).toMatchObject({
      by: 'target',
      waitMs: 500,
      fault: {
        kind: 'unavailable',
        executed: 'no',
        origin: 'local',
        subject: { type: 'tool', id: 'pay' },
        message: 'Not sent: the tool pay has failed repeatedly and is left alone for now',
        retry: { afterMs: 500 },
      },
    });
    expect(circuits.check({ target: 'search' })).toBeUndefined();
    expect([circuits.stateOf(), circuits.stateOf('pay'), circuits.troubled]).toEqual([
      'closed',
      'open',
      ['pay'],
    ]);
  });

  it('does not open the server’s circuit by its silence, however long it goes on', async () => {
    const { circuits, clock } = setup();
    for (let round = 0; round < 30; round += 1) {
      after(circuits, 'search', fine);
      const asked = circuits.admit({ target: 'hangs' });
      if (asked.admitted) asked.settle(failed('timeout', { ended: 'attempt_timeout' }));
      await clock.advance(1000);
    }
    expect([circuits.stateOf(), circuits.stateOf('hangs')]).not.toContain('half_open');
    expect(circuits.stateOf()).toBe('closed');
    expect(circuits.stateOf('hangs')).toBe('open');
  });

  it('alone and silent is taken for dead, not its server', () => {
    const { circuits } = setup();
    after(circuits, 'hangs', ...times(5, failed('timeout', { ended: 'attempt_timeout' })));
    expect([circuits.stateOf(), circuits.stateOf('hangs')]).toEqual(['closed', 'open']);
  });

  it('that failed two probes is no longer waited for', async () => {
    const { circuits, clock } = setup();
    after(circuits, 'search', fine);
    after(circuits, 'pay', ...times(5, failed('unavailable', { answered: true })));
    await clock.advance(500);
    after(circuits, 'pay', failed('unavailable', { answered: true }));
    await clock.advance(1000);
    after(circuits, 'pay', failed('unavailable', { answered: true }));
    const refused = circuits.check({ target: 'pay' });
    expect(refused?.waitMs).toBeUndefined();
    expect(refused?.fault.retry.afterMs).toBe(2000);
  });
});

describe('the attempts of one call', () => {
  const SAID = failed('upstream_failed', { answered: true });
  /** One attempt after the other. */
  function called(circuits: Circuits, outcomes: readonly Outcome<string>[], more: object = {}): void {
    const call = { ...startCall({ upstream: 'shop', target: 'pay' }), ...more };
    for (const outcome of outcomes) {
      const given = circuits.admit({ ...call });
      if (given.admitted) given.settle(outcome);
    }
  }

  it('count once against its target: four calls that fail eight times each leave it closed, the fifth opens it', () => {
    const { circuits } = setup();
    for (let call = 0; call < 4; call += 1) called(circuits, times(8, SAID));
    expect(circuits.stateOf('pay')).toBe('closed');
    called(circuits, [SAID]);
    expect(circuits.stateOf('pay')).toBe('open');
  });

  it('count once beside each other', () => {
    const { circuits } = setup();
    for (let call = 0; call < 4; call += 1) {
      const made = startCall({ upstream: 'shop', target: 'pay' });
      const permits = times(2, made).map((one) => circuits.admit({ ...one }));
      for (const each of permits) if (each.admitted) each.settle(SAID);
    }
    expect(circuits.stateOf('pay')).toBe('closed');
    called(circuits, [SAID]);
    expect(circuits.stateOf('pay')).toBe('open');
  });

  it('end a row when one of them succeeds', () => {
    const { circuits } = setup();
    for (let call = 0; call < 4; call += 1) called(circuits, [SAID]);
    called(circuits, [failed('rate_limited'), fine]);
    for (let call = 0; call < 3; call += 1) called(circuits, [SAID, SAID, SAID]);
    called(circuits, [SAID, fine]);
    expect(circuits.stateOf('pay')).toBe('closed');
  });

  it('that somebody above counts are those of one call', () => {
    const { circuits } = setup();
    for (let attempt = 1; attempt <= 8; attempt += 1) called(circuits, [SAID], { above: { attempt } });
    expect(circuits.stateOf('pay')).toBe('closed');
    for (let call = 0; call < 4; call += 1) called(circuits, [SAID], { above: { attempt: 1 } });
    expect(circuits.stateOf('pay')).toBe('open');
  });

  it('are each a trial once it is open', async () => {
    const { circuits, clock } = setup();
    for (let call = 0; call < 4; call += 1) called(circuits, [SAID]);
    const last = startCall({ upstream: 'shop', target: 'pay' });
    const attempt = (): void => {
      const given = circuits.admit({ ...last });
      if (!given.admitted) throw new Error(`refused by ${given.by}`);
      given.settle(SAID);
    };
    attempt();
    await clock.advance(500);
    attempt();
    expect(circuits.check({ target: 'pay' })?.waitMs).toBe(1000);
    await clock.advance(1000);
    attempt();
    expect(circuits.check({ target: 'pay' })?.fault.retry.afterMs).toBe(2000);
  });

  it('count each against a server that is silent', () => {
    const { circuits } = setup();
    for (let call = 0; call < 2; call += 1) called(circuits, times(5, failed('disconnected')));
    expect(circuits.stateOf()).toBe('open');
  });
});

describe('a dead server', () => {
  it('is told by the silence of several tools', () => {
    const { circuits } = setup();
    for (let call = 0; call < 10; call += 1) after(circuits, `tool${call % 4}`, failed('disconnected'));
    expect(circuits.stateOf()).toBe('open');
    expect(circuits.check({ target: 'never called' })).toMatchObject({
      by: 'upstream',
      fault: { subject: { type: 'upstream', id: 'shop' } },
    });
    expect(circuits.troubled).toEqual([]);
  });

  it('is told by broken pipes when there is nobody to compare', () => {
    const { circuits } = setup();
    after(circuits, 'pay', ...times(10, failed('unavailable')));
    expect([circuits.stateOf(), circuits.stateOf('pay')]).toEqual(['open', 'closed']);
  });

  it('is told by connections that are refused, whoever worked a moment ago', () => {
    const { circuits } = setup();
    after(circuits, undefined, fine);
    after(circuits, 'search', fine, fine, fine);
    after(circuits, 'pay', ...times(10, failed('unavailable')));
    expect([circuits.stateOf(), circuits.troubled]).toEqual(['open', []]);
    expect(circuits.check({ target: 'pay' })).toMatchObject({
      by: 'upstream',
      fault: { subject: { type: 'upstream', id: 'shop' } },
    });
  });

  it('is not told by what may have reached the tool', () => {
    const { circuits } = setup();
    after(circuits, 'search', fine, fine, fine);
    after(circuits, 'pay', ...times(5, failed('disconnected')));
    expect([circuits.stateOf(), circuits.troubled]).toEqual(['closed', ['pay']]);
  });

  it('is closed again by probes that are answered', async () => {
    const { circuits, clock } = setup();
    after(circuits, undefined, ...times(10, failed('disconnected')));
    await clock.advance(500);
    after(circuits, 'a', failed('not_found', { answered: true }));
    after(circuits, 'b', fine);
    expect(circuits.stateOf()).toBe('closed');
  });
});

it.each([
  'invalid_arguments',
  'not_found',
  'internal',
  'unknown',
  'rate_limited',
  'conflict',
  'invalid_output',
] as const)('holds %s against nobody', (kind) => {
  const { circuits } = setup();
  after(circuits, 'pay', ...times(50, failed(kind)));
  after(circuits, 'pay', ...times(50, failed(kind, { answered: true })));
  expect([circuits.stateOf(), circuits.stateOf('pay')]).toEqual(['closed', 'closed']);
});

it('holds our own refusals and the caller’s impatience against nobody', () => {
  const { circuits } = setup();
  after(circuits, 'pay', ...times(20, failed('unavailable', { refused: { by: 'sessions' } })));
  after(circuits, 'pay', ...times(20, failed('timeout', { ended: 'deadline' })));
  after(circuits, 'pay', ...times(20, failed('cancelled', { ended: 'cancelled' })));
  expect([circuits.stateOf(), circuits.stateOf('pay')]).toEqual(['closed', 'closed']);
});

it('lets another one probe when a probe is dropped, at both levels', async () => {
  const { circuits, clock } = setup();
  after(circuits, 'search', fine);
  after(circuits, 'pay', ...times(5, failed('upstream_failed', { answered: true })));
  await clock.advance(500);
  permit(circuits, 'pay').settle();
  expect(circuits.stateOf('pay')).toBe('half_open');
  after(circuits, 'pay', fine);
  expect(circuits.stateOf('pay')).toBe('closed');
});

it('settles a permit once', () => {
  const { circuits } = setup();
  after(circuits, 'search', fine);
  const one = permit(circuits, 'pay');
  for (let word = 0; word < 20; word += 1) one.settle(failed('upstream_failed', { answered: true }));
  expect(circuits.stateOf('pay')).toBe('closed');
});

it('keeps the circuit of a dead tool, whatever names are tried', () => {
  const { circuits } = setup();
  after(circuits, 'search', fine);
  after(circuits, 'pay', ...times(5, failed('upstream_failed', { answered: true })));
  for (let name = 0; name < 5000; name += 1)
    after(circuits, `x${name}`, failed('upstream_failed', { answered: true }));
  expect(circuits.stateOf('pay')).toBe('open');
});

it('is not kept shut by the doubts about its only caller', async () => {
  const { circuits, clock } = setup();
  after(circuits, 'search', fine);
  after(circuits, 'pay', ...times(5, failed('unavailable', { answered: true })));
  await clock.advance(500);
  after(circuits, 'pay', failed('unavailable', { answered: true }));
  after(circuits, undefined, ...times(10, failed('disconnected')));
  expect(circuits.stateOf()).toBe('open');
  await clock.advance(2600);
  after(circuits, 'pay', fine);
  expect(circuits.stateOf('pay')).toBe('closed');
});

describe('after an outage, however it went', () => {
  const KINDS = ['unavailable', 'disconnected', 'timeout', 'upstream_failed', 'overloaded'] as const;

  it.each(times(40, 0).map((_, seed) => seed))('whoever is left is heard again (%i)', async (seed) => {
    const { circuits, clock } = setup();
    let state = seed + 1;
    const random = (below: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const targets = [undefined, 'write', 'read', 'list'].slice(0, 1 + random(4));
    const call = async (target: string | undefined, outcome: Outcome<string>): Promise<boolean> => {
      const asked = circuits.admit({ target });
      await clock.advance(random(300));
      if (asked.admitted) asked.settle(random(10) === 0 && !outcome.ok ? undefined : outcome);
      return asked.admitted;
    };
    for (const target of [...targets, 'write']) await call(target, fine);
    for (let i = 0; i < 100; i += 1) {
      const kind = KINDS[seed % 3 === 0 ? 0 : random(KINDS.length)] as (typeof KINDS)[number];
      await call(seed % 2 === 0 ? 'write' : targets[random(targets.length)], failed(kind));
      await clock.advance(random(7000));
    }
    const heard: boolean[] = [];
    for (let i = 0; i < 40; i += 1) {
      heard.push(await call('write', fine));
      await clock.advance(1000);
    }
    expect(heard.slice(-3)).toEqual([true, true, true]);
  });
});
