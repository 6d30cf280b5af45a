import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DialectId } from '@mayday/core';
import { nodeHandler } from '@mayday/server/http';

/** A server that listens. */
export interface Listening {
  /** `http://127.0.0.1:4711` */
  readonly url: string;
  close(): Promise<void>;
}

/** The most that is ever held of a request. What a handler takes is its own business, and much less. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

/** Serves a fetch-shaped handler on the loopback interface; what it refuses itself it says in the dialect. */
export function listen(
  fetch: (request: Request) => Promise<Response>,
  port: number,
  onerror: (error: Error) => void,
  dialect: DialectId = 'mayday',
): Promise<Listening> {
  const handler = nodeHandler(
    { fetch },
    {
      dialect,
      maxBodyBytes: MAX_HELD_BYTES,
      onFault: ({ cause }) => cause instanceof Error && onerror(cause),
    },
  );
  const server = createServer((request, response) => void handler(request, response));
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
