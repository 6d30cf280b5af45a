/** Real servers of the official SDKs over HTTP, which can be stopped and started again at the same address. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import {
  createMcpHandler,
  type McpHttpHandler,
  type McpServer as ModernServer,
} from '@modelcontextprotocol/server';
import { later } from './tools.ts';

/** A server with sessions. */
export interface SessionServer {
  readonly url: string;
  /** Sessions that were opened since it was last started. */
  readonly opened: () => number;
  /** Streams on which whoever opened them is told what happens, that it has ever taken. */
  readonly streams: () => number;
  stop(): Promise<void>;
  /** Starts again with empty memory. */
  start(): Promise<void>;
}

/** Serves what `make` makes, a server for each session, and answers a session it does not know with `unknown`. */
export async function serveSessions(make: () => McpServer, unknown: 400 | 404 = 404): Promise<SessionServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let streams = 0;
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: unknown = request.method === 'POST' ? JSON.parse(await textOf(request)) : undefined;
    const id = request.headers['mcp-session-id'];
    let transport = sessions.get(String(id));
    if (id === undefined && isInitializeRequest(body)) {
      const opened: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (own) => void sessions.set(own, opened),
      });
      await make().connect(opened as Parameters<McpServer['connect']>[0]);
      transport = opened;
    }
    if (transport !== undefined) {
      if (request.method === 'GET') streams += 1;
      return transport.handleRequest(request, response, body);
    }
    const message = unknown === 404 ? 'Session not found' : 'Bad Request: No valid session ID provided';
    response.writeHead(unknown, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
  }
  const server = createServer((request, response) => void handle(request, response));
  let port = 0;
  const start = async (): Promise<void> => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    sessions.clear();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  await start();
  later(stop);
  const url = `http://127.0.0.1:${port}/mcp`;
  return { url, opened: () => sessions.size, streams: () => streams, start, stop };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}

/** A server of 2026-07-28. */
export interface StatelessServer {
  readonly url: string;
  readonly notify: McpHttpHandler['notify'];
  /** Ends its streams and stops listening. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Serves what `make` makes, statelessly. */
export async function serveStateless(make: () => ModernServer): Promise<StatelessServer> {
  const handler = createMcpHandler(make, { legacy: 'reject' });
  const node = toNodeHandler(handler);
  const server = createServer(
    (request, response) => void node(request as Parameters<typeof node>[0], response),
  );
  let port = 0;
  const start = async (): Promise<void> => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  await start();
  later(stop);
  return { url: `http://127.0.0.1:${port}/mcp`, notify: handler.notify, start, stop };
}
