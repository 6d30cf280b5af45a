import { expect, it } from 'vitest';
import { LINK_CLOSED, refuse } from './refuse.ts';

it('loses a request after whoever asked can cancel it', async () => {
  const told: string[] = [];
  const sink = {
    answered: () => {},
    related: () => {},
    lost: (fault: { kind: string }) => told.push(fault.kind),
  };
  refuse(sink, LINK_CLOSED);
  refuse(sink, LINK_CLOSED)();
  expect(told).toEqual([]);
  await Promise.resolve();
  expect(told).toEqual(['unavailable']);
});
