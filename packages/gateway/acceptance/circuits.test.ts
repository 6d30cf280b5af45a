/** Circuits: only silence and broken pipes speak against a server; tool failures count for the tool, refusals of ours for nobody. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { faultOf, type Message, post } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { call, initialize } from './support/messages.ts';
import { executions, type Step } from './support/puppet.ts';
import { ANY_BODY, failing, openapiFile, operation, stdio } from './support/world.ts';

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

const PATHS = {
  '/echo': { get: operation('echo', [{ name: 'X-Tag', in: 'header', schema: { type: 'string' } }]) },
  '/pay': { post: operation('pay', [], ANY_BODY) },
};

/** One upstream for each question, so that no answer depends on another. */
const gateway = keepGateway(() => {
  const once = { retry: { attempts: 1 }, timeout_ms: 250 };
  const four = { ...once, breaker: { failures: 4, open_ms: 60_000 } };
  const own = scratch();
  const url = (): object => ({ url: http.url, ...four });
  const upstreams = {
    tools: stdio({ ledger }, { ...four, timeout_ms: 3000, max_sessions: 1 }),
    utools: url(),
    // `a`, `b` and so on: each is broken by one test.
    a: url(),
    b: url(),
    c: url(),
    d: url(),
    e: url(),
    f: url(),
    g: url(),
    heals: { url: http.url, ...once, breaker: { failures: 2, open_ms: 300 } },
    plain: { url: http.url, ...once },
    p: stdio({ ledger }, { ...four, timeout_ms: 3000 }),
    o: { openapi: openapiFile(own, PATHS), base_url: http.origin, ...four },
  };
  return startGateway({ upstreams, limits: { body_bytes: 65_536 } }, { folder: own });
}, [ledger]);

let keys = 0;
function keyed(tool: string, script: readonly Step[]): { key: string; request: Message } {
  keys += 1;
  return { key: `c${keys}`, request: call(tool, { key: `c${keys}`, script }) };
}

/** Calls a tool whose server does this; says whether the call reached it. */
async function reaches(endpoint: string, tool: string, script: readonly Step[]): Promise<boolean> {
  const { key, request } = keyed(tool, script);
  await post(at(gateway(), endpoint), request);
  return executions(ledger, key) > 0;
}

const FINE: Step[] = [{ answer: { result: { content: [{ type: 'text', text: 'fine' }] } } }];
const RESET: Step[] = [{ reset: true }];

async function broken(endpoint: string, tool: string, times: number): Promise<boolean[]> {
  const reached: boolean[] = [];
  for (let index = 0; index < times; index += 1) reached.push(await reaches(endpoint, tool, RESET));
  return reached;
}

describe('failures of a tool hold back no other tool', () => {
  it.each([
    ['failing results', failing('It went wrong')],
    ['results that sound like an outage', failing('503 Service Unavailable')],
    ['results that sound like silence', failing('Request timed out')],
    ['results that sound like a broken pipe', failing('connect ECONNREFUSED 10.0.0.7:5432')],
    ['internal errors', { answer: { error: { code: -32603, message: 'Internal error' } } }],
    ['errors of a backend', { answer: { error: { code: 4001, message: 'Backend unavailable', data: {} } } }],
    [
      'rate limits',
      { answer: { error: { code: -32010, message: 'Rate limit exceeded', data: { retry_after: 60 } } } },
    ],
    ['refused arguments', { answer: { error: { code: -32602, message: 'Invalid params' } } }],
  ] as [string, Step][])('%s', async (_name, step) => {
    for (const endpoint of ['tools', 'utools']) {
      for (let index = 0; index < 8; index += 1)
        await post(at(gateway(), endpoint), call('pay', { script: [step] }));
      expect(await reaches(endpoint, 'echo', FINE)).toBe(true);
      expect(await reaches(endpoint, 'lookup', FINE)).toBe(true);
    }
    for (const name of ['tools', 'utools']) {
      for (let index = 0; index < 8; index += 1)
        await post(at(gateway(), ''), call(`${name}_pay`, { script: [step] }));
      expect(await reaches('', `${name}_echo`, FINE)).toBe(true);
      expect(await reaches(name, 'echo', FINE)).toBe(true);
    }
  });

  it('HTTP refusals', async () => {
    for (const head of [400, 401, 403, 404, 409, 422, 429]) {
      for (let index = 0; index < 5; index += 1)
        await post(at(gateway(), 'utools'), call('pay', { script: [{ head }] }));
    }
    expect(await reaches('utools', 'echo', FINE)).toBe(true);
  });
});

describe('refusals of ours count for nobody', () => {
  it('unknown sessions, broken messages, bodies that are too large', async () => {
    for (let index = 0; index < 8; index += 1) {
      await post(at(gateway(), 'tools'), call('echo'), { session: 'never-opened' });
      await post(at(gateway(), 'tools'), '{"jsonrpc":');
      await post(at(gateway(), 'tools'), call('echo', { text: 'x'.repeat(100_000) })).catch(() => undefined);
      await post(at(gateway(), 'tools'), call('echo'), { headers: { host: 'evil.example' } });
    }
    expect(await reaches('tools', 'echo', FINE)).toBe(true);
  });

  it('sessions over the limit, also for the session that is open', async () => {
    const opened = await post(at(gateway(), 'tools'), initialize());
    const session = String(opened.headers['mcp-session-id']);
    const leave = new AbortController();
    const listens = { accept: 'text/event-stream', 'mcp-session-id': session };
    const stream = await fetch(at(gateway(), 'tools'), { headers: listens, signal: leave.signal });
    expect(stream.status).toBe(200);
    for (let index = 0; index < 8; index += 1) {
      expect((await post(at(gateway(), 'tools'), initialize())).status).toBe(503);
    }
    leave.abort();
    const { key, request } = keyed('echo', FINE);
    await post(at(gateway(), 'tools'), request, { session });
    expect(executions(ledger, key)).toBe(1);
    expect(await reaches('tools', 'echo', FINE)).toBe(true);
  });

  it.each([['\u0001'], ['a\r\nx-evil: 1'], ['\u0000']])(
    'an argument that no header can carry: %j',
    async (tag) => {
      for (let index = 0; index < 6; index += 1) {
        const { message } = await post(at(gateway(), 'o'), call('echo', { 'X-Tag': tag }));
        expect(message['result']?.isError ?? message['error'] !== undefined).toBe(true);
        expect(faultOf(message)['origin']).toBe('caller');
      }
      const fine = await post(at(gateway(), 'o'), call('echo', { 'X-Tag': 'plain' }));
      expect(fine.message['result']?.isError ?? false).toBe(false);
    },
  );
});

