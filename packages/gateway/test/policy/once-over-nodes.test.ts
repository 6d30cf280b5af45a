/** Exactly once over gateways that share a store: what was lost at one is answered by another, and nothing is done twice. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '@mayday/store';
import { afterEach, describe, expect, it } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../../../store/test/redis-server.ts';
import type { SettingsFile } from '../../src/index.ts';
import { startGateway } from '../../src/index.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  json,
  later,
  open,
  post,
  settingsOf,
  until,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const folder = mkdtempSync(join(tmpdir(), 'mayday-once-'));
let files = 0;
const newFile = (): string => join(folder, `${++files}.db`);

async function newRedis(): Promise<RedisServer> {
  const redis = await startRedis();
  later(() => redis.stop());
  return redis;
}

/** A server whose work ends when the test says so. */
async function till(): Promise<{ url: string; begun: string[]; finish(): void }> {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const { url } = await upstream((body, response, request) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    const say = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'initialize') {
      const serverInfo = { name: 'u', version: '1' };
      return say({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
    }
    if (method !== 'tools/call') return say({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }] });
    begun.push(params.arguments.who);
    const text = `paid ${params.arguments.who} ${begun.length}`;
    const end = (): void => say({ content: [{ type: 'text', text }] });
    if (params.arguments.who === 'slow') waiting.push(end);
    else end();
  });
  return { url, begun, finish: () => waiting.splice(0).forEach((end) => void end()) };
}

function keyed(who: string, { key = who, name = 'pay' } = {}): object {
  return call('tools/call', { name, arguments: { who }, _meta: { 'dev.mayday/idempotency-key': key } });
}

function textOf({ message }: Awaited<ReturnType<typeof post>>): string | undefined {
  return (message.result?.['content'] as { text: string }[] | undefined)?.[0]?.text;
}

const ENGINES = ['a file', ...(hasRedis ? ['Redis'] : [])];

