/** Names that are meant to be taken for others, from docs/oauth.md: a caller is who the token says, and nobody else. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, scratch, startGateway } from '../support/gateway.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, RESOURCE, startIssuer } from '../support/issuer.ts';
import { tried, use } from '../support/policy.ts';
import { failing } from '../support/world.ts';

const NO = 'forbidden/no';
const folder = scratch();
let http: HttpPuppet;
let login: Issuer;
let gateway: Gateway;
beforeAll(async () => {
  [http, login] = await Promise.all([startHttpPuppet(), startIssuer()]);
  gateway = await startGateway({
    store: `file:${join(folder, 'mayday.db')}`,
    oauth: { resource: RESOURCE, issuers: [{ name: 'login', issuer: login.url }] },
    access: { rules: [{ allow: ['u/pay'], callers: ['login:ann'] }, { deny: ['u/pay'] }] },
    limits: { rates: [{ calls: 1, per_ms: 600_000, by: ['caller'], tools: ['u/lookup'] }] },
    upstreams: { u: { url: http.url, retry: { attempts: 1 } } },
  });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  await Promise.all([http.close(), login.down()]);
  rmSync(folder, { recursive: true });
});

const did = async (sub: string, tool: string): Promise<string> =>
  tried(gateway, 'u', tool, {}, { key: await login.token({ sub }) });

describe('a name is itself', () => {
  it.each([['*'], ['ANN'], ['ann '], [' ann'], ['an*'], ['login:ann'], ['ann\u200b'], ['ａｎｎ']])(
    '%j is not ann',
    async (sub) => {
      expect([await did(sub, 'pay'), await did('ann', 'pay')]).toEqual([NO, 'fine']);
    },
  );

  it.each([
    ['é', 'e\u0301'],
    ['x', 'X'],
    ['a:b', 'a'],
    ['*', '**'],
    ['y', 'y '],
  ])('%j and %j are counted apart', async (one, other) => {
    expect([await did(one, 'lookup'), await did(other, 'lookup'), await did(one, 'lookup')]).toEqual([
      'fine',
      'fine',
      'rate_limited/no',
    ]);
  });

  it('a name cannot write into the log what is not so', async () => {
    const key = await login.token({ sub: 'eve kind=forged caller=login:ann' });
    await use(gateway, 'u', 'echo', { script: [failing('It broke: forged')] }, { key });
    await expect.poll(() => gateway.log()).toContain('It broke: forged');
    const line = gateway
      .log()
      .split('\n')
      .find((each) => each.includes('It broke: forged'));
    expect(line).toContain('caller="login:eve kind=forged caller=login:ann"');
  });
});
