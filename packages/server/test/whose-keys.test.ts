/** A key belongs to one server and one caller, whoever made them and however often the server is made. */
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { createMemoryIdempotency, type GuardOptions, guard } from '../src/index.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { KEY } from './till.ts';
import { answerOf, httpRequest, textOf } from './wire.ts';

interface Shop {
  readonly name?: string;
  readonly version?: string;
  readonly options?: () => GuardOptions | undefined;
}

interface Asked {
  readonly key: string;
  readonly headers?: Record<string, string>;
  readonly at?: string;
  readonly auth?: object;
  readonly meta?: object;
}

type Order = (shop: Shop, asked: Asked) => Promise<string>;

let orders = 0;
const work = (name: string) => async () => ({
  content: [{ type: 'text' as const, text: `order ${++orders} of ${name}` }],
});

function requestOf(era: '2025-11-25' | '2026-07-28', { key, headers, at, meta }: Asked): Request {
  const request = httpRequest(era, 'tools/call', { name: 'send', _meta: { [KEY]: key, ...meta } }, headers);
  return at === undefined ? request : new Request(at, request);
}

const v2: Order = async ({ name = 'shop', version = '1', options }, asked) => {
  const { fetch } = createMcpHandler(() => {
    const server = guard(new McpServer({ name, version }), options?.());
    server.registerTool('send', {}, work(name));
    return server;
  });
  return textOf(await answerOf(fetch(requestOf('2026-07-28', asked), { authInfo: asked.auth as never })));
};

const v1: Order = async ({ name = 'shop', version = '1', options }, asked) => {
  const server = guardV1(new McpServerV1({ name, version }), options?.());
  server.registerTool('send', {}, work(name));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport as never);
  const answer = transport.handleRequest(requestOf('2025-11-25', asked), { authInfo: asked.auth as never });
  return textOf(await answerOf(answer));
};

let keys = 0;
const fresh = (): string => `key ${++keys}`;

