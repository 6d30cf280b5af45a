/** Callers with access tokens, once they are in: who they are, what is theirs, and how long. */
import { describe, expect, it } from 'vitest';
import { bearer, type Claims, RESOURCE, startIssuer, type TestIssuer } from '../issuer.ts';
import { ECHO, house, issuer, oauthOf, REACHED, seconds, withIssuer } from '../token-house.ts';
import {
  call,
  callTool,
  faultIn,
  INITIALIZE,
  idIn,
  json,
  open,
  type Posted,
  post,
  STDIO_SERVER,
  settingsOf,
  upstream,
} from '../tools.ts';

withIssuer();

describe('a caller with a token', () => {
  const sessionOf = ({ headers }: Posted): string => headers.get('mcp-session-id') ?? '';

  it.each(['/a/mcp', '/mcp'])(
    'keeps its session at %s with a new token, and nobody else has it',
    async (path) => {
      const gateway = await open(house());
      const opened = await post(`${gateway.url}${path}`, INITIALIZE, bearer(await issuer.token()));
      const session = { 'mcp-session-id': sessionOf(opened) };
      const status = async (claims: Claims): Promise<number> => {
        const token = await issuer.token(claims);
        return (await post(`${gateway.url}${path}`, call('tools/list'), { ...session, ...bearer(token) }))
          .status;
      };
      expect(await status({ jti: 'renewed', scope: 'more' })).toBe(200);
      expect(await status({ sub: 'bob' })).toBe(404);
      expect(await status({ client_id: 'another' })).toBe(404);
      const keys = [{ name: 'ci', key: 'key-of-the-ci' }];
      gateway.reload(settingsOf(house({ keys })));
      const other = await post(`${gateway.url}${path}`, call('tools/list'), {
        ...session,
        ...bearer('key-of-the-ci'),
      });
      expect(other.status).toBe(404);
    },
  );

  it('keeps a session that the server keeps, too', async () => {
    const { url, seen } = await upstream((body, response) =>
      json(
        response,
        200,
        { jsonrpc: '2.0', id: idIn(body), result: {} },
        { 'mcp-session-id': 'of-the-server' },
      ),
    );
    const gateway = await open(house({ upstreams: { a: { url } } }));
    const opened = await post(`${gateway.url}/a/mcp`, INITIALIZE, bearer(await issuer.token()));
    const session = { 'mcp-session-id': sessionOf(opened) };
    const status = async (claims: Claims): Promise<number> => {
      const headers = { ...session, ...bearer(await issuer.token(claims)) };
      return (await post(`${gateway.url}/a/mcp`, call('tools/list'), headers)).status;
    };
    expect(session['mcp-session-id']).not.toBe('of-the-server');
    expect([await status({ jti: 'renewed' }), seen.at(-1)?.headers['mcp-session-id']]).toEqual([
      200,
      'of-the-server',
    ]);
    expect([await status({ sub: 'bob' }), await status({ client_id: 'another' })]).toEqual([404, 404]);
  });

  it('is counted by its principal, however many tokens it has', async () => {
    const limits = { rates: [{ calls: 2, per_ms: 60_000, by: ['caller' as const] }] };
    const gateway = await open(house({ limits }));
    const kindOf = async (claims: Claims): Promise<unknown> =>
      faultIn(await post(`${gateway.url}/a/mcp`, ECHO, bearer(await issuer.token(claims))))?.['kind'];
    expect([await kindOf({ jti: '1' }), await kindOf({ jti: '2' }), await kindOf({ jti: '3' })]).toEqual([
      REACHED,
      REACHED,
      'rate_limited',
    ]);
    expect(await kindOf({ sub: 'bob' })).toBe(REACHED);
  });

  it('of one issuer is another than that of the next', async () => {
    const second = await startIssuer('RS256');
    const issuers = [
      { name: 'login', issuer: issuer.url },
      { name: 'partner', issuer: second.url, jwks_url: `${second.url}/jwks` },
    ];
    const access = { rules: [{ deny: ['*'], callers: ['partner:*'] }] };
    const gateway = await open(house({ oauth: oauthOf({ issuers }), access }));
    const kind = async (from: TestIssuer, claims: Claims = {}): Promise<unknown> => {
      const posted = await post(`${gateway.url}/a/mcp`, ECHO, bearer(await from.token(claims)));
      return posted.status === 200 ? faultIn(posted)?.['kind'] : posted.status;
    };
    expect([await kind(issuer), await kind(second)]).toEqual([REACHED, 'forbidden']);
    expect(await kind(second, { iss: issuer.url })).toBe(401); // whose keys count is said by the issuer
    expect(second.asked).not.toContain('/.well-known/oauth-authorization-server');
  });

  it('is no operator', async () => {
    const gateway = await open(house());
    const headers = bearer(await issuer.token({ scope: 'role:operator' }));
    expect((await fetch(`${gateway.url}/-/status`, { headers })).status).toBe(403);
  });

  it('has its streams until the token is over', async () => {
    const gateway = await open(house({ oauth: oauthOf({ clock_tolerance_ms: 0 }) }));
    const token = await issuer.token({ exp: seconds() + 3 });
    const opened = await post(`${gateway.url}/a/mcp`, INITIALIZE, bearer(token));
    const response = await fetch(`${gateway.url}/a/mcp`, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': sessionOf(opened), ...bearer(token) },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect((await post(`${gateway.url}/a/mcp`, ECHO, bearer(token))).status).toBe(401);
  });

  it('loses its streams when a reload believes its issuer no more', async () => {
    const gateway = await open(house());
    const token = await issuer.token();
    const opened = await post(`${gateway.url}/a/mcp`, INITIALIZE, bearer(token));
    const listen = async (): Promise<Response> =>
      fetch(`${gateway.url}/a/mcp`, {
        headers: { accept: 'text/event-stream', 'mcp-session-id': sessionOf(opened), ...bearer(token) },
      });
    const response = await listen();
    gateway.reload(settingsOf(house({ dialect: 'onx' }))); // the same issuer
    const keys = [{ name: 'ci', key: 'key-of-the-ci' }];
    setTimeout(() => gateway.reload(settingsOf({ keys, upstreams: { a: STDIO_SERVER } })), 300);
    const since = performance.now();
    await expect(response.text()).rejects.toThrow();
    expect(performance.now() - since).toBeGreaterThan(250);
    expect((await post(`${gateway.url}/a/mcp`, ECHO, bearer(token))).status).toBe(401);
  });
});

describe('the token', () => {
  const answering = () =>
    upstream((body, response) =>
      json(response, 200, { jsonrpc: '2.0', id: idIn(body), result: { ok: true } }),
    );

  it('stays here', async () => {
    const { url, seen } = await answering();
    const gateway = await open(house({ upstreams: { a: { url } } }));
    const token = await issuer.token({ aud: [RESOURCE, url] });
    await post(`${gateway.url}/a/mcp`, ECHO, bearer(token));
    await post(`${gateway.url}/mcp`, callTool('a_echo'), bearer(token));
    expect(seen.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen)).not.toContain(token);
  });

  it('goes to the server that it is for, where the settings say so', async () => {
    const { url, seen } = await answering();
    const gateway = await open(house({ upstreams: { a: { url, token_audience: 'https://a.example' } } }));
    const both = await issuer.token({ aud: [RESOURCE, 'https://a.example'] });
    const ours = await issuer.token();
    await post(`${gateway.url}/a/mcp`, ECHO, bearer(both));
    expect(seen.at(-1)?.headers.authorization).toBe(`Bearer ${both}`);
    await post(`${gateway.url}/a/mcp`, ECHO, bearer(ours));
    expect(seen.at(-1)?.headers).not.toHaveProperty('authorization');
    await post(`${gateway.url}/mcp`, callTool('a_echo'), bearer(both));
    expect(seen.at(-1)?.headers).not.toHaveProperty('authorization');
  });
});

