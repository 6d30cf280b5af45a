/** The gateway as it is installed, with an admin port of its own, before a server that fails in all ways. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

export const OPS = 'key-of-the-operator';
export const ANN = 'key-of-ann-who-calls';

/** Markup, a line that is turned around, and what cannot be seen. */
export const HOSTILE =
  '<img src=x onerror="document.title=1"><script>document.title=2</script> \u202Eevil\u200B was not found';

export interface House {
  readonly console: string;
  readonly admin: string;
  call(tool: string, args?: object, upstream?: string): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const TEXTS: { readonly [tool: string]: string } = {
  hostile: HOSTILE,
  limit: '429 Too many requests, retry after 30 seconds',
};

async function bank(): Promise<Server> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id, params } = JSON.parse(body || '{}');
      const isPaid = params?.name === 'pay';
      const text = isPaid ? 'paid' : (TEXTS[params?.name] ?? 'No account A-17 was found');
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          result: { isError: !isPaid, content: [{ type: 'text', text }] },
        }),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Opens it: `mayday gateway` in a process of its own. */
export async function openHouse(ports: { readonly callers: number; readonly admin: number }): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-console-'));
  const server = await bank();
  const file = join(folder, 'mayday.json');
  writeFileSync(
    file,
    JSON.stringify({
      listen: { port: ports.callers },
      admin: { listen: { port: ports.admin } },
      store: `file:${join(folder, 'mayday.db')}`,
      keys: [
        { name: 'ops', key: OPS, role: 'operator' },
        { name: 'ann', key: ANN },
      ],
      access: { rules: [{ approve: ['bank/pay*'] }] },
      limits: {
        rates: [{ calls: 600, per_ms: 60_000, by: ['caller'], costs: { 'bank/export': 5 } }],
        concurrency: [{ calls: 50, tools: ['bank/*'] }],
      },
      upstreams: {
        bank: {
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
          retry: { attempts: 1 },
        },
        broken: { command: 'mayday-no-such-command' },
      },
    }),
  );
  let gateway = await start(file);
  return {
    console: `http://127.0.0.1:${ports.admin}/-/console/`,
    admin: `http://127.0.0.1:${ports.admin}/-/admin/v1`,
    call: (tool, args = {}, upstream = 'bank') =>
      call(`http://127.0.0.1:${ports.callers}/${upstream}/mcp`, tool, args),
    stop: () => stopped(gateway),
    async start() {
      gateway = await start(file);
    },
    async close() {
      await stopped(gateway);
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(file: string): Promise<ChildProcess> {
  const program = join(import.meta.dirname, '../../cli/bin/mayday.js');
  const child = spawn(process.execPath, [program, 'gateway', '--config', file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    if (said.includes('/-/console/ (the console, for operators)\n')) break;
  }
  return child;
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function call(url: string, name: string, args: object): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${ANN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  return response.text();
}
