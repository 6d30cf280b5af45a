/** A gateway that is a plain command stops at once, and leaves nothing behind at its server. */
import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { call, callTool, cleanUp, INITIALIZE, json, later, settingsOf, upstream } from '../../test/tools.ts';
import { startStdioGateway } from '../index.ts';

afterEach(cleanUp);

/** Keeps a stream that stands, leaves calls of `hang` unanswered, and answers DELETE or not. */
async function server(isDeaf = false) {
  const seen: string[] = [];
  const held: ServerResponse[] = [];
  const { url } = await upstream((body, response, { method: verb, headers }) => {
    const session = String(headers['mcp-session-id'] ?? '-');
    if (verb !== 'POST') seen.push(`${verb} ${session}`);
    if (verb === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      response.on('close', () => seen.push('stream closed'));
      return;
    }
    if (verb === 'DELETE') return isDeaf ? undefined : void response.writeHead(204).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) {
      seen.push(method);
      return void response.writeHead(202).end();
    }
    const say = (result: object, more = {}): void =>
      json(response, 200, { jsonrpc: '2.0', id, result }, more);
    const serverInfo = { name: 's', version: '1' };
    if (method === 'initialize')
      return say(
        { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
        { 'mcp-session-id': 'own' },
      );
    if (method !== 'tools/call') return say({ tools: [{ name: 'hang', inputSchema: { type: 'object' } }] });
    held.push(response);
    response.on('close', () => response.writableFinished || seen.push('call closed'));
    if (params.name.endsWith('go')) setTimeout(() => say({ content: [] }), 300);
  });
  return { url, seen, held };
}

async function opened(url: string, { joined = false, transport = 'http' as 'http' | 'auto' } = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const settings = settingsOf({ upstreams: { u: { url, transport } } });
  const gateway = await startStdioGateway(settings, { input, output, ...(joined ? {} : { root: 'u' }) });
  later(() => gateway.close(0));
  const said: string[] = [];
  output.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const say = (message: object): void => void input.write(`${JSON.stringify(message)}\n`);
  say(INITIALIZE);
  say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  say(call('tools/list', {}, 2));
  await vi.waitFor(() => expect(said.join('')).toContain('hang'));
  const closedIn = async (): Promise<number> => {
    const started = performance.now();
    await gateway.close();
    return performance.now() - started;
  };
  return { gateway, input, output, said, say, closedIn };
}

it.each([
  ['one server', false],
  ['all of them joined', true],
])('ends its stream and its session when its caller has nothing more to say: %s', async (_, joined) => {
  const { url, seen } = await server();
  const { gateway, input, closedIn } = await opened(url, { joined });
  await vi.waitFor(() => expect(seen).toContain('GET own'));
  input.end();
  await gateway.ended;
  expect(await closedIn()).toBeLessThan(2500);
  await vi.waitFor(() => expect(seen.slice(-2).sort()).toEqual(['DELETE own', 'stream closed']));
});

it.each([
  ['one server', false],
  ['all of them joined', true],
])('does not wait for a server that takes no leave: %s', async (_, joined) => {
  const { url, seen } = await server(true);
  const { gateway, input, closedIn } = await opened(url, { joined });
  await vi.waitFor(() => expect(seen).toContain('GET own'));
  input.end();
  await gateway.ended;
  expect(await closedIn()).toBeLessThan(4000);
  expect(seen).toContain('DELETE own');
});

it('answers what was asked before it ends the session, also where it is told to stop', async () => {
  const { url, seen } = await server();
  const { say, said, closedIn, gateway } = await opened(url);
  await vi.waitFor(() => expect(seen).toContain('GET own'));
  say(callTool('go', {}, 7));
  await sleep(50);
  await closedIn();
  expect(said.join('')).toContain('"id":7,"result":{"content":[]}');
  await vi.waitFor(() => expect(seen).toContain('DELETE own'));
  await gateway.ended;
});

it.each([
  ['one server', false, 'hang'],
  ['all of them joined', true, 'u_hang'],
])('cancels what was asked when nobody reads any more, and ends the session: %s', async (_, joined, name) => {
  const { url, seen, held } = await server();
  const { say, output, gateway, closedIn } = await opened(url, { joined });
  say(callTool(name, {}, 7));
  await vi.waitFor(() => expect(held).toHaveLength(1));
  output.destroy();
  await gateway.ended;
  await vi.waitFor(() => expect(seen).toContain('call closed'));
  await vi.waitFor(() => expect(seen).toContain('notifications/cancelled'));
  expect(await closedIn()).toBeLessThan(2500);
  await vi.waitFor(() => expect(seen).toContain('DELETE own'));
});
