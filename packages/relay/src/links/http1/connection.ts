/**
 * One connection to a server: one request at a time, one answer to each. It carries another request only after a
 * whole answer and when nothing unusual was seen; everything else closes it.
 */
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { tls } from '../../node-http.ts';
import type { Flow } from '../http-client.ts';
import { Turns } from '../turns.ts';
import { type Delivery, toError } from './delivery.ts';
import type { ResponseHead } from './head.ts';
import { NotHttpError } from './not-http.ts';
import { ResponseReader } from './response-reader.ts';
import { proxyError, proxyRefused, toProxy, tunnel } from './tunnel.ts';

const PROXY_REFUSES = 407;

/** Where to, and who is told. */
export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Certificates to trust in place of the system's. */
  readonly ca: string | undefined;
  /** The proxy that connects to a secure server. */
  readonly proxy: URL | undefined;
  /** The one at `host` is a proxy itself. */
  readonly isProxy: boolean;
  /** How long a connection may take to be made. */
  readonly connectTimeoutMs: number;
  /** It can carry another request. `idleMs`: how long the server says it waits for one. */
  readonly onFree: (connection: Connection, idleMs: number | undefined) => void;
  readonly onClosed: (connection: Connection) => void;
}

/** A request that a connection carries. */
export interface Carried {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly bytes: readonly Buffer[];
  readonly delivery: Delivery;
  readonly headersTimeoutMs: number;
}

