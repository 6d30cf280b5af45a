/** The door: an HTTP server that checks who knocks before it takes a body, and closes without dropping anybody. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import { http, https } from '../node-http.ts';
import { type Adopted, adopting } from './adopted.ts';
import { answerFirst, type Unread, type UnreadAnswer } from './answer-first.ts';
import { createDoorman, type DoormanOptions } from './doorman.ts';
import { type Expects, oneAtATime } from './one-at-a-time.ts';
import { toOriginForm } from './origin-form.ts';
import { PassingWords } from './passing-words.ts';
import { answerPlainly, type PlainConnections } from './plain/plain-connections.ts';
import { Reply } from './reply.ts';
import type { RequestHead } from './request-head.ts';

/** Where to listen, and who answers. */
export interface ListenerOptions extends DoormanOptions {
  /** Loopback unless said otherwise. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** Listen on this Unix socket, and on no port; `host` is what requests may call it by. */
  readonly socket?: string | undefined;
  /** Speak HTTPS with this, and nothing else. */
  readonly certificate?: Certificate | undefined;
  /**
   * Looks at a request before its body is read. `undefined`: it was answered, and the body is of no interest. A promise
   * where somebody else has to be asked first.
   */
  readonly admit: (request: RequestHead, reply: Reply) => Entry | undefined | Promise<Entry | undefined>;
  /** Answers a request that does not get that far. */
  readonly turnAway: (reason: TurnedAway, reply: Reply, request: RequestHead) => void;
  /** What is said where there is no request that could be answered. */
  readonly unread: (reason: Unread) => UnreadAnswer;
  /** Something went wrong that is our own mistake; the request was answered with 500. */
  readonly onBug?: ((error: unknown) => void) | undefined;
}

/** A certificate with those that vouch for it, and its private key, both in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A request that may go on. */
export interface Entry {
  readonly maxBodyBytes: number;
  /** Answers the request; its body is complete. */
  handle(body: Buffer): void;
  /** Its body has yet to come. `false`: the request was answered in its place, and nobody waits for it. */
  readonly mayCome?: (() => boolean) | undefined;
  /** What is looked for in a body that is too large to be kept. */
  readonly sought?: readonly string[] | undefined;
  /**
   * Answers a request with a larger body; whoever sent it is turned away as such if absent. It is told what was found of
   * what is looked for; nothing where not all of the body was seen.
   */
  readonly tooLarge?: ((found: ReadonlySet<string> | undefined) => void) | undefined;
}

/** Why a request was turned away at the door. */
export type TurnedAway = 'no_host' | 'host' | 'two_hosts' | 'origin' | 'expectation' | 'too_large' | 'bug';

/** A listener that runs. */
export interface Listener {
  readonly url: string;
  readonly port: number;
  /** Takes a connection that somebody else has accepted, before anything was read of it. */
  adopt(connection: Socket): void;
  /** New connections get this certificate from now on. Only for a listener that has begun with one. */
  renew(certificate: Certificate): void;
  /**
   * Takes no new connections, waits for answers in flight, then cuts what is left. While whoever answers comes to its end
   * (`stopped`), new connections are taken, so that they can be told.
   */
  close(graceMs?: number, stopped?: Promise<unknown>): Promise<void>;
}

const EMPTY: Buffer = Buffer.alloc(0);

/** Half-open connections are found out by probes of the operating system, slow requests by the clock. */
const SOCKETS = {
  keepAliveTimeout: 65_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2000, // Node looks twice a minute, and would end a request half a minute late
  requireHostHeader: false, // the doorman says so, in words
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
} as const;

const TLS = { minVersion: 'TLSv1.2', handshakeTimeout: 10_000 } as const;

/** Starts to listen. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const host = options.host ?? '127.0.0.1';
  const isAllowed = createDoorman(options, host);
  const server = createHttp(options.certificate);
  answerFirst(server, options.unread);
  oneAtATime(server, onRequest, options.onBug);
  server.maxRequestsPerSocket = 0;

  function onRequest(request: IncomingMessage, response: ServerResponse, expects: Expects): void {
    toOriginForm(request);
    const wrong = isAllowed(request) ?? (expects === 'other' ? 'expectation' : undefined);
    const reply = new Reply(plain.isClosing || isUnclear(wrong, expects) ? asLast(response) : response);
    passByOnceAnswered(request, response);
    meet(request, reply, wrong, (entry, guarded) => {
      if (entry.mayCome?.() === false) return; // whoever asks is told to go on once it is clear that the body will be read
      if (expects === 'go-ahead' && response.socket !== null) response.writeContinue();
      takeBody(request, entry, {
        onBody: (body) => {
          if (reply.isOpen) guarded(() => entry.handle(body));
        },
        onTooLarge: (found) => {
          if (!reply.isOpen) return;
          if (found === undefined && !response.headersSent) response.setHeader('connection', 'close'); // the rest of the body is not read
          guarded(() => refuseLarge(entry, found, () => options.turnAway('too_large', reply, request)));
        },
      });
    });
  }

  const plain = answerPlainly(server, SOCKETS.keepAliveTimeout, (request, body, response) => {
    const reply = new Reply(response);
    meet(request, reply, isAllowed(request), (entry) => {
      receive(entry, body, () => options.turnAway('too_large', reply, request));
    });
  });

  /** Nothing that is thrown for one request reaches another. */
  function meet(
    request: RequestHead,
    reply: Reply,
    wrong: TurnedAway | undefined,
    onEntry: (entry: Entry, guarded: (step: () => void) => void) => void,
  ): void {
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
      if (wrong !== undefined) {
        options.turnAway(wrong, reply, request);
        return;
      }
      onAdmitted(options.admit(request, reply), (step) =>
        guarded(() => {
          const entry = step();
          if (entry !== undefined) onEntry(entry, guarded);
        }),
      );
    });
  }

  const kept = { plain, adopted: adopting(server) };
  const port = await bind(server, addressOf(options, host));
  server.on('error', (error) => options.onBug?.(error)); // a connection that could not be accepted ends nothing
  return {
    port,
    url: urlOf(options, host, port),
    adopt: kept.adopted.add,
    renew: (next) => (server as SecureServer).setSecureContext({ ...TLS, ...next }),
    close: (graceMs = 5000, stopped) => close(server, kept, graceMs, stopped),
  };
}

