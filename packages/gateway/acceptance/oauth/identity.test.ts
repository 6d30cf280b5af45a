/** Who a caller is, from docs/oauth.md: in rules, limits, consents, idempotency keys, the log and the journal. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, RESOURCE, startIssuer } from '../support/issuer.ts';
import { keepGateway } from '../support/keep.ts';
import { call } from '../support/messages.ts';
import { mayday, named, tried, use } from '../support/policy.ts';
import { executions } from '../support/puppet.ts';
import { failing } from '../support/world.ts';

const KIM = 'kim-key-0123456789';
const ANN = 'ann-key-0123456789';
const ROOT = 'root-key-0123456789';
const NO = 'forbidden/no';
const TOOLS = named('echo', 'only-ann', 'partners', 'acme', 'few', 'org', 'signed', 'listed');

const folder = scratch();
const ledger = join(folder, 'ledger');
const store = join(folder, 'mayday.db');
let http: HttpPuppet;
let login: Issuer;
let partner: Issuer;
beforeAll(async () => {
  [http, login, partner] = await Promise.all([
    startHttpPuppet({ ledger, tools: TOOLS }),
    startIssuer(),
    startIssuer(),
  ]);
});
afterAll(async () => {
  await Promise.all([http.close(), login.down(), partner.down()]);
  rmSync(folder, { recursive: true });
});
const gateway = keepGateway(
  () =>
    startGateway({
      store: `file:${store}`,
      keys: [
        { name: 'kim', key: KIM },
        { name: 'ann', key: ANN },
        { name: 'root', key: ROOT, role: 'operator' },
      ],
      oauth: {
        resource: RESOURCE,
        issuers: [
          { name: 'login', issuer: login.url },
          {
            name: 'partner',
            issuer: partner.url,
            principal_claim: 'https://p.example/user.name',
            tenant_claim: 'org',
            scopes_claim: 'scp',
          },
        ],
      },
      access: {
        rules: [
          { allow: ['*/only-ann'], callers: ['login:ann'] },
          { deny: ['*/only-ann'] },
          { deny: ['*/partners'], callers: ['partner:*'] },
          { allow: ['*/acme'], tenants: ['acme'] },
          { deny: ['*/acme'] },
          { allow: ['*/listed'], scopes: ['a:b'] },
          { approve: ['*/signed'] },
        ],
      },
      limits: { rates: [{ calls: 2, per_ms: 600_000, by: ['caller'], tools: ['u/few'] }] },
      upstreams: { u: { url: http.url, retry: { attempts: 1 } } },
    }),
  [store, ledger],
);

const ann = (claims: object = {}): Promise<string> => login.token(claims);
const bob = (): Promise<string> => login.token({ sub: 'bob' });
const guest = (claims: object = {}): Promise<string> =>
  partner.token({ sub: 'x', 'https://p.example/user.name': 'ann', org: 'acme', scp: ['a:b'], ...claims });
const did = (key: string, tool: string, args: unknown = {}): Promise<string> =>
  tried(gateway(), 'u', tool, args, { key });

describe('rules know', () => {
  it('the issuer and the principal', async () => {
    const fates = [
      await did(await ann(), 'only-ann'),
      await did(await ann({ jti: 'another', scope: 'other' }), 'only-ann'),
      await did(await bob(), 'only-ann'),
      await did(await guest(), 'only-ann'),
      await did(ANN, 'only-ann'),
    ];
    expect(fates).toEqual(['fine', 'fine', NO, NO, NO]);
  });

  it('a pattern of an issuer', async () => {
    const fates = [
      await did(await guest(), 'partners'),
      await did(await ann(), 'partners'),
      await did(KIM, 'partners'),
    ];
    expect(fates).toEqual([NO, 'fine', 'fine']);
  });

  it('the tenant, where a claim has it', async () => {
    const fates = [
      await did(await guest(), 'acme'),
      await did(await guest({ org: 'other' }), 'acme'),
      await did(await ann({ org: 'acme', tenant: 'acme' }), 'acme'),
    ];
    expect(fates).toEqual(['fine', NO, NO]);
  });

  it('the scopes of the claim that is named, and of no other', async () => {
    const fates = [
      await did(await guest(), 'listed'),
      await did(await guest({ scp: 'x a:b y' }), 'listed'),
      await did(await guest({ scp: 'x', scope: 'a:b' }), 'listed'),
      await did(await guest({ scp: 'a:bc' }), 'listed'),
      await did(await ann({ scope: 'mcp', scp: ['a:b'] }), 'listed'),
    ];
    expect(fates).toEqual(['fine', 'fine', NO, NO, NO]);
  });

  it('claims at the top alone', async () => {
    const nested = { 'https://p.example/user.name': undefined, 'https://p.example/user': { name: 'ann' } };
    const answer = await use(gateway(), 'u', 'echo', {}, { key: await guest(nested) });
    expect(answer.status).toBe(401);
  });

  it('a name that looks like that of another issuer for what it is', async () => {
    const posing = await guest({ 'https://p.example/user.name': 'login:ann' });
    const colon = await login.token({ sub: 'ann:ann' });
    expect([await did(posing, 'only-ann'), await did(colon, 'only-ann')]).toEqual([NO, NO]);
  });
});

