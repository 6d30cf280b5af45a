/** Connecting, and connecting again: a process that died, a session that the server no longer knows. */
import { type Fault, fault } from '@mayday/core';
import type { SdkClient, SdkTransport } from './types.ts';
import { watchStreams } from './watch-streams.ts';

type Call = (...args: unknown[]) => Promise<unknown>;

/** A connection that mends itself where it can. */
export interface Connection {
  readonly sessionId: string | undefined;
  connect(args: readonly unknown[]): Promise<void>;
  /** Closes; `true` when the caller wished it, `false` when the SDK gave up on a handshake. */
  close(): Promise<boolean>;
  /** Resolves when there is a transport to send on; connects again if it can. */
  ready(): Promise<void>;
  /** Remembers the handshake, to repeat it. */
  handshake(args: readonly unknown[]): void;
  /** Mends an expired session; `true` when there is a new one. */
  recover(fault: Fault, sessionId: string | undefined): Promise<boolean>;
}

/** The client's own methods, as they were before it was wrapped. */
export interface Originals {
  readonly request: Call;
  readonly connect: Call;
  readonly close: () => Promise<void>;
}

/** Manages the connection of a client. */
export function manageConnection(
  client: SdkClient,
  originals: Originals,
  factory: (() => unknown) | undefined,
): Connection {
  let handshakeArgs: readonly unknown[] | undefined;
  let connectOptions: readonly unknown[] = [];
  let connecting: Promise<void> | undefined;
  let renewing: Promise<boolean> | undefined;
  let wanted = false;

  const transport = (): SdkTransport | undefined => client.transport as SdkTransport | undefined;

  async function open(made: unknown): Promise<void> {
    watchStreams(made as SdkTransport);
    await originals.connect(made, ...connectOptions);
  }

  function connect(args: readonly unknown[]): Promise<void> {
    const [given, ...options] = args;
    const made = given ?? factory?.();
    if (made === undefined) {
      throw new TypeError(
        'Expected a transport: pass one to `connect`, or a `transport` option that makes them',
      );
    }
    wanted = true;
    connectOptions = options;
    return once(() => open(made));
  }

  /** All who need the connection wait for the same attempt at it. */
  function once(work: () => Promise<void>): Promise<void> {
    connecting ??= work().finally(() => {
      connecting = undefined;
    });
    return connecting;
  }

  async function ready(): Promise<void> {
    if (connecting !== undefined) return connecting;
    if (transport() !== undefined) return;
    if (factory === undefined || !wanted) {
      const message = wanted ? 'The connection is gone' : 'Not connected';
      throw fault.disconnected(message, { origin: 'local', executed: 'no', retryable: false });
    }
    return once(() => open(factory()));
  }

  /** Repeats the handshake on the same transport; calls that are under way stay under way. */
  async function renew(): Promise<boolean> {
    if (handshakeArgs !== undefined && transport() !== undefined) {
      try {
        await originals.request(...handshakeArgs);
        await (client.notification as Call)({ method: 'notifications/initialized' });
        return true;
      } catch {
        // Then with a new transport, if one can be made.
      }
    }
    if (factory === undefined) return false;
    await once(async () => {
      await originals.close();
      await open(factory());
    });
    return true;
  }

  return {
    get sessionId() {
      return transport()?.sessionId;
    },
    connect,
    async close() {
      const wished = connecting === undefined;
      if (wished) wanted = false;
      await originals.close();
      return wished;
    },
    ready,
    handshake(args) {
      handshakeArgs = args;
    },
    async recover({ kind, subject }, sessionId) {
      if (kind !== 'expired' || subject?.type !== 'session') return false;
      // Another call has renewed it in the meantime.
      if (transport()?.sessionId !== sessionId && transport() !== undefined) return true;
      renewing ??= renew().finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}
