/** Callers with access tokens: who is let in, and what the others are told. */
import { request as rawRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { bearer, type Claims, RESOURCE } from '../issuer.ts';
import {
  b64,
  ECHO,
  forged,
  goodClaims,
  hmacToken,
  house,
  issuer,
  oauthOf,
  REACHED,
  refusal,
  seconds,
  withIssuer,
} from '../token-house.ts';
import { faultIn, open, post, STDIO_SERVER } from '../tools.ts';

withIssuer();

describe('a good token', () => {
  it('lets its caller in, who is known by the name of the issuer and the principal', async () => {
    const gateway = await open(house());
    const token = await issuer.token();
    expect(faultIn(await post(`${gateway.url}/a/mcp`, ECHO, bearer(token)))?.['kind']).toBe(REACHED);
    expect(gateway.faults.list()).toMatchObject([{ caller: 'login:ann' }]);
    expect(gateway.logs.join('\n')).toContain('caller=login:ann');
  });

  it.each(['', '/', '/a/mcp'])('is for %j of the gateway', async (path) => {
    const gateway = await open(house());
    const token = await issuer.token({ aud: ['https://other.example', `${RESOURCE}${path}`] });
    expect((await post(`${gateway.url}/a/mcp`, ECHO, bearer(token))).status).toBe(200);
  });

  it('is for its endpoint, and for no other', async () => {
    const gateway = await open(house());
    const token = await issuer.token({ aud: `${RESOURCE}/a/mcp` });
    const statuses = ['/a/mcp', '/b/mcp', '/mcp'].map(
      async (path) => (await post(`${gateway.url}${path}`, ECHO, bearer(token))).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 401, 401]);
  });

  it('is for what the settings say, where they do', async () => {
    const gateway = await open(house({ oauth: oauthOf({}, { audiences: ['api://mayday'] }) }));
    const status = async (aud: string): Promise<number> =>
      (await post(`${gateway.url}/a/mcp`, ECHO, bearer(await issuer.token({ aud })))).status;
    expect([await status('api://mayday'), await status(RESOURCE)]).toEqual([200, 401]);
  });

  it('is good beside keys, which stay good', async () => {
    const keys = [{ name: 'ci', key: 'key-of-the-ci' }];
    const gateway = await open(house({ keys }));
    expect((await post(`${gateway.url}/a/mcp`, ECHO, bearer('key-of-the-ci'))).status).toBe(200);
    expect((await post(`${gateway.url}/a/mcp`, ECHO, bearer(await issuer.token()))).status).toBe(200);
    expect((await post(`${gateway.url}/a/mcp`, ECHO)).status).toBe(401);
  });

  it('is looked at once, and then known', async () => {
    const gateway = await open(house());
    const token = await issuer.token();
    for (let i = 0; i < 20; i++) await post(`${gateway.url}/a/mcp`, ECHO, bearer(token));
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/jwks']);
  });

  it.each([
    ['without a type', { typ: undefined }],
    ['that calls itself JWT', { typ: 'JWT' }],
    ['that does not say with which key it was signed', { kid: undefined }],
  ])('may be one %s', async (_what, header) => {
    const gateway = await open(house());
    const token = await issuer.token({}, header);
    expect((await post(`${gateway.url}/a/mcp`, ECHO, bearer(token))).status).toBe(200);
  });

  it('has scopes, a principal and a tenant in whatever claims the settings name', async () => {
    const claims = { principal_claim: 'email', tenant_claim: 'org', scopes_claim: 'scp' };
    const access = {
      rules: [
        { deny: ['b/*'], tenants: ['acme'] },
        { allow: ['a/*'], scopes: ['read', 'pay'], callers: ['login:ann@acme.example'] },
        { deny: ['*'] },
      ],
    };
    const gateway = await open(house({ oauth: oauthOf({}, claims), access }));
    const kinds = async (more: Claims): Promise<unknown[]> => {
      const token = await issuer.token({ email: 'ann@acme.example', org: 'acme', ...more });
      const asked = ['a', 'b'].map(async (name) => {
        const posted = await post(`${gateway.url}/${name}/mcp`, ECHO, bearer(token));
        return [posted.status, faultIn(posted)?.['kind']];
      });
      return Promise.all(asked);
    };
    const denied = [200, 'forbidden'];
    expect(await kinds({ scp: ['read', 'pay'] })).toEqual([[200, REACHED], denied]);
    expect(await kinds({ scp: 'read pay' })).toEqual([[200, REACHED], denied]);
    expect(await kinds({ scp: 'read pay', org: 'other' })).toEqual([[200, REACHED], denied]);
    expect(await kinds({ scope: 'read pay' })).toEqual([[403, 'forbidden'], denied]);
    expect(await kinds({ scp: 'read pay', email: 'bob@acme.example' })).toEqual([denied, denied]);
    const nobody = [401, 'unauthenticated'];
    expect(await kinds({ scp: 'read pay', org: undefined })).toEqual([nobody, nobody]);
  });
});

