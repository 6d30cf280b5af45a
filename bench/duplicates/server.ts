/**
 * A server whose tools do their work and fail then: `pay` each time, `look` the first time. Every piece of work is
 * a line in a file, which outlives the process. `server.ts <plain|guarded> <file> [stdio]`
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guard } from '@mayday/server';
import { guardHandler } from '@mayday/server/http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { PROCESS_FORM, TOOL_FORMS, WIRE_FORMS, type WireForm } from './forms.ts';

const [kind, file = '', over] = process.argv.slice(2);
const isGuarded = kind === 'guarded';

const inputSchema = z.object({ cell: z.string(), form: z.string() });
const DONE = { content: [{ type: 'text' as const, text: 'done' }] };

function timesOf(cell: string): number {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line === cell).length;
}

/** Works, then ends as the form says. */
function work({ cell, form }: { cell: string; form: string }, isLook: boolean): unknown {
  appendFileSync(file, `${cell}\n`);
  if (isLook && timesOf(cell) > 1) return DONE;
  if (form === PROCESS_FORM) process.exit(1);
  return TOOL_FORMS[form]?.() ?? DONE;
}

function shop(): McpServer {
  const plain = new McpServer({ name: 'shop', version: '1.0.0' });
  const server = isGuarded ? guard(plain) : plain;
  server.registerTool('pay', { inputSchema }, (async (args: never) => work(args, false)) as never);
  const annotations = { readOnlyHint: true };
  server.registerTool('look', { inputSchema, annotations }, (async (args: never) =>
    work(args, true)) as never);
  return server;
}

const plainHandler = createMcpHandler(shop);
const handler = isGuarded ? guardHandler(plainHandler) : plainHandler;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const isPost = request.method === 'POST';
  const url = `http://127.0.0.1${request.url}`;
  const answer = await handler.fetch(
    new Request(url, { method: request.method ?? 'GET', headers, body: isPost ? body : null }),
  );
  const text = await answer.text();
  const form = formIn(body);
  if (form !== undefined) spoil(form, text, response);
  else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
}

/** What is to happen to the answer, once the work is done. */
function formIn(body: string): WireForm | undefined {
  if (!body.includes('"tools/call"')) return undefined;
  const { params } = JSON.parse(body) as {
    params: { name: string; arguments: { cell: string; form: string } };
  };
  const { cell, form } = params.arguments;
  if (params.name === 'look' && timesOf(cell) > 1) return undefined;
  return WIRE_FORMS.find((one) => one === form);
}

const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM_TYPE = { 'content-type': 'text/event-stream' };

/** Longer than anybody waits by default. */
const LATE_MS = 65_000;

function spoil(form: WireForm, text: string, response: ServerResponse): void {
  const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '');
  switch (form) {
    case 'HTTP 503 instead':
      response
        .writeHead(503, { 'retry-after': '0' })
        .end('upstream connect error or disconnect/reset before headers');
      return;
    case 'HTTP 502 instead':
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>502 Bad Gateway</h1></html>');
      return;
    case 'HTTP 504 instead':
      response.writeHead(504).end('upstream request timeout');
      return;
    case 'HTTP 200, a page':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>We are back soon</html>');
      return;
    case 'HTTP 200, nothing':
      response.writeHead(200, JSON_TYPE).end();
      return;
    case 'connection cut':
      response.destroy();
      return;
    case 'cut in the answer':
      response.writeHead(200, { ...JSON_TYPE, 'content-length': json.length });
      response.write(json.slice(0, json.length / 2), () => response.destroy());
      return;
    case 'cut in a stream':
      response.writeHead(200, STREAM_TYPE);
      response.write(': working\n\n', () => response.destroy());
      return;
    case 'half of the JSON':
      response.writeHead(200, JSON_TYPE).end(json.slice(0, json.length / 2));
      return;
    case 'another id':
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ ...JSON.parse(json), id: 999_999 }));
      return;
    case 'no answer':
      return;
    case 'a silent stream':
      response.writeHead(200, STREAM_TYPE).write(': working\n\n');
      return;
    case 'a late answer':
      setTimeout(() => response.writeHead(200, JSON_TYPE).end(json), LATE_MS);
  }
}

if (over === 'stdio') await shop().connect(new StdioServerTransport());
else {
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
  });
}
