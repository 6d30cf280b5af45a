import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SLOW } from '../../acceptance/program.ts';
import { callTool } from '../../acceptance/wire.ts';
import { type Desk, openDesk, rest } from './provoke.ts';

/** GTIN-14s that also pass the check of card numbers, and one that does not. */
const GTINS = [
  '36234401074888',
  '38638032958780',
  '30053959116255',
  '45671430692405',
  '05033825193010',
  '00012345678905',
];

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(['ada']);
}, SLOW);
afterAll(() => desk.close());

describe('detail', () => {
  it.each(GTINS)('CL-8: names the GTIN %s, over MCP and over REST', async (gtin) => {
    const detail = `No product found for GTIN ${gtin}`;
    const answer = await callTool(desk.ada, 'resolve_gtin', { gtin });
    expect(answer.result?.error?.data?.detail).toBe(detail);
    expect(answer.result?.content?.[0]?.text).toContain(gtin);
    expect(JSON.parse((await rest(desk, desk.ada, 'GET', `/v1/gtins/${gtin}/resolution`)).text).detail).toBe(
      detail,
    );
  });

  it.each(['00614141123453', '34324451956838', '1234'])(
    'CL-8 CL-21: names the invalid GTIN %s',
    async (gtin) => {
      const answer = await callTool(desk.ada, 'resolve_gtin', { gtin });
      expect(answer.result?.error?.code).toBe(-32101);
      expect(answer.result?.error?.data?.detail).toContain(gtin);
      expect(
        JSON.parse((await rest(desk, desk.ada, 'GET', `/v1/gtins/${gtin}/resolution`)).text).detail,
      ).toContain(gtin);
    },
  );

  it('CL-8: two failures of one class differ in nothing but detail and time', async () => {
    const [one, two] = await Promise.all(
      ['00012345678905', '00614141123452'].map((gtin) => callTool(desk.ada, 'resolve_gtin', { gtin })),
    );
    const blank = { detail: 'the occurrence', timestamp: 'now' };
    expect(one?.result?.error?.data?.detail).not.toBe(two?.result?.error?.data?.detail);
    expect({ ...one?.result?.error?.data, ...blank }).toEqual({ ...two?.result?.error?.data, ...blank });
  });
});
