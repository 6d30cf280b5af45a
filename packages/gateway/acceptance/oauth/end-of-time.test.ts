/** Ends that are far away: a stream stands as long as its token is good. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, inSeconds, RESOURCE, startIssuer } from '../support/issuer.ts';
import { initialize } from '../support/messages.ts';
import { pause, use } from '../support/policy.ts';
import { API_PATHS, openapiFile } from '../support/world.ts';

const folder = scratch();
let http: HttpPuppet;
let login: Issuer;
let gateway: Gateway;
beforeAll(async () => {
  [http, login] = await Promise.all([startHttpPuppet(), startIssuer()]);
  gateway = await startGateway({
    oauth: { resource: RESOURCE, issuers: [{ name: 'login', issuer: login.url }] },
    upstreams: { o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin } },
  });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  await Promise.all([http.close(), login.down()]);
  rmSync(folder, { recursive: true });
});

describe('a token that is good for long', () => {
  it.each([
    ['thirty days', () => inSeconds(30 * 86_400)],
    ['until the year 9999', () => 253_402_300_799],
    ['as many seconds as a double holds', () => Number.MAX_SAFE_INTEGER],
  ])('%s: its stream stands', async (_why, exp) => {
    const key = await login.token({ exp: exp() });
    const opened = await post(at(gateway, 'o'), initialize(), { key, within: 15_000 });
    expect(opened.status).toBe(200);
    const end = new AbortController();
    const stream = await fetch(at(gateway, 'o'), {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${key}`,
        'mcp-session-id': String(opened.headers['mcp-session-id']),
      },
      signal: end.signal,
    });
    expect(stream.status).toBe(200);
    let over = false;
    const read = stream.text().then(
      () => {
        over = true;
      },
      () => {
        over = true;
      },
    );
    await pause(4000);
    const before = over;
    end.abort();
    await read;
    expect(before).toBe(false);
    expect((await use(gateway, 'o', 'echo', {}, { key })).status).toBe(200);
  });
});
