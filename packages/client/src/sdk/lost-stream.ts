/**
 * The SDKs' transport of 2024-11-05 asks for its stream again by itself when that breaks. What it gets is another session, maybe of
 * another process, in which nobody has said hello and no call of before will be answered. Where transports have no such
 * stream, nothing changes.
 */
import type { SdkTransport } from './types.ts';

interface Source {
  addEventListener(type: 'error' | 'endpoint', listener: (event: { readonly code?: number }) => void): void;
}

interface StreamTransport extends SdkTransport {
  readonly _eventSource?: Source | undefined;
  start?(): Promise<void>;
}

/** Whoever is not signed in is asked to by the transport, which begins anew then. */
const UNAUTHENTICATED = 401;

/** Tells of a stream that has broken, and of one that the transport has got in its place. */
export function watchLostStream(
  given: SdkTransport,
  { lost, replaced }: { lost(): void; replaced(): void },
): void {
  const transport = given as StreamTransport;
  if (typeof transport.start !== 'function') return;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    const source = transport._eventSource;
    if (typeof source?.addEventListener !== 'function') return;
    let isLost = false;
    source.addEventListener('error', ({ code }) => {
      if (source !== transport._eventSource || code === UNAUTHENTICATED) return;
      isLost = true;
      queueMicrotask(lost); // behind the timer that is set for the next stream, or closing would not clear it
    });
    source.addEventListener('endpoint', () => {
      if (isLost && source === transport._eventSource) replaced();
      isLost = false;
    });
  };
}
