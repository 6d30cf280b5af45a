import { describe, expect, it } from 'vitest';
import { redact } from '../index.ts';

const STATE = 'Zk8xQp2LmN4vRt7y';
const TAIL = `&state=${STATE}&nonce=${STATE}AA&code_challenge=YTFjNjI1OWYzMzA3MTI4ZDY2Njg5M2RkNmVjNDE5&code_challenge_method=S256`;
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5OTEifQ.vX3pQ9sL7fHc2WnB8yJ0aKd5E';

const GOOGLE = 'https://accounts.google.com/o/oauth2/v2/auth?response_type=code&client_id=web';
const MICROSOFT =
  'https://login.microsoftonline.com/common/oauth2/v2.0/authorize?response_type=code&client_id=web';
const OWN = 'https://id.globex.io/authorize?response_type=code&client_id=web';

/** A part of a link to sign in that is to go, and what is left of it. */
const CUTS: ReadonlyArray<readonly [part: string, left: string]> = [
  ['&login_hint=ada%40globex.io', '&login_hint=[email:1]'],
  ['&login_hint=ada@globex.io', '&login_hint=[email:1]'],
  ['&login_hint=%2B4915112345678', '&login_hint=[phone:1]'],
  ['&login_hint=+4915112345678', '&login_hint=[phone:1]'],
  ['&email=ada%40globex.io', '&email=[email:1]'],
  ['&username=ada%40globex.io', '&username=[email:1]'],
  [`&id_token_hint=${JWT}`, '&id_token_hint=[api-key:1]'],
  ['&redirect_uri=http%3A%2F%2Fmcp.internal%3A8080%2Fcb', '&redirect_uri=http%3A%2F%2F[host:1]%3A8080%2Fcb'],
  ['&redirect_uri=https%3A%2F%2Fmcp.corp.globex.io%2Fcb', '&redirect_uri=https%3A%2F%2F[host:1]%2Fcb'],
  ['&redirect_uri=http%3A%2F%2F10.0.0.7%3A8080%2Fcb', '&redirect_uri=http%3A%2F%2F[ip:1]%3A8080%2Fcb'],
  ['&redirect_uri=https%3A%2F%2Fapp%2Fcb', '&redirect_uri=https%3A%2F%2F[host:1]%2Fcb'],
  ['&redirect_uri=http://mcp.internal:8080/cb', '&redirect_uri=http://[host:1]:8080/cb'],
  ['&api_key=b7e23ec29af22b0b4e41da31e868d572', '&api_key=[api-key:1]'],
  ['&password=q1W2e3R4t5Y6u7', '&password=[password:1]'],
];

describe('one thing that is cut in a link to sign in leaves the rest of it whole', () => {
  it.each(CUTS)('%s', (part, left) => {
    for (const page of [GOOGLE, MICROSOFT, OWN]) {
      for (const [address, rest] of [
        [`${page}${part}${TAIL}`, `${page}${left}${TAIL}`],
        [`${page}${TAIL}${part}`, `${page}${TAIL}${left}`],
      ] as const) {
        for (const say of [
          (link: string) => `Authentication required. Please open ${link} to sign in.`,
          (link: string) => `Not connected yet. Authorization URL: ${link}`,
          (link: string) => JSON.stringify({ error: 'auth_required', auth_url: link }),
          (link: string) => `Please visit [this page](${link}), then call again`,
        ]) {
          expect(redact(say(address)).value).toBe(say(rest));
          expect(redact(say(rest))).toEqual({ value: say(rest), findings: [] });
          expect(redact(say(address), { level: 'strict', disable: ['loopback'] }).value).toBe(say(rest));
        }
        expect(redact({ auth_url: address }).value).toEqual({ auth_url: rest });
      }
    }
  });

  it('several things too', () => {
    const link = (hint: string, host: string): string =>
      `${OWN}&login_hint=${hint}&redirect_uri=http%3A%2F%2F${host}%2Fcb${TAIL}`;
    expect(redact(`Please open ${link('ada%40globex.io', 'mcp.internal')}`).value).toBe(
      `Please open ${link('[email:1]', '[host:1]')}`,
    );
  });

  it('its host, where only a private network knows it', () => {
    const link = (host: string): string =>
      `https://${host}/authorize?response_type=code&client_id=web${TAIL}`;
    expect(redact(`Please open ${link('id.internal')} to sign in.`).value).toBe(
      `Please open ${link('[host:1]')} to sign in.`,
    );
  });

  it('as HTML and JSON write it', () => {
    for (const and of ['&amp;', '\\u0026']) {
      const link = (hint: string): string => `${OWN}&login_hint=${hint}${TAIL}`.replaceAll('&', and);
      expect(redact(`{"auth_url":"${link('ada@globex.io')}"}`).value).toBe(
        `{"auth_url":"${link('[email:1]')}"}`,
      );
    }
  });

  it('with the digest of what was cut', () => {
    const link = (hint: string): string => `${OWN}&login_hint=${hint}${TAIL}`;
    expect(redact(`Please open ${link('ada@globex.io')}`, { digest: () => '4f2a91c0' }).value).toBe(
      `Please open ${link('[email:1#4f2a91c0]')}`,
    );
  });
});

