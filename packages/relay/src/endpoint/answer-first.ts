/**
 * What cannot be read is refused after the answers to what came before it on the connection: in their place, a refusal
 * would say of a call under way that it was never made. So is a tunnel, which nobody opens here.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { http } from '../node-http.ts';
import type { ReplyHeaders } from './reply.ts';

/** Why there is no request that could be answered: these are no HTTP, too long, too slow, or for a proxy. */
export type Unread = 'malformed' | 'long_headers' | 'long_extensions' | 'slow' | 'tunnel';

/** What is said in the place of an answer. */
export interface UnreadAnswer {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: Buffer;
}

/** Keeps refusals of unreadable bytes behind the answers of their connection, also behind those that have not begun. */
export function answerFirst(server: Server, wordsFor: (reason: Unread) => UnreadAnswer): void {
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  const ending = new WeakMap<Socket, () => void>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (isAnswering(open.get(socket))) ending.set(socket, () => socket.destroySoon());
    else refuse(socket, () => wordsFor(REASONS[error.code ?? ''] ?? 'malformed'));
  });
  server.on('connect', (_request: IncomingMessage, stream: NodeJS.WritableStream) => {
    const socket = stream as Socket;
    const say = (): void => refuse(socket, () => wordsFor('tunnel'));
    socket.on('error', () => socket.destroy()); // Node has let go of it
    if (isAnswering(open.get(socket))) ending.set(socket, say);
    else say();
  });
  const arrived = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const here = open.get(socket) ?? new Set();
    open.set(socket, here.add(response));
    response.once('close', () => {
      here.delete(response);
      if (!isAnswering(here)) ending.get(socket)?.();
    });
  };
  server.on('request', arrived);
  server.on('checkContinue', arrived);
  server.on('checkExpectation', arrived);
}

/** A request that did not come to its end is answered by nobody. */
function isAnswering(responses: ReadonlySet<ServerResponse> = new Set()): boolean {
  return [...responses].some(({ req }) => req.complete);
}

const REASONS: { readonly [code: string]: Unread } = {
  HPE_HEADER_OVERFLOW: 'long_headers',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'long_extensions',
  ERR_HTTP_REQUEST_TIMEOUT: 'slow',
};

/** As Node does it where nobody else does, and with words. */
function refuse(socket: Socket, wordsFor: () => UnreadAnswer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = wordsFor();
  const all = { ...headers, 'content-length': String(body.length), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines.join('')}\r\n`;
  socket.end(Buffer.concat([Buffer.from(head, 'latin1'), body]), () => socket.destroySoon());
}
