/** The door: an HTTP server that checks who knocks before it takes a body, and closes without dropping anybody. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Reply } from './reply.ts';

/** Where to listen, and who answers. */
export interface ListenerOptions {
  /** Loopback unless said otherwise. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** Names that a `Host` header may carry beside the loopback ones; `*` allows all. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of web pages that may call, beside those on loopback; `*` allows all. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Looks at a request before its body is read. `undefined`: it was answered, and the body is of no interest. */
  readonly admit: (request: IncomingMessage, reply: Reply) => Entry | undefined;
  /** Answers a request that does not get that far. */
  readonly turnAway: (reason: TurnedAway, reply: Reply, request: IncomingMessage) => void;
  /** Something went wrong that is our own mistake; the request was answered with 500. */
  readonly onBug?: ((error: unknown) => void) | undefined;
}

/** A request that may go on. */
export interface Entry {
  readonly maxBodyBytes: number;
  /** Answers the request; its body is complete. */
  handle(body: Buffer): void;
}

/** Why a request was turned away at the door. */
export type TurnedAway = 'host' | 'origin' | 'too_large' | 'bug';

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
  const isAllowed = createDoorman(options, host);

  /** Nothing that is thrown for one request reaches another. */
  function onRequest(request: IncomingMessage, response: ServerResponse, isAsking = false): void {
    const reply = new Reply(response);
    const guarded = (step: () => void): void => {
      try {
        step();
      } catch (error) {
        options.onBug?.(error);
        if (reply.isOpen) options.turnAway('bug', reply, request);
        else reply.abort();
      }
    };
    guarded(() => {
      const wrong = isAllowed(request);
      if (wrong !== undefined) {
        options.turnAway(wrong, reply, request);
        return;
      }
      const entry = options.admit(request, reply);
      if (entry === undefined) return;
      // Behind another answer on the same connection Node would say it in the middle of this one.
      if (isAsking && response.socket !== null) response.writeContinue();
      takeBody(request, entry.maxBodyBytes, {
        onBody: (body) => {
          if (reply.isOpen) guarded(() => entry.handle(body));
        },
        onTooLarge: () => {
          if (!reply.isOpen) return;
          response.setHeader('connection', 'close'); // the rest of the body is not read
          guarded(() => options.turnAway('too_large', reply, request));
        },
      });
    });
  }

  const server = createServer(SOCKETS, (request, response) => onRequest(request, response));
  // Whoever asks before sending a body is told to go on once it is clear that the body will be read.
  server.on('checkContinue', (request, response) => onRequest(request, response, true));
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

interface BodyTaker {
  onBody(body: Buffer): void;
  onTooLarge(): void;
}

/** Collects a body, and stops as soon as it is too large. */
function takeBody(request: IncomingMessage, maxBytes: number, taker: BodyTaker): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    taker.onTooLarge();
    return;
  }
  let first: Buffer | undefined;
  let chunks: Buffer[] | undefined;
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) {
      first = undefined;
      chunks = [];
      taker.onTooLarge();
      return;
    }
    if (first === undefined) first = chunk;
    else {
      chunks ??= [first];
      chunks.push(chunk);
    }
  });
  request.on('end', () => {
    if (size <= maxBytes) taker.onBody(chunks === undefined ? (first ?? EMPTY) : Buffer.concat(chunks, size));
  });
  request.on('error', () => {
    // The caller broke off before the message was complete: nothing was asked.
  });
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
): (request: IncomingMessage) => TurnedAway | undefined {
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
    if (said === undefined || !hostIsAllowed(said) || saysTwice(request.rawHeaders, 'host')) return 'host';
    if (origin === undefined || origins.has('*') || origins.has(origin)) return undefined;
    return isLoopbackOrigin(origin) ? undefined : 'origin';
  };
}

/** Node takes the first of two; whoever stands before us may have taken the second. */
function saysTwice(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const said = rawHeaders[i];
    if (said?.length === name.length && said.toLowerCase() === name) count += 1;
  }
  return count > 1;
}

function isLoopbackOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && LOOPBACK.has(url.hostname);
}
