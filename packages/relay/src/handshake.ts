/** What opened a conversation, so that it can be opened again with a new process. */
import { encode, type Peek, parse, withId } from './message.ts';

/** Messages under this id are the relay's own; a server never sees two of them open at once. */
const REPLAY_ID: Buffer = Buffer.from('"mayday-replay"');

/** Remembers the opening of a 2025-era conversation. */
export class Handshake {
  #initialize: Buffer | undefined;
  #initialized: Buffer | undefined;

  /** Takes note of a message of the client. */
  see(body: Buffer, seen: Peek): void {
    if (seen.method === 'initialize' && seen.kind === 'request') {
      this.#initialize = withId(body, seen, REPLAY_ID);
    } else if (seen.method === 'notifications/initialized') this.#initialized = body;
  }

  /** The request that opens the conversation again; `undefined` when there is nothing to replay. */
  get opening(): Buffer | undefined {
    return this.#initialized === undefined ? undefined : this.#initialize;
  }

  /** The notification that follows the answer. */
  get closing(): Buffer {
    return this.#initialized ?? encode({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }
}

/** Is this the answer to a replayed opening? */
export function isReplayAnswer(line: Buffer, seen: Peek): boolean {
  return seen.idStart >= 0 && line.subarray(seen.idStart, seen.idEnd).equals(REPLAY_ID);
}

/** The progress token of a request, if it has one. */
export function progressTokenOf(body: Buffer): string | number | undefined {
  if (!body.includes('"progressToken"')) return undefined;
  const token = metaOf(parse(body))?.['progressToken'];
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** `params` of a parsed message. */
export function paramsOf(message: unknown): { [key: string]: unknown } | undefined {
  const params = (message as { params?: unknown } | null | undefined)?.params;
  return typeof params === 'object' && params !== null ? (params as { [key: string]: unknown }) : undefined;
}

/** `params._meta` of a parsed message. */
export function metaOf(message: unknown): { [key: string]: unknown } | undefined {
  const meta = paramsOf(message)?.['_meta'];
  return typeof meta === 'object' && meta !== null ? (meta as { [key: string]: unknown }) : undefined;
}
