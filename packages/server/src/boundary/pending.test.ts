import { describe, expect, it } from 'vitest';
import type { RequestId } from '../shapes.ts';
import { Pending } from './pending.ts';
import { RequestState } from './request-state.ts';

function stateOf(id: RequestId): RequestState {
  const message = { jsonrpc: '2.0', id, method: 'tools/call' } as const;
  return new RequestState({ toolFacts: () => undefined }, message, undefined, 0);
}

describe('requests under way', () => {
  it('are found by their ids, one or several, in whatever order they end', () => {
    const pending = new Pending();
    const [a, b, c] = [stateOf(1), stateOf('1'), stateOf(2)];
    expect([pending.isEmpty, pending.get(1), pending.all()]).toEqual([true, undefined, []]);
    pending.add(a);
    expect([pending.isEmpty, pending.get(1) === a, pending.get('1')]).toEqual([false, true, undefined]);
    pending.add(b);
    pending.add(c);
    expect([pending.get(1) === a, pending.get('1') === b, pending.get(2) === c]).toEqual([true, true, true]);
    pending.delete(a);
    expect([pending.isEmpty, pending.get(1), pending.get('1') === b]).toEqual([false, undefined, true]);
    pending.add(a);
    expect(pending.all().map((state) => state.id)).toEqual(['1', 2, 1]); // the oldest first
    for (const state of [b, a, c]) pending.delete(state);
    expect([pending.isEmpty, pending.all()]).toEqual([true, []]);
  });

  it('are not forgotten with another one that had the same id', () => {
    const pending = new Pending();
    const [old, alone, beside] = [stateOf(1), stateOf(1), stateOf(2)];
    pending.add(alone);
    pending.delete(old);
    expect(pending.get(1)).toBe(alone);
    pending.add(beside);
    pending.delete(stateOf(2));
    expect(pending.get(2)).toBe(beside);
  });

  it('are gone when they are given up, until the server answers or the id is used again', () => {
    const pending = new Pending();
    expect([pending.isGone(1), pending.forgetGone(1)]).toEqual([false, false]);
    for (const id of [1, 2]) pending.giveUp(stateOf(id));
    expect([pending.isGone(1), pending.forgetGone(1), pending.isGone(1)]).toEqual([true, true, false]);
    pending.add(stateOf(2));
    expect(pending.isGone(2)).toBe(false);
  });
});