describe.each(ENGINES)('gateways on %s', (engine) => {
  const newStore = async (): Promise<string> => (engine === 'a file' ? newFile() : (await newRedis()).url);

  it('answer what another has done, whichever way it is asked', async () => {
    const { url, begun } = await till();
    const settings: SettingsFile = { store: await newStore(), upstreams: { u: { url } } };
    const [a, b] = [await open(settings), await open(settings)];
    expect(textOf(await post(`${a.url}/u/mcp`, keyed('ann')))).toBe('paid ann 1');
    expect(textOf(await post(`${b.url}/u/mcp`, keyed('ann')))).toBe('paid ann 1');
    expect(textOf(await post(`${b.url}/mcp`, keyed('ann', { name: 'u_pay' })))).toBe('paid ann 1');
    const other = faultIn(await post(`${b.url}/u/mcp`, keyed('bob', { key: 'ann' })));
    expect([other?.['kind'], other?.['executed']]).toEqual(['conflict', 'no']);
    await Promise.all([a.close(0), b.close(0)]);
    const again = await open(settings);
    expect(textOf(await post(`${again.url}/u/mcp`, keyed('ann')))).toBe('paid ann 1');
    expect(begun).toEqual(['ann']);
  });

  it('wait for each other', async () => {
    const { url, begun, finish } = await till();
    const settings: SettingsFile = { store: await newStore(), upstreams: { u: { url } } };
    const [a, b] = [await open(settings), await open(settings)];
    const lost = new AbortController();
    const first = fetch(`${a.url}/u/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(keyed('slow')),
      signal: lost.signal,
    }).catch(() => undefined);
    await until(() => begun.length === 1);
    lost.abort();
    await first;
    const repeat = post(`${b.url}/u/mcp`, keyed('slow'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    finish();
    expect(textOf(await repeat)).toBe('paid slow 1');
    expect(begun).toEqual(['slow']);
  });

  it.skipIf(engine === 'a file')('keep nobody waiting while there is no room for an answer', async () => {
    const { url, begun, finish } = await till();
    const redis = await newRedis();
    const settings: SettingsFile = { store: redis.url, upstreams: { u: { url } } };
    const [a, b] = [await open(settings), await open(settings)];
    const first = post(`${a.url}/u/mcp`, keyed('slow'));
    await until(() => begun.length === 1);
    await redis.tell('CONFIG', 'SET', 'maxmemory', '100kb');
    await until(async () => (await fetch(`${b.url}/-/ready`)).status === 503);
    finish();
    expect(textOf(await first)).toBe('paid slow 1');
    const told = faultIn(await post(`${b.url}/u/mcp`, keyed('slow')));
    expect([told?.['kind'], told?.['executed'], told?.['retryable']]).toEqual(['unavailable', 'maybe', true]);
    await redis.tell('CONFIG', 'SET', 'maxmemory', '0');
    await until(async () => textOf(await post(`${b.url}/u/mcp`, keyed('slow'))) === 'paid slow 1');
    expect(begun).toEqual(['slow']);
  });

  it('keep the keys of callers apart, and know each by its name everywhere', async () => {
    const { url, begun } = await till();
    const keys = [
      { name: 'ann', key: 'key-of-ann' },
      { name: 'bob', key: 'key-of-bob' },
    ];
    const settings: SettingsFile = { store: await newStore(), keys, upstreams: { u: { url } } };
    const [a, b] = [
      await open(settings),
      await open({ ...settings, keys: [{ name: 'ann', key: 'newer-key-of-ann' }, keys[1] as never] }),
    ];
    const as = (key: string) => ({ authorization: `Bearer ${key}` });
    expect(textOf(await post(`${a.url}/u/mcp`, keyed('x'), as('key-of-ann')))).toBe('paid x 1');
    expect(textOf(await post(`${b.url}/u/mcp`, keyed('x'), as('newer-key-of-ann')))).toBe('paid x 1');
    expect(textOf(await post(`${b.url}/u/mcp`, keyed('x'), as('key-of-bob')))).toBe('paid x 2');
    expect(begun).toEqual(['x', 'x']);
  });
});

it('many at once, at two gateways: one is made', async () => {
  const { url, begun } = await till();
  const settings: SettingsFile = { store: newFile(), upstreams: { u: { url } } };
  const nodes = [await open(settings), await open(settings)];
  const asked = Array.from({ length: 40 }, (_, i) => post(`${nodes[i % 2]?.url}/u/mcp`, keyed('ann')));
  expect(new Set((await Promise.all(asked)).map(textOf))).toEqual(new Set(['paid ann 1']));
  expect(begun).toEqual(['ann']);
});

it('who repeats the call of a gateway that is gone is told so', async () => {
  let now = 1_800_000_000_000;
  const store = await openStore({ url: 'memory:', clock: { now: () => now } });
  later(() => store.close());
  const { url, begun, finish } = await till();
  const start = async () => {
    const gateway = await startGateway(settingsOf({ upstreams: { u: { url, timeout_ms: 500 } } }), { store });
    later(() => gateway.close(0));
    return gateway;
  };
  const [a, b] = [await start(), await start()];
  expect(faultIn(await post(`${a.url}/u/mcp`, keyed('slow')))?.['kind']).toBe('timeout');
  const kinds = async (): Promise<unknown[]> => {
    const fault = faultIn(await post(`${b.url}/u/mcp`, keyed('slow')));
    return [fault?.['kind'], fault?.['executed']];
  };
  expect(await kinds()).toEqual(['timeout', 'maybe']);
  now += 11_000; // longer than a gateway may be silent
  expect(await kinds()).toEqual(['disconnected', 'maybe']);
  finish();
  await until(async () => textOf(await post(`${a.url}/u/mcp`, keyed('slow'))) === 'paid slow 1');
  expect(textOf(await post(`${b.url}/u/mcp`, keyed('slow')))).toBe('paid slow 1'); // it was not gone after all
  expect(begun).toEqual(['slow']);
});

it('a file that another process holds: calls with a key wait, and nobody else notices', async () => {
  const file = newFile();
  const { url, begun } = await till();
  const gateway = await open({ store: file, upstreams: { u: { url } } });
  const other = new DatabaseSync(file);
  later(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const waiting = post(`${gateway.url}/u/mcp`, keyed('ann'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const since = performance.now();
  expect(textOf(await post(`${gateway.url}/u/mcp`, callTool('pay', { who: 'bob' })))).toBe('paid bob 1');
  expect(performance.now() - since).toBeLessThan(500);
  other.exec('COMMIT');
  expect(textOf(await waiting)).toBe('paid ann 2');
  other.exec('BEGIN IMMEDIATE');
  const fault = faultIn(await post(`${gateway.url}/u/mcp`, keyed('eve')));
  expect([fault?.['kind'], fault?.['executed']]).toEqual(['unavailable', 'maybe']);
  other.exec('COMMIT');
  expect(begun).toEqual(['bob', 'ann']);
});

describe.skipIf(!hasRedis)('a store that stalls', () => {
  it('refuses calls with a key before anything is sent, and nobody else notices', async () => {
    const redis = await newRedis();
    const { url, begun } = await till();
    const gateway = await open({ store: redis.url, upstreams: { u: { url } } });
    redis.signal('SIGSTOP');
    const refused = post(`${gateway.url}/u/mcp`, keyed('ann'));
    const since = performance.now();
    expect(textOf(await post(`${gateway.url}/u/mcp`, callTool('pay', { who: 'bob' })))).toBe('paid bob 1');
    expect(performance.now() - since).toBeLessThan(500);
    const fault = faultIn(await refused);
    const told = [fault?.['kind'], fault?.['executed'], fault?.['retryable']];
    expect(told).toEqual(['unavailable', 'maybe', true]); // another gateway may have made it
    expect(gateway.logs.join('\n')).toMatch(/store: /);
    expect(gateway.logs.join('\n')).not.toMatch(/bug: /);
    redis.signal('SIGCONT');
    await until(async () => textOf(await post(`${gateway.url}/u/mcp`, keyed('ann'))) === 'paid ann 2');
    expect(begun).toEqual(['bob', 'ann']);
  });

  it('gets the answer of a call that ended meanwhile, and other gateways have it then', async () => {
    const redis = await newRedis();
    const { url, begun, finish } = await till();
    const settings: SettingsFile = { store: redis.url, upstreams: { u: { url, timeout_ms: 4000 } } };
    const [a, b] = [await open(settings), await open(settings)];
    const first = post(`${a.url}/u/mcp`, keyed('slow'));
    await until(() => begun.length === 1);
    redis.signal('SIGSTOP');
    finish();
    expect(textOf(await first)).toBe('paid slow 1');
    redis.signal('SIGCONT');
    await until(async () => textOf(await post(`${b.url}/u/mcp`, keyed('slow'))) === 'paid slow 1');
    expect(begun).toEqual(['slow']);
  });
});
