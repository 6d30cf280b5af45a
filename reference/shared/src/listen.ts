import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DialectId } from '@mayday/core';
import type { FaultEvent } from '@mayday/server';
import { type NodeHandlerOptions, nodeHandler } from '@mayday/server/http';
import { refuse } from './flags.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A server that listens. */
export interface Listening {
  /** `http://127.0.0.1:4711` */
  readonly url: string;
  /** Takes no more requests, and gives those under way so many milliseconds; half a minute. */
  close(graceMs?: number): Promise<void>;
}

/** The most that is ever held of a request. What a handler takes is its own business, and much less. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

/** Whatever the reference servers do has its answer by then. */
const GRACE_MS = 30_000;

/** How what the listener refuses itself is said. */
export interface Refusals {
  /** The dialect of `/mcp`; `mayday`. */
  readonly dialect?: DialectId | undefined;
  /** The form of everything else. */
  readonly refused?: NodeHandlerOptions['refused'];
}

/** Serves a fetch-shaped handler. */
export function listen(
  fetch: (request: Request) => Promise<Response>,
  port: number,
  onerror: (error: Error) => void,
  { dialect = 'mayday', refused }: Refusals = {},
): Promise<Listening> {
  const onFault = ({ cause }: FaultEvent): void => {
    if (cause instanceof Error) onerror(cause);
  };
  return listenOn(nodeHandler({ fetch }, { dialect, refused, maxBodyBytes: MAX_HELD_BYTES, onFault }), port);
}

/** Listens on the loopback interface. Nobody needs a stack to learn that a port is taken: that ends the process. */
export async function listenOn(listener: Listener, port: number): Promise<Listening> {
  const { createServer } = await import('node:http'); // who speaks over standard streams does without it
  const standing = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.headers.accept?.includes('text/event-stream') === true) {
      standing.add(response);
      response.once('close', () => standing.delete(response));
    }
    void listener(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  }).catch(({ code }: NodeJS.ErrnoException) =>
    refuse(`Cannot listen on port ${port}: ${code === 'EADDRINUSE' ? 'it is taken' : code}`),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(graceMs = GRACE_MS) {
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      // Who only listens waits for nothing that could still be finished.
      for (const response of standing) response.destroy();
      // A connection that has its answer would be kept for the next request.
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      await new Promise<void>((closed) => server.close(() => closed()));
      clearTimeout(late);
      clearInterval(idle);
    },
  };
}
