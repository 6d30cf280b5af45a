/**
 * A process that lives but has ended its output never answers again, and the SDKs' transports do not notice. They are
 * closed then, so that whoever waits is told, and the next call starts a new process. Where a transport has no process,
 * nothing changes.
 */
import type { SdkTransport } from './types.ts';

interface Child {
  readonly stdout?: { once(event: 'end', listener: () => void): unknown } | null;
  once?(event: 'exit', listener: () => void): unknown;
}

interface ProcessTransport extends SdkTransport {
  readonly _process?: Child | undefined;
  readonly _readBuffer?: unknown;
  start(): Promise<void>;
}

/** A process that ends closes its pipes first: its transport is left the time to notice that by itself. */
const GRACE_MS = 250;

/** Closes a transport whose process has hung up; `ended` is told as soon as it says no more. */
export function leaveHalfClosed(given: SdkTransport, ended: () => void): void {
  const transport = given as ProcessTransport;
  if (transport._readBuffer === undefined || typeof transport.start !== 'function') return;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    const child = transport._process;
    child?.once?.('exit', ended);
    child?.stdout?.once('end', () => {
      ended();
      const timer = setTimeout(() => {
        if (child === transport._process) transport.close().catch(() => undefined);
      }, GRACE_MS);
      timer.unref();
    });
  };
}
