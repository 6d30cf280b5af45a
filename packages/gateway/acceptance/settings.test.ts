/** Settings: what the manual says is what happens, a mistake is told where it stands, and reading again applies or says so. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { refusedGateway, scratch, startGateway } from './support/gateway.ts';
import { at, othersAreServed } from './support/house.ts';
import { faultOf, type Message, post, send } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call } from './support/messages.ts';
import { executions, type Step } from './support/puppet.ts';
import { API_PATHS, failing, openapiFile, stdio } from './support/world.ts';

const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ ledger });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});

const HANG: Step[] = [{ hang: true }];

describe('a mistake is told with its line and what was meant', () => {
  it('as the manual shows', async () => {
    const { code, log } = await refusedGateway(
      [
        'dialekt: onx',
        'upstreams:',
        '  files:',
        '    command: npx',
        '    timeout: 3000',
        '  search:',
        '    url: https://search.example/mcp',
        '    from: closent',
      ].join('\n'),
    );
    expect(code).toBe(2);
    expect(log).toContain('the configuration cannot be used');
    expect(log).toContain('mayday.yaml:1: dialekt: Unknown setting; did you mean dialect?');
    expect(log).toContain(
      'mayday.yaml:5: upstreams.files.timeout: Unknown setting; did you mean timeout_ms?',
    );
    expect(log).toContain('mayday.yaml:8: upstreams.search.from: Unknown value; did you mean closient?');
  });

  const one = 'upstreams: { search: { url: "http://127.0.0.1:1/mcp" } }';
  it.each([
    ['a limit', `${one}\nlimits: { body_byte: 4096 }`, 'limits.body_byte', 'body_bytes'],
    ['where to listen', `${one}\nlisten: { prot: 1 }`, 'listen.prot', 'port'],
    ['the joined endpoint', `${one}\njoined: { seperator: _ }`, 'joined.seperator', 'separator'],
    [
      'a circuit',
      'upstreams: { s: { url: "http://127.0.0.1:1/mcp", breaker: { failure: 2 } } }',
      'breaker.failure',
      'failures',
    ],
    [
      'a retry',
      'upstreams: { s: { url: "http://127.0.0.1:1/mcp", retry: { attempt: 2 } } }',
      'retry.attempt',
      'attempts',
    ],
    ['a key', `${one}\nkeys: [{ name: a, key: 0123456789abcdef, dialekt: onx }]`, 'dialekt', 'dialect'],
    ['a role', `${one}\nkeys: [{ name: a, key: 0123456789abcdef, role: operater }]`, 'role', 'operator'],
    [
      'an upstream of a key',
      `${one}\nkeys: [{ name: a, key: 0123456789abcdef, upstreams: [serch] }]`,
      'upstreams',
      'search',
    ],
  ])('in %s', async (_name, text, place, meant) => {
    const { code, log } = await refusedGateway(text);
    expect(code).toBe(2);
    expect(log).toContain(place);
    expect(log).toContain(`did you mean ${meant}?`);
  });

  it('in the operations of a document', async () => {
    const file = openapiFile(folder, API_PATHS);
    const started = await startGateway({
      upstreams: { o: { openapi: file, base_url: http.origin, operations: ['ecko'] } },
    });
    await expect.poll(() => started.log(), { timeout: 3000 }).toContain('ecko; did you mean echo?');
    await started.stop('SIGKILL');
  });

  it.each([
    ['no upstream', 'upstreams: {}'],
    ['two kinds in one', 'upstreams: { s: { command: a, url: "http://127.0.0.1:1/mcp" } }'],
    ['a key that is too short', `${one}\nkeys: [{ name: a, key: abc }]`],
    ['a name with a slash', 'upstreams: { "a/b": { url: "http://127.0.0.1:1/mcp" } }'],
    ['an address of nothing', 'upstreams: { s: { url: "not an address" } }'],
    ['a broken file', 'upstreams: { s: [ }'],
  ])('%s is refused in words', async (_name, text) => {
    const { code, log } = await refusedGateway(text);
    expect(code).toBe(2);
    expect(log).toMatch(/mayday\.yaml(:\d+)?/);
    expect(log).not.toMatch(/\n\s+at .*:\d+:\d+/);
  });
});

describe('what starts but should worry somebody is said', () => {
  const keys = [{ name: 'a', key: 'a-key-0123456789' }];

  it('all addresses without a key', async () => {
    const open = await startGateway({ listen: { host: '0.0.0.0' }, upstreams: { u: { url: http.url } } });
    const shut = await startGateway({
      listen: { host: '0.0.0.0' },
      keys,
      upstreams: { u: { url: http.url } },
    });
    const logs = [open.log(), shut.log()];
    await Promise.all([open.stop('SIGKILL'), shut.stop('SIGKILL')]);
    expect(logs[0]).toMatch(/warn|anyone|without (a )?keys?|no keys?/i);
    expect(logs[1]).not.toMatch(/warn|anyone|without (a )?keys?|no keys?/i);
  });

  it('a program that is not there, before anybody calls, and in the status', async () => {
    const other = await startGateway({
      upstreams: { ghost: { command: 'no-such-program-anywhere' }, u: { url: http.url } },
    });
    const status = (): Promise<Message> =>
      send(`${other.url}/-/status`, undefined).then(({ body }) => JSON.parse(body) as Message);
    const early = async (): Promise<string> => other.log() + JSON.stringify(await status());
    await expect
      .poll(early, { timeout: 2000 })
      .toContain('no-such-program-anywhere')
      .catch((error: unknown) => error);
    const told = (await early()).includes('no-such-program-anywhere');
    await post(at(other, 'ghost'), call('echo'));
    await post(at(other, 'u'), call('echo'));
    const entries: Message[] = (await status())['upstreams'];
    const [ghost, well] = ['ghost', 'u'].map((name) => {
      const {
        name: _name,
        type: _type,
        endpoint: _endpoint,
        ...rest
      } = entries.find((entry) => entry['name'] === name) ?? {};
      return rest;
    });
    await other.stop('SIGKILL');
    expect(told).toBe(true);
    expect(ghost).not.toEqual(well);
    expect(JSON.stringify(ghost)).toMatch(/not found|could not|cannot|missing|failed|down|unavailable/i);
  });
});

describe('the defaults of the manual', () => {
  const gateway = keepGateway(async () => {
    const own = scratch();
    const upstreams = {
      s: stdio({ ledger }),
      u: { url: http.url },
      o: { openapi: openapiFile(own, API_PATHS), base_url: http.origin },
      cautious: { url: http.url, retry: { trust_annotations: false } },
      named: { url: http.url, retry: { repeatable: ['pay'], trust_annotations: false } },
    };
    const started = await startGateway({ upstreams }, { folder: own });
    await Promise.all(
      ['s', 'u', 'cautious', 'named'].map((name) => post(at(started, name), ask('tools/list'))),
    );
    return started;
  }, [ledger]);

  async function attempts(
    endpoint: string,
    tool: string,
    script: Step[],
    key: string,
  ): Promise<[number, number]> {
    const { ms } = await post(at(gateway(), endpoint), call(tool, { key, script }));
    return [executions(ledger, key), ms];
  }

  it('three attempts of a tool that reads, none of which is free', async () => {
    expect((await attempts('u', 'lookup', [{ head: 503 }], 'd1'))[0]).toBe(3);
    expect((await attempts('s', 'lookup', [failing('503 Service Unavailable')], 'd2'))[0]).toBe(3);
    expect((await attempts('u', 'pay', [failing('503 Service Unavailable')], 'd3'))[0]).toBe(1);
    expect((await attempts('cautious', 'lookup', [{ reset: true }], 'd4'))[0]).toBe(1);
    expect((await attempts('named', 'pay', [{ reset: true }], 'd5'))[0]).toBe(3);
  });

  it('a wait over two seconds is left to the caller', async () => {
    const [times, ms] = await attempts('u', 'lookup', [{ head: 429, headers: { 'retry-after': '3' } }], 'd6');
    expect(times).toBe(1);
    expect(ms).toBeLessThan(1000);
  });

  it('16 MiB of a request, not more', async () => {
    const sized = (bytes: number): string => JSON.stringify(call('echo', { text: 'x'.repeat(bytes) }));
    const [fits, over] = await Promise.all([
      post(at(gateway(), 'u'), sized(15 * 1024 * 1024)),
      post(at(gateway(), 'u'), sized(16 * 1024 * 1024 + 1024)).catch((error: Error) => error),
    ]);
    expect(fits.status).toBe(200);
    expect(over).toMatchObject({ status: 413 });
  });

  it('1000 failures kept', async () => {
    for (let round = 0; round < 11; round += 1) {
      await Promise.all(Array.from({ length: 100 }, () => post(at(gateway(), 'o'), call('nope'))));
    }
    const { body } = await send(`${gateway().url}/-/faults?limit=1000`, undefined);
    expect((JSON.parse(body) as Message)['faults']).toHaveLength(1000);
  });

  it('names joined with _', async () => {
    const { message } = await post(at(gateway(), ''), ask('tools/list'));
    expect((message['result'].tools as Message[]).map((tool) => tool['name'])).toContain('s_echo');
  });
});

describe('five minutes without progress', () => {
  it('are the limit of every kind of upstream', async () => {
    const own = scratch();
    const upstreams = {
      s: stdio(),
      u: { url: http.url },
      o: { openapi: openapiFile(own, API_PATHS), base_url: http.origin },
    };
    const preload = [new URL('./support/time-lapse.ts', import.meta.url).href];
    const fast = await startGateway({ upstreams }, { folder: own, preload });
    // What is started and read takes its own time, at which the clocks of this gateway would lose patience.
    await vi.waitFor(() => othersAreServed(fast), { timeout: 10_000, interval: 100 });
    const api = { script: JSON.stringify(HANG) };
    const calls: [string, Message][] = [
      ['s', call('pay', { script: HANG })],
      ['u', call('pay', { script: HANG })],
      ['o', call('pay', api)],
      ['', call('s_pay', { script: HANG })],
      ['', call('u_pay', { script: HANG })],
      ['', call('o_pay', api)],
    ];
    const waits = await Promise.all(
      calls.map(async ([endpoint, request]) => {
        const answer = await post(at(fast, endpoint), request, { within: 5000 }).catch(() => undefined);
        // 300,000 ms, a hundred times faster; clocks of both paces meet, and a busy machine adds to it.
        const ms = answer?.ms ?? 0;
        const wait = ms > 2200 && ms < 5000 ? 'five minutes' : `${Math.round(ms / 10)} s`;
        return [endpoint, request['params'].name, wait, faultOf(answer?.message ?? {})['kind']];
      }),
    );
    await fast.stop('SIGKILL');
    expect(waits).toEqual([
      ['s', 'pay', 'five minutes', 'timeout'],
      ['u', 'pay', 'five minutes', 'timeout'],
      ['o', 'pay', 'five minutes', 'timeout'],
      ['', 's_pay', 'five minutes', 'timeout'],
      ['', 'u_pay', 'five minutes', 'timeout'],
      ['', 'o_pay', 'five minutes', 'timeout'],
    ]);
  });
});

describe('the manual', () => {
  it('names every setting that the schema has', () => {
    const read = (path: string): string =>
      readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
    const names = new Set<string>();
    const gather = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const properties = (value as Message)['properties'] ?? {};
      if (typeof properties === 'object') for (const name of Object.keys(properties)) names.add(name);
      for (const inner of Object.values(value)) gather(inner);
    };
    gather(JSON.parse(read('../schema/config.schema.json')));
    const manual = read('../../../docs/gateway.md');
    expect([...names].filter((name) => name !== '$schema' && !manual.includes(name))).toEqual([]);
    expect(names.size).toBeGreaterThan(25);
  });
});
