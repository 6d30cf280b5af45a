import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  callTool,
  memoryLogger,
  post,
  rpcResponse,
  serveHere,
  tempFolder,
} from '@mayday/reference-shared/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPlatica } from '../service.ts';
import { TOOLS } from './tools.ts';

/** Every tool, the endpoint behind it, and what it takes; a question mark for what may be left out. */
const ENDPOINTS: readonly (readonly [name: string, method: string, path: string, takes: string])[] = [
  ['list_clients', 'GET', '/clients', 'workspace?'],
  ['get_client', 'GET', '/clients/:id', 'id workspace?'],
  ['create_client', 'POST', '/clients', 'name email? phone? workspace?'],
  ['update_client', 'PATCH', '/clients/:id', 'id name? email? phone? workspace?'],
  ['delete_client', 'DELETE', '/clients/:id', 'id workspace?'],
  ['list_agents', 'GET', '/agents', 'workspace?'],
  ['get_agent', 'GET', '/agents/:id', 'id workspace?'],
  ['create_agent', 'POST', '/agents', 'name workspace?'],
  ['connect_agent_subagent', 'POST', '/agents/:id/subagents', 'id subagent_id workspace?'],
  ['list_campaigns', 'GET', '/campaigns', 'workspace?'],
  ['get_campaign', 'GET', '/campaigns/:id', 'id workspace?'],
  ['create_campaign', 'POST', '/campaigns', 'name agent_id workspace?'],
  ['launch_campaign', 'POST', '/campaigns/:id/launch', 'id workspace?'],
  ['list_webhooks', 'GET', '/webhooks', 'workspace?'],
  ['create_webhook', 'POST', '/webhooks', 'url events workspace?'],
  ['delete_webhook', 'DELETE', '/webhooks/:id', 'id workspace?'],
];

const authorization = `Bearer pl_key_abc_${'x'.repeat(32)}`;

describe('the tools', () => {
  it('are one for each endpoint', () => {
    const rows = Object.entries(TOOLS).map(([name, { method, path, input }]) => {
      const takes = Object.entries(input.shape).map(
        ([field, schema]) => `${field}${schema.safeParse(undefined).success ? '?' : ''}`,
      );
      return [name, method, path, takes.join(' ')];
    });
    expect(rows).toEqual(ENDPOINTS);
  });

  it('say what they do, which ones only read, and which ones destroy', async () => {
    const { url } = await serveHere(await createPlatica({ data: tempFolder(), logger: memoryLogger() }));
    const ask = async (method: string, params: object = {}) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      return (await rpcResponse(await post(url, body, { authorization }))).result;
    };
    const { tools } = await ask('tools/list');
    const facts = tools.map(({ name, annotations }: { name: string; annotations: object }) => [
      name,
      annotations,
    ]);
    expect(facts).toEqual(
      ENDPOINTS.map(([name, method]) => [
        name,
        { readOnlyHint: method === 'GET', destructiveHint: method === 'DELETE' },
      ]),
    );
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/^\w+ .+\.$/);
      expect(inputSchema.properties.workspace.description).toMatch(/^Which workspace/);
    }
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    expect((await ask('initialize', hello)).serverInfo).toEqual({ name: 'platica', version: '1.0.0' });
  });

  it('take ids of 1 to 64 letters, digits, _ or -', () => {
    const flawed = (id: string) => TOOLS['get_agent']?.input.safeParse({ id }).error?.issues[0]?.message;
    for (const id of ['a', 'x'.repeat(64), 'aZ_-09']) expect(flawed(id)).toBeUndefined();
    for (const id of ['', 'x'.repeat(65)]) expect(flawed(id)).toBeDefined();
    for (const id of ['a b', '../x', 'ñ']) expect(flawed(id)).toBe('must be letters, digits, _ or -');
  });
});

describe('the request behind a call', () => {
  it('has the key, the workspace where the endpoint looks for it, and the rest in the body', async () => {
    const asked: unknown[] = [];
    const rest = createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      const { 'content-type': type, authorization: key } = request.headers;
      const said = String(Buffer.concat(pieces));
      asked.push([request.method, request.url, said === '' ? undefined : JSON.parse(said)]);
      expect([type, key]).toEqual(['application/json', authorization]);
      if (request.method === 'DELETE') response.writeHead(204).end();
      else if (request.url === '/api/v1/agents')
        response.writeHead(302, { location: '/elsewhere' }).end('{}');
      else response.end('{"ok":1}');
    }).listen(0, '127.0.0.1');
    await once(rest, 'listening');
    onTestFinished(() => void rest.close());
    const apiUrl = `http://127.0.0.1:${(rest.address() as AddressInfo).port}`;
    const { url } = await serveHere(await createPlatica({ data: '', apiUrl, logger: memoryLogger() }));
    const call = async (name: string, args: object) =>
      (await callTool(url, name, args, { authorization })).result;
    expect(await call('get_client', { id: 'a', workspace: 'ws_sur' })).toEqual({
      content: [{ type: 'text', text: '{"ok":1}' }],
      structuredContent: { ok: 1 },
    });
    expect(await call('delete_client', { id: 'a', workspace: 'ws_sur' })).toEqual({
      content: [{ type: 'text', text: 'Done.' }],
    });
    await call('update_client', { id: 'a', name: 'Ana', workspace: 'ws_sur' });
    await call('list_clients', {});
    expect(await call('list_agents', {})).toMatchObject({ isError: true });
    expect(asked).toEqual([
      ['GET', '/api/v1/clients/a?workspace=ws_sur', undefined],
      ['DELETE', '/api/v1/clients/a?workspace=ws_sur', undefined],
      ['PATCH', '/api/v1/clients/a', { name: 'Ana', workspace: 'ws_sur' }],
      ['GET', '/api/v1/clients', undefined],
      ['GET', '/api/v1/agents', undefined],
    ]);
  });
});
