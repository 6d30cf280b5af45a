/** Callers with access tokens who operate the gateway, and those whose names somebody else has. */
import { openStore } from '@mayday/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SettingsFile, startGateway } from '../../src/index.ts';
import { bearer, type Claims, RESOURCE, startIssuer, type TestIssuer } from '../issuer.ts';
import { callTool, cleanUp, later, open, post, STDIO_SERVER, settingsOf } from '../tools.ts';

let issuer: TestIssuer;
beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(cleanUp);

const ECHO = callTool('echo', { say: 'x' });

function house(
  more: Partial<SettingsFile> = {},
  ofIssuer: object = {},
  scopes: readonly string[] = [],
): SettingsFile {
  const issuers = [{ name: 'login', issuer: issuer.url, ...ofIssuer }];
  return { oauth: { resource: RESOURCE, issuers, scopes }, upstreams: { a: STDIO_SERVER }, ...more };
}

it('is an operator where its issuer says so, with a token for the whole gateway', async () => {
  const gateway = await open(house({ store: 'memory:' }, { operator_scope: 'mayday:operate' }, ['mcp']));
  const asked = async (claims: Claims, path = '/-/admin/v1/keys', body?: object) =>
    fetch(`${gateway.url}${path}`, {
      headers: { ...bearer(await issuer.token(claims)), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  const scope = 'mcp mayday:operate';
  expect((await asked({ scope })).status).toBe(200);
  expect((await asked({ scope }, '/-/status')).status).toBe(200);
  expect((await asked({ scope, aud: `${RESOURCE}/a/mcp` })).status).toBe(401);
  const caller = await asked({ scope: 'mcp' });
  expect([caller.status, caller.headers.get('www-authenticate')]).toEqual([
    403,
    `Bearer error="insufficient_scope", scope="mcp mayday:operate", resource_metadata="${RESOURCE}/.well-known/oauth-protected-resource"`,
  ]);
  const short = await asked({ scope: 'mayday:operate' });
  expect([short.status, short.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('scope="mcp mayday:operate"'),
  ]);
  const made = await asked({ scope }, '/-/admin/v1/keys', { name: 'bob' });
  const { rows } = (await (await asked({ scope }, '/-/admin/v1/audit')).json()) as {
    rows: { actor: string }[];
  };
  expect([made.status, rows.map(({ actor }) => actor)]).toEqual([201, ['login:ann']]);
});

it('shares its name with no key', async () => {
  const store = await openStore('memory:');
  const { key } = await store.keys.create({ principal: 'login:ann' });
  const { key: other } = await store.keys.create({ principal: 'logins:ann', scopes: ['role:operator'] });
  const logs: string[] = [];
  const gateway = await startGateway(settingsOf(house()), { store, onLog: (line) => logs.push(line) });
  later(() => gateway.close(0));
  expect((await post(`${gateway.url}/a/mcp`, ECHO, bearer(key))).status).toBe(401);
  expect(logs.join('\n')).toContain('reason="name of an issuer"');
  expect((await post(`${gateway.url}/a/mcp`, ECHO, bearer(other))).status).toBe(200);
  const made = await fetch(`${gateway.url}/-/admin/v1/keys`, {
    method: 'POST',
    headers: { ...bearer(other), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'login:bob' }),
  });
  expect([made.status, ((await made.json()) as { kind: string }).kind]).toEqual([409, 'conflict']);
});
