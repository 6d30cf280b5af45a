import { expect, it } from 'vitest';
import { gatewayTime, hear } from './skew.ts';

const NOON = Date.parse('2026-11-16T12:00:00Z');

it('goes by the clock of the gateway where that is another one', () => {
  hear('Mon, 16 Nov 2026 13:00:00 GMT', NOON);
  expect(gatewayTime(NOON)).toBe(NOON + 3_600_000);
  hear('Mon, 16 Nov 2026 11:59:57 GMT', NOON);
  expect(gatewayTime(NOON)).toBe(NOON);
  hear('Mon, 16 Nov 2026 11:58:00 GMT', NOON);
  hear(null, NOON);
  hear('some day', NOON);
  expect(gatewayTime(NOON)).toBe(NOON - 120_000);
  hear('Mon, 16 Nov 2026 12:00:00 GMT', NOON);
});
