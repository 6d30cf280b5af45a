import { expect, it } from 'vitest';
import { request } from '../../test/tools.ts';
import { lose, type Pending, PendingRequests } from './pending.ts';
import { toWire } from './wire-request.ts';

const SINK = { answered: () => {}, related: () => {}, lost: () => {} };

function add(requests: PendingRequests, caller?: string): Pending {
  const { pending } = toWire({ ...request('x'), caller }, requests.nextId(), SINK, true);
  requests.add(pending);
  return pending;
}

it('counts by caller, and forgets who holds nothing', () => {
  const requests = new PendingRequests();
  const [one, two] = [add(requests, 'a'), add(requests, 'a'), add(requests, 'b'), add(requests)];
  expect(['a', 'b', 'c'].map((caller) => requests.countOf(caller))).toEqual([2, 1, 0]);
  requests.take(one?.wireId ?? 0);
  requests.take(one?.wireId ?? 0);
  requests.take(two?.wireId ?? 0);
  expect([requests.countOf('a'), requests.size]).toEqual([0, 2]);
});

it('tells once of every request that no longer waits', () => {
  const taken: number[] = [];
  const requests = new PendingRequests(({ wireId }) => taken.push(wireId));
  for (let i = 0; i < 3; i++) add(requests, 'a');
  requests.take(2);
  requests.take(2);
  expect(requests.takeAll().map(({ wireId }) => wireId)).toEqual([1, 3]);
  expect([taken, requests.size, requests.countOf('a')]).toEqual([[2, 1, 3], 0, 0]);
});

it('knows the only one, the newest one and those that once were', () => {
  const requests = new PendingRequests();
  expect([requests.only(), requests.newest()]).toEqual([undefined, undefined]);
  const one = add(requests);
  expect(requests.only()).toBe(one);
  const two = add(requests);
  expect([requests.only(), requests.newest()]).toEqual([undefined, two]);
  requests.take(1);
  expect([0, 1, 2, 3].map((id) => requests.wasAsked(id))).toEqual([false, true, true, false]);
});

it('is not ended by who is told', () => {
  const notes: string[] = [];
  const fail = (): never => {
    throw new RangeError('secret');
  };
  const { pending } = toWire(request('x'), 1, { ...SINK, lost: fail }, true);
  lose(pending, { kind: 'timeout', message: 'x' }, (text) => notes.push(text));
  expect(notes).toEqual(['a failure could not be told (RangeError)']);
});
