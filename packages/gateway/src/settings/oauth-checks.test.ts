import { expect, it } from 'vitest';
import { SettingsError } from './problems.ts';
import { resolveSettings } from './resolve.ts';
import type { SettingsFile } from './settings.ts';

const ISSUER = { name: 'login', issuer: 'https://login.example.com' };
const GOOD = { resource: 'https://mcp.example.com', issuers: [ISSUER] };

/** What is said about these settings. */
function saidOf(oauth: object, more: object = {}): readonly string[] {
  const file = {
    oauth,
    upstreams: { a: { url: 'https://a.example/mcp' } },
    ...more,
  } as unknown as SettingsFile;
  try {
    const { warnings } = resolveSettings(file);
    return warnings.map(({ path, message }) => `warning ${path}: ${message}`);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
}

it('takes what is complete, and fills in the rest', () => {
  const { settings } = resolveSettings({ oauth: GOOD, upstreams: { a: { url: 'https://a.example/mcp' } } });
  expect(settings.oauth).toEqual({
    resource: new URL('https://mcp.example.com'),
    scopes: [],
    clockToleranceMs: 30_000,
    issuers: [
      {
        name: 'login',
        issuer: 'https://login.example.com',
        jwksUrl: undefined,
        audiences: undefined,
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
        principalClaim: 'sub',
        tenantClaim: undefined,
        scopesClaim: 'scope',
      },
    ],
  });
});

it('takes no scope in a rule that no token can have', () => {
  const access = { rules: [{ allow: ['a/pay'], scopes: ['pay', 'read write'] }] };
  const upstreams = { a: { url: 'https://a.example/mcp' } };
  expect(() => resolveSettings({ oauth: GOOD, access, upstreams })).toThrow(
    'access.rules.0.scopes.1: Expected a scope: visible ASCII without spaces, quotes and \\',
  );
  expect(() => resolveSettings({ access, upstreams })).not.toThrow();
});

const NOT_SAFE = 'Expected a URL that begins with https://; http:// is for this machine alone';

it.each([
  [{ resource: 'https://mcp.example.com' }, 'oauth: No issuer is named; add issuers, or leave oauth out'],
  [
    { issuers: [ISSUER] },
    'oauth: resource is missing: the address of the gateway as callers see it, such as https://mcp.example.com',
  ],
  [
    { ...GOOD, resource: 'https://mcp.example.com/?a=1' },
    'oauth.resource: Expected a URL without a query and without a fragment',
  ],
  [
    { ...GOOD, scopes: ['read write'] },
    'oauth.scopes.0: Expected a scope: visible ASCII without spaces, quotes and \\',
  ],
  [
    { ...GOOD, clock_tolerance_ms: 300_001 },
    'oauth.clock_tolerance_ms: Expected milliseconds, from 0 to 300000',
  ],
  [
    { ...GOOD, issuers: [{ ...ISSUER, name: 'Login' }] },
    'oauth.issuers.0.name: Expected a name of at most 32 lower-case letters, digits and hyphens',
  ],
  [
    { ...GOOD, issuers: [{ ...ISSUER, issuer: 'http://login.example.com' }] },
    `oauth.issuers.0.issuer: ${NOT_SAFE}`,
  ],
  [
    { ...GOOD, issuers: [{ ...ISSUER, issuer: 'https://u:p@login.example.com' }] },
    `oauth.issuers.0.issuer: ${NOT_SAFE}`,
  ],
  [
    { ...GOOD, issuers: [{ ...ISSUER, jwks_url: 'http://login/keys' }] },
    `oauth.issuers.0.jwks_url: ${NOT_SAFE}`,
  ],
  [
    { ...GOOD, issuers: [{ ...ISSUER, audiences: [] }] },
    'oauth.issuers.0.audiences: Expected at least one audience',
  ],
  [
    { ...GOOD, issuers: [{ ...ISSUER, algorithms: [] }] },
    'oauth.issuers.0.algorithms: Expected at least one algorithm',
  ],
  [
    { ...GOOD, issuers: [ISSUER, { ...ISSUER, issuer: 'https://b.example' }] },
    'oauth.issuers.1.name: Another issuer has this name; names tell callers apart',
  ],
  [{ ...GOOD, issuers: [ISSUER, { ...ISSUER, name: 'other' }] }, 'oauth.issuers.1.issuer: It is here twice'],
])('refuses %j', (oauth, said) => {
  expect(saidOf(oauth)).toEqual([said]);
});

it.each(['HS256', 'none', 'HS512'])(
  'has no algorithm with which anybody who can check could sign: %s',
  (algorithm) => {
    const [said] = saidOf({ ...GOOD, issuers: [{ ...ISSUER, algorithms: [algorithm] }] });
    expect(said).toMatch(
      /^oauth\.issuers\.0\.algorithms\.0: (?:Expected one of RS256, |Unknown value; did you mean )/,
    );
  },
);

it('takes an issuer of this machine over plain HTTP', () => {
  expect(saidOf({ ...GOOD, issuers: [{ ...ISSUER, issuer: 'http://127.0.0.1:9000' }] })).toEqual([]);
});

it.each(['login:ann', 'LOGIN:ann', 'Login:Ann'])(
  'keeps the names of keys and of callers with tokens apart: %s',
  (name) => {
    expect(saidOf(GOOD, { keys: [{ name, key: 'key-of-nobody' }] })).toEqual([
      "keys.0.name: Names that begin with login: are those of an issuer's callers; choose another",
    ]);
  },
);

it('passes no tokens on that nobody has, or that would not arrive', () => {
  const upstreams = { a: { url: 'https://a.example/mcp', token_audience: 'https://a.example' } };
  expect(saidOf({}, { upstreams })).toEqual([
    'upstreams.a.token_audience: Nobody has a token: there are no oauth.issuers',
  ]);
  const both = { a: { ...upstreams.a, headers: { Authorization: 'Bearer x' } } };
  expect(saidOf(GOOD, { upstreams: both })).toEqual([
    'upstreams.a.token_audience: headers has an authorization, which is sent in place of the token; keep one of them',
  ]);
});

it('does not warn of callers that only an issuer knows, nor of a door that tokens close', () => {
  const rules = [{ deny: ['a/*'], callers: ['login:bob'], tenants: ['acme'] }];
  expect(saidOf(GOOD, { listen: { host: '0.0.0.0' }, access: { rules } })).toEqual([]);
});
