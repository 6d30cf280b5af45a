/** The configuration of docs/policy.md: its own example, mistakes with their lines, warnings, reloads, and nobody's keys. */
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusedGateway, scratch, startGateway } from '../support/gateway.ts';
import { faultOf, words } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { mayday, times, together, tried, use } from '../support/policy.ts';

const folder = scratch();
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet();
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});

const UPSTREAM = 'upstreams: { u: { url: "http://127.0.0.1:1/mcp" } }';

describe('the configuration', () => {
  it('of the page can be used', async () => {
    const page = readFileSync(new URL('../../../../docs/policy.md', import.meta.url), 'utf8');
    const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    expect(example).toContain('approve: ["bank/pay"]');
    const { code, log } = await refusedGateway(
      `listen: { port: 0 }\n${example}`
        .replace('./mayday.db', join(folder, 'page.db'))
        .replace(/\$\{ANN_KEY\}/, 'ann-key-0123456789')
        .replace(/\$\{GUEST_KEY\}/, 'guest-key-0123456789'),
    );
    expect([code, log]).toEqual(['started', log]);
  });

  it('with mistakes is refused, and each is told with its line', async () => {
    const { code, log } = await refusedGateway(
      [
        UPSTREAM,
        `store: file:${join(folder, 'mistakes.db')}`,
        'access:',
        '  default: perhaps',
        '  refusals: rude',
        '  rules:',
        '    - { deny: ["a/*"], caller: ["ann"] }',
        '    - { approve: ["a/*"], ttl_ms: -1 }',
        '    - { deny: 7 }',
        'limits:',
        '  rates:',
        '    - { calls: 0, per_ms: 1000 }',
        '    - { calls: 5 }',
        '    - { per_ms: 1000 }',
        '    - { calls: 5, per_ms: 1000, by: [user] }',
        '    - { calls: 5, per_ms: 1000, algorithm: leaky }',
        '    - { calls: 5, per_ms: 0 }',
        '    - { calls: 5, per_ms: 1000, tool: ["a/*"] }',
        '  concurrency:',
        '    - { calls: 0 }',
        '    - { by: [caller] }',
        '    - { calls: 5, by: [user] }',
      ].join('\n'),
    );
    expect(code).toBe(2);
    expect(log).toContain('the configuration cannot be used');
    const lines = [...log.matchAll(/mayday\.yaml:(\d+): (access|limits)\./g)].map((match) =>
      Number(match[1]),
    );
    const wanted = [4, 5, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 20, 21, 22];
    expect([...new Set(lines)].sort((a, b) => a - b)).toEqual(wanted);
    expect(log).toContain('did you mean callers?');
    expect(log).toContain('did you mean tools?');
  });

  it('with a rule that does not have exactly one of deny, allow and approve is refused', async () => {
    const { code, log } = await refusedGateway(
      [
        UPSTREAM,
        `store: file:${join(folder, 'mistakes.db')}`,
        'access:',
        '  rules:',
        '    - { deny: ["a/*"], allow: ["b/*"] }',
        '    - { allow: ["a/*"] }',
        '    - { callers: ["ann"] }',
        '    - { approve: ["a/*"], deny: ["b/*"] }',
      ].join('\n'),
    );
    expect(code).toBe(2);
    const lines = [...log.matchAll(/mayday\.yaml:(\d+): access\.rules/g)].map((match) => Number(match[1]));
    expect([...new Set(lines)].sort((a, b) => a - b)).toEqual([5, 7, 8]);
  });

  it('with a cost above its limit is refused', async () => {
    const { code, log } = await refusedGateway(
      [
        UPSTREAM,
        'limits:',
        '  rates:',
        '    - { calls: 10, per_ms: 1000 }',
        '    - { calls: 10, per_ms: 1000, costs: { "u/a": 10, "u/b": 11 } }',
      ].join('\n'),
    );
    expect(code).toBe(2);
    expect(log).toMatch(/mayday\.yaml:5: limits\.rates/);
    expect(log).toContain('u/b');
    expect(log).not.toContain('u/a');
  });

  it('that needs consent but has no store is refused', async () => {
    const { code, log } = await refusedGateway(
      [UPSTREAM, 'access:', '  rules:', '    - { deny: ["u/x"] }', '    - { approve: ["u/pay"] }'].join('\n'),
    );
    expect(code).toBe(2);
    expect(log).toMatch(/mayday\.yaml:5: access\.rules/);
    expect(log).toMatch(/store/);
  });

  it('without a store has no approvals', async () => {
    const own = scratch();
    writeFileSync(join(own, 'mayday.yaml'), UPSTREAM);
    const { code, all } = await mayday(own, 'approvals');
    rmSync(own, { recursive: true });
    expect(code).toBe(2);
    expect(all).toMatch(/store/);
  });
});

