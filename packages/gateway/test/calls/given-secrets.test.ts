/** What the file gives to a server does not come back from it, to the caller or to the operator. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, INITIALIZE, json, open, post, takeEvents, upstream } from '../tools.ts';

afterEach(cleanUp);

const KEY = 'zQ7vK2mXp9Lw4Rt8';
const WORDS = 'token correcthorsebattery "is" refused for blue falcon';

it.each([
  [
    'a failing result',
    200,
    (id: number) => ({
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text: WORDS }], isError: true },
    }),
  ],
  [
    'an error',
    200,
    (id: number) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32_000, message: WORDS, data: { sent: ['correcthorsebattery'] } },
    }),
  ],
  ['HTTP 401', 401, () => ({ error: WORDS })],
  ['HTTP 500', 500, () => ({ error: WORDS })],
])('in %s of a server behind a URL', async (_what, status, answer) => {
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body) as { id: number };
    json(response, status, answer(id), { 'www-authenticate': 'Bearer realm="correcthorsebattery"' });
  });
  const headers = { authorization: 'Bearer correcthorsebattery', 'x-team': 'blue falcon' };
  const gateway = await open({ upstreams: { web: { url, headers, retry: { attempts: 1 } } } });
  for (const [path, tool] of [
    ['/web/mcp', 'do'],
    ['/mcp', 'web_do'],
  ] as const) {
    const posted = await post(`${gateway.url}${path}`, callTool(tool));
    expect(posted.text + JSON.stringify([...posted.headers])).not.toContain('correcthorsebattery');
  }
  const faults = await (await fetch(`${gateway.url}/-/faults`)).text();
  expect(faults).toContain('[hidden]');
  expect(faults + gateway.logs.join('\n')).not.toContain('correcthorsebattery');
});

it.each([
  ['a slash', 'correct\\/horse\\/battery'],
  ['letters', '\\u0063orrect/horse\\u002fbatter\\u0079'],
])('in JSON that escapes %s without need', async (_what, escaped) => {
  const { url } = await upstream((body, response) => {
    const { id, params } = JSON.parse(body) as { id: number; params: { name: string } };
    const isStream = params.name.endsWith('tell');
    response.writeHead(isStream ? 200 : 401, {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
    });
    const told = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"told ${escaped}"}}`;
    const done = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } });
    response.end(isStream ? `data: ${told}\n\ndata: ${done}\n\n` : `{"error":"bad ${escaped}"}`);
  });
  const headers = { authorization: 'Bearer correct/horse/battery' };
  const gateway = await open({ upstreams: { web: { url, headers, retry: { attempts: 1 } } } });
  const [told, denied] = [
    await post(`${gateway.url}/web/mcp`, callTool('tell')),
    await post(`${gateway.url}/web/mcp`, callTool('deny')),
  ];
  expect(told.text).toContain('told [hidden]');
  expect(denied.text).toContain('bad [hidden]');
  const faults = await (await fetch(`${gateway.url}/-/faults`)).text();
  expect(told.text + denied.text + faults + gateway.logs.join('\n')).not.toMatch(/horse/);
});

/** A process that says with each failure what it was given. */
const TALKATIVE = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const text = [process.env.API_TOKEN, process.env.PLACE, ...process.argv.slice(1)].join(' and ');
  console.error(text);
  const opened = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
  const result = method === 'initialize' ? opened : { isError: true, content: [{ type: 'text', text }] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

it('in failures of a process, from its environment and its arguments', async () => {
  const args = ['-e', TALKATIVE, '--', '--password', 'tango-whiskey-9', '--folder', 'plain-folder'];
  const env = { API_TOKEN: 'wintermute "neuromancer"', PLACE: 'chiba-city' };
  const gateway = await open({ upstreams: { std: { command: process.execPath, args, env } } });
  const { text } = await post(`${gateway.url}/std/mcp`, callTool('any'));
  expect(text).toContain('[hidden] and chiba-city and --password and [hidden] and --folder and plain-folder');
  await expect.poll(() => gateway.logs.join('\n')).toContain('stderr: [hidden] and chiba-city');
  expect(text + gateway.logs.join('\n')).not.toMatch(/wintermute|tango/);
});

const SECRET = 'correct horse+battery';

/** Says what it was given while it works, in all the forms that others write it in, and as the name of a member. */
const LEAKY = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const secret = process.env.API_TOKEN;
  const words = 'told ' + [secret, encodeURIComponent(secret), btoa(secret)].join(' and ');
  const opened = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
  if (method === 'initialize') return say({ id, result: opened });
  if (method === 'tools/list') return say({ id, result: { tools: [{ name: 'any', inputSchema: { type: 'object' } }] } });
  const { progressToken } = params._meta;
  say({ method: 'notifications/progress', params: { progressToken, progress: 1, message: words } });
  say({ method: 'notifications/message', params: { level: 'info', data: { [secret]: words } } });
  say({ id: 'q', method: 'elicitation/create', params: { message: words, requestedSchema: {} } });
  say({ id, result: { isError: true, content: [{ type: 'text', text: words }], structuredContent: { [secret]: 1 } } });
});`;

it.each([
  ['/std/mcp', 'any'],
  ['/mcp', 'std_any'],
])('in what a process tells and asks while it works, and as a name, at %s', async (path, tool) => {
  const std = { command: process.execPath, args: ['-e', LEAKY], env: { API_TOKEN: SECRET } };
  const gateway = await open({ upstreams: { std } });
  const { headers } = await post(gateway.url + path, INITIALIZE);
  const call = callTool(tool) as { readonly params: object };
  const { text } = await post(
    gateway.url + path,
    { ...call, params: { ...call.params, _meta: { progressToken: 1 } } },
    { 'mcp-session-id': headers.get('mcp-session-id') ?? '' },
  );
  expect(text.match(/told \[hidden\] and \[hidden\] and \[hidden\]/g)?.length).toBeGreaterThanOrEqual(4);
  for (const form of ['correct horse+battery', 'correct%20horse%2Bbattery', 'Y29ycmVjdCBob3JzZStiYXR0ZXJ5'])
    expect(text).not.toContain(form);
});

it('in a header of a refusal, from the address', async () => {
  const { url } = await upstream((_body, response) =>
    json(response, 401, {}, { 'www-authenticate': 'Bearer error="neuromancer-9"' }),
  );
  const gateway = await open({ upstreams: { web: { url: `${url}?api_key=neuromancer-9` } } });
  const posted = await post(`${gateway.url}/web/mcp`, callTool('any'));
  expect(posted.text + JSON.stringify([...posted.headers])).not.toContain('neuromancer-9');
});

/** Says what it was given in an error that names no request, while a call waits; then it dies, or says nothing more. */
const NAMELESS = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const opened = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
  if (method === 'initialize') return say({ id, result: opened });
  if (method !== 'tools/call') return;
  say({ id: null, error: { code: -32603, message: 'bad ' + process.env.MY_API_KEY } });
  if (params.name.endsWith('die')) setTimeout(() => process.exit(2), 50);
});`;

