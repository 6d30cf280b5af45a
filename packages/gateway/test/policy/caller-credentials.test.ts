/** Credentials of callers toward servers: each server gets each caller's own, and nobody else sees them. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@mayday/store';
import { afterEach, expect, it } from 'vitest';
import type { SettingsFile } from '../../src/index.ts';
import { serveSse } from '../eras/v1-server.ts';
import { bearer, RESOURCE, startIssuer } from '../issuer.ts';
import { startTelling } from '../telling-server.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  later,
  open,
  type Posted,
  post,
  settingsOf,
  takeEvents,
  until,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const SECRET = 'a secret of the store'.replaceAll(' ', '-');
const folder = mkdtempSync(join(tmpdir(), 'mayday-credentials-'));
let files = 0;

type By = { readonly authorization: string };
type Upstreams = SettingsFile['upstreams'];

const ANN: By = bearer('key-of-ann-1234');
const EVE: By = bearer('key-of-eve-1234');
const KEYS = [
  { name: 'ann', key: 'key-of-ann-1234' },
  { name: 'eve', key: 'key-of-eve-1234' },
  { name: 'ops', key: 'key-of-ops-1234', role: 'operator' },
] as const;

/** Ann has a key, Bob logs in, Eve has no credential for anything. */
async function house(upstreams: Upstreams) {
  const url = join(folder, `${++files}.db`);
  const store = await openStore({ url, secret: SECRET });
  later(() => store.close());
  await store.credentials.set({ caller: 'ann', upstream: 'web' }, 'token-of-ann');
  await store.credentials.set({ caller: 'login:bob', upstream: 'web' }, 'token-of-bob');
  const issuer = await startIssuer();
  const gateway = await open({
    store: { url, secret: SECRET },
    keys: KEYS,
    oauth: { resource: RESOURCE, issuers: [{ name: 'login', issuer: issuer.url }] },
    upstreams,
  });
  return { gateway, store, url, bob: bearer(await issuer.token({ sub: 'bob' })) };
}

const JSON_ONLY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const text = ({ message }: Posted): unknown =>
  (message.result?.['content'] as { readonly text: string }[] | undefined)?.[0]?.text;

/** A session of this caller, in which it asks. */
async function session(url: string, by: By): Promise<(message: object) => Promise<Posted>> {
  const opened = await post(url, INITIALIZE, by);
  const own = { ...by, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, own);
  return (message) => post(url, message, own);
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request that stands for itself. */
function stateless(url: string, name: string, by: By, said: object = {}): Promise<Posted> {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
  return post(url, call('tools/call', { name, arguments: {}, _meta: { ...META, ...said } }), {
    ...by,
    ...headers,
  });
}

it.each([
  ['/web/mcp', 'tell'],
  ['/mcp', 'web_tell'],
])(
  'each caller’s own goes along at %s, in sessions of its own and in requests that have none',
  async (path, tool) => {
    const server = await startTelling();
    const { gateway, bob } = await house({ web: { url: server.url, caller_credentials: 'authorization' } });
    const url = `${gateway.url}${path}`;
    const [annAsks, bobAsks] = await Promise.all([session(url, ANN), session(url, bob)]);
    const told = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const [isAnn, message] = [i % 2 === 0, callTool(tool, {}, i + 1)];
        const posted = await (i < 4
          ? (isAnn ? annAsks : bobAsks)(message)
          : stateless(url, tool, isAnn ? ANN : bob));
        return text(posted);
      }),
    );
    const [ann, bobs] = ['got Bearer token-of-ann', 'got Bearer token-of-bob'];
    expect(told).toEqual([ann, bobs, ann, bobs, ann, bobs]);
    const used = new Map<string, Set<string | undefined>>();
    for (const { session: id, credential } of server.seen)
      if (id !== undefined) used.set(id, (used.get(id) ?? new Set()).add(credential));
    expect([...used.values()].map((credentials) => [...credentials]).sort()).toEqual([
      ['Bearer token-of-ann'],
      ['Bearer token-of-bob'],
    ]);
    expect(server.seen.every(({ credential }) => credential?.startsWith('Bearer token-of-'))).toBe(true);
  },
);

