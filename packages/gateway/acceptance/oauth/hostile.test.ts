/** Hostile tokens: each is refused like every other, the gateway lives, and the next caller is served. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import {
  type Issuer,
  inSeconds,
  RESOURCE,
  type SigningKey,
  signed,
  signingKey,
  startIssuer,
} from '../support/issuer.ts';
import { call } from '../support/messages.ts';
import { use } from '../support/policy.ts';

const CHALLENGE =
  'Bearer error="invalid_token", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/u/mcp"';
let http: HttpPuppet;
let trap: HttpPuppet;
let login: Issuer;
let partner: Issuer;
let evil: SigningKey;
let gateway: Gateway;
beforeAll(async () => {
  [http, trap, login, partner, evil] = await Promise.all([
    startHttpPuppet(),
    startHttpPuppet(),
    startIssuer(),
    startIssuer(),
    signingKey('1'),
  ]);
  partner.keys = [await signingKey('2')];
  gateway = await startGateway({
    keys: [{ name: 'kim', key: 'kim-key-0123456789' }],
    oauth: {
      resource: RESOURCE,
      issuers: [
        { name: 'login', issuer: login.url },
        { name: 'partner', issuer: partner.url },
      ],
    },
    upstreams: { u: { url: http.url } },
  });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  await Promise.all([http.close(), trap.close(), login.down(), partner.down()]);
});

beforeEach(() => {
  http.arrivals.length = 0;
});

const b64 = (text: string): string => Buffer.from(text).toString('base64url');
const own = (): SigningKey => login.keys[0] ?? evil;
const body = (more = ''): string =>
  `{"iss":"${login.url}","sub":"ann","aud":"${RESOURCE}","exp":${inSeconds(900)}${more}}`;
const raw = (text: string, header: object = {}): Promise<string> => signed(text, header, own());

const CASES: readonly (readonly [what: string, make: () => Promise<string> | string])[] = [
  ['a key in its own header', () => login.token({}, { jwk: evil.jwk }, evil)],
  ['an address of keys in its own header', () => login.token({}, { jku: `${trap.origin}/keys` }, evil)],
  ['an address of a certificate', () => login.token({}, { x5u: `${trap.origin}/cert` }, evil)],
  ['a key of the other issuer', () => login.token({}, {}, partner.keys[0])],
  ['the other issuer, with a key of this one', () => partner.token({}, {}, own())],
  ['the other issuer, under its name of a key', () => partner.token({}, { kid: '2' }, own())],
  ['a path for the name of a key', () => login.token({}, { kid: '../../../../etc/passwd' }, evil)],
  ['SQL for the name of a key', () => login.token({}, { kid: "1' OR '1'='1" }, evil)],
  ['__proto__ for the name of a key', () => login.token({}, { kid: '__proto__' }, evil)],
  ['a number for the name of a key', () => `${b64('{"alg":"ES256","kid":1}')}.${b64(body())}.AAAA`],
  ['a list of issuers', () => login.token({ iss: [login.url] })],
  ['no issuer', () => login.token({ iss: undefined })],
  ['the name of the issuer for the issuer', () => login.token({ iss: 'login' })],
  ['no audience', () => login.token({ aud: undefined })],
  ['an object for an audience', () => login.token({ aud: { [RESOURCE]: true } })],
  ['a list in a list', () => login.token({ aud: [[RESOURCE]] })],
  ['a star for an audience', () => login.token({ aud: '*' })],
  ['an end that is null', () => login.token({ exp: null })],
  ['an end below zero', () => login.token({ exp: -1 })],
  ['an object for a name', () => login.token({ sub: { toString: 'ann' } })],
  ['a list for a name', () => login.token({ sub: ['ann'] })],
  [
    'a name from the prototype',
    () => raw(`{"iss":"${login.url}","__proto__":{"sub":"ann"},"aud":"${RESOURCE}","exp":${inSeconds(900)}}`),
  ],
  [
    'a critical header that nobody knows',
    () => `${b64('{"alg":"ES256","kid":"1","crit":["x"],"x":1}')}.${b64(body())}.AAAA`,
  ],
  [
    'an empty list of critical headers',
    () => `${b64('{"alg":"ES256","kid":"1","crit":[]}')}.${b64(body())}.AAAA`,
  ],
  ['a list for claims', () => raw('[]')],
  ['null for claims', () => raw('null')],
  ['brackets in brackets', () => raw('['.repeat(2000) + ']'.repeat(2000))],
  ['no signature', async () => `${(await login.token()).split('.').slice(0, 2).join('.')}.`],
  ['two parts', async () => (await login.token()).split('.').slice(0, 2).join('.')],
  ['four parts', async () => `${await login.token()}.AAAA`],
  ['an encrypted one', () => `${b64('{"alg":"RSA-OAEP","enc":"A256GCM"}')}.AAAA.AAAA.AAAA.AAAA`],
  ['padding', async () => `${await login.token()}=`],
  [
    'a signature of zeros',
    async () => `${(await login.token()).split('.').slice(0, 2).join('.')}.${b64('\0'.repeat(64))}`,
  ],
  ['dots', () => '..'],
  ['an algorithm from the prototype', () => `${b64('{"alg":"constructor","kid":"1"}')}.${b64(body())}.AAAA`],
  ['a list of algorithms', () => `${b64('{"alg":["ES256"],"kid":"1"}')}.${b64(body())}.AAAA`],
  [
    'an empty shared secret',
    () => {
      const text = `${b64('{"alg":"HS256","typ":"JWT"}')}.${b64(body())}`;
      return `${text}.${createHmac('sha256', '').update(text).digest('base64url')}`;
    },
  ],
];

describe('a hostile token', () => {
  it.each(CASES)('%s', async (_what, make) => {
    const answer = await post(at(gateway, 'u'), call('echo'), { key: await make(), within: 15_000 });
    expect([answer.status, answer.headers['www-authenticate'], faultOf(answer.message)['kind']]).toEqual([
      401,
      CHALLENGE,
      'unauthenticated',
    ]);
    expect(faultOf(answer.message)['message']).toBe('A valid access token or key of this gateway is needed');
    expect(http.arrivals).toEqual([]);
  });

  it('nobody was asked at an address of a token', () => {
    expect(trap.arrivals).toEqual([]);
  });

  it('the gateway lives, and the next caller is served', async () => {
    expect(gateway.alive()).toBe(true);
    expect(gateway.log()).not.toContain('bug: ');
    const [token, key] = [
      await use(gateway, 'u', 'echo', {}, { key: await login.token() }),
      await use(gateway, 'u', 'echo', {}, { key: 'kim-key-0123456789' }),
    ];
    expect([token.status, key.status]).toEqual([200, 200]);
  });
});
