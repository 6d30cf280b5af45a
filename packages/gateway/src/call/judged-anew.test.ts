/** A repeat that was refused because no list of tools came uses up no key: it is judged anew, and stays a repeat. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMemoryIdempotency, type IdempotencyStore } from '@mayday/policy';
import { answered, type WireHandler } from '@mayday/relay';
import { afterEach, expect, it } from 'vitest';
import { wireCall } from '../../test/calls.ts';
import { call, cleanUp, faultIn, json, later, open, type Posted, post } from '../../test/tools.ts';
import { exactlyOnce } from './exactly-once.ts';
import { keyedTools } from './keyed-tools.ts';
import { createToolHints, type ToolHints } from './tool-hints.ts';
import type { AskForTools } from './tool-questions.ts';

afterEach(cleanUp);

const KEY = 'dev.mayday/idempotency-key';
const EXECUTED = 'dev.mayday/executed';
/** For how long a list that failed is remembered. */
const MOMENT_MS = 1100;

const READS = { annotations: { readOnlyHint: true } };
const HONOURS = { _meta: { [KEY]: true } };

type Trouble = (id: unknown, response: ServerResponse) => unknown;

const error: Trouble = (id, response) =>
  json(response, 200, { jsonrpc: '2.0', id, error: { code: -32603, message: 'boom' } });
const busy: Trouble = (_, response) => json(response, 503, { error: 'busy' });
const silent: Trouble = () => undefined;

