/** The id of a session is good for whoever it was given to by a gateway, and cannot be made elsewhere. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gateway, scratch, startGateway } from './support/gateway.ts';
import { post } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { ask, initialize } from './support/messages.ts';

const BOB = 'bob-key-0123456789';
const folder = scratch();
let http: HttpPuppet;
const started: Gateway[] = [];

beforeAll(async () => {
  http = await startHttpPuppet({ sessions: true, ledger: join(folder, 'ledger') });
});
afterAll(async () => {
  await Promise.all(started.map((gateway) => gateway.stop('SIGKILL')));
  await http.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A gateway with the same names, keys and servers as every other one here. */
async function another(more: object = {}): Promise<string> {
  const keys = [{ name: 'bob', key: BOB }];
  const gateway = await startGateway({ keys, upstreams: { u: { url: http.url } }, ...more });
  started.push(gateway);
  return `${gateway.url}/u/mcp`;
}

async function sessionAt(url: string): Promise<string> {
  const { headers } = await post(url, initialize(), { key: BOB });
  return String(headers['mcp-session-id']);
}

const listed = async (url: string, session: string): Promise<number> =>
  (await post(url, ask('tools/list'), { key: BOB, session })).status;

it('what one gateway has sealed, another takes for no session, whatever keys it has', async () => {
  const [own, real] = [await another(), await another()];
  const session = await sessionAt(own);
  expect([await listed(own, session), await listed(real, session)]).toEqual([200, 404]);
});

it('gateways with one secret of a store take it, and none with another', async () => {
  const secret = (said: string): object => ({ store: { url: 'memory:', secret: said } });
  const own = await another(secret('a-secret-of-the-store'));
  const same = await another(secret('a-secret-of-the-store'));
  const other = await another(secret('another-secret-of-a-store'));
  const session = await sessionAt(own);
  expect([await listed(same, session), await listed(other, session)]).toEqual([200, 404]);
});
