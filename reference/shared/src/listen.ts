import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { hostHeaderValidationResponse, localhostAllowedHostnames } from '@modelcontextprotocol/server';

/** A server that listens. */
export interface Listening {
  /** `http://127.0.0.1:4711` */
  readonly url: string;
  close(): Promise<void>;
}

/** The most that is ever held of a request. What a handler takes is its own business, and much less. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

/** Serves a fetch-shaped handler on the loopback interface. */
export function listen(
  fetch: (request: Request) => Promise<Response>,
  port: number,
  onerror: (error: Error) => void,
): Promise<Listening> {
  const guarded = async (request: Request): Promise<Response> =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ?? (await fetch(request));
  const handler = toNodeHandler({ fetch: guarded }, { onerror, maxRequestBodySize: MAX_HELD_BYTES });
  const server = createServer(
    (request, response) => void handler(request as NodeIncomingMessageLike, response),
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}
