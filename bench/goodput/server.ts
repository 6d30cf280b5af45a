/** The upstream, as a process of its own, on loopback: `--real`. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createModel } from './model.ts';
import { answer, type Message, type Reply } from './wire.ts';

const model = createModel(Number(process.argv[2] ?? 1));
const knowsKeys = process.argv[3] === 'keys';
let started = Date.now();

function json(response: ServerResponse, body: unknown, status = 200, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function send(reply: Reply, response: ServerResponse): void {
  if ('silent' in reply) return;
  if ('brokenAfterMs' in reply) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': working\n\n');
    setTimeout(() => response.destroy(), reply.brokenAfterMs);
    return;
  }
  const { status, headers, body, afterMs } = reply;
  setTimeout(
    () => (body === undefined ? response.writeHead(status).end() : json(response, body, status, headers)),
    afterMs,
  );
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
    request.on('end', () =>
      send(answer(model, JSON.parse(body) as Message, Date.now() - started, knowsKeys), response),
    );
  }
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
