/** The keys of an issuer, from docs/oauth.md: exchanged at any time, and asked for neither too late nor without end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { faultOf } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, RESOURCE, signingKey, startIssuer } from '../support/issuer.ts';
import { keepGateway } from '../support/keep.ts';
import { pause, use } from '../support/policy.ts';

let http: HttpPuppet;
let login: Issuer;
beforeAll(async () => {
  [http, login] = await Promise.all([startHttpPuppet(), startIssuer()]);
});
afterAll(async () => {
  await http.close();
  await login.down();
});
const gateway = keepGateway(() =>
  startGateway({
    keys: [{ name: 'kim', key: 'kim-key-0123456789' }],
    oauth: { resource: RESOURCE, issuers: [{ name: 'login', issuer: login.url }] },
    upstreams: { u: { url: http.url } },
  }),
);
const status = async (key: string): Promise<number> =>
  (await use(gateway(), 'u', 'echo', {}, { key })).status;
const asked = (): number => login.asked.filter((path) => path === '/jwks').length;

describe('keys', () => {
  it('are asked for when the gateway starts, before anybody comes', async () => {
    await expect.poll(asked, { timeout: 10_000 }).toBe(1);
    expect(await status(await login.token())).toBe(200);
    expect(asked()).toBe(1);
  });

  it('that are new are known with the first token of theirs', async () => {
    await pause(5500);
    const old = await login.token();
    const fresh = await signingKey('2');
    login.keys.unshift(fresh);
    expect(await status(await login.token({}, {}, fresh))).toBe(200);
    expect(await status(old)).toBe(200);
    expect(asked()).toBe(2);
  });

  it('that nobody has do not make the gateway ask without end', async () => {
    const before = asked();
    const started = Date.now();
    const tokens = await Promise.all(
      Array.from({ length: 30 }, (_, index) => login.token({}, { kid: `none-${index}` })),
    );
    const statuses = await Promise.all(tokens.map(status));
    const spans = Math.floor((Date.now() - started) / 5000) + 1;
    expect(statuses).toEqual(Array.from({ length: 30 }, () => 401));
    expect(asked() - before).toBeLessThanOrEqual(spans);
  });

  it('that the issuer has taken back are no longer good, once others were asked for', async () => {
    const [, old] = login.keys;
    const next = await signingKey('3');
    login.keys = [next];
    await expect
      .poll(async () => status(await login.token({}, {}, next)), { timeout: 15_000, interval: 700 })
      .toBe(200);
    expect(await status(await login.token({ jti: 'after' }, {}, old))).toBe(401);
  });
});

describe('while the issuer is away', () => {
  it('keys that are known stay good, others are told 503, and it comes back', async () => {
    await pause(5500);
    await login.down();
    const fresh = await signingKey('5');
    const known = await login.token({ jti: 'while away' });
    const unknown = await login.token({}, {}, fresh);
    expect(await status(known)).toBe(200);
    const answer = await use(gateway(), 'u', 'echo', {}, { key: unknown });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(faultOf(answer.message)).toMatchObject({
      kind: 'unavailable',
      message: 'Access tokens cannot be checked now',
    });
    expect(await status('kim-key-0123456789')).toBe(200);
    await expect.poll(() => gateway().log()).toContain('oauth issuer=login cannot be asked for its keys: ');
    login.keys.push(fresh);
    await login.up();
    await expect.poll(() => status(unknown), { timeout: 15_000, interval: 500 }).toBe(200);
    await expect.poll(() => gateway().log()).toContain('oauth issuer=login answers again');
    expect(gateway().log().split('cannot be asked for its keys').length - 1).toBe(1);
  });
});
