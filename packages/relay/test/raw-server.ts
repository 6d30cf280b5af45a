/** An HTTP server that writes its answers byte by byte as the test wants them. */
import { STATUS_CODES } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A request that arrived whole. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** A running server. */
export interface RawServer {
  readonly url: URL;
  /** What arrived, in order. */
  readonly requests: readonly RawRequest[];
  /** How many connections were made. */
  readonly connections: number;
  close(): Promise<void>;
}

/** Starts a server; `answer` is called for every whole request. */
export async function rawServer(answer: (request: RawRequest, socket: Socket) => void): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    let held = '';
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      held += chunk.toString('latin1');
      for (let request = whole(held); request !== undefined; request = whole(held)) {
        held = held.slice(request.length);
        requests.push(request.request);
        answer(request.request, socket);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    requests,
    get connections() {
      return connections;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function whole(text: string): { request: RawRequest; length: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (text.length < length) return undefined;
  const body = Buffer.from(text.slice(end + 4, length), 'latin1').toString('utf8');
  return { request: { method, path, headers, body }, length };
}

/** A whole JSON answer. */
export function json(body: string, status = 200, more = ''): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\n${more}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The head of a stream of events that ends with its connection. */
export const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';