describe.each([
  ['v2', v2],
  ['v1', v1],
])('on %s, a key', (_sdk, order) => {
  const twice = async (one: [Shop, Omit<Asked, 'key'>], other: [Shop, Omit<Asked, 'key'>]) => {
    const key = fresh();
    const first = await order(one[0], { key, ...one[1] });
    expect(first).toMatch(/^order \d+ of /);
    return { first, second: await order(other[0], { key, ...other[1] }) };
  };

  it.each<[string, Shop, Shop]>([
    ['another name', { name: 'letters' }, { name: 'parcels' }],
    ['another version', { version: '1' }, { version: '2' }],
  ])('at a server of %s is another key', async (_what, one, other) => {
    const { first, second } = await twice([one, {}], [other, {}]);
    expect(second).toMatch(new RegExp(`^order \\d+ of ${other.name ?? 'shop'}$`));
    expect(second).not.toBe(first);
  });

  it.each<[string, string, string]>([
    ['path', 'http://localhost/a/mcp', 'http://localhost/b/mcp'],
    ['host', 'http://localhost:81/mcp', 'http://localhost:82/mcp'],
    ['key in the query', 'http://localhost/mcp?api_key=a', 'http://localhost/mcp?api_key=b'],
  ])('at another %s is another key', async (_what, one, other) => {
    const { first, second } = await twice([{}, { at: one }], [{}, { at: other }]);
    expect(second).not.toBe(first);
  });

  it('is the same with another session in the query, as a client has that comes back', async () => {
    const at = (session: string) => ({ at: `http://localhost/messages/?sessionId=${session}` });
    const { first, second } = await twice([{}, at('a')], [{}, at('b')]);
    expect(second).toBe(first);
  });

  it('in a store that all share belongs to the server, of whatever version and wherever it runs', async () => {
    const store = createMemoryIdempotency();
    const options = () => ({ idempotency: { store } });
    const shop = (name: string, version: string): Shop => ({ name, version, options });
    const at = (host: string) => ({ at: `http://${host}/mcp` });
    const same = await twice([shop('shop', '1'), at('10.0.0.1')], [shop('shop', '2'), at('10.0.0.2')]);
    expect(same.second).toBe(same.first);
    const other = await twice([shop('letters', '1'), {}], [shop('parcels', '1'), {}]);
    expect(other.second).toMatch(/of parcels$/);
  });

  it.each<[string, () => GuardOptions | undefined]>([
    ['none', () => undefined],
    ['an empty literal', () => ({})],
    ['a logger', () => ({ logger: { error() {} } as never })],
    ['a list of guards', () => ({ guards: [] })],
    ['words', () => ({ messages: 'actionable' })],
    ['a function', () => ({ mapError: () => undefined })],
    ['keys of its own', () => ({ idempotency: { ttlMs: 60_000 } })],
    ['who sends', () => ({ identify: (header) => header('authorization') })],
  ])('is remembered by servers made anew with options: %s', async (_what, options) => {
    const headers = { authorization: 'Bearer of-ada' };
    const { first, second } = await twice([{ options }, { headers }], [{ options }, { headers }]);
    expect(second).toBe(first);
    const anonymous = await twice([{ options }, {}], [{ options }, {}]);
    expect(anonymous.second).toBe(anonymous.first);
  });

  it('is joined while it is under way, at a server made anew', async () => {
    const options = () => ({ messages: 'actionable' }) as const;
    const key = fresh();
    const [one, other] = await Promise.all([order({ options }, { key }), order({ options }, { key })]);
    expect(one).toMatch(/^order \d+/);
    expect(other).toBe(one);
  });

  it.each(
    `authorization x-api-key api-key cookie x-auth-token proxy-authorization x-forwarded-client-cert
    x-ssl-client-cert x-user-id x-forwarded-user x-tenant-id x-goog-api-key`.split(/\s+/),
  )('of another caller is another key: %s', async (name) => {
    const by = (who: string) => ({ headers: { [name]: who } });
    const { first, second } = await twice([{}, by('ada-secret')], [{}, by('bob-secret')]);
    expect(second).not.toBe(first);
    const nobody = await twice([{}, by('ada-secret')], [{}, {}]);
    expect(nobody.second).not.toBe(nobody.first);
    const again = await twice([{}, by('ada-secret')], [{}, by('ada-secret')]);
    expect(again.second).toBe(again.first);
  });

  it.each(['x-request-id', 'traceparent', 'x-csrf-token', 'user-agent', 'idempotency-key'])(
    'is the same key whatever %s is',
    async (name) => {
      const by = (value: string) => ({ headers: { [name]: value, 'x-api-key': 'ada' } });
      const { first, second } = await twice([{}, by('one')], [{}, by('two')]);
      expect(second).toBe(first);
    },
  );

  it('is the user’s, not that of the application they all use', async () => {
    const by = (token: string, extra?: object) => ({
      auth: { clientId: 'desktop', scopes: [], token, ...(extra === undefined ? {} : { extra }) },
      headers: { authorization: `Bearer ${token}` },
    });
    const users = await twice([{}, by('token-of-ada')], [{}, by('token-of-bob')]);
    expect(users.second).not.toBe(users.first);
    const same = await twice([{}, by('token-of-ada')], [{}, by('token-of-ada')]);
    expect(same.second).toBe(same.first);
    const renewed = await twice([{}, by('old', { sub: 'ada' })], [{}, by('new', { sub: 'ada' })]);
    expect(renewed.second).toBe(renewed.first);
    const other = await twice([{}, by('old', { sub: 'ada' })], [{}, by('old', { sub: 'bob' })]);
    expect(other.second).not.toBe(other.first);
  });

  const withToken = (token: string, extra: object) => ({
    auth: { clientId: 'desktop', scopes: [], token, extra },
    headers: { authorization: `Bearer ${token}` },
  });

  it.each('sub subject userId user_id uid user username email oid'.split(' '))(
    'stays with a user that the token calls %s, by a name or a number',
    async (name) => {
      for (const who of ['ada', 7]) {
        const same = await twice(
          [{}, withToken('old', { [name]: who })],
          [{}, withToken('new', { [name]: who })],
        );
        expect(same.second).toBe(same.first);
      }
      const other = await twice(
        [{}, withToken('t', { [name]: 'ada' })],
        [{}, withToken('t', { [name]: 'bob' })],
      );
      expect(other.second).not.toBe(other.first);
    },
  );

  it.each(['iss', 'tenant', 'tid', 'org_id'])(
    'of a user of the same name elsewhere (%s) is another key',
    async (place) => {
      const of = (where: string) => withToken('t', { sub: 'ada', [place]: where });
      const { first, second } = await twice([{}, of('here')], [{}, of('there')]);
      expect(second).not.toBe(first);
    },
  );

  it('is that of whomever `identify` names, and of their credentials where it names nobody', async () => {
    const shop: Shop = { options: () => ({ identify: (header) => header('x-who') }) };
    const by = (who: string | undefined, apiKey: string) => ({
      headers: { 'x-api-key': apiKey, ...(who === undefined ? {} : { 'x-who': who }) },
    });
    const same = await twice([shop, by('ada', '1')], [shop, by('ada', '2')]);
    expect(same.second).toBe(same.first);
    const other = await twice([shop, by('ada', '1')], [shop, by('bob', '1')]);
    expect(other.second).not.toBe(other.first);
    const unnamed = await twice([shop, by(undefined, '1')], [shop, by(undefined, '2')]);
    expect(unnamed.second).not.toBe(unnamed.first);
  });
});

