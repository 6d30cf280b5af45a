/** A list in a session that its server has forgotten: callers who keep no session themselves get it, with rules as without. */
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import type { SettingsFile } from '../../src/index.ts';
import { spokenTo } from '../spoken-to.ts';
import { call, cleanUp, INITIALIZE, json, later, open, upstream } from '../tools.ts';

afterEach(cleanUp);

const ITEMS: { readonly [method: string]: object } = {
  'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
  'prompts/list': { prompts: [{ name: 'plan' }] },
  'resources/list': { resources: [{ name: 'a', uri: 'bank://a' }] },
  'resources/templates/list': { resourceTemplates: [{ name: 't', uriTemplate: 'bank://{x}' }] },
};

const OPENED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, prompts: {}, resources: {} },
  serverInfo: { name: 'bank', version: '1' },
};

/** A server that lists in the session that it has opened last. */
async function forgetful() {
  let known = '';
  let opened = 0;
  const { url } = await upstream((body, response, request) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body);
    if (method === 'initialize') {
      known = `s${++opened}`;
      return json(response, 200, { jsonrpc: '2.0', id, result: OPENED }, { 'mcp-session-id': known });
    }
    const error = { code: -32001, message: 'Session not found' };
    if (request.headers['mcp-session-id'] !== known)
      return json(response, 404, { jsonrpc: '2.0', id: null, error });
    if (id === undefined) return void response.writeHead(202).end();
    json(response, 200, { jsonrpc: '2.0', id, result: ITEMS[method] ?? {} });
  });
  const forget = (): void => {
    known = 'none';
  };
  return { url, forget };
}

type Ask = (message: object) => Promise<{ readonly [key: string]: unknown }>;

async function overSse(url: string, access: SettingsFile['access']): Promise<Ask> {
  const gateway = await open({ upstreams: { bank: { url } }, access });
  const transport = new SSEClientTransport(new URL(`${gateway.url}/bank/sse`));
  const answers = new Map<unknown, { readonly [key: string]: unknown }>();
  transport.onmessage = (message) => void ('id' in message && answers.set(message.id, { ...message }));
  await transport.start();
  later(() => transport.close());
  const ask: Ask = async (message) => {
    const { id } = message as { readonly id: number };
    await transport.send(message as JSONRPCMessage);
    await expect.poll(() => answers.get(id), { timeout: 10_000, interval: 5 }).toBeDefined();
    return answers.get(id) ?? {};
  };
  await ask(INITIALIZE);
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return ask;
}

const DOORS = [
  ['stdio', async (url, access) => (await spokenTo({ bank: { url } }, { access })).ask],
  ['HTTP+SSE', overSse],
] as const satisfies readonly (readonly [
  name: string,
  enter: (url: string, access: SettingsFile['access']) => Promise<Ask>,
])[];

const RULES: readonly (readonly [name: string, access: SettingsFile['access']])[] = [
  ['no rule', undefined],
  ['a rule that denies', { rules: [{ deny: ['bank/die'] }] }],
  ['rules that allow, and nothing else', { default: 'deny', rules: [{ allow: ['bank/*'] }] }],
];

describe.each(DOORS)('over %s', (_door, enter) => {
  it.each(RULES)('with %s', async (_rules, access) => {
    const { url, forget } = await forgetful();
    const ask = await enter(url, access);
    let id = 100;
    for (const [method, items] of Object.entries(ITEMS)) {
      forget();
      expect(await ask(call(method, {}, ++id))).toEqual({ jsonrpc: '2.0', id, result: items });
    }
  });
});