describe('a server that asks for a login', () => {
  it.each([
    [401, 'unauthenticated'],
    [403, 'forbidden'],
  ])('asks the gateway, and not a caller with a token: %d', async (status, kind) => {
    const challenge = 'Bearer resource_metadata="https://a.example/.well-known/oauth-protected-resource"';
    const { url } = await upstream((_body, response) =>
      json(
        response,
        status,
        { error: status === 401 ? 'invalid_token' : 'insufficient_scope' },
        { 'www-authenticate': challenge },
      ),
    );
    const keys = [{ name: 'ci', key: 'key-of-the-ci' }];
    const gateway = await open(house({ keys, upstreams: { a: { url } } }));
    const at = `${gateway.url}/a/mcp`;
    const told = bearer(await issuer.token());
    const posted = await post(at, ECHO, told);
    expect([posted.status, posted.headers.get('www-authenticate')]).toEqual([200, null]);
    expect(faultIn(posted)).toMatchObject({ kind });
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const noted = await post(at, initialized, told);
    expect([noted.status, noted.headers.get('www-authenticate')]).toEqual([502, null]);
    const stream = await fetch(at, { headers: { accept: 'text/event-stream', ...told } });
    expect([stream.status, stream.headers.get('www-authenticate')]).toEqual([502, null]);
    const withKey = await post(at, ECHO, bearer('key-of-the-ci'));
    expect([withKey.status, withKey.headers.get('www-authenticate')]).toEqual([status, challenge]);
  });
});
