/** What a task asks its client: whoever waits for the result is asked, and the next one when that has gone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, later, open, post, takeEvents } from '../tools.ts';

afterEach(cleanUp);

/** Asks its client once before it gives the result. */
const SERVER = `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const waiting = [];
let isAsked = false;
let said;
const task = { taskId: 'T' + process.pid, status: 'input_required', createdAt: 'x', lastUpdatedAt: 'x', ttl: null };
const _meta = { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } };
const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
const done = () => { for (const id of waiting.splice(0)) say({ id, result: { content: [{ type: 'text', text: said }], _meta } }); };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) { said = (said ?? '') + result.content.said; return done(); }
  if (id === undefined) return;
  const answer = (result) => say({ id, result });
  if (method === 'initialize') return answer({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list') return answer({ tools: [{ name: 'job', inputSchema: { type: 'object' } }] });
  if (method === 'tools/call') {
    answer({ task });
    if (params.arguments?.soon) setTimeout(ask, 400);
    return;
  }
  if (method !== 'tasks/result') return answer({});
  if (params.taskId !== task.taskId) return say({ id, error: { code: -32602, message: 'Task not found' } });
  waiting.push(id);
  if (said !== undefined) return done();
  if (!isAsked) ask();
});
function ask() {
  isAsked = true;
  say({ id: 7, method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} }, _meta } });
}`;

const SETTINGS = {
  upstreams: { p: { command: process.execPath, args: ['-e', SERVER] } },
  virtual: { desk: { tools: ['p/*'] } },
};
const PLACES = [
  ['/p/mcp', ''],
  ['/mcp', 'p_'],
  ['/desk/mcp', 'p_'],
] as const;
const OWN = { authorization: 'Bearer of-ann' };

interface Said {
  readonly id?: unknown;
  readonly method: string;
  readonly params: { readonly requestId?: unknown };
}

