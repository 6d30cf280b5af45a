import { PassThrough } from 'node:stream';
import type { Logger } from '@mayday/server';
import { guardStdio } from '@mayday/server/stdio';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { type ServeStdioOptions, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Flags } from './flags.ts';
import { httpHandler } from './http-handler.ts';
import { listen, type Refusals } from './listen.ts';
import { reporter } from './log.ts';

type Fetch = (request: Request) => Promise<Response>;

/** A server, before it is on a transport. */
export interface Service extends Refusals {
  readonly name: string;
  /** Makes a guarded MCP server for one connection, or for one request over HTTP. */
  readonly createServer: McpServerFactory;
  /** Answers HTTP; `mcp` serves the protocol. Without it, `/mcp` is all there is. */
  readonly http?: (request: Request, mcp: Fetch) => Promise<Response>;
  readonly logger: Required<Logger>;
  /** Called once it is on its transport: what else there is to tell. */
  started?(): void;
  /** Lets go of everything, once. */
  close(): void | Promise<void>;
}

/** Serves it as the flags say, until the input ends or the process is told to stop. */
export async function serve(service: Service, { http }: Flags): Promise<void> {
  await untilStopped(
    (over) => (http === undefined ? onStdio(service, over) : onHttp(service, http)),
    () => service.close(),
  );
  service.started?.();
}

type Close = () => void | Promise<void>;

/** Starts something, and closes it, then the rest, when it is over by itself or the process is told to stop. */
export async function untilStopped(
  start: (over: () => Promise<void>) => Close | Promise<Close>,
  close: Close,
): Promise<void> {
  const open = [close];
  let stopping = false;
  const shutDown = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    for (const close of open.reverse()) await close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void shutDown());
  open.push(await start(shutDown));
}

/** `over` is called once the input has ended and everything that came by it is answered; to stop is to end the input. */
function onStdio({ createServer, dialect = 'mayday', logger }: Service, over: () => Promise<void>): Close {
  const input = process.stdin.pipe(new PassThrough());
  for (const end of ['close', 'error'] as const) process.stdin.once(end, () => input.end());
  const transport = guardStdio({ dialect, stdin: input }) as NonNullable<ServeStdioOptions['transport']>;
  const handle = serveStdio(createServer, { transport, onerror: reporter(logger) });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    resolve();
    void over();
  };
  return async () => {
    process.stdin.unpipe(input);
    input.end();
    await closed;
    await handle.close();
  };
}

async function onHttp(service: Service, port: number): Promise<Close> {
  const { logger } = service;
  const handler = httpHandler(service);
  const listening = await listen(handler.fetch, port, reporter(logger), service);
  logger.warn({ url: listening.url }, `Listening on ${listening.url}`);
  return async () => {
    await listening.close();
    await handler.close();
  };
}