describe('a bad token', () => {
  const BAD: { readonly [what: string]: () => Promise<string> | string } = {
    signature: forged,
    expired: () => issuer.token({ exp: seconds() - 60 }),
    '"not yet valid"': () => issuer.token({ nbf: seconds() + 60 }),
    audience: () => issuer.token({ aud: 'https://other.example' }),
    'audience ': () => issuer.token({ aud: undefined }),
    issuer: () => issuer.token({ iss: 'https://evil.example' }),
    'issuer ': () => issuer.token({ iss: `${issuer.url}/` }),
    algorithm: () => `${b64({ alg: 'none' })}.${b64(goodClaims())}.`,
    'algorithm ': () => hmacToken(JSON.stringify(issuer.keys[0])),
    '"unknown key"': () => issuer.token({}, { kid: 'another' }),
    '"claim exp"': () => issuer.token({ exp: undefined }),
    '"claim sub"': () => issuer.token({ sub: undefined }),
    '"claim sub" ': () => issuer.token({ sub: 'x'.repeat(257) }),
    '"claim sub"  ': () => issuer.token({ sub: 'ann\nbob' }),
    type: () => issuer.token({}, { typ: 'logout+jwt' }),
    '"bound to a key"': () => issuer.token({ cnf: { jkt: 'x' } }),
    '"too large"': () => issuer.token({ more: 'x'.repeat(8192) }),
    malformed: () => 'a.b.c',
    'malformed ': () => `${b64({ alg: 'ES256' })}.${b64('null')}.x`,
    unknown: () => 'nothing-like-a-token',
  };

  it.each(Object.keys(BAD))('is refused like every other, and the log says why: %s', async (reason) => {
    const gateway = await open(house());
    const token = (await BAD[reason]?.()) ?? '';
    const posted = await post(`${gateway.url}/a/mcp`, ECHO, bearer(token));
    expect(posted.status).toBe(401);
    expect(posted.headers.get('www-authenticate')).toBe(
      'Bearer error="invalid_token", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/a/mcp"',
    );
    expect(posted.message).toEqual({
      jsonrpc: '2.0',
      error: {
        code: expect.any(Number),
        message: expect.stringContaining('A valid access token or key of this gateway is needed'),
        data: expect.objectContaining({ kind: 'unauthenticated', executed: 'no', origin: 'gateway' }),
      },
    });
    const line = await refusal(gateway.logs);
    expect(line).toContain(`POST /a/mcp reason=${reason.trim()} `);
    expect(gateway.logs.join('\n')).not.toContain(token.slice(0, 40));
  });

  it('is told in the same words, whatever is wrong with it', async () => {
    const gateway = await open(house());
    const said = new Set<string>();
    for (const make of Object.values(BAD)) {
      const { text } = await post(`${gateway.url}/a/mcp`, ECHO, bearer(await make()));
      said.add(text.replace(/"correlation_id":"[^"]*"/, ''));
    }
    expect(said.size).toBe(1);
  });

  it('is one that is sent beside another, or in the address', async () => {
    const gateway = await open(house());
    const token = await issuer.token();
    const at = new URL(`${gateway.url}/a/mcp`);
    const status = (path: string, headers: string[]): Promise<number> =>
      new Promise((resolve) => {
        const request = rawRequest({ host: at.hostname, port: at.port, path, method: 'POST', headers });
        request.on('response', (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        request.end(JSON.stringify(ECHO));
      });
    const host = ['Host', at.host, 'Content-Type', 'application/json'];
    const good = ['Authorization', `Bearer ${token}`];
    expect(await status('/a/mcp', [...host, ...good])).toBe(200);
    expect(await status('/a/mcp', [...host, ...good, ...good])).toBe(401);
    expect(await refusal(gateway.logs)).toContain('reason="two Authorization headers"');
    expect(await status(`/a/mcp?access_token=${token}`, host)).toBe(401);
    expect(await refusal(gateway.logs)).toContain('reason="in the query"');
    expect(await status(`/a/mcp?x=1&access%5Ftoken=${token}`, [...host, ...good])).toBe(401);
    expect(gateway.logs.join('\n')).not.toContain(token);
  });
});

describe('whoever comes without a token', () => {
  it('is told where to get one, and with which scopes', async () => {
    const gateway = await open(house({ oauth: oauthOf({ scopes: ['mcp', 'tools:read'] }) }));
    const challenge = async (path: string): Promise<string | null> =>
      (await post(`${gateway.url}${path}`, ECHO)).headers.get('www-authenticate');
    expect(await challenge('/b/mcp')).toBe(
      'Bearer scope="mcp tools:read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/b/mcp"',
    );
    expect(await challenge('/mcp')).toBe(
      'Bearer scope="mcp tools:read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
    );
    expect(await challenge('/nobody/mcp')).toContain('/nobody/mcp'); // which upstreams there are is not told
  });

  it('finds a document at every endpoint, and at none that could not be one', async () => {
    const gateway = await open(house({ oauth: oauthOf({ scopes: ['mcp'] }) }));
    const at = async (path: string, method = 'GET'): Promise<readonly [number, unknown]> => {
      const response = await fetch(`${gateway.url}/.well-known/oauth-protected-resource${path}`, { method });
      return [response.status, response.status === 200 ? await response.json() : undefined];
    };
    const document = (resource: string): object => ({
      resource,
      authorization_servers: [issuer.url],
      scopes_supported: ['mcp'],
      bearer_methods_supported: ['header'],
    });
    expect(await at('')).toEqual([200, document('https://mcp.example.com')]);
    expect(await at('/mcp')).toEqual([200, document('https://mcp.example.com/mcp')]);
    expect(await at('/a/mcp?x=1')).toEqual([200, document('https://mcp.example.com/a/mcp')]);
    expect((await at('/a/other'))[0]).toBe(404);
    expect((await at('/-/status'))[0]).toBe(404);
    expect((await at('/a/mcp', 'POST'))[0]).toBe(405);
  });

  it('finds it below the path under which a proxy serves the gateway', async () => {
    const resource = 'https://example.com/tools/';
    const gateway = await open(house({ oauth: oauthOf({ resource }) }));
    const { headers } = await post(`${gateway.url}/a/mcp`, ECHO);
    expect(headers.get('www-authenticate')).toContain(
      '"https://example.com/.well-known/oauth-protected-resource/tools/a/mcp"',
    );
    const found = await fetch(`${gateway.url}/.well-known/oauth-protected-resource/tools/a/mcp`);
    expect(await found.json()).toMatchObject({ resource: 'https://example.com/tools/a/mcp' });
    const token = await issuer.token({ aud: 'https://example.com/tools/a/mcp' });
    expect((await post(`${gateway.url}/a/mcp`, ECHO, bearer(token))).status).toBe(200);
  });

  it('finds none where there are no tokens', async () => {
    const gateway = await open({ upstreams: { a: STDIO_SERVER } });
    expect((await fetch(`${gateway.url}/.well-known/oauth-protected-resource/a/mcp`)).status).toBe(404);
  });
});
