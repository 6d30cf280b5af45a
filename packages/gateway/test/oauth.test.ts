/** Callers with access tokens: who is let in, and what the others are told. */
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { request as rawRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SettingsFile } from '../src/index.ts';
import { bearer, type Claims, RESOURCE, startIssuer, type TestIssuer } from './issuer.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  open,
  type Posted,
  post,
  STDIO_SERVER,
  settingsOf,
  until,
  upstream,
} from './tools.ts';

let issuer: TestIssuer;
beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(cleanUp);

const ECHO = callTool('echo', { say: 'x' });
/** What becomes of every call that reaches the server: it fails, in words of its own. */
const REACHED = 'unknown';

function oauthOf(more: object = {}, ofIssuer: object = {}): SettingsFile['oauth'] {
  return { resource: RESOURCE, issuers: [{ name: 'login', issuer: issuer.url, ...ofIssuer }], ...more };
}

function house(more: Partial<SettingsFile> = {}): SettingsFile {
  return { oauth: oauthOf(), upstreams: { a: STDIO_SERVER, b: STDIO_SERVER }, ...more };
}

const b64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** The claims that a good token of now has. */
function goodClaims(): object {
  const now = Math.floor(Date.now() / 1000);
  return { iss: issuer.url, sub: 'ann', aud: RESOURCE, iat: now, exp: now + 600 };
}

function hmacToken(key: string): string {
  const body = `${b64({ alg: 'HS256', kid: 'k1', typ: 'at+jwt' })}.${b64(goodClaims())}`;
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`;
}

/** Of somebody who says to be the issuer, with another key under the same id. */
function forged(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = `${b64({ alg: 'ES256', kid: 'k1', typ: 'at+jwt' })}.${b64(goodClaims())}`;
  const signature = createSign('sha256').update(body).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${body}.${signature.toString('base64url')}`;
}

const seconds = (): number => Math.floor(Date.now() / 1000);

/** The last line of the log about somebody who was not let in. */
async function refusal(logs: readonly string[]): Promise<string> {
  await until(() => logs.some((line) => line.includes('refused status=')));
  return logs.filter((line) => line.includes('refused status=')).at(-1) ?? '';
}

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

