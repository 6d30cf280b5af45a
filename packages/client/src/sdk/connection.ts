/** Connecting, and connecting again: a process that died, a session that the server no longer knows. */
import { type Fault, FaultError, makeFault } from '@mayday/core';
import { type Clock, hush } from '@mayday/policy';
import { type Heard, heardBy } from '../http/heard.ts';
import type { AnnotationBook } from './annotations.ts';
import type { LastLine } from './mend-lines.ts';
import { isMisuse } from './misuse.ts';
import { createOverheard, type Overheard } from './overheard.ts';
import { unmade } from './start-failure.ts';
import type { SdkClient, SdkTransport } from './types.ts';
import { watchStreams } from './watch-streams.ts';

type Call = (...args: unknown[]) => Promise<unknown>;

/** A connection that mends itself where it can. */
export interface Connection {
  readonly sessionId: string | undefined;
  readonly overheard: Overheard;
  /** How often the server has told of its work, or said what belongs to no answer. */
  readonly tellings: number;
  /** Has it begun to say something whose end has not come? */
  readonly isSayingMore: boolean;
  /** How often it has answered a second time, or what was never asked. */
  readonly strays: number;
  /** How often its process has ended. */
  readonly ends: number;
  /** When that was last. */
  readonly endedAt: number;
  connect(args: readonly unknown[]): Promise<void>;
  /** Closes; `true` when the caller wished it, `false` when the SDK gave up on a handshake. */
  close(): Promise<boolean>;
  /** Resolves when there is a transport to send on; connects again if it can. */
  ready(): Promise<void>;
  /** Is there one already, on which server and client have told each other what they can do? */
  readonly isReady: boolean;
  /** Remembers the handshake, to repeat it. */
  handshake(args: readonly unknown[]): void;
  /** Mends an expired session; `true` when there is a new one. */
  recover(fault: Fault, sessionId: string | undefined): Promise<boolean>;
}

/** The client's own methods, as they were before it was wrapped. */
export interface Originals {
  readonly request: Call;
  readonly callTool: Call;
  readonly connect: Call;
  readonly close: () => Promise<void>;
}

/** What a connection needs besides its client. */
export interface ConnectionContext {
  /** Makes transports; without it, there is the one that was given. */
  readonly factory: (() => unknown) | undefined;
  /** Told whenever the server's tools may be others: it says so, or the session is new. */
  readonly forget: AnnotationBook['forget'];
  /** Told whenever a connection was opened. */
  readonly onOpened: () => void;
  readonly clock: Clock;
}

/** Manages the connection of a client. */
export function manageConnection(
  client: SdkClient,
  originals: Originals,
  context: ConnectionContext,
): Connection {
  return new MendingConnection(client, originals, context);
}

/** A promise is no transport; what it is for is waited for by nobody. */
function checkTransport(made: unknown): void {
  if (typeof (made as { then?: unknown } | undefined)?.then === 'function') {
    hush(made);
    throw new TypeError(
      'Expected a transport, got a promise: `transport` cannot be async; await what it needs before',
    );
  }
  if (typeof (made as { send?: unknown } | undefined)?.send !== 'function')
    throw new TypeError(`Expected a transport of the SDK, got ${typeof made}`);
}

class MendingConnection implements Connection {
  readonly overheard: Overheard = createOverheard();
  strays = 0;
  ends = 0;
  endedAt = 0;
  readonly #client: SdkClient;
  readonly #originals: Originals;
  readonly #factory: ConnectionContext['factory'];
  readonly #forget: ConnectionContext['forget'];
  readonly #onOpened: ConnectionContext['onOpened'];
  readonly #clock: Clock;
  #handshakeArgs: readonly unknown[] | undefined;
  #connectOptions: readonly unknown[] = [];
  #connecting: Promise<void> | undefined;
  #renewing: Promise<boolean> | undefined;
  /** Nobody has closed it, and whoever calls first may open it: where transports are made here, that needs nobody's word. */
  #isWanted: boolean;
  #lastLine: LastLine = { isUnfinished: false };
  /** What could not be opened. The SDK holds on to it until it has closed, and nothing can be sent on it. */
  #unopened: unknown;
  /** How often its transports have told of work; the last of them may have a fetch that hears more. */
  #told = 0;
  #heard: Heard | undefined;

  constructor(
    client: SdkClient,
    originals: Originals,
    { factory, forget, onOpened, clock }: ConnectionContext,
  ) {
    this.#forget = forget;
    this.#onOpened = onOpened;
    this.#isWanted = factory !== undefined;
    this.#clock = clock;
    this.#client = client;
    this.#originals = originals;
    this.#factory = factory;
  }

  get sessionId(): string | undefined {
    return this.#transport()?.sessionId;
  }

