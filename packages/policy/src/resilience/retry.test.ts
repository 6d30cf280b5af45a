import { fault, makeFault } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import { type Call, startCall } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { compose } from '../policy.ts';
import { type RetryOptions, retry } from './retry.ts';

/** Answers with each of these in turn. */
function scripted(
  outcomes: readonly Outcome<string>[],
  options: RetryOptions = {},
  init: Partial<Call> = {},
) {
  const clock = fakeClock();
  const seen: Call[] = [];
  const handle = compose<string, Call>([retry({ clock, random: () => 0, ...options })], async (call) => {
    seen.push(call);
    return outcomes[seen.length - 1] ?? { ok: true, value: 'done' };
  });
  const call = startCall({ upstream: 'shop', target: 'search', readOnly: true, ...init });
  return { seen, outcome: clock.until(handle(call)) };
}

const failed = (kind: Parameters<typeof fault>[0], more: object = {}): Outcome<string> => ({
  ok: false,
  fault: makeFault({ kind }),
  ...more,
});

it('numbers the attempts', async () => {
  const { seen, outcome } = scripted([failed('unavailable'), failed('timeout')]);
  expect(await outcome).toEqual({ ok: true, value: 'done' });
  expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
});

describe('out of time between two attempts', () => {
  const limited = {
    ok: false,
    fault: makeFault({ kind: 'rate_limited', message: 'Too many', executed: 'no' }),
  } as const;
  const late = { ok: false, ended: 'deadline', reason: 'The deadline has passed' };

  it('tells what the last attempt met, where the time is over before the next', async () => {
    let now = 1000;
    const clock = { ...fakeClock(), now: () => now };
    const recover = async (): Promise<boolean> => {
      now = 9000; // mending took all the time there was
      return true;
    };
    const call = { deadline: 5000, readOnly: false };
    const { seen, outcome } = scripted([limited], { clock, recover }, call);
    expect(await outcome).toMatchObject({ ...late, fault: { kind: 'rate_limited', executed: 'no' } });
    expect(seen).toHaveLength(1);
  });

  it('tells it too of a call that was cut off in a line of ours', async () => {
    const fault = makeFault({ kind: 'timeout', message: 'No answer', origin: 'local', executed: 'no' });
    const { seen, outcome } = scripted([limited, { ok: false, fault, ended: 'deadline' }]);
    expect(await outcome).toMatchObject({ ...late, fault: { kind: 'rate_limited', executed: 'no' } });
    expect(seen).toHaveLength(2);
  });

  it('tells of a caller who gave up as before', async () => {
    const fault = makeFault({ kind: 'cancelled', origin: 'local', executed: 'no' });
    const { outcome } = scripted([limited, { ok: false, fault, ended: 'cancelled' }]);
    expect(await outcome).toMatchObject({ ended: 'cancelled', fault: { kind: 'cancelled' } });
  });
});

it('never runs again once bytes have been passed on', async () => {
  const { seen, outcome } = scripted([failed('unavailable', { committed: true })]);
  expect(await outcome).toMatchObject({
    ok: false,
    committed: true,
    reason: 'Not tried again: what it has sent so far has been passed on',
  });
  expect(seen).toHaveLength(1);
});

it('names the reason of the fault, where that alone forbids another attempt', async () => {
  const { outcome } = scripted([failed('not_found', { committed: true })]);
  expect(await outcome).toMatchObject({
    reason: 'Not tried again: not found does not pass by repeating the same call',
  });
});

it('sends once what is to be sent once, whatever is known about its failure', async () => {
  const recover = async (): Promise<boolean> => true;
  const { seen, outcome } = scripted([failed('unavailable')], { recover }, { once: true });
  expect(await outcome).toMatchObject({ reason: 'Not tried again: the call is to be sent once at most' });
  expect(seen).toHaveLength(1);
});

it('leaves retrying to a caller above', async () => {
  const { seen } = scripted([failed('unavailable')], {}, { above: { attempt: 1 } });
  expect(seen).toHaveLength(1);
});