/** A server whose lists do not come as long as it is in `trouble`, nor anything while it is down. */
async function shaky(tool: object, trouble: Trouble | 'down') {
  let now: Trouble | 'down' | undefined = trouble;
  let lists = 0;
  const made: unknown[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(text || '{}');
      const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
      if (method === 'tools/call') {
        made.push(params._meta[EXECUTED]);
        return answer({ content: [{ type: 'text', text: `made ${made.length}` }] });
      }
      if (method !== 'tools/list') return response.writeHead(202).end();
      lists += 1;
      if (typeof now === 'function') return now(id, response);
      answer({ tools: [{ name: 'it', inputSchema: { type: 'object' }, ...tool }] });
    });
  });
  const listen = (port: number): Promise<void> =>
    new Promise((done) => server.listen(port, '127.0.0.1', done));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  if (trouble === 'down') await new Promise((done) => server.close(done));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  const recover = async (): Promise<void> => {
    if (now === 'down') await listen(port);
    now = undefined;
  };
  return { url: `http://127.0.0.1:${port}/mcp`, made, lists: () => lists, recover };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'judged-anew-'));
  later(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const STORES = {
  memory: () => ({}),
  SQLite: () => ({ store: `file:${join(folder(), 'state.db')}` }),
};

async function house(tool: object, trouble: Trouble | 'down', store: keyof typeof STORES = 'memory') {
  const server = await shaky(tool, trouble);
  const keys = [{ name: 'ann', key: 'ann-key-12345678' }];
  const file = { ...STORES[store](), keys, upstreams: { a: { url: server.url, timeout_ms: 3000 } } };
  let gateway = await open(file);
  const ask = (body: object) =>
    post(`${gateway.url}/a/mcp`, body, { authorization: 'Bearer ann-key-12345678' });
  const pay = (key: string, said: object = { [EXECUTED]: 'maybe' }, args: object = {}) =>
    ask(call('tools/call', { name: 'it', arguments: args, _meta: { [KEY]: key, ...said } }));
  const restart = async (): Promise<void> => {
    await gateway.close(0);
    gateway = await open(file);
  };
  return { ...server, pay, list: () => ask(call('tools/list', {})), restart };
}

const textOf = ({ message }: Posted): string =>
  ((message.result?.['content'] ?? []) as { text: string }[]).map(({ text }) => text).join(' ');

const UNKNOWN = 'Nothing is known here of the first call with this idempotency key; it was not made again';

const TROUBLES = [
  ['an error', error, 'internal'],
  ['a 503', busy, 'unavailable'],
  ['silence', silent, 'timeout'],
  ['no connection', 'down', 'unavailable'],
] as const;

const STORES_AND_TROUBLES = (Object.keys(STORES) as (keyof typeof STORES)[]).flatMap((store) =>
  TROUBLES.map(([name, trouble, kind]) => [name, store, trouble, kind] as const),
);

it.each(STORES_AND_TROUBLES)('after %s (%s)', async (_, store, trouble, kind) => {
  const judged = async (tool: object): Promise<void> => {
    const { pay, made, recover } = await house(tool, trouble, store);
    expect(faultIn(await pay('k'))).toMatchObject({
      kind: 'disconnected',
      executed: 'maybe',
      retryable: false,
      message: expect.stringContaining(`(\`tools/list\`: ${kind})`),
    });
    await recover();
    await sleep(MOMENT_MS);
    for (let i = 0; i < 2; i++) expect(textOf(await pay('k'))).toBe('made 1');
    expect(made).toEqual(['maybe']);
  };
  await Promise.all([READS, HONOURS].map(judged));
});

it.each(STORES_AND_TROUBLES)(
  'is refused, for what is known then, after %s (%s)',
  async (_, store, trouble) => {
    const { pay, made, recover } = await house({}, trouble, store);
    expect(faultIn(await pay('k'))?.['message']).toContain(`${UNKNOWN}, because`);
    await recover();
    await sleep(MOMENT_MS);
    for (let i = 0; i < 2; i++)
      expect(faultIn(await pay('k'))).toMatchObject({
        executed: 'maybe',
        retryable: false,
        message: UNKNOWN,
      });
    expect(made).toEqual([]);
  },
);

it('goes by what was listed since, to whoever asked', async () => {
  const { pay, list, recover } = await house(READS, busy);
  await pay('k');
  await recover();
  await list();
  expect(textOf(await pay('k'))).toBe('made 1');
});

it('asks for one list at a time, and none for a moment after one that failed', async () => {
  const { pay, lists, recover } = await house(READS, error);
  const crowd = await Promise.all(['k', 'k', 'l', 'm'].map((key) => pay(key)));
  await recover();
  for (const refused of [...crowd, await pay('k'), await pay('n')])
    expect(faultIn(refused)?.['message']).toContain('(`tools/list`: internal)');
  expect(lists()).toBe(1);
  await sleep(MOMENT_MS);
  expect(textOf(await pay('k'))).toBe('made 1');
  expect(lists()).toBe(2);
});

it.each(['memory', 'SQLite'] as const)('lets no first call through under its key (%s)', async (store) => {
  const { pay, made, recover, list } = await house({}, busy, store);
  await pay('k');
  await recover();
  await list();
  for (const said of [{}, { [EXECUTED]: 'no' }])
    expect(faultIn(await pay('k', said))).toMatchObject({ executed: 'maybe', message: UNKNOWN });
  for (const said of [{}, { [EXECUTED]: 'maybe' }])
    expect(faultIn(await pay('k', said, { other: 1 }))).toMatchObject({ kind: 'conflict' });
  expect(made).toEqual([]);
});

it('stays a repeat for a gateway that is started again on the same store', async () => {
  const { pay, made, recover, restart } = await house(HONOURS, busy, 'SQLite');
  await pay('k');
  await recover();
  await restart();
  expect(faultIn(await pay('k', {}, { other: 1 }))).toMatchObject({ kind: 'conflict' });
  expect(textOf(await pay('k', {}))).toBe('made 1');
  expect(made).toEqual(['maybe']);
});

/** What a gateway was at when it was killed: to those that live it is lost. */
function leftBehind(store: IdempotencyStore): IdempotencyStore {
  return {
    claim: async (claim) => {
      const found = await store.claim(claim);
      return found.state === 'running' ? { ...found, state: 'lost' } : found;
    },
    finish: (end) => store.finish(end),
    free: (key) => store.free(key),
  };
}

it.each([
  [READS, 1],
  [HONOURS, 1],
  [{}, 0],
])('%o: where the gateway was killed that judged it', async (tool, times) => {
  const store = createMemoryIdempotency();
  const limits = { timeoutMs: 5000, maxTimeMs: 60_000 };
  const told: unknown[] = [];
  const gateway = (kept: IdempotencyStore, hints: ToolHints, ask: AskForTools): WireHandler =>
    exactlyOnce(
      kept,
      limits,
      keyedTools(limits, hints, ask),
    )(async ({ progress }) => {
      told.push(progress.executed);
      const body = Buffer.from('{"jsonrpc":"2.0","id":7,"result":{}}');
      return answered({ body, status: 200, headers: {}, isStream: false });
    });
  const repeat = () => wireCall({ name: 'it', arguments: {}, _meta: { [KEY]: 'k', [EXECUTED]: 'maybe' } });
  void gateway(store, createToolHints(), () => new Promise(() => undefined))(repeat());
  await sleep(20);
  const hints = createToolHints();
  let isThere = false;
  const next = gateway(leftBehind(store), hints, async () => {
    if (!isThere) return 'unavailable';
    hints.learnForAll([{ name: 'it', ...tool }]);
    return undefined;
  });
  expect(await next(repeat())).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
  expect(told).toEqual([]);
  isThere = true;
  for (let i = 0; i < 2; i++) expect(await next(repeat())).toMatchObject({ ok: times === 1 });
  expect(told).toEqual(Array(times).fill('maybe'));
});

it('stays a repeat in the round that it was refused in', async () => {
  const hints = createToolHints();
  const limits = { timeoutMs: 5000, maxTimeMs: 60_000 };
  const tools = keyedTools(limits, hints, async () => 'unavailable');
  const told: unknown[] = [];
  const pay = exactlyOnce(
    createMemoryIdempotency(),
    limits,
    tools,
  )(async ({ progress }) => {
    told.push(progress.executed);
    const body = Buffer.from('{"jsonrpc":"2.0","id":7,"result":{}}');
    return answered({ body, status: 200, headers: {}, isStream: false });
  });
  const round = (said: object, more: object = {}) =>
    pay(
      wireCall({
        name: 'it',
        arguments: {},
        inputResponses: { a: 1 },
        _meta: { [KEY]: 'k', ...said },
        ...more,
      }),
    );
  expect(await round({ [EXECUTED]: 'maybe' })).toMatchObject({ ok: false });
  hints.learnForAll([{ name: 'it', ...HONOURS }]);
  expect(await round({}, { inputResponses: { a: 2 } })).toMatchObject({ fault: { kind: 'conflict' } });
  expect(await round({})).toMatchObject({ ok: true });
  expect(told).toEqual(['maybe']);
});