/** One connection. */
export class Connection {
  readonly #options: ConnectionOptions;
  #socket: Socket;
  #connected = false;
  /** Is it still on its way to the proxy, or at it? */
  #isAtProxy: boolean;
  #current: Carried | undefined;
  #sent = false;
  #reader: ResponseReader | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #turns: Turns = new Turns({
    source: { pause: () => this.#socket.pause(), resume: () => this.#socket.resume() },
    take: (bytes, from) => this.#take(bytes, from),
  });

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => this.#late('ERR_CONNECT_TIMEOUT'), options.connectTimeoutMs);
    const { proxy } = options;
    this.#isAtProxy = options.isProxy || proxy !== undefined;
    if (proxy === undefined) {
      this.#socket = options.secure ? openSecure(options) : openPlain(options, this.#received);
      this.#use();
    } else {
      this.#socket = toProxy(proxy);
      this.#heedEnd(this.#socket);
      this.#through(proxy);
    }
  }

  /** The socket is one to the server. */
  #use(): void {
    const { secure } = this.#options;
    this.#socket.once(secure ? 'secureConnect' : 'connect', () => this.#opened());
    if (secure) this.#socket.on('data', this.#received);
    this.#heedEnd(this.#socket);
  }

  #heedEnd(socket: Socket): void {
    const whileIts = (act: () => void) => (): void => {
      if (this.#socket === socket) act();
    };
    socket.on(
      'end',
      whileIts(() => this.#ended()),
    );
    socket.on('error', (error) => whileIts(() => this.#broke(error))());
    socket.on(
      'close',
      whileIts(() => {
        this.#broke(new Error('the connection was closed'));
        this.#options.onClosed(this);
      }),
    );
  }

  #through(proxy: URL): void {
    const { host, port } = this.#options;
    const between = this.#socket;
    const onOpen = (): void => {
      this.#isAtProxy = false;
      this.#socket = openSecure(this.#options, between);
      between.on('error', () => {
        // What is carried over it hears of it.
      });
      this.#use();
    };
    tunnel(between, { proxy, host, port, onOpen }, (error) => this.#broke(error));
  }

  /** Can it still be used? */
  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable && !this.#socket.readableEnded;
  }

  /** Carries a request. The connection must be free. */
  carry(carried: Carried): void {
    this.#current = carried;
    this.#sent = false;
    this.#reader = this.#readerFor(carried);
    if (this.#connected) this.#write(carried);
  }

  /** Nobody wants the answer to this request any more. */
  letGo(carried: Carried): void {
    carried.delivery.letGo();
    if (this.#current === carried) this.destroy();
  }

  /** Ends it, and whatever it carries. */
  destroy(error?: Error): void {
    if (error !== undefined) this.#broke(error);
    else {
      this.#current = undefined;
      this.#reader = undefined;
      this.#turns.drop();
      clearTimeout(this.#timer);
      this.#socket.destroy();
    }
  }

  #opened(): void {
    this.#connected = true;
    this.#isAtProxy = false;
    clearTimeout(this.#timer);
    if (this.#current !== undefined) this.#write(this.#current);
  }

  #write({ bytes, headersTimeoutMs }: Carried): void {
    this.#sent = true;
    if (headersTimeoutMs > 0)
      this.#timer = setTimeout(() => this.#late('ERR_HEADERS_TIMEOUT'), headersTimeoutMs);
    if (bytes.length > 1) this.#socket.cork();
    for (const piece of bytes) this.#socket.write(piece);
    if (bytes.length > 1) this.#socket.uncork();
  }

  #readerFor(carried: Carried): ResponseReader {
    const { method, delivery } = carried;
    return new ResponseReader(method, {
      onHead: (head) => {
        clearTimeout(this.#timer);
        // A query may hold a credential, and says nothing of where it was asked.
        if (head.status >= 300) head.askedAt = carried.origin + carried.path.replace(/\?.*$/s, '');
        // Only a proxy says so, and it has passed nothing on.
        if (this.#options.isProxy && head.status === PROXY_REFUSES)
          delivery.fail(proxyRefused(PROXY_REFUSES), false);
        else delivery.start(head, this.#flow(carried));
      },
      onData: (chunk) => delivery.data(chunk),
      onComplete: (head, isClean) => this.#complete(carried, head, isClean),
    });
  }

  readonly #received = (chunk: Buffer): void => this.#turns.push(chunk);

  #take(bytes: Buffer, from: number): number {
    try {
      if (this.#reader === undefined || !this.#sent)
        throw new NotHttpError('an answer came that nobody asked for');
      const end = this.#reader.push(bytes, from);
      // Whoever was told something may have failed to take it.
      if (this.#current?.delivery.isOver === true) this.destroy();
      return this.#current === undefined ? bytes.length : end;
    } catch (error) {
      this.#broke(toError(error));
      return bytes.length;
    }
  }

  #complete(carried: Carried, { keepAlive, idleMs }: ResponseHead, isClean: boolean): void {
    if (this.#current !== carried) return; // it was let go of while it came in
    carried.delivery.end();
    if (this.#current !== carried) return; // whoever took it in found that it is not what they asked for
    this.#current = undefined;
    this.#reader = undefined;
    // A server that answers before it has read the request may still be reading it.
    if (isClean && keepAlive && this.#socket.writableLength === 0 && this.isOpen) {
      this.#turns.resume();
      this.#options.onFree(this, idleMs);
    } else this.destroy();
  }

  /** The server has said all it will say. */
  #ended(): void {
    if (this.#reader?.end() !== true) this.#broke(new Error('the server closed the connection'));
  }

  #late(code: string): void {
    this.#broke(Object.assign(new Error('the server is too slow'), { code }));
  }

  #broke(error: Error): void {
    this.#turns.flush(); // the answer may be in what came before
    const carried = this.#current;
    this.destroy();
    carried?.delivery.fail(this.#isAtProxy ? proxyError(error) : error, this.#sent);
  }

  /** Only as long as the answer lasts: afterwards the connection is somebody else's. */
  #flow(carried: Carried): Flow {
    const whileCarried = (act: () => void) => (): void => {
      if (this.#current === carried) act();
    };
    return {
      pause: whileCarried(() => this.#turns.pause()),
      resume: whileCarried(() => this.#turns.resume()),
      abort: () => this.letGo(carried),
    };
  }
}

/**
 * What comes is read into one place for all connections, and copied out of it before anything else is read: a place of its
 * own for every piece is 64 KiB to be found and given back, and the stream in between has nothing to do.
 */
const CAME: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

function openPlain({ host, port }: ConnectionOptions, onData: (chunk: Buffer) => void): Socket {
  const callback = (bytes: number): boolean => {
    onData(Buffer.from(CAME.subarray(0, bytes)));
    return true;
  };
  return connectPlain({ host, port, noDelay: true, onread: { buffer: CAME, callback } });
}

/** `between`: a connection that leads there already. */
function openSecure({ host, port, ca }: ConnectionOptions, between?: Socket): Socket {
  const socket = tls().connect({
    ...(between === undefined ? { host, port } : { socket: between }),
    host,
    ca,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
  });
  socket.setNoDelay(true);
  return socket;
}
