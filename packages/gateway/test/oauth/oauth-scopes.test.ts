/** Access tokens that may do too little: what is told of the scopes that are missing, and where. */
import { describe, expect, it } from 'vitest';
import { bearer } from '../issuer.ts';
import { ECHO, house, issuer, oauthOf, REACHED, withIssuer } from '../token-house.ts';
import { call, callTool, faultIn, open, post } from '../tools.ts';

withIssuer();

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
