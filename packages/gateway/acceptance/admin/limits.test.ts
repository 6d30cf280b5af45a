/** Settings of the admin API, from docs/admin.md: its own port, its limit, and what a gateway without it says. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../../scripts/free-port.ts';
import { ANN, admin, EVE, fresh, KEYS, OPS, refusal, type Told } from '../support/admin.ts';
import { refusedGateway, scratch, startGateway } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { initialize } from '../support/messages.ts';
import { mayday, use } from '../support/policy.ts';

const folder = scratch();
let http: HttpPuppet;
let port: number;
beforeAll(async () => {
  http = await startHttpPuppet();
  port = await freePort();
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});
const settings = (more: object = {}): object => ({
  store: `file:${join(folder, 'mayday.db')}`,
  keys: KEYS,
  admin: { listen: { port }, requests_per_minute: 40 },
  listen: { allowed_hosts: ['mcp.example.com'], allowed_origins: ['https://console.example'] },
  upstreams: { u: { url: http.url } },
  ...more,
});
const gateway = keepGateway(() => startGateway(settings()), [join(folder, 'mayday.db')]);
const own = (): { url: string } => ({ url: `http://127.0.0.1:${port}` });
let operators = 0;

/** An operator whom nobody has counted yet, of the store: the command line makes it. */
async function operator(): Promise<string> {
  operators += 1;
  const { code, out } = await mayday(
    gateway().folder,
    'keys',
    'create',
    fresh(`o${operators}`),
    '--role',
    'operator',
  );
  expect(code).toBe(0);
  return /mdy_\S+/.exec(out)?.[0] ?? '';
}

describe('the port of its own', () => {
  it('is told at the start', () => {
    expect(gateway().log()).toContain(`http://127.0.0.1:${port}/-/admin/v1 (for operators)`);
    expect(gateway().log()).toContain(`http://127.0.0.1:${gateway().port}/u/mcp`);
  });

  it('has the admin API, and the other has not', async () => {
    const key = await operator();
    expect(await refusal(own(), '/keys', undefined, { key })).toBe('200 fine');
    expect(await refusal(own(), '/keys', undefined, { key: ANN })).toBe('403 forbidden');
    expect(await refusal(own(), '/keys', undefined, { key: undefined })).toBe('401 unauthenticated');
    const name = fresh('wrong-port');
    const told = await Promise.all([
      admin(gateway(), '/keys', undefined, { key }),
      admin(gateway(), '/status', undefined, { key }),
      admin(gateway(), '/openapi.json', undefined, { key }),
      admin(gateway(), '/faults/stream', undefined, { key }),
      admin(gateway(), '/keys', { name }, { key }),
    ]);
    expect(told.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await admin(own(), '/keys', undefined, { key })).text).not.toContain(name);
  });

  it('has what else is under /-/, and no tools', async () => {
    const key = await operator();
    const paths = ['/-/health', '/-/ready', '/-/status', '/-/faults'];
    const told = await Promise.all(paths.map((path) => send(`${own().url}${path}`, undefined, { key })));
    expect(told.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const same = await Promise.all(paths.map((path) => send(`${gateway().url}${path}`, undefined, { key })));
    expect(same.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const calls = await Promise.all(
      ['/u/mcp', '/mcp', '/u/mcp/', '/-/admin/v1/u/mcp', '/-/mcp', '/-/u/mcp'].map((path) =>
        send(`${own().url}${path}`, initialize(), { method: 'POST', key: ANN, headers }),
      ),
    );
    expect(calls.map(({ status }) => status).filter((status) => status < 400)).toEqual([]);
    expect(http.arrivals.filter(({ body }) => body.includes('initialize'))).toEqual([]);
    expect((await use(gateway(), 'u', 'echo', {}, { key: ANN })).status).toBe(200);
  });

  it('goes by the same hosts and origins', async () => {
    const key = await operator();
    const ask = (headers: Record<string, string>): Promise<string> =>
      refusal(own(), '/keys', undefined, { key, headers });
    expect(
      [
        await ask({ host: 'mcp.example.com' }),
        await ask({ host: 'evil.example' }),
        await ask({ host: 'evil.example', origin: 'http://evil.example' }),
        await ask({ origin: 'https://console.example' }),
        await ask({ origin: own().url }),
        await ask({ origin: gateway().url }),
        await ask({ origin: 'http://localhost:3000' }),
        await ask({ host: `localhost:${port}`, origin: `http://localhost:${port}` }),
        // A name of its own makes no page one of the gateway's.
        await ask({ host: `mcp.example.com:${port}`, origin: `http://mcp.example.com:${port}` }),
        await ask({ host: 'mcp.example.com', origin: 'https://console.example' }),
      ].map((each) => each.slice(0, 3)),
    ).toEqual(['200', '403', '403', '200', '200', '403', '403', '200', '403', '200']);
  });
});

describe('an operator', () => {
  it('makes so many requests in a minute, and one more is told when', async () => {
    const first = await admin(own(), '/keys', undefined, { key: EVE });
    expect(first.headers['ratelimit-policy']).toMatch(/^"[^"]+";q=40;w=60$/);
    expect(first.headers['ratelimit']).toMatch(/^"[^"]+";r=39;t=\d+$/);
    const more = await Promise.all(
      Array.from({ length: 39 }, () => admin(own(), '/status', undefined, { key: EVE })),
    );
    expect(more.map(({ status }) => status)).toEqual(Array.from({ length: 39 }, () => 200));
    const next = (): Promise<string> => refusal(own(), '/nonesuch', undefined, { key: EVE });
    await expect.poll(next, { interval: 1, timeout: 20_000 }).toBe('429 rate_limited');
    const again = (): Promise<Told> => admin(own(), '/openapi.json', undefined, { key: EVE });
    await expect
      .poll(again, { interval: 1, timeout: 20_000 })
      .toMatchObject({ status: 429, body: { kind: 'rate_limited', executed: 'no' } });
    const { headers } = await admin(own(), '/openapi.json', undefined, { key: EVE });
    expect(headers['ratelimit']).toMatch(/;r=0;t=\d+$/);
  });

  it('has no more of them before the first is a minute old', async () => {
    const key = await operator();
    const ask = (): Promise<Told> => admin(own(), '/status', undefined, { key });
    const started = Date.now();
    const first = await Promise.all(Array.from({ length: 41 }, ask));
    expect(first.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 40 }, () => 200), 429]);
    const { status, headers } = await ask();
    const passed = Math.ceil((Date.now() - started) / 1000);
    expect([status, Number(headers['retry-after']) >= 60 - passed]).toEqual([429, true]);
  });

  it('is told Retry-After, and nothing is done', async () => {
    const name = fresh('late');
    const key = await operator();
    const spent = (): Promise<Told> => admin(own(), '/keys', { name, nme: '' }, { key });
    await Promise.all(Array.from({ length: 40 }, spent));
    await expect.poll(spent, { interval: 1, timeout: 20_000 }).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) },
    });
  });

  it('is not held up by others, nor by those who are not let in', async () => {
    const key = await operator();
    const strangers = [ANN, 'nobody-0123456789abcdef'].flatMap((stranger) =>
      Array.from({ length: 60 }, () => admin(own(), '/keys', undefined, { key: stranger })),
    );
    await Promise.all(strangers);
    expect((await admin(own(), '/keys', undefined, { key })).headers['ratelimit']).toMatch(/;r=39;/);
    expect((await use(gateway(), 'u', 'echo', {}, { key: EVE })).status).toBe(200);
  });
});

