import { expect, it } from 'vitest';
import { setup, tick } from '../../test/keyed-calls.ts';

const DIGESTS = ['a'.repeat(64), 'b'.repeat(64)];

it('neither answers nor makes a repeat that came with something else, running or finished', async () => {
  let sent = DIGESTS[0] as string;
  const { runs, pay } = setup({ sentWith: () => sent });
  const doubt = {
    refused: { by: 'idempotency' },
    fault: { kind: 'conflict', executed: 'maybe', retryable: false },
  };
  const first = pay();
  await tick();
  sent = DIGESTS[1] as string;
  expect(await pay()).toMatchObject(doubt);
  runs[0]?.end();
  await first;
  expect(await pay()).toMatchObject(doubt);
  sent = '';
  expect(await pay()).toMatchObject(doubt);
  expect(await pay({ arguments: { to: 'eve' } })).toMatchObject({
    fault: { kind: 'conflict', executed: 'no' },
  });
  sent = DIGESTS[0] as string;
  expect(await pay()).toEqual({ ok: true, value: 'paid 1', replayed: true });
  expect(runs).toHaveLength(1);
});
