/** What one worker has found out about a server is known to all of them. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gateway, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { post } from './support/http.ts';
import { call, initialize } from './support/messages.ts';

let server: Server;
let gateway: Gateway;
/** Openings over streamable HTTP that it has refused. */
let refused = 0;

/** Only speaks the transport of 2024-11-05. */
function serve(): Server {
  const streams = new Map<string, ServerResponse>();
  return createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://x');
    if (request.method === 'GET') {
      const id = `?s=${streams.size}`;
      streams.set(id, response.writeHead(200, { 'content-type': 'text/event-stream' }));
      response.write(`event: endpoint\ndata: /messages${id}\n\n`);
      return;
    }
    if (pathname !== '/messages') {
      refused += 1;
      response.writeHead(405).end();
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      response.writeHead(202).end();
      const { id, method } = JSON.parse(body);
      const opened = {
        protocolVersion: '2024-11-05',
        capabilities: {},
        serverInfo: { name: 'old', version: '1' },
      };
      const result = method === 'initialize' ? opened : { content: [{ type: 'text', text: 'from old' }] };
      const said = { jsonrpc: '2.0', id, result };
      if (id !== undefined) streams.get(search)?.write(`event: message\ndata: ${JSON.stringify(said)}\n\n`);
    });
  });
}

beforeAll(async () => {
  server = serve();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  gateway = await startGateway({ workers: 2, upstreams: { old: { url } } });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  server.closeAllConnections();
  server.close();
});

interface Living {
  readonly pid: number;
  readonly restarts: number;
}

async function workers(): Promise<readonly Living[]> {
  const answer = await fetch(`${gateway.url}/-/status`).catch(() => undefined);
  const said = answer?.ok === true ? await answer.json() : {};
  return (said as { workers?: readonly Living[] }).workers ?? [];
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400 && !(await isSo()); tries++) await sleep(50);
}

/** Calls without a session: each reaches the next worker. */
async function askAll(): Promise<readonly string[]> {
  const answers: string[] = [];
  for (let i = 0; i < 4; i++) answers.push((await post(at(gateway, 'old'), call('echo'))).body);
  return answers;
}

it('so that all speak to it as the first one does, and those that come later', async () => {
  await until(async () => (await workers()).length === 2);
  const opened = await post(at(gateway, 'old'), initialize());
  expect([opened.status, opened.body]).toEqual([200, expect.stringContaining('"old"')]);
  const before = refused;
  for (const body of await askAll()) expect(body).toContain('from old');
  const [first] = await workers();
  process.kill(first?.pid ?? 0, 'SIGKILL');
  await until(async () => (await workers()).filter(({ restarts }) => restarts === 1).length === 1);
  for (const body of await askAll()) expect(body).toContain('from old');
  expect(refused).toBe(before);
});
