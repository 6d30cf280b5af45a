/** Which tokens are good, from docs/oauth.md: each way in that the page names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, inSeconds, RESOURCE, signingKey, startIssuer } from '../support/issuer.ts';
import { keepGateway } from '../support/keep.ts';
import { use } from '../support/policy.ts';

const MORE = ['RS384', 'RS512', 'PS384', 'PS512', 'ES384', 'ES512', 'Ed25519'] as const;
const USUAL = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

let http: HttpPuppet;
let login: Issuer;
let wide: Issuer;
let named: Issuer;
beforeAll(async () => {
  [http, login, wide, named] = await Promise.all([
    startHttpPuppet(),
    startIssuer(),
    startIssuer(),
    startIssuer(),
  ]);
  login.keys.push(...(await Promise.all(USUAL.map((alg) => signingKey(alg, alg)))));
  wide.keys.push(...(await Promise.all(MORE.map((alg) => signingKey(alg, alg)))));
});
afterAll(async () => {
  await Promise.all([http.close(), login.down(), wide.down(), named.down()]);
});
const gateway = keepGateway(() =>
  startGateway({
    keys: [{ name: 'kim', key: 'kim-key-0123456789' }],
    oauth: {
      resource: RESOURCE,
      issuers: [
        { name: 'login', issuer: login.url },
        { name: 'wide', issuer: wide.url, algorithms: [...MORE] },
        { name: 'named', issuer: named.url, audiences: ['api://tools', 'api://more'] },
      ],
    },
    upstreams: { u: { url: http.url }, v: { url: http.url } },
  }),
);

async function came(endpoint: string, key: string): Promise<unknown[]> {
  const { status, message } = await use(
    gateway(),
    endpoint,
    endpoint === '' ? 'u_echo' : 'echo',
    {},
    { key },
  );
  return [status, message['result']?.content?.[0]?.text];
}
const IN = [200, 'echo: fine'];

describe('a token is good', () => {
  it.each([
    ['for the whole gateway', 'u', () => ({})],
    ['for the whole gateway, at /mcp', '', () => ({})],
    ['for the whole gateway, with a slash', 'u', () => ({ aud: 'https://mcp.example.com/' })],
    ['for this endpoint', 'u', () => ({ aud: 'https://mcp.example.com/u/mcp' })],
    ['for this endpoint, with a slash', 'u', () => ({ aud: 'https://mcp.example.com/u/mcp/' })],
    ['for all servers joined', '', () => ({ aud: 'https://mcp.example.com/mcp' })],
    ['for others too', 'u', () => ({ aud: ['https://a.example', 'https://mcp.example.com/u/mcp', 'b'] })],
    ['in a list alone', '', () => ({ aud: ['https://mcp.example.com'] })],
    ['a little over', 'u', () => ({ exp: inSeconds(-5) })],
    ['a little early', 'u', () => ({ nbf: inSeconds(20) })],
    ['long begun', 'u', () => ({ nbf: inSeconds(-9000) })],
    ['with fractions of seconds', 'u', () => ({ exp: inSeconds(600) + 0.5 })],
    ['with a name of one character', 'u', () => ({ sub: 'x' })],
    ['with a name of 256 characters', 'u', () => ({ sub: 'x'.repeat(256) })],
    ['with a name in no Latin letters', 'u', () => ({ sub: 'Ænn Ωmega 李' })],
    ['without scopes, where none are needed', 'u', () => ({ scope: undefined })],
    ['with a list of scopes', 'u', () => ({ scope: ['a', 'b'] })],
  ])('%s (/%s)', async (_why, endpoint, claims: () => object) => {
    expect(await came(endpoint, await login.token(claims()))).toEqual(IN);
  });

  it.each([
    ['at+jwt'],
    ['AT+JWT'],
    ['application/at+jwt'],
    ['Application/AT+jwt'],
    ['JWT'],
    ['jwt'],
    [undefined],
  ])('of the type %s', async (typ) => {
    expect(await came('u', await login.token({}, { typ }))).toEqual(IN);
  });

  it.each(USUAL.map((alg) => [alg]))('signed with %s', async (alg) => {
    const key = login.keys.find(({ kid }) => kid === alg);
    expect(await came('u', await login.token({}, {}, key))).toEqual(IN);
  });

  it.each(MORE.map((alg) => [alg]))('signed with %s where that is allowed', async (alg) => {
    const key = wide.keys.find(({ kid }) => kid === alg);
    expect(await came('u', await wide.token({}, {}, key))).toEqual(IN);
  });

  it('without the name of a key, if one of the keys has signed it', async () => {
    const last = login.keys.find(({ kid }) => kid === 'ES256');
    const tokens = await Promise.all([
      login.token({}, { kid: undefined }),
      login.token({}, { kid: undefined }, last),
    ]);
    expect(await Promise.all(tokens.map((token) => came('u', token)))).toEqual([IN, IN]);
  });

  it('of 8192 characters', async () => {
    const bare = await login.token({ pad: '' });
    const room = 8192 - bare.length;
    const tokens = await Promise.all(
      [-2, -1, 0, 1, 2].map((off) => login.token({ pad: 'x'.repeat(Math.floor((room * 3) / 4) + off) })),
    );
    const longest = tokens.find(({ length }) => length === 8192);
    expect(longest).toHaveLength(8192);
    expect(await came('u', String(longest))).toEqual(IN);
  });

  it('for one of the audiences of its issuer, at every endpoint', async () => {
    const [one, other] = await Promise.all([
      named.token({ aud: 'api://tools' }),
      named.token({ aud: ['x', 'api://more'] }),
    ]);
    const all = await Promise.all([came('u', one), came('v', one), came('', one), came('v', other)]);
    expect(all).toEqual([IN, IN, IN, IN]);
  });

  it('again and again, and a key beside it', async () => {
    const token = await login.token();
    const all = [
      await came('u', token),
      await came('v', token),
      await came('', token),
      await came('u', 'kim-key-0123456789'),
      await came('', 'kim-key-0123456789'),
    ];
    expect(all).toEqual([IN, IN, IN, IN, IN]);
  });
});
