import { createMemoryApprovals } from '@mayday/policy';
import { afterEach, expect, it } from 'vitest';
import { heldConsents, type LeasedApprovals } from './held-consents.ts';

const CALL = {
  fingerprint: 'f',
  caller: 'ann',
  upstream: 'bank',
  target: 'pay',
  arguments: {},
  ttlMs: 60_000,
  now: 0,
};

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A store that can be put back to where a person had just consented. */
function opened() {
  let nth = 0;
  const fresh = (): ReturnType<typeof createMemoryApprovals> =>
    createMemoryApprovals({ newId: () => `id-${++nth}`, clock: { now: () => 0 } });
  let kept = fresh();
  const engine: LeasedApprovals = {
    claim: (request) => kept.claim(request),
    confirm: (id) => kept.confirm(id),
    release: (id) => kept.release(id),
    waiting: () => kept.waiting(),
    approve: (id) => kept.approve(id),
    reject: (id) => kept.reject(id),
    digestKey: () => 'k',
    renew: () => undefined,
  };
  const { approvals, close } = heldConsents(engine, 60_000);
  ends.push(close);
  const putBack = async (): Promise<void> => {
    nth = 0;
    kept = fresh();
    await kept.claim(CALL);
    kept.approve('id-1');
  };
  return { approvals, putBack };
}

it('takes no consent twice, though the store has forgotten that it was used', async () => {
  const { approvals, putBack } = opened();
  await putBack();
  expect(await approvals.claim(CALL)).toEqual({ state: 'claimed', id: 'id-1' });
  await approvals.confirm('id-1');
  await putBack();
  expect(await approvals.claim(CALL)).toEqual({ state: 'waiting', id: 'id-2' });
  expect(await approvals.claim(CALL)).toEqual({ state: 'waiting', id: 'id-2' });
});

it('nor one that a call still holds', async () => {
  const { approvals, putBack } = opened();
  await putBack();
  expect((await approvals.claim(CALL)).state).toBe('claimed');
  await putBack();
  expect(await approvals.claim(CALL)).toEqual({ state: 'taken', id: 'id-1' });
});

it('a consent that was given back is good again', async () => {
  const { approvals, putBack } = opened();
  await putBack();
  await approvals.claim(CALL);
  await approvals.release('id-1');
  expect(await approvals.claim(CALL)).toEqual({ state: 'claimed', id: 'id-1' });
});
