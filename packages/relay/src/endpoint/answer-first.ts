/**
 * What cannot be read is refused after the answers to what came before it on the connection: in their place, a refusal
 * would say of a call under way that it was never made.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Keeps refusals of unreadable bytes behind the answers of their connection, also behind those that have not begun. */
export function answerFirst(server: Server): void {
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  const ending = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (isAnswering(open.get(socket))) ending.add(socket);
    else refuse(error, socket);
  });
  const arrived = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const here = open.get(socket) ?? new Set();
    open.set(socket, here.add(response));
    response.once('close', () => {
      here.delete(response);
      if (ending.has(socket) && !isAnswering(here)) socket.destroySoon();
    });
  };
  server.on('request', arrived);
  server.on('checkContinue', arrived);
}

/** A request that did not come to its end is answered by nobody. */
function isAnswering(responses: ReadonlySet<ServerResponse> = new Set()): boolean {
  return [...responses].some(({ req }) => req.complete);
}

const REFUSALS: { readonly [code: string]: string } = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** As Node does it where nobody else does. */
function refuse({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) socket.destroy();
  else socket.end(`HTTP/1.1 ${REFUSALS[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
}
