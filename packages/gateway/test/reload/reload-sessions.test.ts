/** A reload reaches the sessions that are open: what is not the process itself is new for them as for everybody. */
import { afterEach, expect, it } from 'vitest';
import type { SettingsFile } from '../../src/index.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  open,
  type Posted,
  post,
  STDIO_SERVER,
  settingsOf,
  takeEvents,
  until,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

/** In a session every request has an id of its own. */
let asked = 1;

interface Client {
  readonly status: number;
  readonly id: { readonly [name: string]: string };
  ask(method: string, params?: object): Promise<Posted>;
  tool(name: string): Promise<Posted>;
  /** A session that somebody listens to makes no room for others. */
  listen(): Promise<Response>;
}

async function house(file: SettingsFile) {
  const gateway = await open(file);
  const connect = async (path: string): Promise<Client> => {
    const url = `${gateway.url}${path}`;
    const { status, headers } = await post(url, INITIALIZE);
    const id = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    if (status === 200) await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, id);
    return {
      status,
      id,
      ask: (method, params) => post(url, call(method, params, ++asked), id),
      tool: (name) => post(url, callTool(name, {}, ++asked), id),
      listen: () => fetch(url, { headers: { ...id, accept: 'text/event-stream' } }),
    };
  };
  const reload = (next: SettingsFile): void => gateway.reload(settingsOf(next));
  return { gateway, connect, reload };
}

const isAlive = (pid: unknown): boolean => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};

const ONE: SettingsFile = { upstreams: { a: STDIO_SERVER } };

it.each(['/a/mcp', '/mcp'])('how long an open session may be unused, at %s', async (path) => {
  const { connect, reload } = await house(ONE);
  const client = await connect(path);
  reload({ ...ONE, sessions: { idle_ms: 1000 } });
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect((await client.ask('ping')).status).toBe(404);
});

it.each(['/a/mcp', '/mcp'])('how many there may be, those from before included, at %s', async (path) => {
  const { connect, reload } = await house(ONE);
  await (await connect(path)).listen();
  reload({ ...ONE, sessions: { max: 1 } });
  expect((await connect(path)).status).toBe(503);
  reload({ upstreams: { a: { ...STDIO_SERVER, timeout_ms: 1234 } }, sessions: { max: 1 } });
  expect((await connect(path)).status).toBe(503);
  reload({ upstreams: { a: { ...STDIO_SERVER, timeout_ms: 1234 } }, sessions: { max: 2 } });
  expect((await connect(path)).status).toBe(200);
});

it('how many one caller may have', async () => {
  const keys = [{ name: 'ci', key: 'a-long-key' }];
  const { gateway, reload } = await house({ ...ONE, keys });
  const as = { authorization: 'Bearer a-long-key' };
  const url = `${gateway.url}/a/mcp`;
  const { headers } = await post(url, INITIALIZE, as);
  const id = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await fetch(url, { headers: { ...as, ...id, accept: 'text/event-stream' } });
  reload({ ...ONE, keys, sessions: { per_caller: 1 } });
  expect((await post(url, INITIALIZE, as)).status).toBe(503);
});

it('dialect, time limit, retries and nesting, while the process stays', async () => {
  const { connect, reload } = await house(ONE);
  const client = await connect('/a/mcp');
  const { pid } = (await client.ask('pid')).message.result ?? {};
  reload({ ...ONE, dialect: 'onx' });
  expect((await client.tool('x')).message.result?.['error']).toBeDefined();
  reload({ upstreams: { a: { ...STDIO_SERVER, timeout_ms: 200 } } });
  expect(faultIn(await client.ask('deaf'))).toMatchObject({ kind: 'timeout' });
  reload({ ...ONE, limits: { depth: 16 } });
  const deep = JSON.parse('['.repeat(20) + ']'.repeat(20)) as object;
  expect((await client.ask('echo', { say: deep })).status).toBe(400);
  expect((await client.ask('pid')).message.result?.['pid']).toBe(pid);
});

it('the same for an open session of the joined endpoint', async () => {
  const { connect, reload } = await house(ONE);
  const client = await connect('/mcp');
  expect((await client.tool('a_x')).message.result?.['error']).toBeUndefined();
  reload({ ...ONE, dialect: 'onx' });
  expect((await client.tool('a_x')).message.result?.['error']).toBeDefined();
  reload({ ...ONE, joined: { separator: '.' } });
  expect((await client.tool('a.x')).text).toContain('It broke');
  expect(faultIn(await client.tool('a_x'))).toMatchObject({ kind: 'not_found' });
});

const listing = (name: string, ms = 0) =>
  upstream((body, response, { method: verb }) => {
    if (verb !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize') {
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name, version: '1' } };
      json(response, 200, { jsonrpc: '2.0', id, result });
    } else if (method === 'tools/list') {
      const tools = [{ name, inputSchema: { type: 'object' } }];
      json(response, 200, { jsonrpc: '2.0', id, result: { tools } });
    } else {
      const result = { content: [{ type: 'text', text: `by ${name}` }] };
      setTimeout(() => json(response, 200, { jsonrpc: '2.0', id, result }), ms);
    }
  });