/** Somebody between may have read it in another way, and what stands behind it too. */
function isUnclear(wrong: TurnedAway | undefined, expects: Expects): boolean {
  return expects === 'other' || wrong === 'no_host' || wrong === 'two_hosts';
}

/** Its connection ends with it. */
function asLast(response: ServerResponse): ServerResponse {
  return response.setHeader('connection', 'close');
}

/** Gives a body that is complete to whoever answers. */
export function receive(entry: Entry, body: Buffer, turnAway: () => void): void {
  if (body.length <= entry.maxBodyBytes) {
    entry.handle(body);
    return;
  }
  const words = new PassingWords(entry.sought ?? []);
  words.see(body);
  refuseLarge(entry, words.found, turnAway);
}

function refuseLarge(
  { tooLarge }: Entry,
  found: ReadonlySet<string> | undefined,
  turnAway: () => void,
): void {
  if (tooLarge === undefined) turnAway();
  else tooLarge(found);
}

function createHttp(certificate: Certificate | undefined): Server | SecureServer {
  if (certificate === undefined) return http.createServer(SOCKETS);
  return https().createServer({ ...SOCKETS, ...TLS, ...certificate });
}

function urlOf({ certificate }: ListenerOptions, host: string, port: number): string {
  const scheme = certificate === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function addressOf({ port = 0, socket }: ListenerOptions, host: string): ListenOptions {
  return socket === undefined ? { host, port } : { path: socket };
}

/** Resolves with the port that it got; a socket has none. */
function bind(server: Server, address: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      const bound = server.address() as AddressInfo | string;
      resolve(typeof bound === 'string' ? 0 : bound.port);
    });
  });
}

/** At once, where nobody else has to be asked. */
function onAdmitted(
  admitted: ReturnType<ListenerOptions['admit']>,
  enter: (step: () => Entry | undefined) => void,
): void {
  if (!(admitted instanceof Promise)) {
    enter(() => admitted);
    return;
  }
  admitted.then(
    (entry) => enter(() => entry),
    (error: unknown) =>
      enter(() => {
        throw error;
      }),
  );
}

interface BodyTaker {
  onBody(body: Buffer): void;
  /** What was found in it; `undefined`: there is so much more of it that nobody waits for its end. */
  onTooLarge(found: ReadonlySet<string> | undefined): void;
}

/** How many times as much as may be is read and forgotten: whoever is still sending would not hear the answer. */
const LINGER = 16;

/** How long a body is read that nobody waits for: whoever is still sending would not hear the answer. */
const PASSING_MS = 5000;

/** Whoever is answered before all of the request has come is not waited for. */
function passByOnceAnswered(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (!request.complete) passBy(request);
  });
}

/** Reads what is left of a body, and keeps nothing of it. */
function passBy(request: IncomingMessage): void {
  const late = setTimeout(() => request.destroy(), PASSING_MS);
  request.on('close', () => clearTimeout(late));
  request.on('error', () => {
    // It was answered already.
  });
  request.resume();
}

/** Collects a body, and holds no more of it than may be. */
function takeBody(
  request: IncomingMessage,
  { maxBodyBytes, sought = [] }: Pick<Entry, 'maxBodyBytes' | 'sought'>,
  taker: BodyTaker,
): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes * LINGER) {
    taker.onTooLarge(undefined);
    return;
  }
  let chunks: Buffer[] = [];
  let size = 0;
  let passing: PassingWords | undefined;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= maxBodyBytes) return;
    passing ??= new PassingWords(sought);
    for (const passed of chunks) passing.see(passed);
    chunks = [];
    if (size > maxBodyBytes * LINGER) taker.onTooLarge(undefined);
  });
  request.on('end', () => {
    if (passing !== undefined) taker.onTooLarge(passing.found);
    else taker.onBody(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks, size));
  });
  request.on('error', () => {
    // The caller broke off before the message was complete: nothing was asked.
  });
}

/** So long at most it is waited for those who keep coming. */
const STILL_COMING_MS = 250;

/**
 * Everybody who has come or said something is heard in the meantime. One is let in at a time: whoever still stands outside when
 * a port is closed is cut off.
 */
async function heardAll(server: Server): Promise<void> {
  let come = 0;
  const count = (): void => {
    come += 1;
  };
  const until = performance.now() + STILL_COMING_MS;
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  server.on('connection', count);
  await turn();
  for (let before = -1; before !== come && performance.now() < until; ) {
    before = come;
    await turn();
  }
  server.off('connection', count);
}

async function close(
  server: Server,
  { plain, adopted }: { readonly plain: PlainConnections; readonly adopted: Adopted },
  graceMs: number,
  stopped: Promise<unknown> | undefined,
): Promise<void> {
  plain.stop();
  await stopped?.catch(() => undefined); // whoever gave it hears of it
  await heardAll(server);
  const own = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const closed = Promise.all([own, adopted.ended()]);
  await heardAll(server);
  plain.close();
  server.closeIdleConnections();
  // A connection that becomes idle while its answer goes out is only noticed by asking again.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const late = setTimeout(() => {
    plain.cut();
    server.closeAllConnections();
    adopted.cut();
  }, graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
