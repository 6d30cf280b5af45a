/** Where some of a caller's tasks could not be listed, the list says so. */
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type Gateway, scratch, startGateway } from '../../acceptance/support/gateway.ts';
import { cleanUp, open } from '../tools.ts';
import { as, both, Client, keyOf } from '../workers/two-workers.ts';

/** Answers `tasks/list` as its process was told with `mode`: one page, pages without end, no text as cursor, or not at all. */
const SERVER = `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const tasks = [];
let mode = 'well';
const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = (result) => say({ id, result });
  if (method === 'initialize') return answer({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list') return answer({ tools: ['job', 'mode'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
  if (method === 'tools/call' && params.name === 'mode') { mode = params.arguments.mode; return answer({ content: [] }); }
  if (method === 'tools/call') {
    tasks.push({ taskId: 'T' + process.pid + 'aBcDeFgHiJkLmNoP-' + tasks.length, status: 'working', createdAt: 'x', lastUpdatedAt: 'x', ttl: null });
    return answer({ task: tasks.at(-1) });
  }
  if (method !== 'tasks/list') return say({ id, error: { code: -32601, message: 'Method not found' } });
  if (mode === 'hangs') return;
  const next = Number(params?.cursor ?? 0) + 1;
  answer({ tasks, ...(mode === 'endless' ? { nextCursor: String(next) } : mode === 'numbers' && next < 4 ? { nextCursor: next } : {}) });
});`;

/** Whoever tries again has no tasks yet. */
const callers = Array.from({ length: 20 }, (_, i) => `caller${i}`);
const somebody = () => as(callers.pop() ?? '');
const keys = callers.map((name) => ({ name, key: keyOf(name) }));
const upstreams = { p: { command: process.execPath, args: ['-e', SERVER] } };
const folder = scratch();
let workers: Gateway;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
beforeAll(async () => {
  workers = await startGateway({ workers: 2, keys, upstreams }, { folder });
});
afterEach(cleanUp);
afterAll(async () => {
  await workers.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Listed {
  readonly tasks: readonly { readonly taskId: string }[];
  readonly _meta?: unknown;
}

const list = async (client: Client): Promise<Listed> => (await client.ask('tasks/list')).result as Listed;
const idsOf = ({ tasks }: Listed): string[] => tasks.map(({ taskId }) => taskId).sort();

async function setMode(client: Client, mode: string): Promise<void> {
  const name = client.url.endsWith('/p/mcp') ? 'mode' : 'p_mode';
  await client.ask('tools/call', { name, arguments: { mode } });
}

const UNAVAILABLE = { 'dev.mayday/unavailable': ['p'] };

it.each(['/p/mcp', '/mcp'])('at %s of one process, and the log says so once', async (path) => {
  const { url, logs } = await open({ keys, upstreams });
  const ann = somebody();
  const [first, second] = [await Client.open(url + path, ann), await Client.open(url + path, ann)];
  const own = [await first.begin(), await second.begin()];
  expect(idsOf(await list(second))).toEqual([...own].sort());
  await setMode(first, 'hangs');
  for (let i = 0; i < 2; i++) {
    const listed = await list(second);
    expect(idsOf(listed)).toEqual([own[1]]);
    expect(listed._meta).toEqual(UNAVAILABLE);
  }
  const said = logs.filter((line) => line.includes('tasks of other sessions'));
  expect(said).toEqual([
    expect.stringContaining(
      'upstream=p tasks of other sessions are missing from a list: a process has not listed them',
    ),
  ]);
  await setMode(first, 'well');
  const listed = await list(second);
  expect([idsOf(listed), listed._meta]).toEqual([[...own].sort(), undefined]);
  for (const client of [first, second]) await client.end();
});

it.each(['/p/mcp', '/mcp'])('at %s of two workers', async (path) => {
  const [first, second] = await both(workers.url + path, somebody());
  const own = [await first.begin(), await second.begin()];
  await expect.poll(async () => idsOf(await list(first))).toEqual([...own].sort());
  await setMode(second, 'hangs');
  const listed = await list(first);
  expect([idsOf(listed), listed._meta]).toEqual([[own[0]], UNAVAILABLE]);
});

it.each(['/p/mcp', '/mcp'])('at %s of a server that pages without end, each task once', async (path) => {
  const [first, second] = await both(workers.url + path, somebody());
  const own = [await first.begin(), await second.begin()];
  await expect.poll(async () => idsOf(await list(first))).toEqual([...own].sort());
  await setMode(second, 'endless');
  const listed = await list(first);
  expect(idsOf(listed)).toEqual([...own].sort());
  expect(Object.values(listed._meta ?? {})).toEqual([['p']]);
});

it('takes a cursor that is no text for no end', async () => {
  const { url } = await open({ keys, upstreams });
  for (const path of ['/p/mcp', '/mcp']) {
    const ann = somebody();
    const [first, second] = [await Client.open(url + path, ann), await Client.open(url + path, ann)];
    const own = [await first.begin(), await second.begin()];
    await setMode(second, 'numbers');
    const listed = await list(second);
    expect(idsOf(listed)).toEqual(path === '/mcp' ? expect.arrayContaining([own[1]]) : [own[1]]);
    expect(listed).toMatchObject(
      path === '/mcp' ? { _meta: { 'dev.mayday/left-out': ['p'] } } : { nextCursor: 1 },
    );
    for (const client of [first, second]) await client.end();
  }
});
