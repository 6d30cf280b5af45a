import { expect, it } from 'vitest';
import { encodedInTurns } from './encode-in-turns.ts';

it.each([0, 1, 250, 251, 1000])('says the same as at once, with %i elements', async (length) => {
  const faults = Array.from({ length }, (_, id) => ({ id, message: 'Zoë’s “order”' }));
  for (const body of [
    { faults },
    { none: undefined, ok: true, no: null, faults, rest: [faults], gone: undefined },
  ])
    expect(String(await encodedInTurns(body))).toBe(JSON.stringify(body));
});

it('leaves others their turn', async () => {
  const faults = Array.from({ length: 10_000 }, (_, id) => ({ id }));
  let turns = 0;
  let isOver = false;
  const others = (): void => {
    turns += 1;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  await encodedInTurns({ faults });
  isOver = true;
  expect(turns).toBeGreaterThan(20);
});