describe('a configuration that lets nobody use anything', () => {
  it('is warned of, at the start and after a reload; others are not', async () => {
    const WARNING = /warning: \S*mayday\.yaml:\d+: access/;
    const upstreams = { u: { url: http.url } };
    const denies = { default: 'deny', rules: [{ deny: ['u/pay'] }] };
    const gateway = await startGateway({ access: denies, upstreams });
    expect(gateway.log()).toMatch(WARNING);
    expect(await tried(gateway, 'u', 'echo')).toBe('forbidden/no');
    let before = gateway.log().length;
    const said = (): string => gateway.log().slice(before);
    gateway.rewrite({ access: { ...denies, rules: [{ allow: ['u/echo'] }] }, upstreams });
    await expect.poll(() => tried(gateway, 'u', 'echo'), { timeout: 8000 }).toBe('fine');
    await expect.poll(said, { timeout: 8000 }).toMatch(/reloaded/);
    expect(said().split('reloaded').at(-1)).not.toMatch(WARNING);
    before = gateway.log().length;
    gateway.rewrite({ access: { default: 'deny' }, upstreams });
    await expect.poll(said, { timeout: 8000 }).toMatch(WARNING);
    await gateway.stop('SIGKILL');
  });
});

describe('rules that are about nothing', () => {
  it('are warned of', async () => {
    const gateway = await startGateway({
      keys: [{ name: 'ann', key: 'ann-key-0123456789', tenant: 'acme' }],
      access: {
        rules: [
          { deny: ['nonesuch/*'] },
          { deny: ['u/pay'], callers: ['nobody-*'] },
          { deny: ['u/pay'], tenants: ['nowhere'] },
          { deny: ['u/pay', '*/lookup'], callers: ['an*'], tenants: ['*'] },
        ],
      },
      upstreams: { u: { url: http.url } },
    });
    const warned = gateway.log().match(/warning: .*access.*/g) ?? [];
    await gateway.stop('SIGKILL');
    expect(warned).toHaveLength(3);
    const settings = warned.map((line) => /access\.rules\.(\S+?):/.exec(line)?.[1]);
    expect(settings).toEqual(['0.deny.0', '1.callers', '2.tenants']);
  });
});

describe('without keys', () => {
  it('everybody is one caller, without tenant and scopes', async () => {
    const gateway = await startGateway({
      store: `file:${join(folder, `keyless-${randomUUID()}.db`)}`,
      access: {
        rules: [
          { deny: ['*'], tenants: ['*'] },
          { deny: ['*'], callers: ['*'] },
          { allow: ['u/lookup'], scopes: ['look:deeply'] },
          { approve: ['u/pay'] },
        ],
      },
      limits: { rates: [{ calls: 4, per_ms: 3_600_000, by: ['caller'], tools: ['u/echo'] }] },
      upstreams: { u: { url: http.url } },
    });
    const others = ['one-0123456789', 'two-0123456789', undefined];
    const fates = await together(6, (index) =>
      tried(
        gateway,
        index % 2 === 0 ? 'u' : '',
        index % 2 === 0 ? 'echo' : 'u_echo',
        {},
        {
          key: others[index % 3],
        },
      ),
    );
    const looked = await use(gateway, 'u', 'lookup');
    const asked = await use(gateway, 'u', 'pay', { n: 1 }, { key: 'one-0123456789' });
    const id = String(faultOf(asked.message)['details']?.approval_id);
    const said = await mayday(gateway.folder, 'approvals', 'approve', id);
    const paid = await tried(gateway, 'u', 'pay', { n: 1 }, { key: 'two-0123456789' });
    await gateway.stop('SIGKILL');
    expect(fates).toEqual([...times(4, 'fine'), ...times(2, 'rate_limited/no')]);
    expect(faultOf(looked.message)).toMatchObject({ kind: 'forbidden', executed: 'no' });
    expect(words(looked.message)).toContain('look:deeply');
    expect([said.code, said.all, paid]).toEqual([0, said.all, 'fine']);
  });
});

describe('a reload of limits', () => {
  it('takes effect at once; a mistake changes nothing', async () => {
    const keys = [{ name: 'ann', key: 'ann-key-0123456789' }];
    const key = 'ann-key-0123456789';
    const upstreams = { u: { url: http.url } };
    const limited = (calls: number, more: object = {}): object => ({
      keys,
      limits: { rates: [{ calls, per_ms: 3_600_000, by: ['caller'], ...more }] },
      upstreams,
    });
    const gateway = await startGateway(limited(1));
    let before = 0;
    const said = (): string => gateway.log().slice(before);
    const reload = async (settings: object, pattern: RegExp): Promise<void> => {
      before = gateway.log().length;
      gateway.rewrite(settings);
      await expect.poll(said, { timeout: 8000 }).toMatch(pattern);
    };
    const one = (): Promise<string> => tried(gateway, 'u', 'echo', {}, { key });
    expect([await one(), await one()]).toEqual(['fine', 'rate_limited/no']);
    await reload(limited(5, { costs: { '*': 6 } }), /limits\.rates/);
    expect(await one()).toBe('rate_limited/no');
    await reload({ keys, upstreams }, /reloaded/);
    expect(await together(10, one)).toEqual(times(10, 'fine'));
    await reload({ keys, limits: { concurrency: [{ calls: 1 }] }, upstreams }, /reloaded/);
    const args = { script: [{ wait: 1500 }, { answer: { result: { content: [] } } }] };
    const two = await together(2, () => tried(gateway, 'u', 'pay', args, { key }));
    await gateway.stop('SIGKILL');
    expect(two).toEqual(['fine', 'overloaded/no']);
  });
});
