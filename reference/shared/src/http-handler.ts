import { guardHandler } from '@mayday/server/http';
import { createMcpHandler } from '@modelcontextprotocol/server';
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
  const single = async (request: Request): Promise<Response> =>
    (await isBatch(request)) ? noBatch() : plain.fetch(request);
  const mcp = guardHandler({ fetch: single }, { dialect, logger });
  return { fetch: (request) => http(request, mcp.fetch), close: () => plain.close() };
}

/** MCP has no batches since 2025-06-18; the SDK would run them. What is no JSON at all, or too large, is its to refuse. */
async function isBatch(request: Request): Promise<boolean> {
  const length = Number(request.headers.get('content-length') ?? 0);
  if (request.method !== 'POST' || length > MAX_BODY_BYTES) return false;
  const text = await request.clone().text();
  if (!/^\s*\[/.test(text)) return false;
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Says no as the SDK would; the guard says it in the dialect. */
function noBatch(): Response {
  const error = { code: -32600, message: 'Batches are not served' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 });
}

async function onlyMcp(request: Request, mcp: HttpHandler['fetch']): Promise<Response> {
  return new URL(request.url).pathname === '/mcp' ? mcp(request) : new Response(null, { status: 404 });
}