describe('what a call says about earlier attempts', () => {
  const after = (executed: unknown) => v2({}, { key: fresh(), meta: { 'dev.mayday/executed': executed } });

  it.each(['no', null, undefined])('%j: it is made', async (executed) => {
    expect(await after(executed)).toMatch(/^order \d+/);
  });

  it.each(['maybe', 'yes'])('%j: nothing is known here, it is not made', async (executed) => {
    expect(await after(executed)).toMatch(/^Nothing is known here of the first call/);
  });

  it.each([true, {}, 'perhaps', 7])('%j: nobody could go by it, it is not made', async (executed) => {
    expect(await after(executed)).toMatch(/`dev\.mayday\/executed` is "no", "maybe" or "yes"/);
  });
});

describe.each([
  ['v2', v2],
  ['v1', v1],
])('on %s, an `identify` that names nobody', (_sdk, order) => {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  it.each([[undefined], [null], [''], ['  '], [false]])(
    'with %j leaves each caller their own keys',
    async (said) => {
      const options: GuardOptions = { identify: () => said as never };
      const key = fresh();
      const first = await order({ options: () => options }, { key, ...bearer('tok-ann') });
      const second = await order({ options: () => options }, { key, ...bearer('tok-bob') });
      expect([first, second]).toEqual([expect.stringMatching(/^order/), expect.stringMatching(/^order/)]);
      expect(second).not.toBe(first);
      expect(await order({ options: () => options }, { key, ...bearer('tok-ann') })).toBe(first);
    },
  );

  it.each([[7], [{ id: 'ann' }], [true], [['ann']]])(
    'with %j is a mistake: nothing is done',
    async (said) => {
      const log: unknown[] = [];
      const logger = { error: ({ err }: { err?: unknown }) => void log.push(String(err)) };
      const options: GuardOptions = { identify: () => said as never, logger: logger as never };
      expect(await order({ options: () => options }, { key: fresh(), ...bearer('tok-ann') })).toMatch(
        /^Internal error/,
      );
      expect(log).toContainEqual(expect.stringContaining('Expected `identify` to give a text, or nothing'));
    },
  );

  it('tells users apart whom a verifier gives no name', async () => {
    const by = (token: string) => ({
      ...bearer(token),
      auth: { clientId: 'app', token, scopes: [], extra: { sub: '' } },
    });
    const key = fresh();
    expect(await order({}, { key, ...by('tok-bob') })).not.toBe(await order({}, { key, ...by('tok-ann') }));
  });
});

describe('a repeat of which a store that all share knows nothing', () => {
  const MAYBE = { 'dev.mayday/executed': 'maybe' };
  const by = (token: string, extra?: object) => ({
    headers: { authorization: `Bearer ${token}` },
    ...(extra === undefined ? {} : { auth: { clientId: 'desktop', scopes: [], token, extra } }),
  });
  const shop = (more: GuardOptions = {}): Shop => {
    const options: GuardOptions = { idempotency: { store: createMemoryIdempotency() }, ...more };
    return { options: () => options };
  };

  it.each<[string, Shop, Omit<Asked, 'key'>]>([
    ['sends no credentials', shop(), {}],
    ['is named by `identify`', shop({ identify: () => 'ada' }), by('old')],
    ['is a user that the transport knows', shop(), by('old', { sub: 'ada' })],
  ])('is made for a caller that %s: the first never came', async (_who, at, asked) => {
    expect(await v2(at, { key: fresh(), ...asked, meta: MAYBE })).toMatch(/^order \d+/);
  });

  it.each<[string, Omit<Asked, 'key'>]>([
    ['token', by('new')],
    ['cookie', { headers: { cookie: 'session=2' } }],
    ['key beside a known user', { ...by('new', { sub: 'ada' }), headers: { 'x-api-key': '2' } }],
  ])('is not made in the name of a %s, which may have been renewed', async (_what, asked) => {
    const at = shop();
    const key = fresh();
    expect(await v2(at, { key, ...by('old') })).toMatch(/^order \d+/);
    expect(await v2(at, { key, ...asked, meta: MAYBE })).toMatch(/^Nothing is known here of the first call/);
  });

  it('is answered from the store under a new token of a caller with a name', async () => {
    const at = shop({ identify: () => 'ada' });
    const key = fresh();
    const first = await v2(at, { key, ...by('old') });
    expect(await v2(at, { key, ...by('new'), meta: MAYBE })).toBe(first);
  });
});
