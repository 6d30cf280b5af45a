/** How far a task is, under the token of the call that began it: whoever waits for the result hears it, once. */
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, json, open, post, until, upstream } from '../tools.ts';

afterEach(cleanUp);

/** Begins a task with `job`, tells how far it is with `step`, and ends it with `end`; `waiting` says how many wait for it. */
const SERVER = `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const text = (said) => ({ content: [{ type: 'text', text: said }] });
const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
const tasks = new Map();
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = (result) => say({ id, result });
  if (method === 'initialize') return answer({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list') return answer({ tools: ['job', 'step', 'end', 'waiting'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
  if (method === 'tasks/result') return tasks.get(params.taskId).waiting.push(id);
  if (method !== 'tools/call') return answer({});
  const { name, arguments: { n = 1, progress, related } } = params;
  const taskId = 'T' + process.pid + '-' + n;
  const task = tasks.get(taskId);
  if (name === 'job') {
    tasks.set(taskId, { token: params._meta?.progressToken, waiting: [] });
    return answer({ task: { taskId, status: 'working', createdAt: 'x', lastUpdatedAt: 'x', ttl: null } });
  }
  if (name === 'waiting') return answer(text(String(task.waiting.length)));
  const _meta = { 'io.modelcontextprotocol/related-task': { taskId } };
  if (name === 'step') say({ method: 'notifications/progress', params: { progressToken: task.token, progress, ...(related ? { _meta } : {}) } });
  if (name === 'end') for (const waits of task.waiting.splice(0)) say({ id: waits, result: text('done') });
  answer(text('fine'));
});`;

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
const BOB = { authorization: 'Bearer of-bob' };

type Headers = { readonly [name: string]: string };

