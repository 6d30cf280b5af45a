/** The upstream, as a process of its own, on loopback. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TOOLS } from './day.ts';
import { createModel } from './model.ts';

const seed = Number(process.argv[2] ?? 1);
const model = createModel(seed);
let started = Date.now();

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name: string; readonly arguments: { readonly call: number } };
}

function json(response: ServerResponse, body: unknown, status = 200, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function result(message: Message, value: object): unknown {
  return { jsonrpc: '2.0', id: message.id, result: value };
}

const text = (said: string): object[] => [{ type: 'text', text: said }];

function callTool(message: Message, response: ServerResponse): void {
  const { name, arguments: args } = message.params!;
  const fate = model.arrive(args.call, name, Date.now() - started);
  switch (fate.type) {
    case 'busy':
      json(response, { error: 'no backend available' }, 503);
      break;
    case 'throttled':
      json(response, { error: 'too many requests' }, 429, { 'retry-after': '1' });
      break;
    case 'hangs':
      break;
    case 'soft': {
      const said = 'The search backend is temporarily unavailable, please try again';
      json(response, result(message, { isError: true, content: text(said) }));
      break;
    }
    case 'lost':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': working\n\n');
      setTimeout(() => response.destroy(), 5);
      break;
    case 'done':
      setTimeout(() => json(response, result(message, { content: text('ok') })), fate.afterMs);
      break;
  }
}

function answer(message: Message, response: ServerResponse): void {
  if (message.id === undefined) response.writeHead(202).end();
  else if (message.method === 'initialize') {
    const serverInfo = { name: 'shop', version: '1.0.0' };
    json(
      response,
      result(message, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }),
    );
  } else if (message.method === 'tools/list') {
    const tools = TOOLS.map(({ name, annotations }) => ({
      name,
      annotations,
      inputSchema: { type: 'object' },
    }));
    json(response, result(message, { tools }));
  } else callTool(message, response);
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') response.writeHead(405).end();
  else if (request.url === '/start') {
    started = Date.now();
    json(response, { started });
  } else if (request.url === '/report') {
    json(response, { arrivals: model.arrivals, executions: [...model.executions] });
  } else {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => answer(JSON.parse(body) as Message, response));
  }
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
