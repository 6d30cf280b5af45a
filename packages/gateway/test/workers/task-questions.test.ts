/** What a task asks reaches whoever waits for its result, in a session at whichever worker. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Gateway, scratch, startGateway } from '../../acceptance/support/gateway.ts';
import { until } from '../tools.ts';
import { ASKING, as, both, Client, keyOf } from './two-workers.ts';

const folder = scratch();
const ANN = as('ann');
const ELICITATION = { ask: 'elicitation/create' };
let gateway: Gateway;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
beforeAll(async () => {
  const keys = ['ann', 'bob'].map((name) => ({ name, key: keyOf(name) }));
  gateway = await startGateway({ workers: 2, keys, upstreams: { p: ASKING } }, { folder });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const textIn = (said: { readonly result?: { content: [{ text: string }] } }): string | undefined =>
  said.result?.content[0].text;

const ANSWERS = {
  'elicitation/create': { action: 'accept', content: {} },
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'yes' } },
  'roots/list': { roots: [] },
};

it.each(
  ['/p/mcp', '/mcp'].flatMap((path) =>
    Object.entries(ANSWERS).map(([ask, said]) => [path, ask, said] as const),
  ),
)('at %s: %s', async (path, ask, said) => {
  const [first, second] = await both(gateway.url + path, ANN);
  for (const [at, from] of [
    [first, second],
    [second, first],
  ] as const) {
    const waiting = from.wait(await at.begin({ ask }));
    await from.answer(await waiting.next(ask), said);
    expect(textIn(await waiting.next())).toBe(JSON.stringify(said));
    expect(waiting.said).toHaveLength(2);
  }
});

it.each(['/p/mcp', '/mcp'])('at %s: is told to one who cannot be asked, and waits', async (path) => {
  const url = gateway.url + path;
  const [first, second] = await both(url, ANN);
  const [, mute] = await both(url, ANN, { sampling: {} });
  const task = await first.begin(ELICITATION);
  for (const client of [mute, new Client(url, ANN)])
    expect((await client.ask('tasks/result', { taskId: task })).error).toMatchObject({
      data: {
        kind: 'unsupported',
        executed: 'no',
        message:
          'The task asks its client something (elicitation/create), and this client has not said that it can be asked',
      },
    });
  const waiting = second.wait(task);
  await second.answer(await waiting.next('elicitation/create'), { action: 'decline' });
  expect(textIn(await waiting.next())).toBe('{"action":"decline"}');
});

it.each(['/p/mcp', '/mcp'])('at %s: is put to all who wait, and the first answer counts', async (path) => {
  const [first, second] = await both(gateway.url + path, ANN);
  const [, third] = await both(gateway.url + path, ANN);
  const task = await first.begin(ELICITATION);
  const clients = [first, second, third];
  const waits = clients.map((client) => client.wait(task));
  const asked = await Promise.all(waits.map((waiting) => waiting.next('elicitation/create')));
  await second.answer(asked[1] ?? {}, { action: 'decline' });
  for (const waiting of waits) expect(textIn(await waiting.next())).toBe('{"action":"decline"}');
  await Promise.all([0, 2].map((i) => clients[i]?.answer(asked[i] ?? {}, { action: 'cancel' })));
  expect(textIn(await third.ask('tasks/result', { taskId: task }))).toBe('{"action":"decline"}');
  const withdrawn = waits.map(({ said }) =>
    said.flatMap(({ method, params }) => (method === 'notifications/cancelled' ? [params?.requestId] : [])),
  );
  expect(withdrawn).toEqual([[asked[0]?.id], [], [asked[2]?.id]]);
});

it.each(['ends its session', 'cancels its request', 'goes away'])(
  'is put to the next when one who waited %s',
  async (how) => {
    const url = `${gateway.url}/p/mcp`;
    const [first, second] = await both(url, ANN);
    const task = await first.begin(ELICITATION);
    const waiting = second.wait(task, {}, 'w');
    await waiting.next('elicitation/create');
    if (how === 'ends its session') await second.end();
    if (how === 'cancels its request')
      await second.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } });
    if (how === 'goes away') waiting.cut();
    const [, third] = await both(url, ANN);
    const next = third.wait(task);
    await third.answer(await next.next('elicitation/create'), { action: 'accept' });
    expect(textIn(await next.next())).toBe('{"action":"accept"}');
  },
);

it('is answered by one who has stopped to wait', async () => {
  const [first, second] = await both(`${gateway.url}/mcp`, ANN);
  const task = await first.begin(ELICITATION);
  const waiting = second.wait(task, {}, 'w');
  const question = await waiting.next('elicitation/create');
  await second.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } });
  await sleep(200);
  await second.answer(question, { action: 'accept' });
  expect(textIn(await first.ask('tasks/result', { taskId: task }))).toBe('{"action":"accept"}');
});

it('comes with the progress of the request that waits', async () => {
  const [first, second] = await both(`${gateway.url}/mcp`, ANN);
  const waiting = second.wait(await first.begin(ELICITATION), { _meta: { progressToken: 'mine' } });
  await second.answer(await waiting.next('elicitation/create'), { action: 'accept' });
  await waiting.next();
  expect(waiting.said.map(({ method }) => method)).toEqual([
    'notifications/progress',
    'elicitation/create',
    undefined,
  ]);
  expect(waiting.said[0]?.params).toEqual({ progressToken: 'mine', progress: 7 });
});

it('is put to the next when the worker of one who waited dies', async () => {
  const url = `${gateway.url}/p/mcp`;
  const [first, second] = await both(url, ANN);
  const task = await first.begin(ELICITATION);
  const waiting = second.wait(task);
  await waiting.next('elicitation/create');
  process.kill(await second.pid(), 'SIGKILL');
  const next = first.wait(task);
  await first.answer(await next.next('elicitation/create'), { action: 'accept' });
  expect(textIn(await next.next())).toBe('{"action":"accept"}');
  await until(async () => (await Client.open(url, ANN)).worker === 'w2');
});
