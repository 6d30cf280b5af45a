/** A key belongs to its caller, also at a server that tells callers apart by what reaches it: by then something may be missing. */
import { request as rawRequest } from 'node:http';
import { credentialsIn } from '@mayday/core/http';
import { afterEach, expect, it } from 'vitest';
import type { Gateway, SettingsFile } from '../../src/index.ts';
import { call, cleanUp, JSON_TYPES, json, open, upstream } from '../tools.ts';

afterEach(cleanUp);

/** A server that honours keys as a guard does: each is that of whoever sends the same credentials. Or one to which we are all of its callers. */
async function till(goesByUs = false): Promise<string> {
  const kept = new Map<string, number>();
  const { url } = await upstream((body, response, request) => {
    const { id, params } = JSON.parse(body);
    const { searchParams } = new URL(request.url ?? '', 'http://till');
    const caller = goesByUs ? 'us' : credentialsIn(Object.entries(request.headers), searchParams);
    const payment = JSON.stringify([caller, params._meta['dev.mayday/idempotency-key']]);
    if (!kept.has(payment)) kept.set(payment, kept.size + 1);
    const content = [{ type: 'text', text: `receipt ${kept.get(payment)}` }];
    json(response, 200, { jsonrpc: '2.0', id, result: { content } });
  });
  return url;
}

type Headers = { readonly [name: string]: string };
type Caller = (who: string) => { readonly headers?: Headers; readonly query?: string };

const by =
  (name: string, more: Headers = {}): Caller =>
  (who) => ({ headers: { ...more, [name]: who } });

/** Every sort of name in the table of the guard, and what takes some of them away. */
const CALLERS: readonly (readonly [string, Caller])[] = [
  ...`authorization proxy-authorization cookie x-api-key x-auth-token x-pin x-tenant-id x-user-id from x-ssl-client-cert
    x-forwarded-user x-forwarded-email x-forwarded-preferred-username x-forwarded-access-token x-forwarded-tenant
    x-forwarded-client-cert x-original-authorization`
    .split(/\s+/)
    .map((name) => [name, by(name)] as const),
  ['x-db-url', (who) => ({ headers: { 'x-db-url': `postgres://${who}:pw@h/d` } })],
  ['a parameter of the address', (who) => ({ query: `?profile=${who}` })],
  ['x-api-key, which belongs to the connection', by('x-api-key', { connection: 'x-api-key' })],
  ['x-forwarded-user, and a token of all', by('x-forwarded-user', { authorization: 'Bearer all' })],
  [
    'a parameter, and a token of all',
    (who) => ({ query: `?profile=${who}`, headers: { authorization: 'Bearer all' } }),
  ],
];

const STORE = { url: 'memory:', secret: 'a-secret-of-the-store' };
const SORTS: { readonly [name: string]: () => Promise<SettingsFile> } = {
  'as it is': async () => ({ upstreams: { till: { url: await till() } } }),
  'that goes by a query of the settings': async () => ({
    upstreams: { till: { url: `${await till(true)}?code=of-the-gateway` } },
  }),
  'that goes by a header of the settings': async () => ({
    upstreams: { till: { url: await till(true), headers: { 'x-api-key': 'of-the-gateway' } } },
  }),
  'that gets credentials of callers, and has none of these': async () => ({
    store: STORE,
    upstreams: {
      till: { url: await till(), caller_credentials: { header: 'authorization', required: false } },
    },
  }),
  'behind another gateway': async () => {
    const between = await open({ upstreams: { till: { url: await till() } } });
    return { upstreams: { till: { url: `${between.url}/till/mcp` } } };
  },
};

it.each(Object.entries(SORTS))('a key is one of its caller at a server %s', async (_sort, settings) => {
  const file = await settings();
  const [gateway, again] = [await open(file), await open(file)];
  const shared: string[] = [];
  const lost: string[] = [];
  for (const [what, callerOf] of CALLERS) {
    const pay = (through: Gateway, who: string): Promise<string> => {
      const { headers, query = '' } = callerOf(`${who}-secret`);
      return receipt(`${through.url}/till/mcp${query}`, what, headers);
    };
    const ann = await pay(gateway, 'ann');
    if ((await pay(gateway, 'bob')) === ann) shared.push(what);
    // Another gateway keeps nothing of this one: it is the server that knows the call again.
    if ((await pay(again, 'ann')) !== ann) lost.push(what);
  }
  expect({ shared, lost }).toEqual({ shared: [], lost: [] });
});

/** Pays under a key. By a client that sends whatever it is told to. */
function receipt(url: string, key: string, headers: Headers = {}): Promise<string> {
  const params = { name: 'pay', arguments: {}, _meta: { 'dev.mayday/idempotency-key': key } };
  return new Promise((resolve, reject) => {
    const request = rawRequest(url, { method: 'POST', headers: { ...JSON_TYPES, ...headers } });
    request.on('error', reject);
    request.on('response', (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve(/receipt \d+/.exec(text)?.[0] ?? `no receipt: ${text}`));
    });
    request.end(JSON.stringify(call('tools/call', params)));
  });
}
