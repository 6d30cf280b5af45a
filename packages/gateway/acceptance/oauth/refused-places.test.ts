/** Where a credential must not be, and whoever has none, from docs/oauth.md. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, RESOURCE, startIssuer } from '../support/issuer.ts';
import { keepGateway } from '../support/keep.ts';
import { call } from '../support/messages.ts';
import { use } from '../support/policy.ts';
import { firstWords } from '../support/raw.ts';

const META = 'https://mcp.example.com/.well-known/oauth-protected-resource';
const SAID = 'A valid access token or key of this gateway is needed';

let http: HttpPuppet;
let login: Issuer;
beforeAll(async () => {
  [http, login] = await Promise.all([startHttpPuppet(), startIssuer()]);
});
afterAll(async () => {
  await Promise.all([http.close(), login.down()]);
});
const gateway = keepGateway(() =>
  startGateway({
    oauth: { resource: RESOURCE, scopes: ['mcp', 'read'], issuers: [{ name: 'login', issuer: login.url }] },
    upstreams: { u: { url: http.url }, v: { url: http.url } },
  }),
);

const BODY = JSON.stringify(call('echo'));
/** A request with these lines in its head. */
function request(path: string, ...lines: readonly string[]): string {
  const head = [`POST ${path} HTTP/1.1`, 'host: 127.0.0.1', 'content-type: application/json', ...lines];
  return [...head, `content-length: ${BODY.length}`, 'connection: close', '', BODY].join('\r\n');
}

describe('a good token in a bad place', () => {
  it('twice is refused, also the same one', async () => {
    const token = await login.token({ scope: 'mcp read' });
    const before = gateway().log().length;
    const line = `authorization: Bearer ${token}`;
    const said = await firstWords(gateway().port, request('/u/mcp', line, line), 10_000);
    expect(said).toMatch(/^HTTP\/1\.1 401 /);
    expect(said).toContain(
      `Bearer error="invalid_token", scope="mcp read", resource_metadata="${META}/u/mcp"`,
    );
    await expect
      .poll(() => gateway().log().slice(before))
      .toContain('refused status=401 POST /u/mcp reason="two Authorization headers"');
  });

  it('beside another kind of credential is refused', async () => {
    const token = await login.token({ scope: 'mcp read' });
    const lines = [`authorization: Bearer ${token}`, 'authorization: Basic YTpi'];
    expect(await firstWords(gateway().port, request('/u/mcp', ...lines), 10_000)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('in the query alone is refused', async () => {
    const token = await login.token({ scope: 'mcp read' });
    const before = gateway().log().length;
    const answer = await post(`${at(gateway(), 'u')}?access_token=${token}`, call('echo'), {
      within: 15_000,
    });
    expect(answer.status).toBe(401);
    expect(faultOf(answer.message)).toMatchObject({ kind: 'unauthenticated', message: SAID });
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer error="invalid_token", scope="mcp read", resource_metadata="${META}/u/mcp"`,
    );
    await expect
      .poll(() => gateway().log().slice(before))
      .toContain('refused status=401 POST /u/mcp reason="in the query"');
    expect(gateway().log()).not.toContain(token);
  });

  it.each([['?access_token=x'], ['?a=b&access_token=x'], ['?access_token'], ['?access%5Ftoken=x']])(
    'in the header, with %s in the query, is refused',
    async (query) => {
      const key = await login.token({ scope: 'mcp read' });
      const answer = await post(`${at(gateway(), 'u')}${query}`, call('echo'), { key, within: 15_000 });
      expect([answer.status, faultOf(answer.message)['kind']]).toEqual([401, 'unauthenticated']);
    },
  );

  it('more than 16 KiB of headers are refused (431), and the next caller is served', async () => {
    const said = await firstWords(
      gateway().port,
      request('/u/mcp', `authorization: Bearer ${'x'.repeat(20_000)}`),
      10_000,
    );
    expect(said).toMatch(/^HTTP\/1\.1 431 /);
    const key = await login.token({ scope: 'mcp read' });
    expect((await use(gateway(), 'u', 'echo', {}, { key })).status).toBe(200);
  });
});

describe('a token that was found good', () => {
  it('at one endpoint is good at no other, however often it comes', async () => {
    const key = await login.token({ scope: 'mcp read', aud: 'https://mcp.example.com/u/mcp' });
    const joined = await login.token({ scope: 'mcp read', aud: 'https://mcp.example.com/mcp' });
    const statuses = [
      (await use(gateway(), 'u', 'echo', {}, { key })).status,
      (await use(gateway(), 'v', 'echo', {}, { key })).status,
      (await use(gateway(), '', 'u_echo', {}, { key })).status,
      (await use(gateway(), 'u', 'echo', {}, { key })).status,
      (await use(gateway(), '', 'u_echo', {}, { key: joined })).status,
      (await use(gateway(), 'u', 'echo', {}, { key: joined })).status,
    ];
    expect(statuses).toEqual([200, 401, 401, 200, 200, 401]);
  });

  it('is not good with another signature', async () => {
    const key = await login.token({ scope: 'mcp read' });
    const [head, claims] = key.split('.');
    const forged = `${head}.${claims}.${'A'.repeat(86)}`;
    const statuses = [
      (await use(gateway(), 'u', 'echo', {}, { key })).status,
      (await use(gateway(), 'u', 'echo', {}, { key: forged })).status,
    ];
    expect(statuses).toEqual([200, 401]);
  });
});

describe('whoever comes with nothing', () => {
  it.each([
    ['POST', '/u/mcp', '/u/mcp'],
    ['GET', '/u/mcp', '/u/mcp'],
    ['DELETE', '/u/mcp', '/u/mcp'],
    ['POST', '/mcp', '/mcp'],
    ['GET', '/-/status', ''],
    ['GET', '/-/faults', ''],
  ])('%s %s is told where to get a token', async (method, path, of) => {
    const body = method === 'POST' ? call('echo') : undefined;
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const answer = await send(`${gateway().url}${path}`, body, { method, headers, within: 15_000 });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      `Bearer scope="mcp read", resource_metadata="${META}${of}"`,
    ]);
  });

  it('the tokens of this file are in no line of the log', async () => {
    const token = await login.token({ scope: 'mcp read', sub: 'root' }, { kid: 'nope' });
    await use(gateway(), 'u', 'echo', {}, { key: token });
    await expect.poll(() => gateway().log()).toContain('reason="unknown key"');
    const [head, claims, tail] = token.split('.');
    expect(gateway().log()).not.toContain(head);
    expect(gateway().log()).not.toContain(claims);
    expect(gateway().log()).not.toContain(tail);
  });
});
