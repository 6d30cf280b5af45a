/** What is not good is refused alike, from docs/oauth.md: the caller learns nothing, the log says why. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Answer, faultOf, post } from '../support/http.ts';
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
import '../support/policy.ts';

const SAID = 'A valid access token or key of this gateway is needed';
const CHALLENGE =
  'Bearer error="invalid_token", scope="mcp", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/u/mcp"';

let http: HttpPuppet;
let login: Issuer;
let named: Issuer;
let other: SigningKey;
let rsa: SigningKey;
let gateway: Gateway;
let wrong: Answer;
beforeAll(async () => {
  [http, login, named, other, rsa] = await Promise.all([
    startHttpPuppet(),
    startIssuer(),
    startIssuer(),
    signingKey('1'),
    signingKey('r', 'RS384'),
  ]);
  login.keys.push(rsa);
  gateway = await startGateway({
    keys: [{ name: 'kim', key: 'kim-key-0123456789' }],
    oauth: {
      resource: RESOURCE,
      scopes: ['mcp'],
      issuers: [
        { name: 'login', issuer: login.url },
        {
          name: 'named',
          issuer: named.url,
          audiences: ['api://tools'],
          principal_claim: 'uid',
          tenant_claim: 'org',
        },
      ],
    },
    upstreams: { u: { url: http.url }, v: { url: http.url } },
  });
  wrong = await post(at(gateway, 'u'), call('echo'), { key: 'kim-key-0123456780', within: 15_000 });
  await vi.waitFor(() => expect(gateway.log()).toMatch(/reason=unknown .*\n/), 5000);
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  await Promise.all([http.close(), login.down(), named.down()]);
});

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = (): object => ({
  iss: login.url,
  sub: 'ann',
  aud: RESOURCE,
  scope: 'mcp',
  exp: inSeconds(900),
});

/** What a caller can see, but for the date and the number of the failure. */
function seen({ status, headers, body }: Answer): unknown {
  const { date: _date, ...rest } = headers;
  return { status, rest, body: body.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID') };
}

/** Sends it, and tells the last line of the log about it. */
async function refused(
  key: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<[Answer, string]> {
  const before = gateway.log().length;
  const answer = await post(`${at(gateway, 'u')}${query}`, call('echo'), { key, headers, within: 15_000 });
  await expect.poll(() => gateway.log().slice(before), { timeout: 5000 }).toMatch(/refused status=401 .*\n/);
  return [answer, gateway.log().slice(before)];
}

const CASES: readonly (readonly [reason: string, what: string, make: () => Promise<string> | string])[] = [
  ['signature', 'the key of somebody else under the same name', () => login.token({}, {}, other)],
  [
    'signature',
    'claims that were changed afterwards',
    async () => {
      const [head, , tail] = (await login.token()).split('.');
      return `${head}.${part({ ...claims(), sub: 'root' })}.${tail}`;
    },
  ],
  ['"unknown key"', 'a key that nobody has', () => login.token({}, { kid: 'nope' })],
  ['algorithm', 'alg none', () => `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims())}.`],
  ['algorithm', 'alg NONE', () => `${part({ alg: 'NONE', kid: '1' })}.${part(claims())}.`],
  [
    'algorithm',
    'the public key as a shared secret',
    () => {
      const text = `${part({ alg: 'HS256', kid: '1', typ: 'at+jwt' })}.${part(claims())}`;
      const secret = JSON.stringify(login.keys[0]?.jwk);
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    },
  ],
  ['algorithm', 'a way that is good but not allowed', () => login.token({}, {}, rsa)],
  ['issuer', 'an issuer that nobody knows', () => login.token({ iss: 'https://evil.example' })],
  ['issuer', 'an issuer with a slash more', () => login.token({ iss: `${login.url}/` })],
  ['issuer', 'an issuer in other capitals', () => login.token({ iss: login.url.toUpperCase() })],
  ['audience', 'somebody else', () => login.token({ aud: 'https://other.example' })],
  ['audience', 'another endpoint', () => login.token({ aud: 'https://mcp.example.com/v/mcp' })],
  ['audience', 'all joined', () => login.token({ aud: 'https://mcp.example.com/mcp' })],
  ['audience', 'what begins alike', () => login.token({ aud: 'https://mcp.example.com.evil.example' })],
  ['audience', 'what goes on', () => login.token({ aud: 'https://mcp.example.com/u/mcp/more' })],
  ['audience', 'another scheme', () => login.token({ aud: 'http://mcp.example.com' })],
  ['audience', 'an empty list', () => login.token({ aud: [] })],
  ['audience', 'the resource, where there are audiences', () => named.token({ uid: 'ann', org: 'a' })],
  ['expired', 'a minute ago', () => login.token({ exp: inSeconds(-60) })],
  ['expired', 'in 1970', () => login.token({ exp: 0 })],
  ['"not yet valid"', 'in two minutes', () => login.token({ nbf: inSeconds(120) })],
  ['"claim exp"', 'no end', () => login.token({ exp: undefined })],
  ['"claim exp"', 'an end in words', () => login.token({ exp: String(inSeconds(900)) })],
  ['"claim nbf"', 'a beginning in words', () => login.token({ nbf: 'now' })],
  ['"claim sub"', 'nobody', () => login.token({ sub: undefined })],
  ['"claim sub"', 'an empty name', () => login.token({ sub: '' })],
  ['"claim sub"', 'a number', () => login.token({ sub: 7 })],
  ['"claim sub"', '257 characters', () => login.token({ sub: 'x'.repeat(257) })],
  ['"claim sub"', 'a line break', () => login.token({ sub: 'ann\nrefused' })],
  ['"claim sub"', 'a NUL', () => login.token({ sub: 'ann\u0000' })],
  ['"claim sub"', 'DEL', () => login.token({ sub: 'ann\u007f' })],
  ['"claim uid"', 'no principal', () => named.token({ aud: 'api://tools', org: 'a' })],
  ['"claim org"', 'no tenant', () => named.token({ aud: 'api://tools', uid: 'ann' })],
  ['"claim org"', 'an empty tenant', () => named.token({ aud: 'api://tools', uid: 'ann', org: '' })],
  ['type', 'of a logout', () => login.token({}, { typ: 'logout+jwt' })],
  ['type', 'of a proof', () => login.token({}, { typ: 'dpop+jwt' })],
  ['"bound to a key"', 'cnf', () => login.token({ cnf: { jkt: 'x' } })],
  ['"too large"', '8200 characters and more', () => login.token({ pad: 'x'.repeat(6200) })],
  ['malformed', 'a text', () => signed('hello', {}, login.keys[0] ?? other)],
  ['malformed', 'a header that is none', () => `eyJhbGciOi.${part(claims())}.AAAA`],
  ['unknown', 'a word', () => 'not-a-token-at-all'],
];

describe('refused alike', () => {
  it.each(CASES)('reason=%s: %s', async (reason, _what, make) => {
    const token = await make();
    const [answer, log] = await refused(token);
    expect(seen(answer)).toEqual(seen(wrong));
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, CHALLENGE]);
    expect(faultOf(answer.message)).toMatchObject({ kind: 'unauthenticated', message: SAID });
    expect(log).toContain(`refused status=401 POST /u/mcp reason=${reason}`);
    expect(http.arrivals).toEqual([]);
  });
});
