import { FaultError, fault } from '@mayday/core';
import { expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import { withRetries } from './with-retries.ts';

it('retries without any MCP', async () => {
  const clock = fakeClock();
  let calls = 0;
  const page = await clock.until(
    withRetries(
      async () => {
        calls += 1;
        if (calls < 3)
          throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
        return 'page';
      },
      { clock, random: () => 1 },
    ),
  );
  expect([page, calls]).toEqual(['page', 3]);
});

it('throws a fault in the end', async () => {
  const failing = withRetries(async () => {
    throw fault.conflict('Already paid');
  });
  await expect(failing).rejects.toBeInstanceOf(FaultError);
  await expect(failing).rejects.toMatchObject({ message: 'Already paid', fault: { kind: 'conflict' } });
});
