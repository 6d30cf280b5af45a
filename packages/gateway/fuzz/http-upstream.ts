/** Fuzzing servers over HTTP, on raw sockets so that they can say what no library would: `/calm/…` and `/wild/…`. */
import { createServer, type Server, type Socket } from 'node:net';
import { type Act, onApiRequest, onRequest } from './hostile.ts';
import { ordinary, planned, type Understood, understood } from './upstream.ts';

/** A listening server and how much it said. */
export interface HttpUpstream {
  readonly origin: string;
  said(): number;
  close(): Promise<void>;
}

/** Starts both servers on one port. */
export async function startHttpUpstream(): Promise<HttpUpstream> {
  let said = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true).on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, () => {
      said += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { origin: `http://127.0.0.1:${port}`, said: () => said, close: () => closed(server, sockets) };
}

function serve(socket: Socket, count: () => void): void {
  let buffer = Buffer.alloc(0);
  let busy = Promise.resolve();
  socket.on('data', (piece) => {
    buffer = buffer.length === 0 ? piece : Buffer.concat([buffer, piece]);
    for (let request = taken(buffer); request !== undefined; request = taken(buffer)) {
      buffer = buffer.subarray(request.end);
      const { path, body } = request;
      count();
      busy = busy.then(() => perform(socket, actsFor(path, body)));
    }
  });
}

function actsFor(path: string, body: string): readonly Act[] {
  const mcp = path.endsWith('/mcp');
  const request = understood(mcp ? body : '{"id":1,"method":"tools/call"}');
  const asked: Understood = mcp ? request : { ...request, text: path + body };
  if (mcp && (request.id === undefined || request.method === undefined)) return [plain('202 Accepted', '')];
  const acts = path.startsWith('/wild/') ? planned(asked, mcp ? onRequest : onApiRequest) : undefined;
  if (acts === undefined) return [plain('200 OK', mcp ? ordinary(request) : '{"ok":true}')];
  return /"say":"|[?&]say=/.test(asked.text) ? [...acts, { end: 'close' }] : acts;
}

function plain(status: string, text: string): Act {
  const body = Buffer.from(text);
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return { bytes: Buffer.concat([Buffer.from(head), body]) };
}

async function perform(socket: Socket, acts: readonly Act[]): Promise<void> {
  for (const act of acts) {
    if ('wait' in act) await new Promise((resolve) => setTimeout(resolve, act.wait));
    if ('bytes' in act) socket.write(act.bytes);
    if ('end' in act && act.end === 'reset') socket.resetAndDestroy();
    else if ('end' in act) socket.end();
  }
}

/** The next whole request in the buffer: the gateway's own requests are well formed. */
function taken(buffer: Buffer): { path: string; body: string; end: number } | undefined {
  const head = buffer.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const text = buffer.toString('latin1', 0, head);
  const path = text.split(' ', 2)[1] ?? '/';
  const from = head + 4;
  if (/\r\ntransfer-encoding: *chunked/i.test(text)) return unchunked(buffer, from, path);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
  if (buffer.length < from + length) return undefined;
  return { path, body: buffer.toString('utf8', from, from + length), end: from + length };
}

function unchunked(
  buffer: Buffer,
  from: number,
  path: string,
): { path: string; body: string; end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = from; ; ) {
    const line = buffer.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(buffer.toString('latin1', at, line), 16);
    if (buffer.length < line + 4 + size) return undefined;
    parts.push(buffer.subarray(line + 2, line + 2 + size));
    at = line + 4 + size;
    if (size === 0) return { path, body: Buffer.concat(parts).toString('utf8'), end: at };
  }
}

function closed(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}