/** The progress in a stream of messages. */
function progressIn(stream: string): unknown[] {
  const messages = (stream.match(/^data: \{.*$/gm) ?? []).map((line) => JSON.parse(line.slice(6)));
  return messages.flatMap(({ method, params }) =>
    method === 'notifications/progress' ? [[params.progressToken, params.progress]] : [],
  );
}

async function client(url: string, prefix: string, own: Headers = OWN) {
  const { headers } = await post(url, INITIALIZE, own);
  const session: Headers = { ...own, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const use = (name: string, args: object, more: object = {}, as = session) =>
    post(url, call('tools/call', { name: prefix + name, arguments: args, ...more }), as);
  return {
    session,
    async begin(progressToken: unknown, args: object = {}, as = session): Promise<string> {
      const { message } = await use('job', args, { task: {}, _meta: { progressToken } }, as);
      return String((message.result?.['task'] as { taskId: string } | undefined)?.taskId);
    },
    use,
    /** Waits for a result, and gives the progress that came with it. */
    wait: async (taskId: string, as = session) =>
      progressIn((await post(url, call('tasks/result', { taskId }), as)).text),
    waiting: async (count: number, args: object = {}, as = session) =>
      until(async () => (await use('waiting', args, {}, as)).text.includes(`"text":"${count}"`)),
    /** What comes in a stream that stands open. */
    async listens() {
      const stream = await fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
      let text = '';
      void (async () => {
        for await (const chunk of stream.body ?? []) text += Buffer.from(chunk).toString('utf8');
      })().catch(() => undefined); // the test is over
      return () => progressIn(text);
    },
  };
}

const STEPS = [1, 2, 3];
const under = (token: unknown): unknown[] => STEPS.map((progress) => [token, progress]);

it.each(PLACES.flatMap(([path, prefix]) => [false, true].map((related) => [path, prefix, related] as const)))(
  'at %s (%s): all who wait, in whichever session and in none; named by the server: %s',
  async (path, prefix, related) => {
    const { url } = await open(SETTINGS);
    const first = await client(url + path, prefix);
    const second = await client(url + path, prefix);
    const task = await first.begin('of the call');
    const waits = [first.session, second.session, OWN].map((as) => first.wait(task, as));
    await first.waiting(3);
    for (const progress of STEPS) await first.use('step', { progress, related });
    await first.use('end', {});
    expect(await Promise.all(waits)).toEqual([1, 2, 3].map(() => under('of the call')));
  },
);

it.each(PLACES)(
  'at %s (%s): one who listens and waits hears it once, and one who listens alone',
  async (path, prefix) => {
    const { url } = await open(SETTINGS);
    const first = await client(url + path, prefix);
    const heard = await first.listens();
    const task = await first.begin(7);
    for (const progress of STEPS) await first.use('step', { progress });
    await expect.poll(heard).toEqual(under(7));
    const waited = first.wait(task);
    await first.waiting(1);
    for (const progress of STEPS) await first.use('step', { progress });
    await first.use('end', {});
    expect([...heard(), ...(await waited)]).toEqual([...under(7), ...under(7)]);
  },
);

it('is not that of another task', async () => {
  const { url } = await open(SETTINGS);
  const first = await client(`${url}/p/mcp`, '');
  const second = await client(`${url}/p/mcp`, '');
  const tasks = [await first.begin('a', { n: 1 }), await first.begin('b', { n: 2 })];
  const waits = tasks.map((task) => second.wait(task));
  for (const n of [1, 2]) await first.waiting(1, { n });
  for (const progress of STEPS) await first.use('step', { n: 2, progress });
  for (const n of [1, 2]) await first.use('end', { n });
  expect(await Promise.all(waits)).toEqual([[], under('b')]);
});

it('comes from what callers without a session share, to whose it is, whatever tokens others have', async () => {
  const { url } = await open(SETTINGS);
  const ann = await client(`${url}/p/mcp`, '');
  const bob = await client(`${url}/p/mcp`, '', BOB);
  const tasks = [await ann.begin('same', { n: 1 }, OWN), await bob.begin('same', { n: 2 }, BOB)] as const;
  const waits = [ann.wait(tasks[0]), ann.wait(tasks[0], OWN), bob.wait(tasks[1]), bob.wait(tasks[1], BOB)];
  await ann.waiting(2, { n: 1 }, OWN);
  await bob.waiting(2, { n: 2 }, BOB);
  for (const progress of STEPS) await ann.use('step', { n: 1, progress }, {}, OWN);
  for (const n of [1, 2]) await ann.use('end', { n }, {}, OWN);
  expect(await Promise.all(waits)).toEqual([under('same'), under('same'), [], []]);
});

it.each(['the stream of one who waits', 'a stream that stands open'])(
  'comes from a server at a URL in %s, to all who wait',
  async (where) => {
    const times = { createdAt: 'x', lastUpdatedAt: 'x', ttl: null };
    const task = { taskId: 'b5f1c0de-0001-4000-8000-0123456789ab', status: 'working', ...times };
    const standing: ServerResponse[] = [];
    const waiting: [unknown, ServerResponse][] = [];
    const results: { readonly [method: string]: object } = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
        serverInfo: { name: 's', version: '1' },
      },
      'tools/list': { tools: [{ name: 'job', inputSchema: { type: 'object' } }] },
      'tools/call': { task },
    };
    let sessions = 0;
    const server = await upstream((body, response, request) => {
      const streams = (): unknown =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      if (request.method === 'GET') {
        standing.push(response);
        return void streams();
      }
      const { id, method } = JSON.parse(body);
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'tasks/result') {
        waiting.push([id, response]);
        return void streams();
      }
      const own = method === 'initialize' ? { 'mcp-session-id': `s-${++sessions}` } : {};
      json(response, 200, { jsonrpc: '2.0', id, result: results[method] ?? {} }, own);
    });
    const { url } = await open({
      upstreams: { p: { url: server.url, transport: 'http' }, q: SETTINGS.upstreams.p },
    });
    const at = `${url}/mcp`;
    const [first, second] = [await client(at, 'p_'), await client(at, 'p_')];
    await until(() => standing.length > 0);
    const taskId = await first.begin('t');
    const waits = [first.wait(taskId), second.wait(taskId), first.wait(taskId, OWN)];
    await until(() => waiting.length === 3);
    const say = (to: ServerResponse | undefined, message: object): unknown =>
      to?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    const told = where.startsWith('a stream') ? standing : [waiting[1]?.[1]];
    for (const progress of STEPS)
      for (const stream of told.slice(0, 1))
        say(stream, { method: 'notifications/progress', params: { progressToken: 't', progress } });
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const [id, response] of waiting) {
      say(response, { id, result: { content: [] } });
      response.end();
    }
    expect(await Promise.all(waits)).toEqual([1, 2, 3].map(() => under('t')));
  },
);
