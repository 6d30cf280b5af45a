import { type FaultInit, makeFault } from '@mayday/core';
import { refuse } from '@mayday/policy';
import type { WireCall, WireOutcome } from '@mayday/relay';
import { describe, expect, it } from 'vitest';
import { tellWhy } from './tell-why.ts';

const HELD = refuse({
  fault: makeFault({ kind: 'unavailable', executed: 'no', message: 'Not sent: left alone' }),
  by: 'upstream',
}) as WireOutcome;

const failed = (init: FaultInit): WireOutcome => ({
  ok: false,
  fault: makeFault({ origin: 'upstream', ...init }),
  value: { type: 'nothing', upstream: 'shop', target: 'pay' },
});

/** What is told to a second call that is held back, after a first one became of this. */
async function toldAfter(
  first: WireOutcome,
  one: Partial<WireCall>,
  other: Partial<WireCall>,
  second: WireOutcome = HELD,
) {
  const outcomes = [first, second];
  const ask = tellWhy()(async () => outcomes.shift() as WireOutcome);
  await ask(one as WireCall);
  const told = await ask(other as WireCall);
  return told.ok ? undefined : told.fault;
}

const ANN = { caller: 'ann', session: 's1', target: 'pay' };
const DEATH = failed({
  kind: 'disconnected',
  executed: 'maybe',
  message: 'panic at the card of ann',
  advice: 'A.',
});
const START = failed({ kind: 'unavailable', executed: 'no', message: 'no database', advice: 'Start it.' });

it('tells what the call before has failed of', async () => {
  expect(await toldAfter(DEATH, ANN, ANN)).toMatchObject({
    kind: 'unavailable',
    executed: 'no',
    message: 'Not sent: left alone; the last time: panic at the card of ann',
    advice: 'A.',
  });
});

it.each([
  ['upstream', 'Not sent: left alone'],
  ['target', 'Not sent: left alone; the last time: Forbidden'],
] as const)(
  'what a server has answered is no reason to leave it alone, only its tool: %s',
  async (by, message) => {
    const answered = {
      ...failed({ kind: 'forbidden', message: 'Forbidden' }),
      answered: true,
    } as WireOutcome;
    expect(await toldAfter(answered, ANN, ANN, { ...HELD, refused: { by } } as WireOutcome)).toMatchObject({
      message,
    });
  },
);

it.each([
  ['Ask the owner. It may have happened; check before you repeat a change.', 'Ask the owner.'],
  ['It may have happened; check before you repeat a change.', undefined],
])('does not say of a call that was not sent that it may have happened: %s', async (advice, left) => {
  const lost = failed({ kind: 'disconnected', executed: 'maybe', message: 'gone', advice });
  expect((await toldAfter(lost, ANN, ANN))?.advice).toBe(left);
});

it.each([
  { ...ANN, caller: 'bob' },
  { ...ANN, session: 's2' },
  { ...ANN, target: 'look' },
])('tells what was said about a call to nobody else: %o', async (other) => {
  expect(await toldAfter(DEATH, ANN, other)).toMatchObject({ message: 'Not sent: left alone' });
  expect(await toldAfter(START, ANN, other)).toMatchObject({
    message: 'Not sent: left alone; the last time: no database',
    advice: 'Start it.',
  });
});

it('leaves refusals of others as they are', async () => {
  const outcomes = [DEATH, refuse({ fault: makeFault({ kind: 'rate_limited' }), by: 'rate' }) as WireOutcome];
  const ask = tellWhy()(async () => outcomes.shift() as WireOutcome);
  await ask(ANN as WireCall);
  const told = await ask(ANN as WireCall);
  expect(JSON.stringify(told)).not.toContain('panic');
});

describe('what a process has ended over that was told something', () => {
  const OVER_WORDS: WireOutcome = { ...START, mayBeOwn: true } as WireOutcome;
  const opening = (caller?: string): Partial<WireCall> => ({ caller, method: 'initialize' });

  it('is told to whoever said it, and to nobody else', async () => {
    expect(await toldAfter(OVER_WORDS, opening('ann'), opening('ann'))).toMatchObject({
      message: 'Not sent: left alone; the last time: no database',
    });
    expect(await toldAfter(OVER_WORDS, opening('ann'), opening('bob'))).toMatchObject({
      message: 'Not sent: left alone',
    });
  });

  it('is told to nobody where that could be anybody', async () => {
    expect(await toldAfter(OVER_WORDS, opening(), opening())).toMatchObject({
      message: 'Not sent: left alone',
    });
  });
});

it('tells everybody what was found out about starts, until one works', async () => {
  const starts = { why: makeFault({ kind: 'unavailable', executed: 'no', message: 'no database' }) };
  const fine = { ok: true, value: { type: 'answer' } } as WireOutcome;
  const outcomes = [fine, HELD, fine, HELD];
  const ask = tellWhy(starts)(async () => outcomes.shift() as WireOutcome);
  const told = async (call: Partial<WireCall>): Promise<string | undefined> => {
    const outcome = await ask(call as WireCall);
    return outcome.ok ? undefined : outcome.fault.message;
  };
  await told({ caller: 'bob', session: 's', method: 'tools/call', target: 'pay' });
  expect(await told({ caller: 'eve', method: 'initialize' })).toBe(
    'Not sent: left alone; the last time: no database',
  );
  await told({ caller: 'eve', method: 'initialize' });
  expect(await told({ caller: 'eve', method: 'initialize' })).toBe('Not sent: left alone');
});
