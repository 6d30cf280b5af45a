/** The documents of RFC 9728, from docs/oauth.md: at every path, for everybody. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { call } from '../support/messages.ts';
import { use } from '../support/policy.ts';

const WELL = '/.well-known/oauth-protected-resource';
let http: HttpPuppet;
let login: Issuer;
let partner: Issuer;
let plain: Gateway;
let below: Gateway;
beforeAll(async () => {
  [http, login, partner] = await Promise.all([startHttpPuppet(), startIssuer(), startIssuer()]);
  plain = await startGateway({
    oauth: {
      resource: 'https://mcp.example.com',
      scopes: ['mcp', 'more'],
      issuers: [
        { name: 'login', issuer: login.url },
        { name: 'partner', issuer: partner.url },
      ],
    },
    upstreams: { files: { url: http.url } },
  });
  below = await startGateway({
    listen: { allowed_hosts: ['example.com'] },
    oauth: { resource: 'https://example.com/tools', issuers: [{ name: 'login', issuer: login.url }] },
    upstreams: { files: { url: http.url } },
  });
});
afterAll(async () => {
  await Promise.all([plain.stop('SIGKILL'), below.stop('SIGKILL')]);
  await Promise.all([http.close(), login.down(), partner.down()]);
});

const got = (gateway: Gateway, path: string, headers: Record<string, string> = {}) =>
  send(`${gateway.url}${path}`, undefined, { headers, within: 15_000 });

describe('the document', () => {
  it.each([
    ['/files/mcp', 'https://mcp.example.com/files/mcp'],
    ['/mcp', 'https://mcp.example.com/mcp'],
    ['', 'https://mcp.example.com'],
    ['/nobody/mcp', 'https://mcp.example.com/nobody/mcp'],
  ])('at %s', async (path, resource) => {
    const { status, headers, body } = await got(plain, `${WELL}${path}`);
    expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, 'application/json']);
    expect(JSON.parse(body)).toEqual({
      resource,
      authorization_servers: [login.url, partner.url],
      scopes_supported: ['mcp', 'more'],
      bearer_methods_supported: ['header'],
    });
  });

  it.each([
    ['/tools/files/mcp', 'https://example.com/tools/files/mcp'],
    ['/tools/mcp', 'https://example.com/tools/mcp'],
    ['/tools', 'https://example.com/tools'],
    ['/tools/nobody/mcp', 'https://example.com/tools/nobody/mcp'],
  ])('of a resource with a path at %s, without scopes', async (path, resource) => {
    const { status, body } = await got(below, `${WELL}${path}`, { host: 'example.com' });
    expect([status, JSON.parse(body)]).toEqual([
      200,
      { resource, authorization_servers: [login.url], bearer_methods_supported: ['header'] },
    ]);
  });

  it.each([['/files/mcp'], ['/mcp'], ['']])('by HEAD at %s', async (path) => {
    const { status, headers, body } = await send(`${plain.url}${WELL}${path}`, undefined, {
      method: 'HEAD',
      within: 15_000,
    });
    expect([status, headers['content-type']?.split(';')[0], body]).toEqual([200, 'application/json', '']);
  });

  it('is for those with a bad token too', async () => {
    const { status } = await got(plain, `${WELL}/files/mcp`, { authorization: 'Bearer nonsense' });
    expect(status).toBe(200);
  });

  it('of an upstream is no other than that of none', async () => {
    const [one, none] = await Promise.all([got(plain, `${WELL}/files/mcp`), got(plain, `${WELL}/zzzzz/mcp`)]);
    const { date: _one, ...first } = one.headers;
    const { date: _none, ...second } = none.headers;
    expect(first).toEqual(second);
    expect(one.body.replace('files', 'zzzzz')).toBe(none.body);
  });

  it.each([['POST'], ['PUT'], ['DELETE']])('is not changed by %s', async (method) => {
    const { status } = await send(`${plain.url}${WELL}`, method === 'DELETE' ? undefined : '{}', { method });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it('of an authorization server is not here', async () => {
    const { status } = await got(plain, '/.well-known/oauth-authorization-server');
    expect(status).not.toBe(200);
  });
});

describe('the way to it', () => {
  it.each([
    ['/files/mcp', 'https://example.com/.well-known/oauth-protected-resource/tools/files/mcp'],
    ['/mcp', 'https://example.com/.well-known/oauth-protected-resource/tools/mcp'],
  ])('of a resource with a path is told at %s', async (path, document) => {
    const { status, headers } = await post(`${below.url}${path}`, call('echo'));
    expect([status, headers['www-authenticate']]).toEqual([401, `Bearer resource_metadata="${document}"`]);
  });

  it('leads to what is asked for', async () => {
    const { headers } = await post(`${below.url}/files/mcp`, call('echo'));
    const address = new URL(
      /resource_metadata="([^"]+)"/.exec(String(headers['www-authenticate']))?.[1] ?? '',
    );
    const document = JSON.parse((await got(below, address.pathname)).body);
    const found = await send(
      `${document.authorization_servers[0]}/.well-known/oauth-authorization-server`,
      undefined,
    );
    expect(JSON.parse(found.body).issuer).toBe(login.url);
    const key = await login.token({ aud: document.resource });
    expect((await use(below, 'files', 'echo', {}, { key })).message['result']?.content[0].text).toBe(
      'echo: fine',
    );
  });

  it('a name that nobody has is told as one that somebody has', async () => {
    const [one, none] = await Promise.all([
      post(`${plain.url}/files/mcp`, call('echo')),
      post(`${plain.url}/zzzzz/mcp`, call('echo')),
    ]);
    expect([one.status, none.status]).toEqual([401, 401]);
    expect(String(one.headers['www-authenticate']).replace('files', 'zzzzz')).toBe(
      none.headers['www-authenticate'],
    );
  });
});