it('which servers an open session of the joined endpoint has, and tells it', async () => {
  const [one, two] = [await listing('one'), await listing('two')];
  const { gateway, connect, reload } = await house({ upstreams: { a: { url: one.url } } });
  const client = await connect('/mcp');
  const names = async (): Promise<unknown> => {
    const { tools } = (await client.ask('tools/list')).message.result ?? {};
    return (tools as { name: string }[]).map(({ name }) => name);
  };
  expect(await names()).toEqual(['a_one']);
  const standing = await fetch(`${gateway.url}/mcp`, {
    headers: { ...client.id, accept: 'text/event-stream' },
  });
  reload({ upstreams: { b: { url: two.url }, a: { url: one.url } } });
  expect((await takeEvents(standing, 1))[0]).toContain('list_changed');
  expect(await names()).toEqual(['b_two', 'a_one']);
  expect((await client.tool('b_two')).text).toContain('by two');
  reload({ upstreams: { b: { url: one.url } } });
  expect(await names()).toEqual(['b_one']);
  expect((await client.tool('b_one')).text).toContain('by one');
});

it('lets a call of the joined endpoint finish where it began', async () => {
  const [one, two] = [await listing('one'), await listing('two', 800)];
  const { connect, reload } = await house({ upstreams: { a: { url: two.url }, b: { url: two.url } } });
  const client = await connect('/mcp');
  const waiting = [client.tool('a_two'), client.tool('b_two')];
  await new Promise((resolve) => setTimeout(resolve, 200));
  reload({ upstreams: { b: { url: one.url } } });
  expect((await client.tool('b_one')).text).toContain('by one');
  for (const { text } of await Promise.all(waiting)) expect(text).toContain('by two');
});

it('ends the processes of an upstream that is no longer there', async () => {
  const { connect, reload } = await house({ upstreams: { a: STDIO_SERVER, b: STDIO_SERVER } });
  const client = await connect('/a/mcp');
  const { pid } = (await client.ask('pid')).message.result ?? {};
  expect(isAlive(pid)).toBe(true);
  reload({ upstreams: { b: STDIO_SERVER } });
  expect((await client.ask('pid')).status).toBe(404);
  await until(() => !isAlive(pid));
});

it('leaves an open session with its process when the command is another', async () => {
  const { connect, reload } = await house(ONE);
  const client = await connect('/a/mcp');
  const { pid } = (await client.ask('pid')).message.result ?? {};
  reload({ upstreams: { a: { ...STDIO_SERVER, env: { NEW: '1' } } } });
  expect((await client.ask('pid')).message.result?.['pid']).toBe(pid);
  expect((await (await connect('/a/mcp')).ask('env')).message.result?.['names']).toContain('NEW');
  const one = await listing('one');
  reload({ upstreams: { a: { url: one.url } } });
  expect((await client.ask('pid')).message.result?.['pid']).toBe(pid);
});

it.each(['/p/mcp', '/u/mcp', '/mcp'])(
  'a new key of the same name opens its own sessions, at %s',
  async (path) => {
    const server = await upstream((body, response) => {
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      const session = method === 'initialize' ? { 'mcp-session-id': 's1' } : {};
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: 'u', version: '1' },
      };
      if (id === undefined) response.writeHead(202).end();
      else json(response, 200, { jsonrpc: '2.0', id, result }, session);
    });
    const file = (key: string, keep: number): SettingsFile => ({
      upstreams: { p: STDIO_SERVER, u: { url: server.url } },
      keys: [{ name: 'ada', key }],
      faults: { keep },
    });
    const gateway = await open(file('the-old-key', 1));
    const url = gateway.url + path;
    const as = (key: string, id = {}): { readonly [name: string]: string } => ({
      authorization: `Bearer ${key}`,
      ...id,
    });
    const { headers } = await post(url, INITIALIZE, as('the-old-key'));
    const id = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    gateway.reload(settingsOf(file('the-old-key', 2)));
    expect((await post(url, call('ping'), as('the-old-key', id))).status).toBe(200);
    gateway.reload(settingsOf(file('the-new-key', 2)));
    expect((await post(url, call('ping'), as('the-old-key', id))).status).toBe(401);
    const gone = await post(url, call('ping'), as('the-new-key', id));
    expect([gone.status, faultIn(gone)?.['kind']]).toEqual([404, 'expired']);
    expect((await post(url, INITIALIZE, as('the-new-key'))).status).toBe(200);
  },
);

it('not what a call of the joined endpoint waits for: the answer reaches the process that asked', async () => {
  const { gateway, connect, reload } = await house(ONE);
  const url = `${gateway.url}/mcp`;
  const client = await connect('/mcp');
  const begin = async (): Promise<{ readonly id: string; readonly response: Response }> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...client.id,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(callTool('a_ask', {}, ++asked)),
    });
    const [event = ''] = await takeEvents(response.clone(), 1);
    return { id: (JSON.parse(event.slice(event.indexOf('{'))) as { id: string }).id, response };
  };
  const answer = (id: string, role: string): Promise<Posted> =>
    post(url, { jsonrpc: '2.0', id, result: { role } }, client.id);
  const old = await begin();
  reload({ upstreams: { a: { ...STDIO_SERVER, env: { CHANGED: '1' } } } });
  const young = await begin();
  expect(young.id).not.toBe(old.id);
  await answer(young.id, 'younger');
  await answer(old.id, 'older');
  expect(await young.response.text()).toContain('"told":{"role":"younger"}');
  expect(await old.response.text()).toContain('"told":{"role":"older"}');
});