it('what each caller is listed decides about repeats that nobody knows', async () => {
  const { url } = await upstream((body, response, { headers }) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const isAnns = headers.authorization === 'Bearer token-of-ann';
    const told = isAnns ? { _meta: { 'dev.mayday/idempotency-key': true } } : {};
    const tools = [{ name: 'pay', inputSchema: { type: 'object' }, ...told }];
    const paid = { content: [{ type: 'text', text: 'paid' }] };
    json(response, 200, { jsonrpc: '2.0', id, result: method === 'tools/list' ? { tools } : paid });
  });
  const { gateway, bob } = await house({ web: { url, caller_credentials: 'authorization' } });
  const said = { 'dev.mayday/idempotency-key': 'k', 'dev.mayday/executed': 'maybe' };
  const [anns, bobs] = await Promise.all(
    [ANN, bob].map((by) => stateless(`${gateway.url}/web/mcp`, 'pay', by, said)),
  );
  expect([text(anns as Posted), faultIn(bobs as Posted)]).toEqual([
    'paid',
    expect.objectContaining({ kind: 'disconnected', executed: 'maybe' }),
  ]);
});

it('who has none is refused before anything is sent, and told what the operator has to do', async () => {
  const server = await startTelling();
  const { gateway, store } = await house({ web: { url: server.url, caller_credentials: 'authorization' } });
  const inSession = await session(`${gateway.url}/mcp`, EVE);
  const refusals = [
    await post(`${gateway.url}/web/mcp`, INITIALIZE, EVE),
    await post(`${gateway.url}/web/mcp`, callTool('tell'), EVE),
    await inSession(callTool('web_tell')),
  ];
  for (const refused of refusals) {
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([200, null]);
    expect(faultIn(refused)).toMatchObject({
      kind: 'unauthenticated',
      executed: 'no',
      origin: 'gateway',
      message: 'web needs a credential of eve, and there is none',
      advice: 'Ask whoever runs the gateway for it: `mayday credentials set eve web`.',
    });
  }
  expect(server.seen).toEqual([]);
  // What many would share would carry the credential of the first to ask.
  const mixed = await post(`${gateway.url}/mcp`, callTool('web_tell'), ANN);
  expect(faultIn(mixed)).toMatchObject({ kind: 'invalid_request', executed: 'no' });
  await store.credentials.set({ caller: 'eve', upstream: 'web' }, 'token-of-eve');
  await until(
    async () =>
      text(await post(`${gateway.url}/web/mcp`, callTool('tell'), EVE)) === 'got Bearer token-of-eve',
  );
});

it('where it is not required, calls go out without, whatever the caller says in its place', async () => {
  const server = await startTelling('x-api-key');
  const web = { url: server.url, caller_credentials: { header: 'X-Api-Key', required: false } };
  const { gateway } = await house({ web });
  const url = `${gateway.url}/web/mcp`;
  const own = { ...EVE, 'x-api-key': 'of-eves-own' };
  expect(text(await post(url, callTool('tell'), own))).toBe('got undefined');
  expect(text(await post(url, callTool('tell'), { ...ANN, 'x-api-key': 'of-anns-own' }))).toBe(
    'got token-of-ann',
  );
});