describe('a threshold counts what happened, once', () => {
  it.each([
    ['a', 'a', 'pay'],
    ['b', '', 'b_pay'],
  ])('four broken calls to %s open a circuit of four, not three', async (own, endpoint, tool) => {
    expect(await broken(endpoint, tool, 4)).toEqual([true, true, true, true]);
    expect(await reaches(endpoint, tool, FINE)).toBe(false);
    expect(await reaches(own, 'echo', FINE)).toBe(false);
  });

  it.each([
    ['c', 'pay'],
    ['', 'g_pay'],
  ])('silence at /%s counts like a broken pipe', async (endpoint, tool) => {
    for (let index = 0; index < 4; index += 1)
      expect(await reaches(endpoint, tool, [{ hang: true }])).toBe(true);
    expect(await reaches(endpoint, tool, FINE)).toBe(false);
  });

  it('a process that dies counts, and no caller is told to fix anything', async () => {
    for (let index = 0; index < 4; index += 1)
      await post(at(gateway(), 'p'), call('pay', { script: [{ exit: 1 }] }), { within: 4000 });
    const held = await post(at(gateway(), 'p'), call('echo'), { within: 4000 });
    expect(faultOf(held.message)).toMatchObject({ origin: 'gateway', executed: 'no', retryable: true });
  });

  it('a success in between starts the count again', async () => {
    await broken('d', 'pay', 3);
    expect(await reaches('d', 'pay', FINE)).toBe(true);
    expect(await broken('d', 'pay', 3)).toEqual([true, true, true]);
    expect(await reaches('d', 'pay', FINE)).toBe(true);
  });

  it('five in a row without a setting, and calls are held back for about a second', async () => {
    expect(await broken('plain', 'pay', 5)).toEqual([true, true, true, true, true]);
    const held = await post(at(gateway(), 'plain'), call('pay'));
    const wait = faultOf(held.message)['retry'].after_ms;
    expect(wait).toBeGreaterThan(600);
    expect(wait).toBeLessThanOrEqual(1000);
  });

  it('an open circuit closes again when the server is well', async () => {
    await broken('heals', 'pay', 2);
    expect(await reaches('heals', 'pay', FINE)).toBe(false);
    await expect.poll(() => reaches('heals', 'pay', FINE), { timeout: 3000, interval: 100 }).toBe(true);
    expect(await reaches('heals', 'pay', FINE)).toBe(true);
  });
});

describe('the joined endpoint routes by the name of the call', () => {
  const asIf = (params: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
  /** `$K` is a fresh key, so that arrival can be seen. */
  async function arrives(params: string): Promise<boolean> {
    keys += 1;
    const key = `c${keys}`;
    await post(at(gateway(), ''), asIf(params.replace('$K', key)));
    return executions(ledger, key) > 0;
  }

  it('an open circuit holds, wherever else a name stands', async () => {
    await broken('e', 'pay', 4);
    expect(
      await Promise.all([
        arrives('{"_meta":{"clientInfo":{"name":"utools_echo"}},"name":"e_echo","arguments":{"key":"$K"}}'),
        arrives('{"arguments":{"name":"utools_echo","key":"$K"},"name":"e_echo"}'),
        arrives('{"arguments":{"key":"$K","deep":[{"name":"utools_echo"}]},"name":"e_echo"}'),
        arrives('{"arguments":{"key":"$K"},"n\\u0061me":"e_echo"}'),
      ]),
    ).toEqual([false, false, false, false]);
  });

  it('a call for one server is not held back by the name of another in it', async () => {
    expect(
      await Promise.all([
        arrives('{"_meta":{"clientInfo":{"name":"e_echo"}},"name":"utools_echo","arguments":{"key":"$K"}}'),
        arrives('{"arguments":{"name":"e_echo","key":"$K"},"name":"utools_echo"}'),
        arrives('{"name":"utools_echo","arguments":{"name":"e_echo","key":"$K"}}'),
        arrives('{"arguments":{"key":"$K"},"n\\u0061me":"utools_echo"}'),
      ]),
    ).toEqual([true, true, true, true]);
  });

  it('leaves no circuit half open', async () => {
    await broken('heals', 'pay', 2);
    await new Promise((resolve) => setTimeout(resolve, 700));
    await arrives('{"arguments":{"name":"heals_echo","key":"$K"},"name":"utools_echo"}');
    expect(await reaches('heals', 'echo', FINE)).toBe(true);
    expect(await reaches('heals', 'echo', FINE)).toBe(true);
  });

  it('failures count for the server that failed', async () => {
    for (let index = 0; index < 6; index += 1) {
      await post(
        at(gateway(), ''),
        asIf(`{"arguments":{"name":"f_echo","script":${JSON.stringify(RESET)}},"name":"a_pay"}`),
      );
    }
    expect(await reaches('f', 'echo', FINE)).toBe(true);
  });
});
