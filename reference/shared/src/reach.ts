/** One request to a backend, within limits. */
import type { IncomingMessage } from 'node:http';

/** What is asked. */
export interface Asked {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** The head of an answer. */
export type Answered = Pick<Response, 'status' | 'ok' | 'headers'>;

/** How much it may answer, and how often it may send us on. */
export interface ReachOptions {
  /** 8 MiB. */
  readonly maxBytes?: number | undefined;
  /** How many redirects within the backend itself are followed; none. */
  readonly redirects?: number | undefined;
}

const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Asks, and gives the whole answer; a redirect that is not followed is one too, because wherever it points to, the
 * operator has not named it. Rejects when there is none, or half of one, and with a `RangeError` for far too much.
 */
export async function reach(
  url: URL,
  asked: Asked,
  { maxBytes = MAX_BYTES, redirects = 0 }: ReachOptions = {},
): Promise<{ readonly response: Answered; readonly bytes: Buffer }> {
  const message = await send(url, asked);
  const response = headOf(message);
  const location = response.headers.get('location') ?? undefined;
  const isRedirect = response.status >= 300 && response.status < 400 && location !== undefined;
  const next = isRedirect && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (redirects > 0 && next?.origin === url.origin) {
    message.destroy();
    return reach(next, asked, { maxBytes, redirects: redirects - 1 });
  }
  return { response, bytes: await bytesOf(message, maxBytes).catch(unanswered(asked)) };
}

/** Not by `fetch`, which keeps what comes with 407 to itself. A connection of its own is never one that was just closed. */
async function send(url: URL, asked: Asked): Promise<IncomingMessage> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const { body, ...rest } = asked;
  return new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { ...rest, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  }).catch(unanswered(asked));
}

/** Rejects as `fetch` does: with the reason of whoever has stopped it, else with the cause. */
function unanswered({ signal }: Asked): (cause: unknown) => never {
  return (cause) => {
    if (cause instanceof RangeError) throw cause;
    throw signal?.aborted === true ? signal.reason : new TypeError('fetch failed', { cause });
  };
}

function headOf({ statusCode: status = 0, rawHeaders }: IncomingMessage): Answered {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(String(rawHeaders[at]), String(rawHeaders[at + 1]));
  return { status, ok: status >= 200 && status < 300, headers };
}

async function bytesOf(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of message) {
    size += piece.length;
    if (size > maxBytes) throw new RangeError(`The backend answered with more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