describe('a reload', () => {
  it('takes keys at once, and says what needs a restart', async () => {
    const [key, late] = [await operator(), 'new-key-0123456789abcdef'];
    gateway().rewrite(
      settings({ keys: [...KEYS, { name: 'new', key: late, role: 'operator' }], admin: false }),
    );
    await expect
      .poll(() => refusal(own(), '/status', undefined, { key: late }), { timeout: 10_000, interval: 400 })
      .toBe('200 fine');
    await expect.poll(() => gateway().log(), { timeout: 5000 }).toMatch(/a restart is needed for .*admin/);
    gateway().rewrite(settings({ keys: [{ name: 'ops', key: OPS, role: 'caller' }] }));
    await expect
      .poll(() => refusal(own(), '/status', undefined, { key: OPS }), { timeout: 10_000, interval: 400 })
      .toBe('403 forbidden');
    expect(await refusal(own(), '/status', undefined, { key: late })).toBe('401 unauthenticated');
    expect(await refusal(own(), '/status', undefined, { key })).toBe('200 fine');
    gateway().rewrite(settings());
    await expect
      .poll(() => refusal(own(), '/status', undefined, { key: OPS }), { timeout: 10_000, interval: 400 })
      .toBe('200 fine');
  });
});

describe('a configuration', () => {
  it('of the page can be used', async () => {
    const { code, log } = await refusedGateway(
      [
        'listen: { port: 0 }',
        `store: file:${join(folder, 'page.db')}`,
        'keys:',
        '  - { name: ops, key: "ops-key-0123456789abcdef", role: operator }',
        'upstreams:',
        '  files: { command: "true" }',
        'admin: { listen: { port: 0 } }',
      ].join('\n'),
    );
    expect([code, log]).toEqual(['started', log]);
  });

  it('with mistakes is refused, and each is told', async () => {
    const { code, log } = await refusedGateway(
      [
        'upstreams: { u: { url: "http://127.0.0.1:1/mcp" } }',
        'admin:',
        '  requests_per_minute: 0',
        '  listn: { port: 1 }',
        '  listen: { port: 70000, hots: "127.0.0.1" }',
      ].join('\n'),
    );
    expect(code).toBe(2);
    expect(log).toContain('requests_per_minute');
    expect(log).toContain('did you mean listen');
    expect(log).toContain('did you mean host');
    expect(log).toMatch(/:5: admin\.listen\.port/);
  });
});
