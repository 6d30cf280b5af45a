/** A cookie of a server's own may be the receipt: beside a refusal it is heard, at every endpoint and under every status, though it goes to no caller. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { faultOf, post } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call } from './support/messages.ts';
import { executions } from './support/puppet.ts';

const folder = scratch();
const ledger = join(folder, 'ledger');
const tools = [{ name: 'pay', inputSchema: { type: 'object' } }];
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ ledger, tools });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});

const gateway = keepGateway(async () => {
  const upstreams = { shop: { url: http.url, breaker: false, retry: { attempts: 2, max_wait_ms: 1000 } } };
  const started = await startGateway({ upstreams });
  await Promise.all(['shop', ''].map((name) => post(at(started, name), ask('tools/list'))));
  return started;
}, [ledger]);

let keys = 0;
/** How often the work was done, what the caller was told of it, and whether a cookie came with that. */
async function done(way: string, tool: string, head: number, headers: Record<string, string>) {
  keys += 1;
  const key = `c${keys}`;
  const refusal = { error: { code: -32000, message: 'Too many requests' } };
  const script = [{ head, headers: { 'content-type': 'application/json', ...headers } }, { answer: refusal }];
  const { message, headers: back } = await post(at(gateway(), way), call(tool, { key, script }), {
    within: 9000,
  });
  return [executions(ledger, key), faultOf(message)['executed'], 'set-cookie' in back];
}

const WAYS = [
  ['its own', 'shop', 'pay'],
  ['the joined', '', 'shop_pay'],
] as const;

describe.each(WAYS)('at %s endpoint', (_, way, tool) => {
  it.each([
    [429, 'receipt=991'],
    [429, 'flash=Payment%20booked; Path=/'],
    [429, 'checkout_session=cs_77'],
    [425, 'order_id=991; Path=/orders/991'],
    [400, 'receipt=991'],
    [401, 'receipt=991'],
    [403, 'receipt=991'],
    [405, 'receipt=991'],
    [413, 'receipt=991'],
    [415, 'receipt=991'],
  ])('%d with the cookie %s is asked once and may have happened', async (head, cookie) => {
    expect(await done(way, tool, head, { 'set-cookie': cookie })).toEqual([1, 'maybe', false]);
  });

  it.each([[{}], [{ 'set-cookie': 'AWSALB=abc; Path=/' }], [{ 'set-cookie': '__cf_bm=abc' }]])(
    'a 429 with what any door sends is asked again: %o',
    async (headers) => {
      expect(await done(way, tool, 429, { 'retry-after': '0', ...headers })).toEqual([2, 'no', false]);
    },
  );

  it('hears a header that is said to be of the connection alone', async () => {
    const headers = { connection: 'x-order-id', 'x-order-id': '991', 'retry-after': '0' };
    expect(await done(way, tool, 429, headers)).toEqual([1, 'maybe', false]);
  });
});
