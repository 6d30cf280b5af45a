import { expect, it } from 'vitest';
import { request } from '../../test/tools.ts';
import { Reopening } from './reopening.ts';
import { toWire } from './wire-request.ts';

const SINK = { answered: () => {}, related: () => {}, lost: () => {} };
const line = Buffer.from('x');
const pending = (id: number) => toWire(request('x'), id, SINK, false).pending;

it('keeps what waits in order, without what nobody wants any more', () => {
  const reopening = new Reopening([line], 1000, () => {});
  const [one, two] = [pending(1), pending(2)];
  for (const waiting of [one, undefined, two]) reopening.wait(line, waiting);
  reopening.drop(one);
  reopening.drop(pending(3));
  expect(reopening.end().map((waiting) => waiting.pending)).toEqual([undefined, two]);
});

it('says when it takes too long, unless it is over', async () => {
  const late: string[] = [];
  new Reopening([line], 1, () => late.push('never answered'));
  new Reopening([line], 1, () => late.push('answered')).end();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(late).toEqual(['never answered']);
});
