/** Limits of a running gateway: what callers are told, and what is counted. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hasRedis, startRedis } from '../../../store/test/redis-server.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  idIn,
  json,
  later,
  open,
  type Posted,
  post,
  settingsOf,
  until,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const folder = mkdtempSync(join(tmpdir(), 'mayday-limits-'));
let files = 0;
const newFile = (): string => join(folder, `${++files}.db`);

/** A server that answers at once, except `wait`, which answers when the test says so. */
async function server(headers: { readonly [name: string]: string } = {}) {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const { url } = await upstream((body, response: ServerResponse) => {
    const { id, method, params } = JSON.parse(body || '{}');
    const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result }, headers);
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize')
      answer({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      });
    else if (method === 'resources/read' && !String(params.uri).startsWith('own:'))
      json(response, 200, { jsonrpc: '2.0', id, error: { code: -32002, message: 'Resource not found' } });
    else {
      asked.push(params.name ?? method);
      const text = { content: [{ type: 'text', text: 'done' }] };
      if (params.name === 'fail') answer({ ...text, isError: true });
      else if (params.name === 'stream') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const progress = { progressToken: params._meta.progressToken, progress: 1 };
        for (const said of [
          { method: 'notifications/progress', params: progress },
          { id, result: text },
        ])
          response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...said })}\n\n`);
        response.end();
      } else if (params.name === 'wait') waiting.push(() => answer(text));
      else answer(text);
    }
  });
  const finish = (): void => {
    for (const end of waiting.splice(0)) end();
  };
  return { url, asked, finish };
}

const limitOf = ({ headers }: Posted): readonly (string | null)[] => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit'),
];
const waitOf = (posted: Posted): number =>
  Number((faultIn(posted)?.['retry'] as { after_ms?: number } | undefined)?.after_ms);
const kindOf = (posted: Posted): unknown => faultIn(posted)?.['kind'] ?? 'made';

describe('a rate', () => {
  it('lets so many through, tells what is left, and refuses the rest with the exact wait', async () => {
    const { url, asked } = await server();
    const gateway = await open({
      limits: { rates: [{ calls: 2, per_ms: 60_000, by: ['caller'] }] },
      upstreams: { a: { url } },
    });
    const ask = (name = 'go') => post(`${gateway.url}/a/mcp`, callTool(name));
    expect(limitOf(await ask())).toEqual(['"2-per-minute";q=2;w=60', '"2-per-minute";r=1;t=60']);
    const failed = await ask('fail');
    expect(limitOf(failed)[1]).toMatch(/^"2-per-minute";r=0;t=(?:60|59)$/);
    const refused = await ask();
    expect(refused.status).toBe(200);
    expect(faultIn(refused)).toMatchObject({ kind: 'rate_limited', executed: 'no', origin: 'gateway' });
    const afterMs = waitOf(refused);
    expect(afterMs).toBeGreaterThan(50_000);
    expect(afterMs).toBeLessThanOrEqual(60_000);
    expect(refused.headers.get('retry-after')).toBe(String(Math.ceil(afterMs / 1000)));
    expect(limitOf(refused)).toEqual([
      '"2-per-minute";q=2;w=60',
      `"2-per-minute";r=0;t=${Math.ceil(afterMs / 1000)}`,
    ]);
    expect(refused.text).toContain('2 per minute are allowed');
    expect(asked).toEqual(['go', 'fail']);
    const list = await post(`${gateway.url}/a/mcp`, call('tools/list'));
    expect([kindOf(list), ...limitOf(list)]).toEqual(['made', null, null]);
  });

  it('lets a call through that waited as long as it was told', async () => {
    const { url } = await server();
    const rates = [{ calls: 2, per_ms: 700 }, { calls: 30, per_ms: 3000, algorithm: 'bucket' } as const];
    const gateway = await open({ limits: { rates }, upstreams: { a: { url } } });
    const ask = () => post(`${gateway.url}/a/mcp`, callTool('go'));
    for (let round = 0; round < 4; round += 1) {
      let refused = await ask();
      while (kindOf(refused) === 'made') refused = await ask();
      const afterMs = waitOf(refused);
      await new Promise((resolve) => setTimeout(resolve, afterMs + 1));
      expect(kindOf(await ask())).toBe('made');
    }
  });

  it('is counted once for all attempts, at every endpoint, and not for repeats that are answered', async () => {
    const { url } = await upstream((body, response) => {
      const { id, method } = JSON.parse(body || '{}');
      if (method === 'tools/call') return void response.writeHead(503).end();
      json(response, 200, { jsonrpc: '2.0', id, result: { tools: [] } });
    });
    const good = await server();
    const gateway = await open({
      limits: { rates: [{ calls: 100, per_ms: 60_000 }] },
      upstreams: { a: { url, retry: { repeatable: ['go'] } }, b: { url: good.url } },
    });
    const left = (posted: Posted): string | undefined => /r=(\d+)/.exec(limitOf(posted)[1] ?? '')?.[1];
    const failed = await post(`${gateway.url}/a/mcp`, callTool('go'));
    expect(faultIn(failed)).toMatchObject({ details: { attempts: 3 } });
    expect(left(failed)).toBe('99');
    expect(left(await post(`${gateway.url}/mcp`, callTool('b_go')))).toBe('98');
    const keyed = call('tools/call', {
      name: 'go',
      arguments: {},
      _meta: { 'dev.mayday/idempotency-key': 'k' },
    });
    const repeats = [await post(`${gateway.url}/b/mcp`, keyed), await post(`${gateway.url}/b/mcp`, keyed)];
    expect([repeats.map(left), good.asked]).toEqual([
      ['97', undefined],
      ['go', 'go'],
    ]);
    expect(left(await post(`${gateway.url}/b/mcp`, callTool('go')))).toBe('96');
  });

  it('never refuses what was made before: a refusal would say that it was not', async () => {
    const { url, asked } = await server();
    const gateway = await open({
      limits: { rates: [{ calls: 1, per_ms: 60_000 }] },
      upstreams: { a: { url } },
    });
    const keyed = (key: string, said = {}) =>
      call('tools/call', {
        name: 'go',
        arguments: {},
        _meta: { 'dev.mayday/idempotency-key': key, ...said },
      });
    const ask = async (...said: Parameters<typeof keyed>) =>
      kindOf(await post(`${gateway.url}/a/mcp`, keyed(...said)));
    expect(await ask('k')).toBe('made');
    expect(await ask('k')).toBe('made');
    expect(await ask('k', { 'dev.mayday/executed': 'maybe' })).toBe('made');
    expect(await ask('another')).toBe('rate_limited');
    expect(asked).toEqual(['go']);
  });

  it('counts a resource once that several upstreams are asked for, and by upstream for each of them', async () => {
    const [a, b, c] = [await server(), await server(), await server()];
    const gateway = await open({
      limits: {
        rates: [
          { calls: 10, per_ms: 60_000 },
          { calls: 50, per_ms: 60_000, by: ['upstream'], tools: ['*/none:*'] },
        ],
      },
      upstreams: { a: { url: a.url }, b: { url: b.url }, c: { url: c.url } },
    });
    const read = () => post(`${gateway.url}/mcp`, call('resources/read', { uri: 'none:1' }));
    expect([kindOf(await read()), kindOf(await read())]).toEqual(['not_found', 'not_found']);
    expect(limitOf(await post(`${gateway.url}/mcp`, callTool('a_go')))[1]).toMatch(/^"10-per-minute";r=7;/);
  });

  it('is told of the limit that is nearest to its end', async () => {
    const { url } = await server();
    const gateway = await open({
      limits: {
        rates: [
          { calls: 100, per_ms: 3_600_000 },
          { calls: 60, per_ms: 60_000 },
          { calls: 200, per_ms: 60_000, costs: { 'a/deep': 100 } },
        ],
      },
      upstreams: { a: { url } },
    });
    const ask = async (name: string) => limitOf(await post(`${gateway.url}/a/mcp`, callTool(name)))[1];
    expect(await ask('go')).toBe('"60-per-minute";r=59;t=60');
    expect(await ask('deep')).toMatch(/^"200-per-minute";r=99;t=/);
    const refused = await post(`${gateway.url}/a/mcp`, callTool('deep'));
    expect([kindOf(refused), limitOf(refused)[0]]).toEqual(['rate_limited', '"200-per-minute";q=200;w=60']);
    expect(await ask('go')).toMatch(/^"60-per-minute";r=57;t=/);
  });

  it('is told beside what the server says of its own', async () => {
    const { url } = await server({ ratelimit: '"theirs";r=5;t=9', 'ratelimit-policy': '10, 10;w=1' });
    const gateway = await open({
      limits: { rates: [{ calls: 10, per_ms: 60_000 }] },
      upstreams: { a: { url } },
    });
    expect(limitOf(await post(`${gateway.url}/a/mcp`, callTool('go')))).toEqual([
      '"10-per-minute";q=10;w=60',
      '"10-per-minute";r=9;t=60, "theirs";r=5;t=9',
    ]);
  });

  it('is told in the head of a stream, in a session and without', async () => {
    const { url } = await server();
    const gateway = await open({
      limits: { rates: [{ calls: 10, per_ms: 60_000 }] },
      upstreams: { a: { url } },
    });
    const stream = (name: string) => call('tools/call', { name, arguments: {}, _meta: { progressToken: 1 } });
    const { headers } = await post(`${gateway.url}/mcp`, INITIALIZE);
    const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    const answers = [
      await post(`${gateway.url}/a/mcp`, stream('stream')),
      await post(`${gateway.url}/mcp`, stream('a_stream')),
      await post(`${gateway.url}/mcp`, stream('a_stream'), session),
    ];
    expect(answers.map((each) => each.headers.get('content-type'))).toEqual([
      'text/event-stream',
      'text/event-stream',
      'text/event-stream',
    ]);
    expect(answers.map((each) => /r=\d+/.exec(limitOf(each)[1] ?? '')?.[0])).toEqual(['r=9', 'r=8', 'r=7']);
    expect(answers[2]?.headers.get('mcp-session-id')).toBe(session['mcp-session-id']);
  });

  it('leaves a successful answer as the bytes that came', async () => {
    const odd = (id: unknown): string =>
      `{ "jsonrpc":"2.0",\n "result" : {"n": 1.0e2, "error": null}, "id":${id}}`;
    const { url } = await upstream((body, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-own': 'kept' }).end(odd(idIn(body)));
    });
    const limits = { rates: [{ calls: 9, per_ms: 1000 }], concurrency: [{ calls: 9 }] };
    const gateway = await open({ limits, upstreams: { a: { url } } });
    const { text, headers } = await post(`${gateway.url}/a/mcp`, callTool('t'));
    expect([text, headers.get('x-own')]).toEqual([odd(1), 'kept']);
  });

  it('follows a reload at once, with what was counted before', async () => {
    const { url } = await server();
    const upstreams = { a: { url } };
    const gateway = await open({ limits: { rates: [{ calls: 5, per_ms: 60_000 }] }, upstreams });
    const ask = () => post(`${gateway.url}/a/mcp`, callTool('go'));
    await ask();
    await ask();
    gateway.reload(settingsOf({ limits: { rates: [{ calls: 3, per_ms: 60_000 }] }, upstreams }));
    expect(limitOf(await ask())[1]).toMatch(/^"3-per-minute";r=0;/);
    expect(kindOf(await ask())).toBe('rate_limited');
    gateway.reload(settingsOf({ upstreams }));
    expect([kindOf(await ask()), limitOf(await ask())]).toEqual(['made', [null, null]]);
  });

  it.each([
    ['closient', '-32003'],
    ['onx', '3001'],
    ['qaqnuz', 'rate'],
    ['platica', 'too many calls'],
    ['problem', '429'],
  ])('is refused in the words of %s', async (dialect, words) => {
    const { url } = await server();
    const limits = { rates: [{ calls: 1, per_ms: 60_000 }] };
    const gateway = await open({ limits, upstreams: { a: { url } } });
    const ask = () => post(`${gateway.url}/a/mcp`, callTool('go'), { 'mayday-dialect': dialect });
    await ask();
    const refused = await ask();
    expect(refused.text.toLowerCase()).toContain(words);
    expect(refused.headers.get('retry-after')).toMatch(/^(?:60|59)$/);
    expect(limitOf(refused)[1]).toMatch(/^"1-per-minute";r=0;/);
  });
});

describe('a limit on calls at a time', () => {
  it('refuses one too many at once, and is not counted by rates', async () => {
    const { url, asked, finish } = await server();
    const gateway = await open({
      limits: {
        rates: [{ calls: 10, per_ms: 60_000 }],
        concurrency: [{ calls: 2, by: ['upstream'] }, { calls: 5 }],
      },
      upstreams: { a: { url } },
    });
    const ask = (name: string) => post(`${gateway.url}/a/mcp`, callTool(name));
    const both = [ask('wait'), ask('wait')];
    await until(() => asked.length === 2);
    const refused = await ask('go');
    expect(faultIn(refused)).toMatchObject({ kind: 'overloaded', executed: 'no', origin: 'gateway' });
    expect(limitOf(refused)).toEqual([null, null]);
    finish();
    expect((await Promise.all(both)).map(kindOf)).toEqual(['made', 'made']);
    expect(limitOf(await ask('go'))[1]).toMatch(/^"10-per-minute";r=7;/);
    expect(asked).toEqual(['wait', 'wait', 'go']);
  });

  it('keeps a place for a call with a key that goes on without its caller', async () => {
    const { url, asked, finish } = await server();
    const gateway = await open({ limits: { concurrency: [{ calls: 1 }] }, upstreams: { a: { url } } });
    const left = new AbortController();
    const meta = { 'dev.mayday/idempotency-key': 'k' };
    const body = JSON.stringify(call('tools/call', { name: 'wait', arguments: {}, _meta: meta }));
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const gone = fetch(`${gateway.url}/a/mcp`, { method: 'POST', headers, body, signal: left.signal });
    gone.catch(() => undefined);
    await until(() => asked.length === 1);
    left.abort();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const ask = () => post(`${gateway.url}/a/mcp`, callTool('go'));
    expect(kindOf(await ask())).toBe('overloaded');
    const repeat = post(`${gateway.url}/a/mcp`, JSON.parse(body));
    await new Promise((resolve) => setTimeout(resolve, 100));
    finish();
    expect(kindOf(await repeat)).toBe('made');
    await until(async () => kindOf(await ask()) === 'made');
    expect(asked.filter((name) => name === 'wait')).toHaveLength(1);
  });

  it('gives a place back when its caller has left', async () => {
    const { url, asked } = await server();
    const gateway = await open({ limits: { concurrency: [{ calls: 1 }] }, upstreams: { a: { url } } });
    const left = new AbortController();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = JSON.stringify(callTool('wait'));
    const gone = fetch(`${gateway.url}/a/mcp`, { method: 'POST', headers, body, signal: left.signal });
    gone.catch(() => undefined);
    await until(() => asked.length === 1);
    left.abort();
    await until(async () => kindOf(await post(`${gateway.url}/a/mcp`, callTool('go'))) === 'made');
  });
});

describe('on a store', () => {
  it('counts for all gateways on one file, and after a restart', async () => {
    const { url, asked, finish } = await server();
    const limits = { rates: [{ calls: 3, per_ms: 60_000 }], concurrency: [{ calls: 1, tools: ['a/wait'] }] };
    const file = { store: newFile(), limits, upstreams: { a: { url } } };
    const [one, two] = [await open(file), await open(file)];
    const ask = (gateway: { url: string }, name = 'go') => post(`${gateway.url}/a/mcp`, callTool(name));
    const waits = ask(one, 'wait');
    await until(() => asked.length === 1);
    expect(kindOf(await ask(two, 'wait'))).toBe('overloaded');
    finish();
    await waits;
    expect(limitOf(await ask(two))[1]).toMatch(/r=1;/);
    await one.close(0);
    const three = await open(file);
    expect(limitOf(await ask(three))[1]).toMatch(/r=0;/);
    expect([kindOf(await ask(two)), kindOf(await ask(three))]).toEqual(['rate_limited', 'rate_limited']);
  });

  it.each([
    ['closed', 'unavailable'],
    ['open', 'made'],
  ] as const)('that is gone, on_down: %s', async (onDown, told) => {
    const { url } = await server();
    const file = newFile();
    const limits = {
      rates: [{ calls: 3, per_ms: 60_000, tools: ['a/go'] }],
      concurrency: [{ calls: 3, tools: ['a/at'] }],
    };
    const gateway = await open({ store: { url: file, on_down: onDown }, limits, upstreams: { a: { url } } });
    const ask = (name: string) => post(`${gateway.url}/a/mcp`, callTool(name));
    expect(kindOf(await ask('go'))).toBe('made');
    for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
    const answers = [await ask('go'), await ask('at'), await ask('free')];
    expect(answers.map(kindOf)).toEqual([told, told, 'made']);
    expect(answers.map((each) => limitOf(each)[1])).toEqual([null, null, null]);
    expect(gateway.logs.filter((line) => line.includes('uncounted')).length).toBe(onDown === 'open' ? 1 : 0);
  });

  it.skipIf(!hasRedis)('counts for all gateways on one Redis, and heeds on_down', async () => {
    const redis = await startRedis();
    later(() => redis.stop());
    const { url, asked, finish } = await server();
    const limits = { rates: [{ calls: 20, per_ms: 60_000 }], concurrency: [{ calls: 1, tools: ['a/wait'] }] };
    const [one, two] = await Promise.all(
      (['closed', 'open'] as const).map((onDown) =>
        open({ store: { url: redis.url, on_down: onDown }, limits, upstreams: { a: { url } } }),
      ),
    );
    const ask = (gateway: { url: string } | undefined, name = 'go') =>
      post(`${gateway?.url}/a/mcp`, callTool(name));
    const waits = ask(one, 'wait');
    await until(() => asked.length === 1);
    expect(kindOf(await ask(two, 'wait'))).toBe('overloaded');
    finish();
    await waits;
    const many = await Promise.all(Array.from({ length: 30 }, (_, i) => ask(i % 2 === 0 ? one : two)));
    expect(many.filter((posted) => kindOf(posted) === 'made')).toHaveLength(19);
    redis.signal('SIGKILL');
    await until(async () => kindOf(await ask(one)) === 'unavailable');
    await until(async () => kindOf(await ask(two)) === 'made');
    expect(two?.logs.filter((line) => line.includes('uncounted')).length).toBe(1);
  });
});
