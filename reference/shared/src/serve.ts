import type { DialectId } from '@mayday/core';
import type { Logger } from '@mayday/server';
import { guardStdio } from '@mayday/server/stdio';
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { type ServeStdioOptions, serveStdio } from '@modelcontextprotocol/server/stdio';
import { completing } from './completing.ts';
import type { Flags } from './flags.ts';
import { listen } from './listen.ts';

type Fetch = (request: Request) => Promise<Response>;

/** A server, before it is on a transport. */
export interface Service {
  readonly name: string;
  /** How lines on stdio that are no message are answered; `mayday`. */
  readonly dialect?: DialectId;
  /** Makes a guarded MCP server for one connection, or for one request over HTTP. */
  readonly createServer: McpServerFactory;
  /** Answers HTTP; `mcp` serves the protocol. Without it, `/mcp` is all there is. */
  readonly http?: (request: Request, mcp: Fetch) => Promise<Response>;
  readonly logger: Required<Logger>;
  /** Lets go of everything, once. */
  close(): void | Promise<void>;
}

/** Serves it as the flags say, until the input ends or the process is told to stop. */
export async function serve(service: Service, flags: Flags): Promise<void> {
  const stop = flags.http === undefined ? onStdio(service) : await onHttp(service, flags.http);
  let stopping = false;
  const shutDown = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await stop();
    await service.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void shutDown());
  if (flags.http === undefined) process.stdin.once('close', () => void shutDown());
}

function onStdio({ createServer, dialect = 'mayday', logger }: Service): () => Promise<void> {
  const transport = guardStdio({ dialect }) as NonNullable<ServeStdioOptions['transport']>;
  const handle = serveStdio(completing(createServer), {
    transport,
    onerror: (err) => logger.warn({ err }, 'A message could not be served'),
  });
  return () => handle.close();
}

async function onHttp(service: Service, port: number): Promise<() => Promise<void>> {
  const { createServer, http = onlyMcp, logger } = service;
  const onerror = (err: Error): void => logger.warn({ err }, 'A request could not be served');
  const mcp = createMcpHandler(completing(createServer), { onerror });
  const listening = await listen((request) => http(request, mcp.fetch), port, onerror);
  logger.warn({ url: listening.url }, `Listening on ${listening.url}`);
  return async () => {
    await listening.close();
    await mcp.close();
  };
}

async function onlyMcp(request: Request, mcp: Fetch): Promise<Response> {
  return new URL(request.url).pathname === '/mcp' ? mcp(request) : new Response(null, { status: 404 });
}
