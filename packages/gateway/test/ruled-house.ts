/** Servers behind a gateway with rules, and who calls them. */

import type { SettingsFile } from '../src/index.ts';
import { call, json, open, type Posted, post, upstream } from './tools.ts';

/** What a server was asked. */
export interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly uri?: string; readonly arguments?: unknown };
}

/** A server with two tools, two prompts and two resources, under this name. */
export async function server(name: string) {
  const calls: Asked[] = [];
  const { url } = await upstream((body, response) => {
    const asked = JSON.parse(body) as Asked;
    const { id, method, params = {} } = asked;
    const answer = (result: unknown): void => json(response, 200, { jsonrpc: '2.0', id, result });
    const none = (message: string): void =>
      json(response, 200, { jsonrpc: '2.0', id, error: { code: -32602, message } });
    const schema = { type: 'object' };
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize')
      answer({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, prompts: {}, resources: {} },
        serverInfo: { name, version: '1' },
      });
    else if (method === 'tools/list')
      answer({
        tools: [
          { name: 'pay', inputSchema: { ...schema, maximum: 5 } },
          { name: 'look', inputSchema: schema },
        ],
      });
    else if (method === 'prompts/list') answer({ prompts: [{ name: 'plan' }, { name: 'plot' }] });
    else if (method === 'resources/list')
      answer({
        resources: [
          { name: 'a', uri: `${name}://a` },
          { name: 'b', uri: `${name}://b` },
        ],
      });
    else if (method === 'resources/templates/list')
      answer({ resourceTemplates: [{ name: 't', uriTemplate: `${name}://{x}` }] });
    else {
      calls.push(asked);
      const isTool = params.name === 'pay' || params.name === 'look';
      const isPrompt = params.name === 'plan' || params.name === 'plot';
      const isResource = params.uri?.startsWith(`${name}://`) === true;
      if (method === 'tools/call' && isTool) answer({ content: [{ type: 'text', text: 'done' }] });
      else if (method === 'prompts/get' && isPrompt) answer({ messages: [] });
      else if (method === 'resources/read' && isResource) answer({ contents: [] });
      else if (method === 'completion/complete') answer({ completion: { values: [] } });
      else if (method === 'resources/subscribe') answer({});
      else if (method === 'resources/read')
        json(response, 200, { jsonrpc: '2.0', id, error: { code: -32002, message: 'Resource not found' } });
      else
        none(method === 'tools/call' ? `Tool ${params.name} not found` : `Prompt ${params.name} not found`);
    }
  });
  return { url, calls };
}

/** Two callers: one with a tenant and a scope, one without. */
export const KEYS = [
  { name: 'ann', key: 'ann-secret', tenant: 'acme', scopes: ['bank:pay'] },
  { name: 'guest-web', key: 'guest-secret' },
];
export const ANN = { authorization: 'Bearer ann-secret' };
export const GUEST = { authorization: 'Bearer guest-secret' };

/** Two such servers behind a gateway with these rules. */
export async function gatewayWith(access: SettingsFile['access'], more: Partial<SettingsFile> = {}) {
  const [bank, shop] = [await server('bank'), await server('shop')];
  const gateway = await open({
    keys: KEYS,
    access,
    upstreams: { bank: { url: bank.url }, shop: { url: shop.url } },
    ...more,
  });
  return { url: gateway.url, gateway, bank, shop };
}

/** The names on all lists that a caller gets. */
export async function listed(url: string, headers: { readonly [name: string]: string }): Promise<unknown> {
  const found: { [key: string]: unknown } = {};
  for (const [method, key, naming] of [
    ['tools/list', 'tools', 'name'],
    ['prompts/list', 'prompts', 'name'],
    ['resources/list', 'resources', 'uri'],
    ['resources/templates/list', 'resourceTemplates', 'uriTemplate'],
  ] as const) {
    const { message } = await post(url, call(method), headers);
    const items = (message.result?.[key] ?? []) as { readonly [name: string]: unknown }[];
    found[key] = items.map((item) => item[naming]);
  }
  return found;
}

/** Was it done? */
export const isDone = ({ message }: Posted): boolean =>
  message.result !== undefined && message.result['isError'] !== true;
