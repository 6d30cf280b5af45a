/** Names with half a character (a lone surrogate): none of them is let in, so that never are two the same caller. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gateway, scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, RESOURCE, startIssuer } from '../support/issuer.ts';
import { call } from '../support/messages.ts';
import { use } from '../support/policy.ts';

const folder = scratch();
let http: HttpPuppet;
let login: Issuer;
let gateway: Gateway;
beforeAll(async () => {
  [http, login] = await Promise.all([startHttpPuppet(), startIssuer()]);
  gateway = await startGateway({
    store: `file:${join(folder, 'mayday.db')}`,
    oauth: { resource: RESOURCE, issuers: [{ name: 'login', issuer: login.url }] },
    limits: { rates: [{ calls: 1, per_ms: 600_000, by: ['caller'], tools: ['u/lookup'] }] },
    upstreams: { u: { url: http.url } },
  });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  await Promise.all([http.close(), login.down()]);
  rmSync(folder, { recursive: true });
});
const ONE = 'h\ud800';
const OTHER = 'h\ud801';
const token = (sub: string): Promise<string> => login.token({ sub });

it('limits: what one has used is not missing for the other', async () => {
  await use(gateway, 'u', 'lookup', {}, { key: await token(ONE) });
  const second = await use(gateway, 'u', 'lookup', {}, { key: await token(OTHER) });
  expect(faultOf(second.message)['kind']).not.toBe('rate_limited');
});

it('idempotency keys: the other does not get the answer of the first', async () => {
  const message = call('echo', { text: 'same' });
  message['params']._meta = { 'dev.mayday/idempotency-key': 'k' };
  const secret = { ...message, params: { ...message['params'], arguments: { text: 'same' } } };
  await post(at(gateway, 'u'), secret, { key: await token(ONE), within: 15_000 });
  const before = http.arrivals.length;
  const second = await post(at(gateway, 'u'), secret, { key: await token(OTHER), within: 15_000 });
  expect([second.body.includes('same'), http.arrivals.length]).not.toEqual([true, before]);
});
