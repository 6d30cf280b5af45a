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
