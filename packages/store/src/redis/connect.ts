/** How Redis is reached, and reached again. */
import { StoreError } from '../store-error.ts';
import { type Client, Link } from './link.ts';
import { down, lying, problemOfReply, slow } from './problem.ts';

/** A connection that says nothing for so long is a dead one; it is asked often enough to say something. */
const SILENT_MS = 5000;
const PING_MS = 2000;

const LONGEST_PAUSE_MS = 1000;

/** Connects. Rejects with a `StoreError` when Redis cannot be reached now; later it is reached again by itself. */
export async function connect(url: string, timeoutMs: number): Promise<Link> {
  const { createClient, ErrorReply } = await import('@redis/client');
  let wasReady = false;
  const options = {
    url: checked(url),
    RESP: 2 as const,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled' as const,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: SILENT_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (retries: number) =>
        wasReady ? Math.min(LONGEST_PAUSE_MS, 20 * 2 ** retries) : false,
    },
  };
  const link = new Link({
    make: () => createClient(options) as unknown as Client,
    timeoutMs,
    isReply: (thrown) => thrown instanceof ErrorReply,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(slow(SILENT_MS)), SILENT_MS);
    });
    await Promise.race([link.connect(), late]);
    wasReady = true;
    if ((await link.command(['PING'])) !== 'PONG') throw lying();
    return link;
  } catch (thrown) {
    link.close();
    throw reasonOf(thrown);
  } finally {
    clearTimeout(timer);
  }
}

/** What kept us from getting in, which may stand behind another error. */
function reasonOf(thrown: unknown): StoreError {
  if (thrown instanceof StoreError) return thrown;
  const { cause, message = '' } = Object(thrown) as Error;
  const isReply = /^[A-Z]{3,} /.test(message);
  if (isReply) return problemOfReply(message);
  return cause === undefined ? down(thrown) : reasonOf(cause);
}

/** Valkey speaks Redis. A URL that cannot be read is not shown: it may hold a password. */
function checked(url: string): string {
  const same = url.replace(/^valkey(s?):/i, (_, s: string) => `redi${s === '' ? 's' : 'ss'}:`);
  try {
    const { pathname, hostname, username, password } = new URL(same);
    decodeURIComponent(username + password);
    if (hostname !== '' && /^\/?\d{0,5}$/.test(pathname)) return same;
  } catch {
    // Below.
  }
  const form = '`redis://user:password@host:6379/0`, each part but the host as needed';
  throw new StoreError('unsupported', `The URL of the store cannot be read; it has the form ${form}`);
}
