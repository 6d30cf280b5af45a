/** The door: an HTTP server that checks who knocks, takes whole bodies, and closes without dropping anybody. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Reply } from './reply.ts';

/** Where to listen, and who answers. */
export interface ListenerOptions {
  /** Loopback unless said otherwise. */
  readonly host?: string;
  readonly port?: number;
  /** Names that a `Host` header may carry beside the loopback ones; `*` allows all. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may call, beside those on loopback; `*` allows all. */
  readonly allowedOrigins?: readonly string[];
  /** Looked at for every request. */
  readonly maxBodyBytes?: number;
  /** Answers a request whose body is complete. */
  readonly handle: (request: IncomingMessage, body: Buffer, reply: Reply) => void;
  /** Answers a request that does not get that far. */
  readonly refuse: (reason: Refusal, reply: Reply) => void;
}

/** Why a request was turned away at the door. */
export type Refusal = 'host' | 'origin' | 'too_large';

/** A listener that runs. */
export interface Listener {
  readonly url: string;
  readonly port: number;
  /** Takes no new connections, waits for answers in flight, then cuts what is left. */
  close(graceMs?: number): Promise<void>;
}

const EMPTY: Buffer = Buffer.alloc(0);
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Half-open connections are found out by probes of the operating system, slow requests by the clock. */
const SOCKETS = {
  keepAliveTimeout: 65_000,
  requestTimeout: 60_000,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
} as const;

/** Starts to listen. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const host = options.host ?? '127.0.0.1';
  const maxBodyBytesNow = (): number => options.maxBodyBytes ?? 16 * 1024 * 1024;
  const isAllowed = createDoorman(options, host);

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const reply = new Reply(response);
    const maxBodyBytes = maxBodyBytesNow();
    const wrong = isAllowed(request);
    if (wrong !== undefined) {
      options.refuse(wrong, reply);
      return;
    }
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
      tooLarge(reply);
      return;
    }
    let first: Buffer | undefined;
    let chunks: Buffer[] | undefined;
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) {
        if (reply.isOpen) tooLarge(reply);
        chunks = [];
        return;
      }
      if (first === undefined) first = chunk;
      else {
        chunks ??= [first];
        chunks.push(chunk);
      }
    });
    request.on('end', () => {
      if (!reply.isOpen) return;
      options.handle(request, chunks === undefined ? (first ?? EMPTY) : Buffer.concat(chunks, size), reply);
    });
    request.on('error', () => {
      // The caller broke off before the message was complete: nothing was asked.
    });
  }

  function tooLarge(reply: Reply): void {
    reply.response.setHeader('connection', 'close'); // the rest of the body is not read
    options.refuse('too_large', reply);
  }

  const server = createServer(SOCKETS, onRequest);
  server.maxRequestsPerSocket = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port: options.port ?? 0 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close: (graceMs) => close(server, graceMs ?? 5000),
  };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  // A connection that becomes idle while its answer goes out is only noticed by asking again.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const late = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

/** Checks `Host` and `Origin`, which is what keeps a web page from reaching a server on this machine. */
function createDoorman(
  options: ListenerOptions,
  host: string,
): (request: IncomingMessage) => Refusal | undefined {
  const hosts = new Set([...LOOPBACK, host, ...(options.allowedHosts ?? [])]);
  const origins = new Set(options.allowedOrigins ?? []);
  const known = new Map<string, boolean>();

  function hostIsAllowed(header: string): boolean {
    const cached = known.get(header);
    if (cached !== undefined) return cached;
    const allowed = hosts.has('*') || hosts.has(header) || hosts.has(header.replace(/:\d{1,5}$/, ''));
    if (known.size < 64) known.set(header, allowed);
    return allowed;
  }

  return (request) => {
    const { host: said, origin } = request.headers;
    if (said === undefined || !hostIsAllowed(said)) return 'host';
    if (origin === undefined || origins.has('*') || origins.has(origin)) return undefined;
    return isLoopbackOrigin(origin) ? undefined : 'origin';
  };
}

function isLoopbackOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && LOOPBACK.has(url.hostname);
}