async function client(url: string, prefix: string, capabilities: object = { elicitation: {} }) {
  const clientInfo = { name: 'c', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  const { headers } = await post(url, call('initialize', params), OWN);
  const session = { ...OWN, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return {
    session,
    async begin(args: object = {}): Promise<string> {
      const params = { name: `${prefix}job`, arguments: args, task: {} };
      const { message } = await post(url, call('tools/call', params), session);
      return String((message.result?.['task'] as { taskId: string } | undefined)?.taskId);
    },
    /** Waits for the result; gives the stream when it was asked. */
    async asked(task: string, ender = new AbortController()) {
      const waiting = await fetch(url, {
        method: 'POST',
        headers: {
          ...session,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(call('tasks/result', { taskId: task })),
        signal: ender.signal,
      });
      const [event = ''] = await takeEvents(waiting.clone(), 1);
      const question = JSON.parse(event.slice(event.indexOf('{'))) as { id: unknown; method: string };
      expect(question.method).toBe('elicitation/create');
      const answer = (said: string) =>
        post(
          url,
          { jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { said } } },
          session,
        );
      return { waiting, answer, cut: () => ender.abort() };
    },
    /** What it is told in a stream that is open for that; `next` waits for as many messages. */
    async listens() {
      const stream = await fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
      const told: Said[] = [];
      void (async () => {
        let text = '';
        for await (const chunk of stream.body ?? []) {
          text += Buffer.from(chunk).toString('utf8');
          const events = text.split('\n\n');
          text = events.pop() ?? '';
          for (const event of events)
            for (const line of event.split('\n'))
              if (line.startsWith('data: {')) told.push(JSON.parse(line.slice(6)));
        }
      })().catch(() => {
        // The test is over.
      });
      return told;
    },
    says: (id: unknown, said: string) =>
      post(url, { jsonrpc: '2.0', id, result: { action: 'accept', content: { said } } }, session),
    end: () => fetch(url, { method: 'DELETE', headers: session }),
  };
}

it.each(
  PLACES.flatMap(([path, prefix]) =>
    (['its session ended', 'its stream cut', 'it waits on'] as const).flatMap((how) =>
      ([true, false] as const).map(
        (isFirst) => [path, how, isFirst ? 'began' : 'did not begin', prefix] as const,
      ),
    ),
  ),
)('is put to the next who waits at %s: %s, of one that %s the task', async (path, how, who, prefix) => {
  const { url } = await open(SETTINGS);
  const first = await client(url + path, prefix);
  const task = await first.begin();
  const before = who === 'began' ? first : await client(url + path, prefix);
  const earlier = await before.asked(task);
  if (how === 'its stream cut') earlier.cut();
  if (how === 'its session ended') await before.end();
  await sleep(100);
  const { waiting, answer } = await (await client(url + path, prefix)).asked(task);
  await answer('yes');
  const [, result] = await takeEvents(waiting, 2);
  expect(result).toContain('"text":"yes"');
});

it('waits for whoever comes for the result, where it is asked when nobody is there', async () => {
  const { url } = await open(SETTINGS);
  const first = await client(`${url}/p/mcp`, '');
  const task = await first.begin({ soon: true });
  await first.end();
  await sleep(800);
  const { waiting, answer } = await (await client(`${url}/p/mcp`, '')).asked(task);
  await answer('yes');
  const [, result] = await takeEvents(waiting, 2);
  expect(result).toContain('"text":"yes"');
});

it('is answered once, by the first who does', async () => {
  const { url } = await open(SETTINGS);
  const first = await client(`${url}/p/mcp`, '');
  const task = await first.begin();
  const one = await first.asked(task);
  const two = await (await client(`${url}/p/mcp`, '')).asked(task);
  await two.answer('two');
  await one.answer('one');
  const [, result] = await takeEvents(two.waiting, 2);
  expect(result).toContain('"text":"two"');
  const third = await client(`${url}/p/mcp`, '');
  const { message } = await post(`${url}/p/mcp`, call('tasks/result', { taskId: task }), third.session);
  expect(message.result).toMatchObject({ content: [{ text: 'two' }] });
});

/** The same, where the first process alone can be opened. */
const ONCE = `const isFirst = !require('node:fs').existsSync(process.argv[1]);
require('node:fs').writeFileSync(process.argv[1], '');
${SERVER.replace("if (method === 'initialize')", "if (method === 'initialize' && !isFirst) return;\n  if (method === 'initialize')")}`;

it('is answered by one whose own conversation with the server has not come about', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-tasks-'));
  later(() => rmSync(folder, { recursive: true }));
  const args = ['-e', ONCE, join(folder, 'first')];
  const { url } = await open({ upstreams: { p: { command: process.execPath, args } } });
  const task = await (await client(`${url}/mcp`, 'p_')).begin();
  const { waiting, answer } = await (await client(`${url}/mcp`, 'p_')).asked(task);
  await answer('yes');
  const [, result] = await takeEvents(waiting, 2);
  expect(result).toContain('"text":"yes"');
});

it('is put to each who waits already when it is asked', async () => {
  const { url } = await open(SETTINGS);
  const first = await client(`${url}/p/mcp`, '');
  const clients = [first, await client(`${url}/p/mcp`, ''), await client(`${url}/p/mcp`, '')];
  const task = await first.begin({ soon: true });
  const waits = await Promise.all(clients.map((each) => each.asked(task)));
  await waits[2]?.answer('three');
  for (const { waiting } of waits) expect((await takeEvents(waiting, 3)).at(-1)).toContain('"text":"three"');
});

it.each([...PLACES])(
  'is not put to one who cannot be asked at %s (%s), and that is told',
  async (path, prefix) => {
    const { url } = await open(SETTINGS);
    const first = await client(url + path, prefix);
    const task = await first.begin();
    await first.end();
    const told = {
      kind: 'unsupported',
      executed: 'no',
      message:
        'The task asks its client something (elicitation/create), and this client has not said that it can be asked',
    };
    const mute = await client(url + path, prefix, {});
    for (const session of [mute.session, OWN])
      expect(faultIn(await post(url + path, call('tasks/result', { taskId: task }), session))).toMatchObject(
        told,
      );
    const { waiting, answer } = await (await client(url + path, prefix)).asked(task);
    await answer('yes');
    const [, result] = await takeEvents(waiting, 2);
    expect(result).toContain('"text":"yes"');
  },
);

it.each(
  PLACES.flatMap(([path, prefix]) =>
    ['listens', 'waits', 'polls'].map((who) => [path, prefix, who] as const),
  ),
)('is not put to one who cannot be asked and has begun it, at %s (%s): %s', async (path, prefix, who) => {
  const { url } = await open(SETTINGS);
  const mute = await client(url + path, prefix, {});
  const told = await mute.listens();
  const task = await mute.begin({ soon: who !== 'waits' });
  const isOver = sleep(who === 'waits' ? 0 : 1000, true);
  const heard: string[] = [];
  while (who === 'polls' && (await Promise.race([isOver, sleep(20, false)])) === false)
    heard.push((await post(url + path, call('tasks/get', { taskId: task }), mute.session)).text);
  await isOver;
  const answer = await post(url + path, call('tasks/result', { taskId: task }), mute.session);
  expect(faultIn(answer)).toMatchObject({ kind: 'unsupported', executed: 'no' });
  expect(told).toEqual([]);
  expect(heard.join('')).not.toContain('elicitation/create');
  const able = await (await client(url + path, prefix)).asked(task);
  await able.answer('yes');
  expect((await takeEvents(able.waiting, 2)).at(-1)).toContain('"text":"yes"');
});

it.each(PLACES)(
  'is told to one without a session who waits already when it is asked, at %s (%s)',
  async (path, prefix) => {
    const { url } = await open(SETTINGS);
    const first = await client(url + path, prefix);
    const task = await first.begin({ soon: true });
    const answer = await post(url + path, call('tasks/result', { taskId: task }), OWN);
    expect(faultIn(answer)).toMatchObject({ kind: 'unsupported', executed: 'no' });
  },
);

it.each(PLACES)('is put once to one who listens and waits at %s (%s)', async (path, prefix) => {
  const { url } = await open(SETTINGS);
  const own = await client(url + path, prefix);
  const told = await own.listens();
  const task = await own.begin({ soon: true });
  await expect.poll(() => told.length).toBe(1);
  const waiting = post(url + path, call('tasks/result', { taskId: task }), own.session);
  await sleep(300);
  expect(told.map(({ method }) => method)).toEqual(['elicitation/create']);
  await own.says(told[0]?.id, 'yes');
  const { text } = await waiting;
  expect(text).not.toContain('elicitation/create');
  expect(text).toContain('"text":"yes"');
});

it.each(PLACES)(
  'is withdrawn at %s (%s) from those who were asked, once it is answered',
  async (path, prefix) => {
    const { url } = await open(SETTINGS);
    for (const who of ['listens', 'waits']) {
      const first = await client(url + path, prefix);
      const told = await first.listens();
      const task = await first.begin({ soon: true });
      await expect.poll(() => told.length).toBe(1);
      const second = await (await client(url + path, prefix)).asked(task);
      if (who === 'waits') await second.answer('yes');
      else await first.says(told[0]?.id, 'yes');
      const events = await takeEvents(second.waiting, who === 'waits' ? 2 : 3);
      expect(events.at(-1)).toContain('"text":"yes"');
      expect(events.filter((event) => event.includes('notifications/cancelled'))).toHaveLength(
        who === 'waits' ? 0 : 1,
      );
      await sleep(100);
      const withdrawn = told.filter(({ method }) => method === 'notifications/cancelled');
      expect(withdrawn.map(({ params }) => params.requestId)).toEqual(who === 'waits' ? [told[0]?.id] : []);
    }
  },
);

/** Begins a task that only waits, and one that asks after a while, in one process. */
const TWO = `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
const waiting = new Map();
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) return say({ id: waiting.get('asks'), result: { content: [{ type: 'text', text: result.content.said }] } });
  if (id === undefined) return;
  const answer = (result) => say({ id, result });
  if (method === 'initialize') return answer({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list') return answer({ tools: ['waits', 'asks'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
  if (method === 'tasks/result') return waiting.set(params.taskId, id);
  const task = (taskId, status) => ({ taskId, status, createdAt: 'x', lastUpdatedAt: 'x', ttl: null });
  if (method === 'tasks/cancel') return answer(task(params.taskId, 'cancelled'));
  if (method !== 'tools/call') return answer({});
  answer({ task: task(params.name, 'working') });
  if (params.name !== 'asks') return;
  const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 'asks' } };
  setTimeout(() => say({ id: 7, method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} }, _meta } }), 400);
});`;

it('is for whoever waits for its own task, not for another of the same server, and for nobody once that is cancelled', async () => {
  const { url } = await open({ upstreams: { p: { command: process.execPath, args: ['-e', TWO] } } });
  const at = `${url}/p/mcp`;
  const first = await client(at, '');
  for (const name of ['waits', 'asks'])
    await post(at, call('tools/call', { name, arguments: {}, task: {} }), first.session);
  const other = await client(at, '');
  const ender = new AbortController();
  let heard = '';
  void fetch(at, {
    method: 'POST',
    headers: {
      ...other.session,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(call('tasks/result', { taskId: 'waits' })),
    signal: ender.signal,
  })
    .then(async ({ body }) => {
      for await (const chunk of body ?? []) heard += Buffer.from(chunk).toString('utf8');
    })
    .catch(() => undefined);
  await sleep(900);
  expect(heard).not.toContain('elicitation/create');
  const { waiting } = await (await client(at, '')).asked('asks');
  await post(at, call('tasks/cancel', { taskId: 'asks' }), first.session);
  const [, withdrawn] = await takeEvents(waiting, 2);
  expect(withdrawn).toContain('notifications/cancelled');
  ender.abort();
});