it('does not repeat a write to mend a session that a tool may have used', async () => {
  const expired = makeFault({ kind: 'expired', executed: 'maybe', subject: { type: 'session' } });
  const recover = async (): Promise<boolean> => true;
  const { seen, outcome } = scripted([{ ok: false, fault: expired }], { recover }, { readOnly: false });
  expect(await outcome).toMatchObject({ ok: false });
  expect(seen).toHaveLength(1);
});

describe('retryIf', () => {
  it('forbids', async () => {
    const { seen, outcome } = scripted([failed('unavailable')], { retryIf: () => false });
    expect(await outcome).toMatchObject({
      reason: 'Not tried again: retryIf says that unavailable does not pass',
    });
    expect(seen).toHaveLength(1);
  });

  it('allows what the kind does not, for a call that can be repeated', async () => {
    const retryIf = ({ kind }: { kind: string }) => kind === 'internal' || undefined;
    const reads = scripted([failed('internal'), failed('unavailable')], { retryIf });
    expect(await reads.outcome).toEqual({ ok: true, value: 'done' });
    const writes = scripted([failed('internal')], { retryIf }, { readOnly: false });
    expect(await writes.outcome).toMatchObject({ ok: false, fault: { kind: 'internal' } });
    expect(writes.seen).toHaveLength(1);
  });

  it('does not multiply attempts', async () => {
    const many = Array.from({ length: 9 }, () => failed('internal'));
    const { seen, outcome } = scripted(many, { retryIf: () => true });
    await outcome;
    expect(seen).toHaveLength(3);
  });
});

describe('a refusal of our own', () => {
  const refused = (waitMs?: number): Outcome<string> =>
    failed('unavailable', {
      refused: { by: 'upstream', waitMs },
      fault: fault.unavailable('Not sent').fault,
    });

  it('is waited out and counts as no attempt', async () => {
    const { seen, outcome } = scripted([refused(400), refused(400), failed('timeout')]);
    expect(await outcome).toEqual({ ok: true, value: 'done' });
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2]);
    expect(seen.map(({ patienceMs }) => patienceMs)).toEqual([10_000, 9600, 9200, 9200]);
  });

  it('ends the call when it asks for more patience than there is', async () => {
    const { seen, outcome } = scripted([refused(400)], { patienceMs: 300 });
    expect(await outcome).toMatchObject({ ok: false, fault: { executed: 'no', details: { attempts: 0 } } });
    expect(seen).toHaveLength(1);
  });

  it('after attempts, the answer is what the last one met, and when to come back', async () => {
    const open = makeFault({
      kind: 'unavailable',
      origin: 'local',
      executed: 'no',
      message: 'Not sent: search has failed repeatedly and is left alone for now',
      retry: { when: 'after_wait', afterMs: 900 },
    });
    const shut: Outcome<string> = { ok: false, fault: open, refused: { by: 'target', waitMs: 986 } };
    const met = makeFault({ kind: 'unavailable', message: 'Request failed with status code 503' });
    const answer: Outcome<string> = { ok: false, fault: met, value: 'their words', answered: true };
    const { outcome } = scripted([answer, shut], { patienceMs: 0 });
    const left = 'Not tried again: search has failed repeatedly and is left alone for now';
    const reason = `${left}; it may be sent in 900 ms`;
    const told = await outcome;
    expect(told).toMatchObject({
      ok: false,
      value: 'their words',
      answered: true,
      fault: {
        message: 'Request failed with status code 503',
        origin: 'upstream',
        retry: { when: 'after_wait', afterMs: 900 },
        details: { attempts: 1, stopped: reason },
      },
    });
    expect(told).not.toHaveProperty('refused');
  });

  it('leaves it to what the server said whether and when to come back', async () => {
    const met = makeFault({ kind: 'rate_limited', retry: { when: 'after_wait', afterMs: 5 } });
    const { outcome } = scripted([{ ok: false, fault: met }, refused()]);
    expect(await outcome).toMatchObject({
      fault: { kind: 'rate_limited', retry: { afterMs: 5 }, details: { attempts: 1 } },
    });
  });

  it('ends the call at once when waiting is no use', async () => {
    const { seen, outcome } = scripted([refused()]);
    expect(await outcome).toMatchObject({ ok: false });
    expect(seen).toHaveLength(1);
  });
});
