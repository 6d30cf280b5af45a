/**
 * Requests that come over one connection before the one in front of them is answered begin when it is: their answers could
 * not be sent sooner, and would only pile up.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What a request expects before it sends its body: to be told to go on, or what nobody here knows. */
export type Expects = 'go-ahead' | 'other' | undefined;

/** Told of a request. */
type OnRequest = (request: IncomingMessage, response: ServerResponse, expects: Expects) => void;

/** Nobody sends more than this ahead; whoever does is cut off, so that they do not pile up here either. */
const MAX_WAITING = 1000;

/** Tells of each request of a server in its turn. */
export function oneAtATime(server: Server, onRequest: OnRequest, onBug?: (error: unknown) => void): void {
  const lines = new WeakMap<Socket, (() => void)[]>();
  const arrived: OnRequest = (request, response, expects) => {
    const { socket } = request;
    const waiting = lines.get(socket);
    response.once('close', () => {
      const next = lines.get(socket)?.shift();
      if (next === undefined) lines.delete(socket);
      else if (!socket.destroyed) begin(socket, next, onBug);
    });
    if (waiting === undefined) {
      lines.set(socket, []);
      begin(socket, () => onRequest(request, response, expects), onBug);
      return;
    }
    waiting.push(() => onRequest(request, response, expects));
    if (waiting.length > MAX_WAITING) socket.destroy();
  };
  server.on('request', (request, response) => arrived(request, response, undefined));
  server.on('checkContinue', (request, response) => arrived(request, response, expectedBy(request)));
  server.on('checkExpectation', (request, response) => arrived(request, response, 'other'));
}

/** Node looks for the usual expectation among others. */
function expectedBy({ headers: { expect = '' } }: IncomingMessage): Expects {
  return /^100-continue(?:\s*,\s*100-continue)*$/i.test(expect.trim()) ? 'go-ahead' : 'other';
}

/** What goes wrong with one connection ends that connection, and nothing else. */
function begin(socket: Socket, request: () => void, onBug?: (error: unknown) => void): void {
  try {
    request();
  } catch (error) {
    onBug?.(error);
    socket.destroy();
  }
}
