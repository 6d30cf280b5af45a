/** What doors of the world send with a 429, as they send it: nothing was done, and the call may be made again. */
import { describe, expect, it } from 'vitest';
import { read } from '../src/index.ts';
import { DOORS } from './doors.ts';

function executed(headers: object, body: string): string {
  const reading = read({ http: { status: 429, headers, body } }, { now: 0 });
  return reading.failure ? reading.fault.executed : 'success';
}

describe.each(DOORS)('%s turns a request away', (_what, doors) => {
  it.each(doors)('%s', (_name, headers, body) => {
    expect(executed(headers, body)).toBe('no');
  });
});

/** When a limit ends, as it is written. */
describe.each(['x-ratelimit-reset', 'x-rate-limit-reset', 'ratelimit-reset', 'retry-after'])('%s', (name) => {
  it.each([
    '1',
    '1795111201',
    '1795111201000',
    '1795111201.25',
    '2026-11-19T18:00:01Z',
    '2026-11-19T18:00:01.000Z',
    '2026-11-19T18:00:01+01:00',
    'Thu, 19 Nov 2026 18:00:01 GMT',
    'Thursday, 19-Nov-26 18:00:01 GMT',
    'Thu Nov 19 18:00:01 2026',
    'Thu Nov 19 2026 18:00:01 GMT+0000',
    'Thu Nov 19 2026 18:00:01 GMT+0000 (Coordinated Universal Time)',
    'Thu Nov 19 2026 19:00:01 GMT+0100 (Central European Standard Time)',
    'Thu Nov 19 2026 23:30:01 GMT+0530 (India Standard Time)',
    'Thu Nov 19 2026 18:00:01 GMT+0000 (UTC)',
    'Thu Nov 19 2026 21:00:01 GMT+0300 (GMT+03:00)',
  ])('a point in time: %s', (value) => {
    expect(executed({ [name]: value }, 'Too Many Requests')).toBe('no');
  });

  it.each([
    'Thu Nov 19 2026 18:00:01 GMT+0000 (payment booked)',
    'Thu Nov 19 2026 18:00:01 GMT+0000 (Order 991)',
    'Thu Nov 19 2026 18:00:01 GMT+0000 order-991',
    'after order 991',
  ])('more than that: %s', (value) => {
    expect(executed({ [name]: value }, 'Too Many Requests')).toBe('maybe');
  });
});
