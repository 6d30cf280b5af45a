/** Every message that broke the gateway once, again: it is answered, the process lives, no secret comes out, nobody notices. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepGateway } from '../acceptance/support/keep.ts';
import { Caller } from './caller.ts';
import { allCases, shotOf } from './cases.ts';
import { type HttpUpstream, startHttpUpstream } from './http-upstream.ts';
import { startRange, witnessesAt } from './range.ts';
import { once } from './witness.ts';

let http: HttpUpstream;
beforeAll(async () => {
  http = await startHttpUpstream();
});
afterAll(() => http.close());
const gateway = keepGateway(() => startRange(http));

it.each(allCases())('$name: $detail', async (found) => {
  const caller = new Caller({ port: gateway().port, limitMs: 6000 });
  const [outcome] = await caller.fire([shotOf(found, `127.0.0.1:${gateway().port}`)]);
  caller.close();
  expect(outcome?.trouble).toBeUndefined();
  const witnesses = witnessesAt(gateway(), 4000).filter(({ session }) => !session);
  const troubles = await Promise.all(
    witnesses.map((where, index) => once(where, undefined, `w${index}`, [])),
  );
  expect(troubles.filter((trouble) => trouble !== undefined)).toEqual([]);
  expect(gateway().alive()).toBe(true);
});
