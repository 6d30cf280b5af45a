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
  /** Every answer, whole. */
  readonly onAnswer?: (answer: string) => void;
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
  const start = performance.now();
  const end = start + load.durationMs;
  const requestBytes = requestsOf(load);
  let lastAnswer = '';
  let nextId = load.firstId ?? 1;
  const endId = nextId + (load.maxCalls ?? Number.POSITIVE_INFINITY);
  const sockets = await Promise.all(Array.from({ length: load.connections }, () => open(load.port)));
  await Promise.all(
    sockets.map((socket) =>
      converse(socket, {
        next: () => (performance.now() < end && nextId < endId ? requestBytes(nextId++) : undefined),
        answered: (answer, tookMs) => {
          lastAnswer = answer;
          latencies.push(tookMs);
          load.onAnswer?.(answer);
        },
      }),
    ),
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

/** Requests whose head is put together once. */
function requestsOf({ port, path, headers, headersFor, body }: Load): (id: number) => string {
  const lines = (of: { readonly [name: string]: string } = {}): string =>
    Object.entries(of)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${lines(headers)}`;
  return (id) => {
    const said = body(id);
    const own = headersFor === undefined ? '' : lines(headersFor(id));
    return `${head}${own}Content-Length: ${Buffer.byteLength(said)}\r\n\r\n${said}`;
  };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

interface Conversation {
  /** The next request; `undefined` when it is over. */
  readonly next: () => string | undefined;
  readonly answered: (answer: string, tookMs: number) => void;
}

/** One request after the other over one connection. Callbacks, because the generator shares the machine with what it measures. */
function converse(socket: Socket, { next, answered }: Conversation): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = '';
    let sentAt = 0;
    const ask = (): void => {
      const request = next();
      if (request === undefined) {
        socket.off('close', onClose);
        socket.destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request);
    };
    const onClose = (): void => reject(new Error('the connection was closed before the answer was complete'));
    socket.once('close', onClose);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      seen = seen === '' ? text : seen + text;
      if (!isComplete(seen)) return;
      answered(seen, performance.now() - sentAt);
      seen = '';
      ask();
    });
    ask();
  });
}

/** Is this one whole answer: by length, or by the last chunk? */
function isComplete(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
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
