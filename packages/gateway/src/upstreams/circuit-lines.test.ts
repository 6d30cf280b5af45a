import type { BreakerState } from '@mayday/policy';
import { expect, it } from 'vitest';
import { circuitLines } from './circuit-lines.ts';

function told(...states: readonly (readonly [BreakerState, string?])[]): string[] {
  const lines: string[] = [];
  const hear = circuitLines((line) => lines.push(line));
  for (const [state, target] of states) hear({ type: 'circuit', upstream: 'shop', target, state });
  return lines;
}

it('tells that a circuit opens and closes, once, whatever is tried in between', () => {
  expect(
    told(['open'], ['half_open'], ['open'], ['half_open'], ['closed'], ['open', 'pay'], ['closed', 'pay']),
  ).toEqual([
    'circuit open: calls are held back because it does not answer',
    'circuit closed: works again',
    'circuit open target="pay": its calls are held back because it keeps failing',
    'circuit closed target="pay": works again',
  ]);
});

it('says whose calls are held back, where it is not everybody’s', () => {
  const lines: string[] = [];
  const hear = circuitLines((line) => lines.push(line));
  const about = { type: 'circuit', upstream: 'shop' } as const;
  hear({ ...about, caller: '5e0a', target: 'pay', state: 'open' });
  hear({ ...about, caller: '5e0a', session: 's1', state: 'open' });
  hear({ ...about, caller: '5e0a', target: 'pay', state: 'half_open' });
  hear({ ...about, caller: '77b1', target: 'pay', state: 'open' });
  expect(lines).toEqual([
    'circuit open target="pay": its calls by one caller are held back because it keeps failing',
    'circuit open: calls in one session are held back because it does not answer',
    'circuit open target="pay": its calls by one caller are held back because it keeps failing',
  ]);
});

it('tells of so many in a minute', () => {
  const many = Array.from({ length: 100 }, (_, at) => ['open', `t${at}`] as const);
  expect(told(...many)).toHaveLength(51);
});
