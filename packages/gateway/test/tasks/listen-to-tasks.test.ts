/** Whoever subscribes to tasks hears of their own, as long as they may use the tool, and only their server is asked. */
import { afterEach, expect, it } from 'vitest';
import type { SettingsFile } from '../../src/index.ts';
import { cleanUp, json, open, post, settingsOf, until, upstream } from '../tools.ts';

afterEach(cleanUp);

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

/** Begins `task-1`, `task-2`, …, and tells each listener what became of those that it asks for. `asked`: the filters. */
async function server(name: string) {
  const asked: { readonly taskIds?: readonly string[] }[] = [];
  const tasks = new Map<string, string>();
  const { url } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body);
    const answer = (result: object): void =>
      json(response, 200, { jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } });
    if (method === 'server/discover')
      return answer({ supportedVersions: [VERSION], capabilities: { tools: { listChanged: true } } });
    if (method === 'tools/list') return answer({ tools: [{ name: 'job', inputSchema: { type: 'object' } }] });
    if (method === 'tools/call') {
      const taskId = `task-${tasks.size + 1}`;
      tasks.set(taskId, `secret of ${String(params.arguments.who)} at ${name}`);
      return answer({ resultType: 'task', taskId, status: 'working', ttlMs: null });
    }
    if (method !== 'subscriptions/listen') return answer({});
    const { notifications } = params;
    asked.push(notifications);
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    const say = (said: string, more: object): void => {
      const message = { jsonrpc: '2.0', method: `notifications/${said}`, params: { ...more, _meta } };
      response.write(`data: ${JSON.stringify(message)}\n\n`);
    };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    say('subscriptions/acknowledged', { notifications });
    for (const taskId of notifications.taskIds ?? []) {
      const text = tasks.get(taskId);
      const result = { content: [{ type: 'text', text }] };
      if (text !== undefined) say('tasks', { taskId, status: 'completed', result });
    }
    setTimeout(() => response.end(), 300);
  });
  return { url, asked };
}

const headersOf = (method: string, who: string) => ({
  authorization: `Bearer ${who}-key-0123456789`,
  'mcp-protocol-version': VERSION,
  'mcp-method': method,
});

async function begin(url: string, who: string, name: string): Promise<string> {
  const params = { name, arguments: { who }, _meta: META };
  const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { message } = await post(url, asked, { ...headersOf('tools/call', who), 'mcp-name': name });
  return String(message.result?.['taskId']);
}

/** What a subscription tells in its first moments. */
async function heard(url: string, who: string, notifications: object): Promise<string> {
  const params = { notifications, _meta: META };
  const ender = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...headersOf('subscriptions/listen', who),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params }),
    signal: ender.signal,
  });
  let text = '';
  setTimeout(() => ender.abort(), 600);
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString('utf8');
  } catch {
    // It was listened to long enough.
  }
  return text;
}

const KEYS = ['ann', 'bob'].map((name) => ({ name, key: `${name}-key-0123456789` }));
const settings = (
  upstreams: SettingsFile['upstreams'],
  access: SettingsFile['access'] = {},
): SettingsFile => ({
  keys: KEYS,
  upstreams,
  access,
  virtual: { desk: { tools: ['h/*'] } },
});

it.each([
  ['/h/mcp', 'job'],
  ['/mcp', 'h_job'],
  ['/desk/mcp', 'h_job'],
])('nobody hears of another’s at %s (%s)', async (path, tool) => {
  const h = await server('h');
  const { url } = await open(settings({ h: { url: h.url } }));
  const task = await begin(url + path, 'ann', tool);
  expect(await heard(url + path, 'ann', { taskIds: [task] })).toContain('secret of ann');
  h.asked.length = 0;
  const both = { toolsListChanged: true, taskIds: [task] };
  expect(await heard(url + path, 'bob', both)).not.toContain('secret');
  expect(await heard(url + path, 'bob', { taskIds: [task] })).not.toContain('secret');
  expect(h.asked.flatMap(({ taskIds = [] }) => taskIds)).toEqual([]);
  expect(h.asked).toContainEqual({ toolsListChanged: true });
});

it.each(['/h/mcp', '/mcp'])('nobody hears of what its tool is denied for at %s', async (path) => {
  const h = await server('h');
  const gateway = await open(settings({ h: { url: h.url } }));
  const url = gateway.url + path;
  const task = await begin(url, 'ann', path === '/mcp' ? 'h_job' : 'job');
  gateway.reload(settingsOf(settings({ h: { url: h.url } }, { rules: [{ deny: ['h/job'] }] })));
  await until(async () => !(await heard(url, 'ann', { taskIds: [task] })).includes('secret'));
  expect(await heard(url, 'ann', { toolsListChanged: true, taskIds: [task] })).not.toContain('secret');
});

it('what is no list of ids is refused, and nobody is asked', async () => {
  const h = await server('h');
  const { url } = await open(settings({ h: { url: h.url } }));
  for (const taskIds of ['task-1', [1], { 0: 'task-1' }])
    expect(await heard(`${url}/h/mcp`, 'bob', { taskIds })).toContain('invalid_arguments');
  expect(h.asked).toEqual([]);
});

it('of many servers each is asked for its own, by the ids that it gave', async () => {
  const [h, i] = [await server('h'), await server('i')];
  const { url } = await open(settings({ h: { url: h.url }, i: { url: i.url } }));
  const tasks = [await begin(`${url}/mcp`, 'ann', 'h_job'), await begin(`${url}/mcp`, 'ann', 'i_job')];
  expect(tasks).toEqual(['task-1', 'i:task-1']);
  const told = await heard(`${url}/mcp`, 'ann', { taskIds: tasks });
  expect(h.asked).toEqual([{ taskIds: ['task-1'] }]);
  expect(i.asked).toEqual([{ taskIds: ['task-1'] }]);
  const said = told
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
  const about = (taskId: string) => said.find(({ params }) => params?.taskId === taskId);
  expect(JSON.stringify(about('task-1'))).toContain('secret of ann at h');
  expect(JSON.stringify(about('i:task-1'))).toContain('secret of ann at i');
  expect(said[0].params.notifications.taskIds.sort()).toEqual(['i:task-1', 'task-1']);
  h.asked.length = i.asked.length = 0;
  await heard(`${url}/mcp`, 'ann', { taskIds: ['i:task-1'] });
  expect([h.asked, i.asked]).toEqual([[], [{ taskIds: ['task-1'] }]]);
});

it('in a revision without sessions they are found at either endpoint', async () => {
  const h = await server('h');
  const { url } = await open(settings({ h: { url: h.url } }));
  const taskId = await begin(`${url}/mcp`, 'ann', 'h_job');
  for (const path of ['/mcp', '/h/mcp', '/desk/mcp']) {
    const asked = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId, _meta: META } };
    const headers = { ...headersOf('tasks/get', 'ann'), 'mcp-name': taskId };
    expect((await post(url + path, asked, headers)).message.error).toBeUndefined();
  }
});