it('one that is exchanged or removed holds no longer than two seconds, in sessions too', async () => {
  const server = await startTelling();
  const { gateway, store } = await house({ web: { url: server.url, caller_credentials: 'authorization' } });
  const asks = await session(`${gateway.url}/mcp`, ANN);
  const tells = async (): Promise<unknown> => text(await asks(callTool('web_tell')));
  expect(await tells()).toBe('got Bearer token-of-ann');
  await store.credentials.set({ caller: 'ann', upstream: 'web' }, 'second-of-ann');
  const exchanged = performance.now();
  await until(async () => (await tells()) === 'got Bearer second-of-ann');
  expect(performance.now() - exchanged).toBeLessThan(2500);
  await store.credentials.remove({ caller: 'ann', upstream: 'web' });
  const removed = performance.now();
  await until(async () => faultIn(await asks(callTool('web_tell')))?.['kind'] === 'unauthenticated');
  expect(performance.now() - removed).toBeLessThan(2500);
  const before = server.seen.length;
  await asks(callTool('web_tell'));
  expect(server.seen).toHaveLength(before);
});

it('none comes back beside a success, to callers or to the operator', async () => {
  const server = await startTelling();
  const web = { url: server.url, caller_credentials: 'authorization', retry: { attempts: 1 } };
  const { gateway, store, bob } = await house({ web });
  const back: string[] = [];
  for (const [path, prefix] of [
    ['/web/mcp', ''],
    ['/mcp', 'web_'],
  ] as const) {
    const url = `${gateway.url}${path}`;
    const opened = await post(url, INITIALIZE, ANN);
    const own = { ...ANN, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, own);
    const stream = await fetch(url, { headers: { ...own, accept: 'text/event-stream' } });
    back.push(...(await takeEvents(stream, 1)));
    for (const tool of ['fail', 'deny']) {
      const posted = await post(url, callTool(`${prefix}${tool}`), own);
      back.push(posted.text, JSON.stringify([...posted.headers]));
    }
    const told = await (await session(url, bob))(callTool(`${prefix}gossip`));
    expect(told.text).toContain('got Bearer [hidden] Bearer [hidden]');
    back.push(told.text);
    const denied = { jsonrpc: '2.0', method: 'notifications/denied' };
    const refusals = [
      await fetch(url, { method: 'POST', headers: { ...own, ...JSON_ONLY }, body: JSON.stringify(denied) }),
      await fetch(url, { method: 'DELETE', headers: own }),
    ];
    back.push(...refusals.map(({ headers }) => JSON.stringify([...headers])));
  }
  expect(back.join('\n').match(/error=[^,]*\[hidden\]/g)).toHaveLength(2);
  expect(back.join('\n').match(/opened with Bearer \[hidden\]/g)).toHaveLength(2);
  for (const path of ['/-/faults', '/-/status', '/-/admin/v1/status'])
    back.push(await (await fetch(`${gateway.url}${path}`, { headers: bearer('key-of-ops-1234') })).text());
  await until(async () => (await store.faults.list()).length > 0);
  back.push(JSON.stringify(await store.faults.list()), gateway.logs.join('\n'));
  expect(back.join('\n')).toContain('[hidden]');
  expect(back.join('\n')).not.toMatch(/token-of-|dG9rZW4tb2Yt/);
});

it('an API gets them too, at its own places and nowhere else', async () => {
  const away = await upstream((_body, response) => json(response, 200, { away: true }));
  const api = await upstream((_body, response, { url, headers }) => {
    if (url === '/moved') response.writeHead(302, { location: away.url }).end();
    else json(response, 200, { key: headers['x-api-key'] ?? null });
  });
  const origin = new URL(api.url).origin;
  const parameters = [{ name: 'X-API-Key', in: 'header', required: true, schema: { type: 'string' } }];
  const get = (operationId: string) => ({
    get: { operationId, parameters, responses: { 200: { description: 'ok' } } },
  });
  const document = await upstream((_body, response) =>
    json(response, 200, {
      openapi: '3.1.0',
      info: { title: 'api', version: '1' },
      servers: [{ url: origin }],
      paths: {
        '/key': get('key'),
        '/moved': get('moved'),
        '/there': { ...get('there'), servers: [{ url: new URL(away.url).origin }] },
      },
    }),
  );
  const { gateway, bob } = await house({
    web: {
      openapi: document.url,
      headers: { 'x-team': 'blue' },
      caller_credentials: 'X-API-Key',
      origins: [new URL(away.url).origin],
    },
  });
  const url = `${gateway.url}/web/mcp`;
  const told = await Promise.all([ANN, bob].map((by) => post(url, callTool('key'), by)));
  expect(told.map(({ message }) => message.result?.['structuredContent'])).toEqual([
    { key: 'token-of-ann' },
    { key: 'token-of-bob' },
  ]);
  expect((await post(url, callTool('moved'), ANN)).message.result?.['structuredContent']).toEqual({
    away: true,
  });
  // A place that `origins` names gets what the file gives, and nothing of its caller's.
  expect((await post(url, callTool('there'), ANN)).message.result?.['structuredContent']).toEqual({
    away: true,
  });
  expect(away.seen).toHaveLength(2);
  expect(away.seen[1]?.headers).toMatchObject({ 'x-team': 'blue' });
  expect(JSON.stringify(away.seen)).not.toContain('token-of-ann');
  const listed = await post(url, call('tools/list'), EVE);
  expect(listed.text).not.toContain('X-API-Key');
  expect(faultIn(await post(url, callTool('key'), EVE))).toMatchObject({
    kind: 'unauthenticated',
    executed: 'no',
  });
});

