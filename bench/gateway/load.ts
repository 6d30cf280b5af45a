/** A load generator that costs little: raw sockets, one request after the other on each of them. */
import { connect, type Socket } from 'node:net';

/** What to send, where. */
export interface Load {
  readonly port: number;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  /** Headers of one request, beside those of all. */
  readonly headersFor?: (id: number) => { readonly [name: string]: string };
  readonly body: (id: number) => string;
  /** Ids count from here; from 1 unless said otherwise. */
  readonly firstId?: number;
  readonly connections: number;
  readonly durationMs: number;
  readonly maxCalls?: number;
}

/** What came of it. */
export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly answers: number;
  readonly lastAnswer: string;
}

/** Sends requests for a while. */
export async function generate(load: Load): Promise<Measured> {
  const latencies: number[] = [];
  const end = performance.now() + load.durationMs;
  let lastAnswer = '';
  let nextId = load.firstId ?? 1;
  const endId = nextId + (load.maxCalls ?? Number.POSITIVE_INFINITY);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const socket = await open(load.port);
      while (performance.now() < end && nextId < endId) {
        const sentAt = performance.now();
        lastAnswer = await exchange(socket, requestBytes(load, nextId++));
        latencies.push(performance.now() - sentAt);
      }
      socket.destroy();
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    perSecond: latencies.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    answers: latencies.length,
    lastAnswer,
  };
}

function requestBytes(load: Load, id: number): string {
  const body = load.body(id);
  const extra = Object.entries({ ...load.headers, ...load.headersFor?.(id) })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return `POST ${load.path} HTTP/1.1\r\nHost: 127.0.0.1:${load.port}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${extra}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** One request, one whole answer: by length, or by the last chunk. */
function exchange(socket: Socket, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = '';
    const onData = (chunk: Buffer): void => {
      seen += chunk.toString('latin1');
      if (!isComplete(seen)) return;
      socket.off('data', onData);
      socket.off('close', onClose);
      resolve(seen);
    };
    const onClose = (): void => reject(new Error('the connection was closed before the answer was complete'));
    socket.on('data', onData);
    socket.once('close', onClose);
    socket.write(bytes);
  });
}

function isComplete(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  if (length !== undefined) return text.length - head - 4 >= Number(length);
  return text.endsWith('0\r\n\r\n');
}

/** Opens a session and gives the headers that belong to it. */
export async function openSession(port: number, path: string): Promise<{ [name: string]: string }> {
  const url = `http://127.0.0.1:${port}${path}`;
  const base = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  const opened = await fetch(url, {
    method: 'POST',
    headers: base,
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  });
  await opened.text();
  const headers = {
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-06-18',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await (await fetch(url, { method: 'POST', headers: { ...base, ...headers }, body })).text();
  return headers;
}

/** Opens streams and waits until every one of them has begun. */
export async function openStreams(port: number, path: string, count: number): Promise<() => void> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = await open(port);
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\nMcp-Session-Id: s\r\n\r\n`,
      );
      await new Promise<void>((resolve) => {
        let seen = '';
        socket.on('data', (chunk) => {
          seen += chunk.toString('latin1');
          if (/\r\n\r\n[\s\S]*\n:/.test(seen)) resolve(); // what a comment says stays in the gateway
        });
      });
      return socket;
    }),
  );
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
