/** A reload starts nothing anew that is the same: the process that is shared, and whoever listens to it. */
import { afterEach, expect, it } from 'vitest';
import type { SettingsFile } from '../../src/index.ts';
import { cleanUp, later, open, settingsOf, until } from '../tools.ts';

afterEach(cleanUp);

/** Speaks 2026-07-28. `change` tells whoever listens; every answer has the number of the process and of the call. */
const SERVER = `
let count = 0;
const listening = new Map();
const KEY = 'io.modelcontextprotocol/subscriptionId';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'notifications/cancelled') return void listening.delete(params.requestId);
  if (method === 'subscriptions/listen') {
    listening.set(id, true);
    const notifications = { toolsListChanged: true };
    return say({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta: { [KEY]: id } } });
  }
  if (method === 'tools/list') return say({ id, result: { resultType: 'complete', tools: [{ name: 'change', inputSchema: { type: 'object' } }] } });
  if (method === 'server/discover') return say({ id, result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } }, serverInfo: { name: 's', version: '1' } } });
  if (method !== 'tools/call') return id === undefined ? undefined : say({ id, result: { resultType: 'complete' } });
  count += 1;
  for (const to of listening.keys()) say({ method: 'notifications/tools/list_changed', params: { count, _meta: { [KEY]: to } } });
  say({ id, result: { resultType: 'complete', content: [{ type: 'text', text: process.pid + ' ' + count }] } });
});
`;

const PROCESS = { command: process.execPath, args: ['-e', SERVER] };

function modern(method: string, params: object = {}): RequestInit {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = (params as { readonly name?: string }).name;
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  };
}

async function house(file: SettingsFile) {
  const gateway = await open(file);
  const call = async (path: string, name: string): Promise<readonly string[]> => {
    const text = await (
      await fetch(`${gateway.url}${path}`, modern('tools/call', { name, arguments: {} }))
    ).text();
    return (/"text":"(\d+ \d+)"/.exec(text)?.[1] ?? text).split(' ');
  };
  const listen = async (
    path: string,
  ): Promise<{ methods: string[]; said: string[]; isOver: () => boolean }> => {
    const ender = new AbortController();
    later(async () => ender.abort());
    const asked = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const response = await fetch(`${gateway.url}${path}`, { ...asked, signal: ender.signal });
    const heard: { methods: string[]; said: string[] } = { methods: [], said: [] };
    let isOver = false;
    void (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        const text = decoder.decode(chunk);
        heard.said.push(text);
        for (const [, method = ''] of text.matchAll(/"method":"notifications\/([^"]*)"/g))
          heard.methods.push(method);
      }
    })()
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    await until(() => heard.methods.includes('subscriptions/acknowledged'));
    heard.methods.length = 0;
    return { ...heard, isOver: () => isOver };
  };
  const reload = (next: SettingsFile): void => gateway.reload(settingsOf(next));
  return { gateway, call, listen, reload };
}

const isAlive = (pid: unknown): boolean => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};

it.each([
  ['/a/mcp', 'change'],
  ['/mcp', 'a_change'],
])(
  'other settings of the same server start no other process, and whoever listens hears on, at %s',
  async (path, tool) => {
    const { call, listen, reload } = await house({ upstreams: { a: PROCESS } });
    const [pid, first] = await call(path, tool);
    const heard = await listen(path);
    for (const [at, timeout_ms] of [8001, 8002, 8003].entries()) {
      reload({ upstreams: { a: { ...PROCESS, timeout_ms } }, dialect: at === 1 ? 'onx' : 'mayday' });
      expect(await call(path, tool)).toEqual([pid, String(Number(first) + at + 1)]);
      await until(() => heard.methods.length >= at + 1);
    }
    expect(heard.methods).toEqual(Array.from({ length: 3 }, () => 'tools/list_changed'));
    expect(heard.isOver()).toBe(false);
  },
);

it('another command is another process; whoever listens is told to listen again, and the old one ends', async () => {
  const { call, listen, reload } = await house({ upstreams: { a: PROCESS } });
  const [pid] = await call('/a/mcp', 'change');
  const heard = await listen('/a/mcp');
  reload({ upstreams: { a: { ...PROCESS, env: { OTHER: '1' } } } });
  await until(heard.isOver);
  expect(heard.said.join('')).toContain('The gateway has other settings for this server');
  expect((await call('/a/mcp', 'change'))[0]).not.toBe(pid);
  await until(() => !isAlive(pid));
});

it('tools that are others end a stream of listening with the reason, and no process', async () => {
  const { call, listen, reload } = await house({ upstreams: { a: PROCESS } });
  const [pid] = await call('/a/mcp', 'change');
  const heard = await listen('/a/mcp');
  reload({ upstreams: { a: { ...PROCESS, tools: { deny: ['nothing'] } } } });
  await until(heard.isOver);
  expect(heard.said.join('')).toContain('Listen again');
  expect((await call('/a/mcp', 'change'))[0]).toBe(pid);
});

it('at /mcp, whoever listens hears of servers that come and go, and hears those that come', async () => {
  const two = { a: PROCESS, b: PROCESS };
  const { call, listen, reload } = await house({ upstreams: two });
  const [a] = await call('/mcp', 'a_change');
  const [b] = await call('/mcp', 'b_change');
  const heard = await listen('/mcp');
  reload({ upstreams: { ...two, c: PROCESS } });
  await until(() => heard.methods.includes('tools/list_changed'));
  expect((await call('/mcp', 'a_change'))[0]).toBe(a);
  await until(() => /"count":2/.test(heard.said.join('')));
  await call('/mcp', 'c_change');
  await call('/mcp', 'c_change');
  await call('/mcp', 'c_change');
  await until(() => /"count":3/.test(heard.said.join('')));
  heard.methods.length = 0;
  reload({ upstreams: { a: PROCESS, c: PROCESS } });
  await until(() => heard.methods.includes('tools/list_changed'));
  await until(() => !isAlive(b));
  expect((await call('/mcp', 'a_change'))[0]).toBe(a);
  expect(heard.isOver()).toBe(false);
});