describe('a token that may do too little', () => {
  const access = { rules: [{ allow: ['*/fail'], scopes: ['bank:read', 'bank:pay'] }] };

  it.each([
    ['/a/mcp', 'echo', callTool('fail')],
    ['/mcp', 'a_echo', callTool('a_fail')],
  ])('is told what it needs at %s, and keeps what it has', async (path, tool, denied) => {
    const gateway = await open(house({ access }));
    const few = bearer(await issuer.token({ scope: 'bank:read openid' }));
    const refused = await post(`${gateway.url}${path}`, denied, few);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="bank:read bank:pay", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource${path}"`,
    );
    expect(refused.message).toMatchObject({
      id: 1,
      error: { data: { kind: 'forbidden', executed: 'no', details: { required_scopes: ['bank:pay'] } } },
    });
    expect((await post(`${gateway.url}${path}`, callTool(tool, { say: 'x' }), few)).status).toBe(200);
    const more = bearer(await issuer.token({ scope: 'bank:read bank:pay' }));
    expect(faultIn(await post(`${gateway.url}${path}`, denied, more))?.['kind']).toBe(REACHED);
  });

  it.each(['/a/mcp', '/mcp'])('is told so of resources and prompts at %s too', async (path) => {
    const rules = [{ allow: ['*'], scopes: ['read'] }];
    const gateway = await open(house({ access: { rules } }));
    const few = bearer(await issuer.token());
    const prompt = path === '/mcp' ? 'a_p' : 'p';
    for (const asked of [call('resources/read', { uri: 'x:1' }), call('prompts/get', { name: prompt })]) {
      const { status, headers } = await post(`${gateway.url}${path}`, asked, few);
      expect([status, headers.get('www-authenticate')]).toEqual([
        403,
        `Bearer error="insufficient_scope", scope="read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource${path}"`,
      ]);
    }
  });

  it.each(['onx', 'closient', 'problem', 'mcp'])('is told so by the status in %s too', async (dialect) => {
    const gateway = await open(house({ access }));
    const headers = { ...bearer(await issuer.token()), 'mayday-dialect': dialect };
    const refused = await post(`${gateway.url}/a/mcp`, callTool('fail'), headers);
    expect([refused.status, refused.headers.get('www-authenticate')?.slice(0, 33)]).toEqual([
      403,
      'Bearer error="insufficient_scope"',
    ]);
  });

  it('hears nothing of it where refusals are opaque, and where nothing would help', async () => {
    const opaque = await open(house({ access: { ...access, refusals: 'opaque' } }));
    const few = bearer(await issuer.token());
    const hidden = await post(`${opaque.url}/a/mcp`, callTool('fail'), few);
    expect([hidden.status, hidden.headers.get('www-authenticate')]).toEqual([200, null]);
    const denying = await open(house({ access: { rules: [{ deny: ['*'] }] } }));
    const denied = await post(`${denying.url}/a/mcp`, ECHO, few);
    expect([denied.status, denied.headers.get('www-authenticate')]).toEqual([200, null]);
  });

  it('is not the same for a key, which nobody can exchange for another', async () => {
    const keys = [{ name: 'ci', key: 'key-of-the-ci' }];
    const gateway = await open(house({ access, keys }));
    const refused = await post(`${gateway.url}/a/mcp`, callTool('fail'), bearer('key-of-the-ci'));
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([200, null]);
  });

  it.each(['/a/mcp', '/mcp'])('is good when it has what was asked for, rule by rule, at %s', async (path) => {
    const rules = [
      { allow: ['*/fail'], scopes: ['bank:pay'] },
      { allow: ['*/echo'], scopes: ['bank:read'] },
    ];
    const gateway = await open(house({ oauth: oauthOf({ scopes: ['mcp'] }), access: { rules } }));
    const prefix = path === '/mcp' ? 'a_' : '';
    const asked: string[] = [];
    let scope = 'openid';
    /** An issuer that gives what is asked for, and no more. */
    const called = async (tool: string): Promise<number> => {
      const by = bearer(await issuer.token({ scope }));
      const { status, headers } = await post(`${gateway.url}${path}`, callTool(`${prefix}${tool}`), by);
      if (status !== 403 || asked.length > 8) return status;
      scope = /scope="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? '';
      asked.push(scope);
      return called(tool);
    };
    expect([await called('fail'), await called('echo'), await called('fail')]).toEqual([200, 200, 200]);
    expect(asked).toEqual(['mcp', 'mcp bank:pay', 'mcp bank:read bank:pay']);
  });

  it('comes no further than the door without what every token needs', async () => {
    const gateway = await open(house({ oauth: oauthOf({ scopes: ['mcp', 'more'] }) }));
    const refused = await post(`${gateway.url}/a/mcp`, ECHO, bearer(await issuer.token({ scope: 'mcp' })));
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="mcp more", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/a/mcp"',
    );
    expect(refused.message.error?.data).toMatchObject({ details: { required_scopes: ['more'] } });
    const enough = bearer(await issuer.token({ scope: 'mcp more' }));
    expect((await post(`${gateway.url}/a/mcp`, ECHO, enough)).status).toBe(200);
  });
});

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
    const { url, seen } = await upstream((_body, response) =>
      json(response, 200, { jsonrpc: '2.0', id: 1, result: {} }, { 'mcp-session-id': 'of-the-server' }),
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

describe('the issuer', () => {
  const status = async (url: string, token: string): Promise<number> =>
    (await post(`${url}/a/mcp`, ECHO, bearer(token))).status;

  it('may exchange its keys', async () => {
    const gateway = await open(house());
    expect(await status(gateway.url, await issuer.token())).toBe(200);
    await issuer.rotate();
    const token = await issuer.token();
    const statuses: number[] = [];
    await until(async () => {
      statuses.push(await status(gateway.url, token));
      return statuses.at(-1) === 200;
    });
    expect(new Set(statuses)).toEqual(new Set([401, 200]));
  }, 20_000);

  it.each([
    ['have no name', undefined],
    ['have one and the same name', 'current'],
  ])(
    'may exchange keys that %s',
    async (_how, kid) => {
      const named = async (): Promise<string> => {
        for (const key of issuer.keys) Object.assign(key, { kid });
        return issuer.token({}, { kid });
      };
      const first = await named();
      const gateway = await open(house());
      expect(await status(gateway.url, first)).toBe(200);
      await issuer.rotate();
      const token = await named();
      await until(async () => (await status(gateway.url, token)) === 200);
      expect(issuer.asked.filter((path) => path === '/jwks').length).toBe(2);
    },
    20_000,
  );

  it('is not asked for its keys by a token that one of them has signed', async () => {
    const spare = await startIssuer();
    issuer.keys.push(...spare.keys);
    for (const key of issuer.keys) Object.assign(key, { kid: undefined });
    const gateway = await open(house());
    const nameless = { kid: undefined };
    expect(await status(gateway.url, await issuer.token({}, nameless))).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 5200)); // they may be asked for again
    expect(await status(gateway.url, await issuer.token({ exp: 1 }, nameless))).toBe(401);
    expect(gateway.logs.at(-1)).toContain('reason=expired');
    expect(issuer.asked.filter((path) => path === '/jwks').length).toBe(1);
  }, 20_000);

  it('is not asked for every key that somebody makes up', async () => {
    const gateway = await open(house());
    await status(gateway.url, await issuer.token());
    for (let i = 0; i < 20; i++) await status(gateway.url, await issuer.token({}, { kid: `made-up-${i}` }));
    expect(issuer.asked.filter((path) => path === '/jwks').length).toBeLessThanOrEqual(2);
  });

  it('is missed where it is needed, and only there', async () => {
    await issuer.stop();
    const keys = [{ name: 'ci', key: 'key-of-the-ci' }];
    const gateway = await open(house({ keys }));
    for (const token of [await issuer.token(), forged()]) {
      const posted = await post(`${gateway.url}/a/mcp`, ECHO, bearer(token));
      expect([posted.status, posted.headers.get('retry-after')]).toEqual([503, '1']);
      expect(posted.message.error?.data).toMatchObject({
        kind: 'unavailable',
        message: 'Access tokens cannot be checked now',
      });
    }
    expect(await status(gateway.url, 'key-of-the-ci')).toBe(200);
    expect(gateway.logs.join('\n')).toContain(
      'oauth issuer=login cannot be asked for its keys: http://127.0.0.1',
    );
    await issuer.start();
    const token = await issuer.token();
    await until(async () => (await status(gateway.url, token)) === 200);
    expect(gateway.logs.join('\n')).toContain('oauth issuer=login answers again');
    await issuer.stop();
    expect(await status(gateway.url, await issuer.token({ jti: 'new' }))).toBe(200); // its keys are known
  });

  const told = async (logs: readonly string[]): Promise<string> => {
    await until(() => logs.some((line) => line.startsWith('oauth ')));
    return logs.find((line) => line.startsWith('oauth ')) ?? '';
  };

  it.each([
    [
      'it is another issuer',
      () => ({ issuer: 'https://other.example', jwks_uri: `${issuer.url}/jwks` }),
      'is the document of another issuer',
    ],
    [
      'its keys are where anybody could exchange them',
      () => ({ issuer: issuer.url, jwks_uri: 'http://keys.example/jwks' }),
      'names no keys (jwks_uri) with https',
    ],
    ['it has no keys', () => ({ issuer: issuer.url }), 'names no keys (jwks_uri) with https'],
    ['nothing can be read', () => undefined, 'answers with something else than JSON'],
  ])('is not believed when its document says that %s', async (_what, document, said) => {
    issuer.answer((request, response) => {
      const isKeys = request.url === '/jwks';
      response.end(JSON.stringify(isKeys ? { keys: issuer.keys } : document()) ?? '<html>');
    });
    const gateway = await open(house());
    expect(await status(gateway.url, await issuer.token())).toBe(503);
    expect(await told(gateway.logs)).toContain(said);
  });

  it.each([
    ['sends elsewhere', 302, 'does not answer'],
    ['fails', 500, 'answers with status 500'],
    ['has something else', 200, 'JSON Web Key Set malformed'],
  ])('is missed when it %s', async (_what, code, said) => {
    issuer.answer((request, response) => {
      const isElsewhere = request.url === '/elsewhere';
      response.writeHead(isElsewhere ? 200 : code, { location: `${issuer.url}/elsewhere` });
      response.end(JSON.stringify({ keys: isElsewhere || code !== 200 ? issuer.keys : 'none' }));
    });
    const gateway = await open(house({ oauth: oauthOf({}, { jwks_url: `${issuer.url}/jwks` }) }));
    expect(await status(gateway.url, await issuer.token())).toBe(503);
    expect(await told(gateway.logs)).toContain(said);
  });

  it('is missed when it says too much', async () => {
    issuer.answer((_request, response) => {
      response.end(JSON.stringify({ keys: issuer.keys, more: 'x'.repeat(1_048_576) }));
    });
    const gateway = await open(house({ oauth: oauthOf({}, { jwks_url: `${issuer.url}/jwks` }) }));
    expect(await status(gateway.url, await issuer.token())).toBe(503);
  });

  it('signs as the settings allow, and in no other way', async () => {
    const gateway = await open(house({ oauth: oauthOf({}, { algorithms: ['RS256', 'ES384'] }) }));
    expect(await status(gateway.url, await issuer.token())).toBe(401);
    expect(await refusal(gateway.logs)).toContain('reason=algorithm');
  });
});

describe('the token', () => {
  const answering = () =>
    upstream((_body, response) => json(response, 200, { jsonrpc: '2.0', id: 1, result: { ok: true } }));

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
