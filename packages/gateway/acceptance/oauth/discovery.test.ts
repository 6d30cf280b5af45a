/** Where the keys of an issuer are, from docs/oauth.md: what is found, and what is not believed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { faultOf } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, json, RESOURCE, startIssuer } from '../support/issuer.ts';
import { use } from '../support/policy.ts';

const AS = '/.well-known/oauth-authorization-server';
const OIDC = '/.well-known/openid-configuration';
const NAMES = [
  'plain',
  'realm',
  'openid',
  'openidrealm',
  'direct',
  'foreign',
  'slash',
  'moved',
  'jwksmoved',
  'huge',
  'words',
  'nokeys',
  'status',
  'silent',
] as const;
type Name = (typeof NAMES)[number];
const PATHS: Partial<Record<Name, string>> = { realm: '/realms/a', openidrealm: '/realms/b' };

let http: HttpPuppet;
let gateway: Gateway;
const issuers = new Map<Name, Issuer>();
const of = (name: Name): Issuer => {
  const issuer = issuers.get(name);
  if (issuer === undefined) throw new Error(`Expected ${name} to be started`);
  return issuer;
};

beforeAll(async () => {
  http = await startHttpPuppet();
  for (const name of NAMES) issuers.set(name, await startIssuer(PATHS[name] ?? ''));
  const document = (name: Name): object => ({ issuer: of(name).url, jwks_uri: `${of(name).origin}/jwks` });
  const keys = (name: Name): object => ({ keys: of(name).keys.map(({ jwk }) => jwk) });
  of('openid').serve.set(AS, (_, outgoing) => outgoing.writeHead(404).end());
  of('openid').serve.set(OIDC, (_, outgoing) => json(outgoing, document('openid')));
  of('openidrealm').serve.set(`${AS}/realms/b`, (_, outgoing) => outgoing.writeHead(404).end());
  of('openidrealm').serve.set(`/realms/b${OIDC}`, (_, outgoing) => json(outgoing, document('openidrealm')));
  of('direct').serve.set('/my/keys', (_, outgoing) => json(outgoing, keys('direct')));
  of('foreign').serve.set(AS, (_, outgoing) =>
    json(outgoing, { ...document('foreign'), issuer: 'https://evil.example' }),
  );
  of('slash').serve.set(AS, (_, outgoing) =>
    json(outgoing, { ...document('slash'), issuer: `${of('slash').url}/` }),
  );
  of('moved').serve.set(AS, (_, outgoing) => outgoing.writeHead(302, { location: '/elsewhere' }).end());
  of('moved').serve.set('/elsewhere', (_, outgoing) => json(outgoing, document('moved')));
  of('jwksmoved').serve.set('/jwks', (_, outgoing) =>
    outgoing.writeHead(307, { location: '/elsewhere' }).end(),
  );
  of('jwksmoved').serve.set('/elsewhere', (_, outgoing) => json(outgoing, keys('jwksmoved')));
  of('huge').serve.set('/jwks', (_, outgoing) =>
    json(outgoing, { ...keys('huge'), pad: 'x'.repeat(1_100_000) }),
  );
  of('words').serve.set('/jwks', (_, outgoing) => outgoing.writeHead(200).end('<html>hello</html>'));
  of('nokeys').serve.set('/jwks', (_, outgoing) => json(outgoing, { keys: 'none' }));
  of('status').serve.set('/jwks', (_, outgoing) =>
    outgoing.writeHead(500).end(JSON.stringify(keys('status'))),
  );
  of('silent').serve.set('/jwks', () => undefined);
  gateway = await startGateway({
    oauth: {
      resource: RESOURCE,
      issuers: NAMES.map((name) => ({
        name,
        issuer: of(name).url,
        ...(name === 'direct' ? { jwks_url: `${of(name).origin}/my/keys` } : {}),
      })),
    },
    upstreams: { u: { url: http.url } },
  });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  await http.close();
  for (const issuer of issuers.values()) await issuer.down();
});

describe('keys are found', () => {
  it.each([
    ['plain', [AS, '/jwks']],
    ['realm', [`${AS}/realms/a`, '/jwks']],
    ['openid', [AS, OIDC, '/jwks']],
    ['openidrealm', [`${AS}/realms/b`, `/realms/b${OIDC}`, '/jwks']],
    ['direct', ['/my/keys']],
  ] as const)('%s', async (name, asked) => {
    const { status } = await use(gateway, 'u', 'echo', {}, { key: await of(name).token() });
    expect([status, of(name).asked]).toEqual([200, asked]);
  });
});

describe('what is not believed', () => {
  it.each([
    ['foreign'],
    ['slash'],
    ['moved'],
    ['jwksmoved'],
    ['huge'],
    ['words'],
    ['nokeys'],
    ['status'],
    ['silent'],
  ] as const)('%s', async (name) => {
    const answer = await use(gateway, 'u', 'echo', {}, { key: await of(name).token() });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(faultOf(answer.message)).toMatchObject({
      kind: 'unavailable',
      message: 'Access tokens cannot be checked now',
    });
    expect(of(name).asked).not.toContain('/elsewhere');
    await expect.poll(() => gateway.log()).toContain(`oauth issuer=${name} cannot be asked for its keys: `);
  });

  it('nobody heard of a caller: no token has gone to an issuer', () => {
    const asked = [...issuers.values()].flatMap((issuer) => issuer.asked);
    expect(asked.filter((path) => path.includes('eyJ') || path.includes('token'))).toEqual([]);
  });
});