it.each([
  ['/std/mcp', 'die'],
  ['/std/mcp', 'wait'],
  ['/mcp', 'std_die'],
  ['/mcp', 'std_wait'],
])('in what it says without naming a request, at %s (%s)', async (path, tool) => {
  const env = { MY_API_KEY: 'plainwordvalue77' };
  const std = { command: process.execPath, args: ['-e', NAMELESS], env, timeout_ms: 3000 };
  const gateway = await open({ upstreams: { std } });
  const { headers } = await post(gateway.url + path, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const { text } = await post(gateway.url + path, callTool(tool), session);
  expect(text).toContain('bad [hidden]');
  const faults = await (await fetch(`${gateway.url}/-/faults`)).text();
  expect(text + faults + gateway.logs.join('\n')).not.toContain('plainwordvalue77');
});

/** An id that nobody guesses. */
const TASK = 'f47ac10b-58cc-4372-a567-0e02b2c3d479';

it('in what a task that failed says', async () => {
  const task = { taskId: TASK, status: 'failed', statusMessage: `Refused: ${SECRET}` };
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body) as { id: number };
    json(response, 200, { jsonrpc: '2.0', id, result: task });
  });
  const gateway = await open({ upstreams: { web: { url, headers: { 'x-api-key': SECRET } } } });
  const asked = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId: TASK } };
  const { text } = await post(`${gateway.url}/web/mcp`, asked);
  expect(text).toContain('"statusMessage":"Refused: [hidden]"');
});

