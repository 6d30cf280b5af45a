/** Servers behind the gateway, from docs/oauth.md: a token stays here, and what a server says of credentials is not for its caller. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Gateway, scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, RESOURCE, startIssuer } from '../support/issuer.ts';
import { ask, call, initialize, modern, tell } from '../support/messages.ts';
import { fate, use } from '../support/policy.ts';
import type { Step } from '../support/puppet.ts';
import { API_PATHS, openapiFile } from '../support/world.ts';

const KEY = 'kim-key-0123456789';
const BOTH = [RESOURCE, 'https://search.example'];
const FOREIGN = 'Bearer realm="x", resource_metadata="https://evil.example/meta"';
const refusing = (status: number): Step[] => [
  { head: status, headers: { 'content-type': 'application/json', 'www-authenticate': FOREIGN } },
  { say: '{"error":"no"}' },
];
const folder = scratch();
let http: HttpPuppet;
let search: HttpPuppet;
let shut: HttpPuppet;
let login: Issuer;
let gateway: Gateway;
beforeAll(async () => {
  [http, search, shut, login] = await Promise.all([
    startHttpPuppet(),
    startHttpPuppet(),
    startHttpPuppet({
      sessions: true,
      get: refusing(401),
      on: { 'tools/list': refusing(403) },
    }),
    startIssuer(),
  ]);
  gateway = await startGateway({
    keys: [{ name: 'kim', key: KEY }],
    oauth: { resource: RESOURCE, issuers: [{ name: 'login', issuer: login.url }] },
    upstreams: {
      u: { url: http.url },
      fixed: { url: http.url, headers: { authorization: 'Bearer of-the-operator' } },
      search: { url: search.url, token_audience: 'https://search.example' },
      o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin },
      shut: { url: shut.url, retry: { attempts: 1 }, breaker: false },
    },
  });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  await Promise.all([http.close(), search.close(), shut.close(), login.down()]);
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  http.arrivals.length = 0;
  search.arrivals.length = 0;
});

const calls = (puppet: HttpPuppet, what = 'tools/call'): (string | undefined)[] =>
  puppet.arrivals.filter(({ body }) => body.includes(what)).map(({ headers }) => headers.authorization);

describe('a token stays here', () => {
  it('at every endpoint, in both eras, in sessions, lists and notifications', async () => {
    const key = await login.token({ aud: BOTH });
    await use(gateway, 'u', 'echo', {}, { key });
    await use(gateway, '', 'u_echo', {}, { key });
    await use(gateway, 'o', 'echo', {}, { key });
    await post(at(gateway, 'u'), modern(call('echo')), { key, era: '2026', within: 15_000 });
    await post(at(gateway, 'u'), initialize(), { key, within: 15_000 });
    await post(at(gateway, ''), ask('tools/list'), { key, within: 15_000 });
    await post(at(gateway, 'u'), tell('notifications/initialized'), { key, within: 15_000 });
    expect(http.arrivals.length).toBeGreaterThan(5);
    expect(JSON.stringify(http.arrivals)).not.toContain(key.split('.')[1]);
    expect(JSON.stringify(http.arrivals)).not.toContain(key.split('.')[2]);
    expect(http.arrivals.filter(({ headers }) => String(headers.authorization).includes('ey'))).toEqual([]);
  });

  it('where the server has credentials of the operator, those go', async () => {
    await use(gateway, 'fixed', 'echo', {}, { key: await login.token({ aud: BOTH }) });
    expect(calls(http)).toEqual(['Bearer of-the-operator']);
  });

  it('goes to a server that it was made for too', async () => {
    const key = await login.token({ aud: BOTH });
    expect(fate((await use(gateway, 'search', 'echo', {}, { key })).message)).toBe('fine');
    expect(calls(search)).toEqual([`Bearer ${key}`]);
  });

  it.each([
    ['that does not name it', RESOURCE],
    ['that names it with a slash more', [RESOURCE, 'https://search.example/']],
    ['that names it in capitals', [RESOURCE, 'https://SEARCH.example']],
    ['that names what begins alike', [RESOURCE, 'https://search.example.evil']],
  ])('of an audience %s stays here, and the call goes on', async (_why, aud) => {
    const key = await login.token({ aud });
    expect(fate((await use(gateway, 'search', 'echo', {}, { key })).message)).toBe('fine');
    expect(calls(search)).toEqual([undefined]);
  });

  it('is never passed on at /mcp, and a key nowhere', async () => {
    const key = await login.token({ aud: BOTH });
    expect(fate((await use(gateway, '', 'search_echo', {}, { key })).message)).toBe('fine');
    expect(fate((await use(gateway, 'search', 'echo', {}, { key: KEY })).message)).toBe('fine');
    expect(calls(search)).toEqual([undefined, undefined]);
    expect(JSON.stringify(search.arrivals)).not.toContain(key.split('.')[2]);
    expect(JSON.stringify(search.arrivals)).not.toContain(KEY);
  });

  it('that is for the server alone is not good here', async () => {
    const key = await login.token({ aud: 'https://search.example' });
    expect((await use(gateway, 'search', 'echo', {}, { key })).status).toBe(401);
    expect(search.arrivals).toEqual([]);
  });
});

describe('a server that refuses what the gateway sent', () => {
  it.each([
    [401, 'unauthenticated'],
    [403, 'forbidden'],
  ])('%i is told in a fault to a caller with a token, as it is to one with a key', async (status, kind) => {
    const script = refusing(status);
    const token = await use(gateway, 'u', 'echo', { script }, { key: await login.token() });
    expect([token.status, token.headers['www-authenticate'], fate(token.message).split('/')[0]]).toEqual([
      200,
      undefined,
      kind,
    ]);
    expect(JSON.stringify(token.headers)).not.toContain('evil.example');
    const byKey = await use(gateway, 'u', 'echo', { script }, { key: KEY });
    expect([byKey.status, byKey.headers['www-authenticate']]).toEqual([status, FOREIGN]);
  });

  it('a list too', async () => {
    const answer = await post(at(gateway, 'shut'), ask('tools/list'), {
      key: await login.token(),
      within: 15_000,
    });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([200, undefined]);
  });

  it('a stream is told 502, to one with a key as the server said', async () => {
    const key = await login.token();
    const listen = async (credential: string): Promise<unknown[]> => {
      const opened = await post(at(gateway, 'shut'), initialize(), { key: credential, within: 15_000 });
      const session = String(opened.headers['mcp-session-id']);
      const { status, headers } = await send(at(gateway, 'shut'), undefined, {
        key: credential,
        session,
        headers: { accept: 'text/event-stream' },
        within: 15_000,
      });
      return [status, headers['www-authenticate']];
    };
    expect(await listen(key)).toEqual([502, undefined]);
    expect(await listen(KEY)).toEqual([401, FOREIGN]);
  });
});