describe('counted and remembered by who it is', () => {
  it('limits: all tokens of one caller together, others apart', async () => {
    const first = await did(await ann({ jti: '1' }), 'few');
    const second = await did(await ann({ jti: '2', client_id: 'other' }), 'few');
    const third = await did(await ann({ jti: '3', scope: 'x' }), 'few');
    expect([first, second, third]).toEqual(['fine', 'fine', 'rate_limited/no']);
    const others = [await did(await bob(), 'few'), await did(await guest(), 'few'), await did(ANN, 'few')];
    expect(others).toEqual(['fine', 'fine', 'fine']);
  });

  it('idempotency keys: a renewed token gets the answer, others make their own call', async () => {
    const once = { ...call('echo', { key: 'idem' }) };
    once['params']._meta = { 'dev.mayday/idempotency-key': 'k-1' };
    const sent = async (key: string): Promise<number> => {
      await post(at(gateway(), 'u'), once, { key, within: 15_000 });
      return executions(ledger, 'idem');
    };
    expect([await sent(await ann()), await sent(await ann({ jti: 'new' }))]).toEqual([1, 1]);
    expect([await sent(await bob()), await sent(await guest()), await sent(ANN)]).toEqual([2, 3, 4]);
  });

  it('consents: asked for as login:ann, good for her next token, and for nobody else', async () => {
    const args = { key: 'signed', note: 'rent' };
    const asked = await use(gateway(), 'u', 'signed', args, { key: await ann() });
    const id = String(faultOf(asked.message)['details'].approval_id);
    const waiting = await mayday(gateway().folder, 'approvals');
    expect(waiting.out).toContain(id);
    expect(waiting.out).toContain('login:ann');
    expect((await mayday(gateway().folder, 'approvals', 'approve', id)).code).toBe(0);
    const fates = [
      await did(await bob(), 'signed', args),
      await did(await guest(), 'signed', args),
      await did(ANN, 'signed', args),
      await did(await ann({ jti: 'later' }), 'signed', args),
      await did(await ann(), 'signed', args),
    ];
    const ASK = 'approval_required/no';
    expect(fates).toEqual([ASK, ASK, ASK, 'fine', ASK]);
    expect(executions(ledger, 'signed')).toBe(1);
  });
});

describe('written down by who it is', () => {
  it('in the log, for operators and in the journal, without the token', async () => {
    const token = await ann({ jti: 'written' });
    const other = await guest();
    await use(gateway(), 'u', 'echo', { script: [failing('It broke: one')] }, { key: token });
    await use(gateway(), 'u', 'echo', { script: [failing('It broke: two')] }, { key: other });
    await expect
      .poll(() => gateway().log())
      .toMatch(/fault upstream=u method=tools\/call tool=echo caller="?login:ann"? kind=/);
    await expect
      .poll(() => gateway().log())
      .toMatch(/fault upstream=u method=tools\/call tool=echo caller="?partner:ann"? kind=/);
    const kept = await send(`${gateway().url}/-/faults?caller=login:ann&target=echo`, undefined, {
      key: ROOT,
    });
    const faults: { caller: string }[] = JSON.parse(kept.body).faults;
    expect(faults.map(({ caller }) => caller)).toEqual(['login:ann']);
    await expect
      .poll(async () => (await mayday(gateway().folder, 'faults')).out, { timeout: 15_000, interval: 500 })
      .toContain('login:ann');
    const said = [gateway().log(), kept.body, (await mayday(gateway().folder, 'faults')).all].join('');
    expect(said).not.toContain(token);
    expect(said).not.toContain(token.split('.')[1]);
    expect(said).not.toContain(other);
  });

  it.each([['/-/status'], ['/-/faults']])('a token is never an operator (%s)', async (path) => {
    const key = await ann({ role: 'operator', scope: 'operator mcp', sub: 'root' });
    const answer = await send(`${gateway().url}${path}`, undefined, { key, within: 15_000 });
    expect([401, 403]).toContain(answer.status);
    const root = await send(`${gateway().url}${path}`, undefined, { key: ROOT, within: 15_000 });
    expect(root.status).toBe(200);
  });
});