const SECRET = 'Zq8Wm2Rt5Yx1Kv7Lp3Nc';

/** What goes from an address though something was cut before it. */
it.each([
  `https://acme.com/callback?email=ada%40globex.io&code=${SECRET}&state=${SECRET}`,
  `https://acme.com/callback?email=ada@globex.io&state=${SECRET}&token=${SECRET}`,
  `${OWN}&login_hint=ada@globex.io&client_secret=${SECRET}`,
  `${OWN}&login_hint=ada@globex.io&access_token=${SECRET}&state=${SECRET}`,
  `${OWN}&login_hint=ada%40globex.io&password=${SECRET}`,
  `${OWN}&login_hint=ada%40globex.io#access_token=${SECRET}`,
  `${OWN}&login_hint=ada%40globex.io&code_verifier=${SECRET}`,
  `${OWN}&login_hint=ada%40globex.io&device_code=${SECRET}`,
  `${OWN}&login_hint=ada%40globex.io&redirect_uri=https%3A%2F%2Facme.com%3Fclient_secret%3D${SECRET}`,
  `${OWN}&login_hint=ada%40globex.io;password=${SECRET}`,
  `${OWN}&login_hint=ada%40globex.io, api_key=${SECRET}`,
  `${OWN}&login_hint=ada%40globex.io api_key=${SECRET}`,
  `${OWN}&login_hint=[email:1]&api_key=${SECRET}`,
  `https://[credentials:1]@acme.com/x?api_key=${SECRET}`,
  `https://[host:1]/v1/charges?email=[email:1]&state=${SECRET}&token=${SECRET}`,
  `https://shop.prod.corp/checkout?email=ada@globex.io&token=${SECRET}`,
  `[email:1]&state=${SECRET}&client_id=${SECRET}&response_type=code`,
  `[this](${OWN}&login_hint=ada@globex.io), token=${SECRET}`,
])('goes behind a cut: %s', (address) => {
  for (const level of ['standard', 'strict'] as const) {
    for (const say of [`Please open ${address} to sign in.`, `Failed: ${address}`]) {
      expect(redact(say, { level }).value).not.toContain(SECRET);
    }
  }
});

it.each([
  `https://api.unsplash.com/photos?by=ada%40globex.io&client_id=${SECRET}&query=sea`,
  `https://[host:1]/checkout/tok_live_${SECRET}${SECRET}`,
])('goes behind a cut where nobody is asked to open it: %s', (address) => {
  for (const level of ['standard', 'strict'] as const) {
    expect(redact(`Failed: ${address}`, { level }).value).not.toContain(SECRET);
  }
});

describe('what the reader wrote himself stays in a link to sign in', () => {
  it.each([
    ['ada@globex.io', 'ada@globex.io'],
    ['ada%40globex.io', 'ada@globex.io'],
    ['ada%2Bwork%40globex.io', 'ada+work@globex.io'],
    ['%2B4915112345678', '+4915112345678'],
    ['ada%40globex.io', 'mail from ada@globex.io'],
  ])('%s', (hint, own) => {
    const text = `Please open ${OWN}&login_hint=${hint}${TAIL} to sign in.`;
    expect(redact(text, { level: 'strict', own: [own] }).value).toBe(text);
    expect(redact(text, { level: 'strict', own: ['bob@globex.io'] }).value).not.toContain(hint);
  });

  it.each([
    ['ada%40globex.io', 'canada@globex.io'],
    ['ada%40globex.i%', 'ada@globex.i%'],
    ['%61da%40globex.io%ZZ', 'ada@globex'],
  ])('no part of it by chance: %s', (hint, own) => {
    const text = `Please open ${OWN}&login_hint=${hint}${TAIL} to sign in.`;
    expect(redact(text, { own: [own] }).value).toBe(redact(text).value);
  });

  it('a secret goes, spelt in whatever way', () => {
    const text = `Please open ${OWN}&password=q1W2%40e3R4t5Y6u7`;
    expect(redact(text, { own: ['q1W2@e3R4t5Y6u7'] }).value).toBe(redact(text).value);
  });
});