  get tellings(): number {
    return this.#told + (this.#heard?.tellings ?? 0);
  }

  get isSayingMore(): boolean {
    return this.#lastLine.isUnfinished || this.#heard?.isSayingMore === true;
  }

  connect(args: readonly unknown[]): Promise<void> {
    const [given, ...options] = args;
    const made = given ?? this.#made();
    if (made === undefined) {
      throw new TypeError(
        'Expected a transport: pass one to `connect`, or a `transport` option that makes them',
      );
    }
    this.#isWanted = true;
    this.#connectOptions = options;
    return this.#once(() => this.#open(made));
  }

  async close(): Promise<boolean> {
    const wished = this.#connecting === undefined;
    if (wished) this.#isWanted = false;
    await this.#originals.close();
    return wished;
  }

  get isReady(): boolean {
    if (this.#connecting !== undefined) return false;
    return this.#transport() !== undefined && this.#transport() !== this.#unopened;
  }

  async ready(): Promise<void> {
    if (this.#connecting !== undefined) return this.#connecting;
    if (this.#renewing !== undefined && this.#factory === undefined) await this.#renewing.catch(() => false);
    if (this.isReady) return;
    if (this.#factory === undefined || !this.#isWanted) {
      const message = this.#isWanted ? 'The connection is gone' : 'Not connected';
      const gone = {
        kind: 'disconnected',
        origin: 'local',
        executed: 'no',
        retryable: false,
        message,
        advice: 'Call `connect()` on the client first.',
      } as const;
      throw new FaultError(makeFault(gone)); // of this call alone, whoever it is made for
    }
    return this.#once(() => this.#open(this.#made()));
  }

  handshake(args: readonly unknown[]): void {
    this.#handshakeArgs = args;
  }

  async recover({ kind, subject }: Fault, sessionId: string | undefined): Promise<boolean> {
    if (kind !== 'expired' || subject?.type !== 'session') return false;
    // Another call has renewed it in the meantime.
    if (this.sessionId !== sessionId && this.#transport() !== undefined) return true;
    return this.#renewed();
  }

  /** All who need another session wait for the same one. */
  #renewed(): Promise<boolean> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  #transport(): SdkTransport | undefined {
    return this.#client.transport as SdkTransport | undefined;
  }

  async #open(made: unknown): Promise<void> {
    checkTransport(made);
    const toolsChanged = (): void => this.#forget('changed');
    const began = (): void => {
      this.#told += 1;
    };
    const strayed = (): void => {
      this.strays += 1;
      began();
    };
    const hear = (words: string): void => {
      this.overheard.hear(words);
      began();
    };
    const ended = (): void => {
      this.ends += 1;
      this.endedAt = this.#clock.now();
    };
    const heard = heardBy(made);
    this.#told = this.tellings - (heard?.tellings ?? 0);
    this.#heard = heard;
    const transport = made as SdkTransport;
    // Where no other can be made, the hello is said again on the stream that follows.
    const lost = (): void => {
      if (this.#factory !== undefined) transport.close().catch(() => undefined);
    };
    const replaced = (): void => {
      if (this.#transport() === transport) hush(this.#renewed());
    };
    const listener = { toolsChanged, began, strayed, hear, ended, lost, replaced };
    this.#lastLine = watchStreams(transport, listener);
    this.#forget('session');
    if (this.#unopened !== undefined && this.#transport() === this.#unopened) await this.#originals.close();
    try {
      await this.#originals.connect(made, ...this.#connectOptions);
      this.#unopened = undefined;
      this.#onOpened();
    } catch (thrown) {
      if (this.#transport() === made) this.#unopened = made;
      throw thrown;
    }
  }

  /** A new transport; what the function throws is a mistake of whoever wrote it, and says nothing of any server. */
  #made(): unknown {
    try {
      return this.#factory?.();
    } catch (cause) {
      throw isMisuse(cause) ? cause : unmade(cause);
    }
  }

  /** All who need the connection wait for the same attempt at it. */
  #once(work: () => Promise<void>): Promise<void> {
    this.#connecting ??= work().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Repeats the handshake on the same transport; calls that are under way stay under way. */
  async #renew(): Promise<boolean> {
    if (this.#handshakeArgs !== undefined && this.#transport() !== undefined) {
      try {
        this.#forget('session');
        await this.#originals.request(...this.#handshakeArgs);
        await (this.#client.notification as Call)({ method: 'notifications/initialized' });
        return true;
      } catch {
        // Then with a new transport, if one can be made.
      }
    }
    if (this.#factory === undefined) return false;
    await this.#once(async () => {
      await this.#originals.close();
      await this.#open(this.#made());
    });
    return true;
  }
}
