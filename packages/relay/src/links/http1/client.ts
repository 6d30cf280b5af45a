/**
 * Requests to one HTTP server over connections that are kept. Small and strict, because it stands in front of every
 * call: HTTP/1.1 only, no pipelining, and no request is ever sent twice.
 */
import { type Give, givingClient } from '../giving-client.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../http-client.ts';
import { type Carried, Connection } from './connection.ts';
import { Delivery, toError } from './delivery.ts';
import { writeRequest } from './request.ts';
import { portOf, proxyCredentials } from './tunnel.ts';

/** How long to wait, and to keep. */
export interface HttpClientOptions {
  /** Certificates to trust in place of the system's. */
  readonly ca?: string | undefined;
  /** The proxy that leads to the server; with a user and a password, if it asks for them. */
  readonly proxy?: URL | undefined;
  /** What goes along with every request in the name of its caller. */
  readonly give?: Give | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** An idle connection is kept this long: below the 5 s after which a plain Node server hangs up. */
  readonly idleMs?: number | undefined;
  readonly now?: (() => number) | undefined;
}

interface Idle {
  readonly connection: Connection;
  /** Whose it is. */
  readonly session: string | undefined;
  readonly until: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_MS = 4000;
/** A server that hangs up after a while is not trusted with the last second of it. */
const IDLE_MARGIN_MS = 1000;
const MAX_IDLE = 256;

/** A client that keeps its connections to `origin`. */
export function createHttpClient(origin: string, options: HttpClientOptions = {}): HttpClient {
  const client = new Http1Client(new URL(origin), options);
  return options.give === undefined ? client : givingClient(client, options.give);
}

class Http1Client implements HttpClient {
  readonly #url: URL;
  /** Taken from it once: a URL works its parts out each time. */
  readonly #host: string;
  readonly #origin: string;
  readonly #isSecure: boolean;
  readonly #options: HttpClientOptions;
  readonly #now: () => number;
  readonly #all: Set<Connection> = new Set();
  #idle: Idle[] = [];
  #sweep: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: URL, options: HttpClientOptions) {
    this.#url = url;
    this.#host = url.host;
    this.#isSecure = url.protocol === 'https:';
    this.#origin = url.origin;
    this.#options = options;
    this.#now = options.now ?? performance.now.bind(performance);
  }

  send(request: HttpRequest, answer: HttpAnswer): () => void {
    const delivery = new Delivery(answer);
    try {
      if (this.#isClosed) throw new Error('the client was closed');
      const bytes = this.#bytesOf(request);
      const carried: Carried = {
        method: request.method,
        origin: this.#origin,
        path: request.path,
        bytes,
        delivery,
        headersTimeoutMs: request.headersTimeoutMs,
      };
      const connection = this.#free(request.session) ?? this.#connect(request.session);
      connection.carry(carried);
      return () => connection.letGo(carried);
    } catch (error) {
      // Told after whoever asked has got hold of the request.
      queueMicrotask(() => delivery.fail(toError(error), false));
      return () => delivery.letGo();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    this.#idle = [];
    for (const connection of [...this.#all]) connection.destroy(new Error('the client was closed'));
  }

  /** A proxy has to be told the whole address of a server that is spoken to in the open (RFC 9112, 3.2.2). */
  #bytesOf(request: HttpRequest): readonly Buffer[] {
    const { proxy } = this.#options;
    if (proxy === undefined || this.#isSecure) return writeRequest(request, this.#host);
    const credentials = proxyCredentials(proxy);
    const own = credentials === undefined ? [] : ['proxy-authorization', credentials];
    return writeRequest({ ...request, headers: [...request.headers, ...own] }, this.#host, this.#url.origin);
  }

  /** The connection that was used last: the others may age and go. */
  #free(session: string | undefined): Connection | undefined {
    const now = this.#now();
    for (let i = this.#idle.length - 1; i >= 0; i--) {
      const idle = this.#idle[i];
      if (idle === undefined || idle.session !== session) continue;
      this.#idle.splice(i, 1);
      if (idle.until > now && idle.connection.isOpen) return idle.connection;
      idle.connection.destroy();
    }
    return undefined;
  }

  #connect(session: string | undefined): Connection {
    const { proxy, ca } = this.#options;
    const secure = this.#isSecure;
    // In the open, the proxy is the server.
    const url = secure ? this.#url : (proxy ?? this.#url);
    const connection = new Connection({
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: portOf(url),
      secure: url.protocol === 'https:',
      proxy: secure ? proxy : undefined,
      isProxy: !secure && proxy !== undefined,
      ca: secure ? ca : undefined,
      connectTimeoutMs: this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      onFree: (free, idleMs) => this.#keep(free, session, idleMs),
      onClosed: (closed) => this.#all.delete(closed),
    });
    this.#all.add(connection);
    return connection;
  }

  #keep(connection: Connection, session: string | undefined, idleMs: number | undefined): void {
    const said = idleMs === undefined ? Infinity : idleMs - IDLE_MARGIN_MS;
    const forMs = Math.min(this.#options.idleMs ?? IDLE_MS, said);
    if (this.#isClosed || forMs <= 0 || this.#idle.length >= MAX_IDLE) {
      connection.destroy();
      return;
    }
    this.#idle.push({ connection, session, until: this.#now() + forMs });
    this.#sweep ??= setInterval(() => this.#dropOld(), 1000).unref();
  }

  #dropOld(): void {
    const now = this.#now();
    for (const { connection, until } of this.#idle) if (until <= now) connection.destroy();
    this.#idle = this.#idle.filter(({ connection }) => connection.isOpen);
    if (this.#idle.length > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}
