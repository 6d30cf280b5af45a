/** Guards that refuse what a handler came back with. */
import { fault, saidExecuted } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { type Guard, protect } from '../src/index.ts';
import { callOf } from './call-of.ts';
import { till } from './till.ts';
import { faultIn } from './wire.ts';

const refusing = (result: () => void): Guard => ({ name: 'dlp', result });

describe('a result that a guard refuses', () => {
  it.each<readonly [string, () => void]>([
    [
      'a fault',
      () => {
        throw fault.forbidden('Not for you');
      },
    ],
    [
      'a fault that says `no`',
      () => {
        throw fault.tooLarge('Too much', { executed: 'no' });
      },
    ],
    [
      'an error',
      () => {
        throw new Error('broken');
      },
    ],
    [
      'a promise, which is no answer',
      async () => {
        throw fault.forbidden('Not for you');
      },
    ],
    ['a promise of nothing', async () => undefined],
  ])('does not go out, and was executed: %s', async (_, result) => {
    const { pay, paid } = await till(() => undefined, { guards: [refusing(result)] });
    for (const answer of [await pay(5, 'k'), await pay(5, 'k')]) {
      expect(JSON.stringify(answer)).not.toContain('receipt');
      expect(faultIn(answer)).toMatchObject({ executed: 'yes' });
    }
    expect(paid).toEqual([5]);
  });

  it('is nobody’s word about the call around a protected step', async () => {
    const guard = refusing(() => {
      throw fault.tooLarge('Too much', { executed: 'no' });
    });
    const refused: unknown = await protect([guard], callOf(), () => 'sent').catch(
      (reason: unknown) => reason,
    );
    expect(saidExecuted(refused)).toBeUndefined();
  });
});

it('a guard that only hides is one', async () => {
  const { pay } = await till(() => undefined, { guards: [{ name: 'hider', hides: () => false }] });
  expect(JSON.stringify(await pay(5))).toContain('receipt');
});

it.each([Number.NaN, 'soon'])('a deadline of %j is the operator’s mistake', async (ms) => {
  const deadlines = [
    { deadlineMs: (() => ms) as never },
    { guards: [{ name: 'late', deadlineMs: (() => ms) as never }] },
  ];
  for (const options of deadlines) {
    const { pay, paid } = await till(() => undefined, options);
    expect(faultIn(await pay(5))).toMatchObject({ kind: 'internal', executed: 'no' });
    expect(paid).toEqual([]);
  }
});
