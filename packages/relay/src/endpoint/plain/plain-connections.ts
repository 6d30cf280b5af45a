/** Connections that start out plain: they meet the plain reader first, and Node's parser when it does not suffice. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { PlainConnection, type PlainOptions } from './plain-connection.ts';

/** The connections of a server that have not been handed over to Node's parser. */
export interface PlainConnections {
  /** The next answer of each is its last. */
  stop(): void;
  /** Is the next answer of each its last? */
  readonly isClosing: boolean;
  /** Ends those that are not used, but for those that have only just come, and the others with their answer. */
  close(): void;
  /** Cuts all of them. */
  cut(): void;
}

/** Puts the plain reader before a server's own. Behind TLS all are Node's: what costs there is something else. */
export function answerPlainly(
  server: Server,
  idleMs: number,
  onRequest: PlainOptions['onRequest'],
): PlainConnections {
  const all = new Set<PlainConnection>();
  let isClosing = false;
  const isSecure = 'setSecureContext' in server;
  const own = isSecure ? [] : server.listeners('connection');
  if (!isSecure) server.removeAllListeners('connection');
  let round = 0;
  /** A clock of its own for each connection would be set anew with everything that comes and goes. */
  const sweep = setInterval(() => {
    round += 1;
    for (const connection of all) connection.closeUnusedSince(round - ROUNDS);
  }, idleMs / ROUNDS).unref();
  const options: PlainOptions = {
    idleMs,
    isClosing: () => isClosing,
    round: () => round,
    onRequest: inOneGo(onRequest),
    handOver: (socket) => {
      for (const listener of own) listener.call(server, socket);
    },
  };
  if (!isSecure)
    server.on('connection', (socket: Socket) => {
      const connection = new PlainConnection(socket, options, () => all.delete(connection));
      all.add(connection);
    });
  const stop = (): void => {
    isClosing = true;
  };
  return {
    stop,
    get isClosing() {
      return isClosing;
    },
    close() {
      stop();
      clearInterval(sweep);
      for (const connection of all) connection.closeOnceHeard();
    },
    cut() {
      for (const { socket } of all) socket.destroy();
    },
  };
}

/**
 * Whatever came in one turn of the event loop is met when all of it was read: to read and to answer in turns takes a tenth
 * longer. Who has left by then is not met at all.
 */
function inOneGo(onRequest: PlainOptions['onRequest']): PlainOptions['onRequest'] {
  let came: Parameters<typeof onRequest>[] = [];
  const meetAll = (): void => {
    const all = came;
    came = [];
    for (const [head, body, response] of all) if (!response.destroyed) onRequest(head, body, response);
  };
  return (head, body, response) => {
    if (came.length === 0) setImmediate(meetAll);
    came.push([head, body, response]);
  };
}

/** After so many rounds a connection has been idle for long enough; it may be one more until that is noticed. */
const ROUNDS = 8;
