/** A reload takes what is under `oauth` at once, from docs/oauth.md. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, RESOURCE, startIssuer } from '../support/issuer.ts';
import { use } from '../support/policy.ts';

const KEY = 'kim-key-0123456789';
let http: HttpPuppet;
let login: Issuer;
let partner: Issuer;
let gateway: Gateway;
beforeAll(async () => {
  [http, login, partner] = await Promise.all([startHttpPuppet(), startIssuer(), startIssuer()]);
  gateway = await startGateway(settings({ issuers: [{ name: 'login', issuer: login.url }] }));
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  await Promise.all([http.close(), login.down(), partner.down()]);
});

function settings(oauth: object, more: object = {}): object {
  return {
    keys: [{ name: 'kim', key: KEY }],
    oauth: { resource: RESOURCE, ...oauth },
    upstreams: { u: { url: http.url } },
    ...more,
  };
}
const status = async (key: string | undefined): Promise<number> =>
  (await use(gateway, 'u', 'echo', {}, { key })).status;

async function reload(next: object): Promise<void> {
  const before = gateway.log().length;
  gateway.rewrite(next);
  await expect
    .poll(() => gateway.log().slice(before), { timeout: 12_000, interval: 100 })
    .toContain('reloaded');
}

describe('a reload', () => {
  it('brings an issuer', async () => {
    const token = await partner.token();
    expect(await status(token)).toBe(401);
    await reload(
      settings({
        issuers: [
          { name: 'login', issuer: login.url },
          { name: 'partner', issuer: partner.url },
        ],
      }),
    );
    // Its keys may be under way: 503 until then.
    await expect.poll(() => status(token), { timeout: 8000 }).toBe(200);
  });

  it('takes an issuer away, also for tokens that were found good', async () => {
    const [gone, stays] = [await login.token(), await partner.token()];
    expect([await status(gone), await status(stays)]).toEqual([200, 200]);
    await reload(settings({ issuers: [{ name: 'partner', issuer: partner.url }] }));
    expect([await status(gone), await status(stays)]).toEqual([401, 200]);
  });

  it('changes what every token needs, and the document says so', async () => {
    const [few, many] = [await partner.token({ scope: 'mcp' }), await partner.token({ scope: 'mcp new' })];
    expect([await status(few), await status(many)]).toEqual([200, 200]);
    await reload(settings({ scopes: ['new'], issuers: [{ name: 'partner', issuer: partner.url }] }));
    expect([await status(few), await status(many)]).toEqual([403, 200]);
    const document = await send(`${gateway.url}/.well-known/oauth-protected-resource`, undefined);
    expect(JSON.parse(document.body).scopes_supported).toEqual(['new']);
  });

  it('changes the resource, also for tokens that were found good', async () => {
    const old = await partner.token({ scope: 'new' });
    expect(await status(old)).toBe(200);
    await reload(
      settings({ resource: 'https://new.example', issuers: [{ name: 'partner', issuer: partner.url }] }),
    );
    const next = await partner.token({ aud: 'https://new.example' });
    await expect.poll(() => status(next), { timeout: 8000 }).toBe(200);
    expect(await status(old)).toBe(401);
  });

  it('changes the algorithms, also for tokens that were found good', async () => {
    const token = await partner.token({ aud: 'https://new.example' });
    expect(await status(token)).toBe(200);
    const issuers = [{ name: 'partner', issuer: partner.url, algorithms: ['RS256'] }];
    await reload(settings({ resource: 'https://new.example', issuers }));
    expect(await status(token)).toBe(401);
  });

  it('with a mistake changes nothing', async () => {
    await reload(settings({ issuers: [{ name: 'partner', issuer: partner.url }] }));
    const token = await partner.token();
    await expect.poll(() => status(token), { timeout: 8000 }).toBe(200);
    const before = gateway.log().length;
    gateway.rewrite(settings({ issuers: [{ name: 'partner', issuer: partner.url, algorithms: ['none'] }] }));
    await expect.poll(() => gateway.log().slice(before), { timeout: 12_000 }).toContain('algorithms');
    expect([await status(token), await status(undefined), await status(KEY)]).toEqual([200, 401, 200]);
  });
});
