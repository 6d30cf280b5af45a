import { guardHandler } from '@mayday/server/http';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { reporter } from './log.ts';
import type { Service } from './serve.ts';

/** The most that a request may carry. */
export const MAX_BODY_BYTES: number = 1024 * 1024;

/** What answers HTTP requests for a service. */
export interface HttpHandler {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** The service over HTTP: its own routes, and `/mcp`, where bad JSON and oversize bodies are faults too. */
export function httpHandler({
  createServer,
  dialect = 'mayday',
  http = onlyMcp,
  logger,
}: Service): HttpHandler {
  const onerror = reporter(logger);
  const plain = createMcpHandler(createServer, { onerror, maxRequestBodySize: MAX_BODY_BYTES });
  const mcp: McpHttpHandler = guardHandler(plain, { dialect, logger });
  return { fetch: (request) => http(request, mcp.fetch), close: () => mcp.close() };
}

async function onlyMcp(request: Request, mcp: McpHttpHandler['fetch']): Promise<Response> {
  return new URL(request.url).pathname === '/mcp' ? mcp(request) : new Response(null, { status: 404 });
}
