/** An issuer that is not there when the gateway starts, from docs/oauth.md. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type Answer, faultOf } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, inSeconds, RESOURCE, signingKey, startIssuer } from '../support/issuer.ts';
import { use } from '../support/policy.ts';

const KEY = 'kim-key-0123456789';
let http: HttpPuppet;
let login: Issuer;
let partner: Issuer;
let gateway: Gateway;
beforeAll(async () => {
  [http, login, partner] = await Promise.all([startHttpPuppet(), startIssuer(), startIssuer()]);
  await login.down();
  gateway = await startGateway({
    keys: [{ name: 'kim', key: KEY }],
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
  await Promise.all([http.close(), login.down().catch(() => undefined), partner.down()]);
});

function seen({ status, headers, body }: Answer): unknown {
  const { date: _date, ...rest } = headers;
  return { status, rest, body: body.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID') };
}

describe('an issuer that is not there', () => {
  it('good tokens and bad ones are told alike', async () => {
    const other = await signingKey('1');
    const good = await use(gateway, 'u', 'echo', {}, { key: await login.token() });
    expect([good.status, good.headers['retry-after']]).toEqual([503, '1']);
    expect(faultOf(good.message)).toMatchObject({
      kind: 'unavailable',
      message: 'Access tokens cannot be checked now',
    });
    const bad = await Promise.all([
      login.token({}, {}, other),
      login.token({}, { kid: 'none' }),
      login.token({ sub: 'bob' }),
    ]);
    const answers = await Promise.all(bad.map((key) => use(gateway, 'u', 'echo', {}, { key })));
    expect(answers.map(seen)).toEqual([seen(good), seen(good), seen(good)]);
  });

  it('a token that is over says nothing about the keys either', async () => {
    const good = await use(gateway, 'u', 'echo', {}, { key: await login.token() });
    const over = await use(gateway, 'u', 'echo', {}, { key: await login.token({ exp: inSeconds(-900) }) });
    expect(seen(over)).toEqual(seen(good));
  });

  it('keys of the gateway and tokens of others are good', async () => {
    const [byKey, byToken] = [
      await use(gateway, 'u', 'echo', {}, { key: KEY }),
      await use(gateway, 'u', 'echo', {}, { key: await partner.token() }),
    ];
    expect([byKey.status, byToken.status]).toEqual([200, 200]);
  });

  it('is there again, without a restart, and the log has said each once', async () => {
    await login.up();
    const token = await login.token();
    await expect
      .poll(async () => (await use(gateway, 'u', 'echo', {}, { key: token })).status, {
        timeout: 15_000,
        interval: 500,
      })
      .toBe(200);
    await expect.poll(() => gateway.log()).toContain('oauth issuer=login answers again');
    const said = gateway.log();
    expect(said.split('oauth issuer=login cannot be asked for its keys: ').length - 1).toBe(1);
    expect(said.split('oauth issuer=login answers again').length - 1).toBe(1);
    expect(said).not.toContain('oauth issuer=partner');
    expect(http.arrivals.filter(({ body }) => body.includes('echo'))).toHaveLength(3);
  });
});