it('in an answer that comes on a stream that was taken up again, and in a refusal of the stream', async () => {
  const failed = { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: `no ${SECRET}` } };
  const { url } = await upstream((_body, response, request) => {
    if (request.headers['last-event-id'] === undefined)
      response.writeHead(401, { 'www-authenticate': `Bearer error="${SECRET}"` }).end();
    else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`id: 2\ndata: ${JSON.stringify(failed)}\n\n`);
    }
  });
  const settings = { url, transport: 'http', headers: { 'x-api-key': SECRET } } as const;
  const gateway = await open({ upstreams: { web: settings } });
  const headers = { accept: 'text/event-stream' };
  const taken = await fetch(`${gateway.url}/web/mcp`, { headers: { ...headers, 'last-event-id': '1' } });
  expect(await taken.text()).toContain('no [hidden]');
  const refused = await fetch(`${gateway.url}/web/mcp`, { headers });
  expect(refused.status).toBe(401);
  expect(JSON.stringify([...refused.headers])).not.toContain(SECRET);
});

it('takes credentials out of a program that is an argument, and leaves its other words', async () => {
  const program = `
const settings = { password: 'tango-whiskey-9' };
const endpointName2024 = 'reports_quarterly_2024_final_table';
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const text = 'no reports_quarterly_2024_final_table with ' + settings.password;
  const opened = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
  const result = method === 'initialize' ? opened : { isError: true, content: [{ type: 'text', text }] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;
  const std = { command: process.execPath, args: ['-e', program] };
  const gateway = await open({ upstreams: { std } });
  const { text } = await post(`${gateway.url}/std/mcp`, callTool('any'));
  expect(text).toContain('no reports_quarterly_2024_final_table with [hidden]');
  expect(text).not.toContain('tango-whiskey');
});

it.each(['/s/mcp', '/mcp'])(
  'in a value that a process writes over two lines before it ends, at %s',
  async (path) => {
    const script =
      "console.error(process.env.API_KEY.slice(0, 10) + '\\n' + process.env.API_KEY.slice(10)); process.exit(1)";
    const env = { API_KEY: 'zq81Kx77mmPlwe44rrt9' };
    const gateway = await open({
      upstreams: { s: { command: process.execPath, args: ['-e', script], env } },
    });
    const told = [
      await post(`${gateway.url}${path}`, INITIALIZE),
      await post(`${gateway.url}${path}`, callTool(path === '/mcp' ? 's_do' : 'do')),
    ];
    const text = told.map((posted) => posted.text).join('\n');
    expect(text).toContain('exit code 1');
    const isLogged = (): boolean => gateway.logs.some((line) => line.includes('stderr: [hidden]'));
    await expect.poll(isLogged, { timeout: 5000 }).toBe(true);
    expect(`${text}${gateway.logs.join('\n')}`).not.toMatch(/zq81Kx77mm|Plwe44rrt9/);
  },
);

it.each([`id: ${KEY}`, `id:key=${KEY}`, `id: ${btoa(KEY)}`, `id: ${KEY}\nid: 5`, `id: ${KEY}\0`])(
  'in the id of an event: %j',
  async (line) => {
    const told = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'told' } };
    const { url } = await upstream((body, response, request) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const first = `${line}\n\n${line}\ndata: ${JSON.stringify(told)}\n\n`;
      if (request.method === 'GET') return void response.write(first);
      const { id } = JSON.parse(body) as { id: number };
      const result = { content: [{ type: 'text', text: 'done' }] };
      response.end(`${first}${line}\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    });
    const gateway = await open({ upstreams: { web: { url, headers: { 'x-api-key': KEY } } } });
    const { text } = await post(`${gateway.url}/web/mcp`, callTool('do'));
    expect(text).toContain('told');
    expect(text).toContain('done');
    const stream = await fetch(`${gateway.url}/web/mcp`, { headers: { accept: 'text/event-stream' } });
    const [event] = await takeEvents(stream, 1);
    expect(event).toContain('told');
    for (const form of [KEY, btoa(KEY)]) expect(text + event).not.toContain(form);
  },
);