it('where it is a cookie, no other cookie goes along', async () => {
  const api = await upstream((_body, response, { headers }) =>
    json(response, 200, { cookie: headers.cookie ?? null }),
  );
  const parameters = [{ name: 'sid', in: 'cookie', required: true, schema: { type: 'string' } }];
  const document = await upstream((_body, response) =>
    json(response, 200, {
      openapi: '3.1.0',
      info: { title: 'api', version: '1' },
      servers: [{ url: new URL(api.url).origin }],
      paths: { '/own': { get: { operationId: 'own', parameters, responses: {} } } },
    }),
  );
  const { gateway } = await house({
    web: { openapi: document.url, caller_credentials: { header: 'Cookie', required: false } },
  });
  const url = `${gateway.url}/web/mcp`;
  const sent = async (args: object, by: By): Promise<unknown> =>
    (await post(url, callTool('own', args), by)).message.result?.['structuredContent'];
  expect(await sent({}, ANN)).toEqual({ cookie: 'token-of-ann' });
  expect(await sent({}, EVE)).toEqual({ cookie: null });
  await post(url, callTool('own', { sid: 'of-eves-own' }), EVE);
  await post(url, callTool('own', { sid: 'of-anns-own' }), ANN);
  expect(JSON.stringify(api.seen)).not.toContain('s-own');
});

it('conversations over the transport of 2024-11-05 belong to one caller each', async () => {
  const server = await serveSse();
  later(() => server.stop());
  const { gateway, bob } = await house({
    web: { url: server.url, caller_credentials: 'authorization' },
  });
  const url = `${gateway.url}/web/mcp`;
  const [annAsks, bobAsks] = await Promise.all([session(url, ANN), session(url, bob)]);
  const echo = callTool('echo', { say: 'x' });
  for (const asks of [annAsks, bobAsks]) expect(text(await asks(echo))).toBe('x');
  const sent = new Set(server.requests.map(({ headers }) => headers.authorization));
  expect([...sent].sort()).toEqual(['Bearer token-of-ann', 'Bearer token-of-bob']);
  expect(faultIn(await post(url, echo, ANN))).toMatchObject({ kind: 'invalid_request', executed: 'no' });
});

it('a gateway that could not open them does not start, and says why', async () => {
  const server = await startTelling();
  const { url } = await house({ web: { url: server.url, caller_credentials: 'authorization' } });
  const upstreams = { web: { url: server.url, caller_credentials: 'authorization' } };
  const secret = 'another-secret-of-16';
  await expect(open({ store: { url, secret }, upstreams })).rejects.toThrow('sealed with another secret');
  expect(() => settingsOf({ store: url, upstreams })).toThrow('store.secret is missing');
  expect(() => settingsOf({ upstreams })).toThrow('They are kept in a store');
});
