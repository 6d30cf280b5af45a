/** Sessions and streams of callers with tokens, from docs/oauth.md. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, inSeconds, RESOURCE, startIssuer } from '../support/issuer.ts';
import { initialize, tell } from '../support/messages.ts';
import { fate, pause, use } from '../support/policy.ts';
import { API_PATHS, openapiFile, stdio } from '../support/world.ts';

const KEY = 'kim-key-0123456789';
const STREAM = { accept: 'text/event-stream' };
const folder = scratch();
let http: HttpPuppet;
let login: Issuer;
let partner: Issuer;
let gateway: Gateway;
beforeAll(async () => {
  [http, login, partner] = await Promise.all([
    startHttpPuppet({
      sessions: true,
      get: [{ head: 200, headers: { 'content-type': 'text/event-stream' } }, { hang: true }],
    }),
    startIssuer(),
    startIssuer(),
  ]);
  gateway = await startGateway(settings());
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  await Promise.all([http.close(), login.down(), partner.down()]);
  rmSync(folder, { recursive: true });
});

const both = (): object[] => [
  { name: 'login', issuer: login.url },
  { name: 'partner', issuer: partner.url },
];
function settings(issuers = both()): object {
  return {
    keys: [{ name: 'ann', key: KEY }],
    oauth: { resource: RESOURCE, clock_tolerance_ms: 0, issuers },
    upstreams: {
      s: stdio(),
      u: { url: http.url },
      o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin },
    },
  };
}

async function open(endpoint: string, key: string): Promise<string> {
  const { status, headers, body } = await post(at(gateway, endpoint), initialize(), { key, within: 15_000 });
  expect([status, typeof headers['mcp-session-id']], body).toEqual([200, 'string']);
  return String(headers['mcp-session-id']);
}

const TOOLS = [
  ['s', 'echo'],
  ['u', 'echo'],
  ['o', 'echo'],
  ['', 'u_echo'],
] as const;

describe('a session belongs to the principal and the client', () => {
  it.each(TOOLS)('at /%s', async (endpoint, tool) => {
    const session = await open(endpoint, await login.token({ client_id: 'app' }));
    const used = async (key: string): Promise<unknown> =>
      (await use(gateway, endpoint, tool, {}, { key, session })).status;
    const statuses = [
      await used(await login.token({ client_id: 'app', jti: 'renewed', exp: inSeconds(7200) })),
      await used(await login.token({ client_id: 'app', scope: 'quite others' })),
      await used(await login.token({ azp: 'app' })),
      await used(await login.token({ client_id: 'app', azp: 'other' })),
      await used(await login.token({ client_id: 'other', azp: 'app' })),
      await used(await login.token({ client_id: 'other' })),
      await used(await login.token()),
      await used(await login.token({ sub: 'bob', client_id: 'app' })),
      await used(await partner.token({ client_id: 'app' })),
      await used(KEY),
    ];
    expect(statuses).toEqual([200, 200, 200, 200, 404, 404, 404, 404, 404, 404]);
  });

  it.each(TOOLS)('and nobody else listens to it, speaks in it or ends it, at /%s', async (endpoint, tool) => {
    const session = await open(endpoint, await login.token());
    const bob = { key: await login.token({ sub: 'bob' }), session, within: 15_000 };
    const url = at(gateway, endpoint);
    const statuses = [
      (await send(url, undefined, { ...bob, headers: STREAM })).status,
      (await send(url, undefined, { ...bob, headers: { ...STREAM, 'last-event-id': 'r1-1' } })).status,
      (await post(url, tell('notifications/initialized'), bob)).status,
      (await send(url, undefined, { ...bob, method: 'DELETE' })).status,
      (await use(gateway, endpoint, tool, {}, { key: await login.token(), session })).status,
    ];
    expect(statuses).toEqual([404, 404, 404, 404, 200]);
  });

  it('a session of a key is unknown to a token of the same name', async () => {
    const session = await open('o', KEY);
    const statuses = [
      (await use(gateway, 'o', 'echo', {}, { key: await login.token(), session })).status,
      (await use(gateway, 'o', 'echo', {}, { key: KEY, session })).status,
    ];
    expect(statuses).toEqual([404, 200]);
  });
});

/** How long a stream stands, in milliseconds from now, and its status. */
async function stands(endpoint: string, key: string, session: string): Promise<number> {
  const started = Date.now();
  await send(at(gateway, endpoint), undefined, { key, session, headers: STREAM, within: 18_000 }).catch(
    (error: Error) => expect(error.message).not.toContain('no whole answer'),
  );
  return Date.now() - started;
}

describe('a stream that stands', () => {
  it.each([['s'], ['u'], ['o'], ['']])(
    'is cut when its token is over, and taken up again, at /%s',
    async (endpoint) => {
      const long = await login.token({ jti: endpoint });
      const session = await open(endpoint, long);
      const short = await login.token({ exp: inSeconds(4) });
      const ms = await stands(endpoint, short, session);
      expect(ms).toBeGreaterThan(1500);
      // Two seconds by the page; the rest is for a machine that has other work.
      expect(ms).toBeLessThan(12_000);
      const refused = await send(at(gateway, endpoint), undefined, { key: short, session, headers: STREAM });
      expect(refused.status).toBe(401);
      const end = new AbortController();
      const again = fetch(at(gateway, endpoint), {
        headers: { ...STREAM, authorization: `Bearer ${long}`, 'mcp-session-id': session },
        signal: end.signal,
      });
      const { status } = await again;
      end.abort();
      expect(status).toBe(200);
    },
  );

  it('a call under way is answered though its token ends', async () => {
    const key = await login.token({ exp: inSeconds(3) });
    const script = [{ wait: 6000 }, { answer: { result: { content: [{ type: 'text', text: 'late' }] } } }];
    const answer = await use(gateway, 'u', 'echo', { script }, { key });
    expect([answer.status, answer.message['result']?.content[0].text]).toEqual([200, 'late']);
    expect((await use(gateway, 'u', 'echo', {}, { key })).status).toBe(401);
  });

  it('is cut when a reload has its issuer no more; those of others stand, and calls are answered', async () => {
    const [gone, stays] = [await partner.token(), await login.token()];
    const [first, second] = [await open('o', gone), await open('o', stays)];
    let other = 'stands';
    const end = new AbortController();
    send(at(gateway, 'o'), undefined, {
      key: stays,
      session: second,
      headers: STREAM,
      within: 30_000,
      signal: end.signal,
    }).then(
      () => {
        other = 'ended';
      },
      () => {
        other = 'cut';
      },
    );
    const cut = stands('o', gone, first);
    const script = [{ wait: 4000 }, { answer: { result: { content: [{ type: 'text', text: 'late' }] } } }];
    const underWay = use(gateway, 'u', 'echo', { script }, { key: gone });
    await pause(1000);
    gateway.rewrite(settings(both().slice(0, 1)));
    expect(await cut).toBeLessThan(12_000);
    expect(other).toBe('stands');
    end.abort();
    expect(fate((await underWay).message)).toBe('fine');
    const statuses = [
      (await use(gateway, 'u', 'echo', {}, { key: gone })).status,
      (await use(gateway, 'o', 'echo', {}, { key: stays, session: second })).status,
    ];
    expect(statuses).toEqual([401, 200]);
  });
});
