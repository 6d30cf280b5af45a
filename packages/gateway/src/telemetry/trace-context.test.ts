import fc from 'fast-check';
import { expect, it } from 'vitest';
import { baggageOf, contextOf, isSampled, newSpanId, newTraceId, toTraceparent } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

it('reads back what it writes', () => {
  for (const sampled of [true, false]) {
    const [traceId, spanId] = [newTraceId(), newSpanId()];
    expect(contextOf(toTraceparent(traceId, spanId, sampled), 'a=1')).toEqual({
      traceId,
      spanId,
      isSampled: sampled,
      traceState: 'a=1',
    });
  }
});

it('reads later versions as far as they are known', () => {
  expect(contextOf(`01-${TRACE}-${SPAN}-03-more`, undefined)).toMatchObject({ isSampled: true });
});

it('never throws, and takes nothing that cannot be passed on', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (parent, state) => {
      contextOf(parent, state);
      baggageOf(state);
    }),
  );
  const longest = 'a='.padEnd(512, 'x');
  const stateOf = (state: unknown): unknown => contextOf(`00-${TRACE}-${SPAN}-01`, state)?.traceState;
  expect([longest, `${longest}x`, '', 'a=\n', 'a=é', 7].map(stateOf)).toEqual([
    longest,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([baggageOf('k='.padEnd(8192, 'x'))?.length, baggageOf('k='.padEnd(8193, 'x'))]).toEqual([
    8192,
    undefined,
  ]);
});

it('makes ids that are all different', () => {
  const ids = Array.from({ length: 2000 }, newTraceId);
  expect(new Set(ids).size).toBe(2000);
  expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
});

it('samples the share that is asked for, the same traces each time', () => {
  const ids = Array.from({ length: 4000 }, newTraceId);
  const share = (ratio: number): number =>
    ids.filter((id) => isSampled({ isParentBased: true, ratio }, id, undefined)).length / ids.length;
  expect([share(0), share(1)]).toEqual([0, 1]);
  expect(share(0.25)).toBeGreaterThan(0.2);
  expect(share(0.25)).toBeLessThan(0.3);
  const above = '0'.repeat(18) + 'c'.padEnd(14, '0');
  const below = '0'.repeat(18) + 'b'.padEnd(14, 'f');
  const quarter = { isParentBased: true, ratio: 0.25 };
  expect([isSampled(quarter, above, undefined), isSampled(quarter, below, undefined)]).toEqual([true, false]);
});

it('leaves it to whoever is above, unless it is not to', () => {
  const parent = (sampled: boolean) => ({
    traceId: TRACE,
    spanId: SPAN,
    isSampled: sampled,
    traceState: undefined,
  });
  const asked = (isParentBased: boolean, ratio: number, sampled: boolean): boolean =>
    isSampled({ isParentBased, ratio }, TRACE, parent(sampled));
  expect([
    asked(true, 0, true),
    asked(true, 1, false),
    asked(false, 0, true),
    asked(false, 1, false),
  ]).toEqual([true, false, false, true]);
});
