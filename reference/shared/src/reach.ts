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
  /** How many redirects are followed, as far as they stay below `within`; none. */
  readonly redirects?: number | undefined;
  /** The address that the operator has named; the backend's root. */
  readonly within?: URL | undefined;
}

const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The address of a page below one that the operator has named, with or without a slash at its end; `undefined` where
 * the path leads out of it, or would for a backend that decodes what is encoded.
 */
export function pageBelow(named: URL, path: string): URL | undefined {
  const folder = folderOf(named);
  const page = URL.canParse(path, folder.href) ? new URL(path, folder) : undefined;
  return page !== undefined && isBelow(page, folder) ? page : undefined;
}

function folderOf(named: URL): URL {
  const folder = new URL(named);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  return folder;
}

function isBelow({ origin, pathname }: URL, folder: URL): boolean {
  const leadsUp = /(?:^|[\\/]|%2f|%5c)(?:\.|%2e){2}(?:[\\/]|%2f|%5c|$)/i.test(pathname);
  return origin === folder.origin && pathname.startsWith(folder.pathname) && !leadsUp;
}

/**
 * Asks, and gives the whole answer; a redirect that is not followed is one too, because wherever it points to, the
 * operator has not named it. Rejects when there is none, or half of one, and with a `RangeError` for far too much.
 */
export async function reach(
  url: URL,
  asked: Asked,
  { maxBytes = MAX_BYTES, redirects = 0, within = new URL('/', url) }: ReachOptions = {},
): Promise<{ readonly response: Answered; readonly bytes: Buffer }> {
  const message = await send(url, asked);
  const response = headOf(message);
  const location = response.headers.get('location') ?? undefined;
  const isRedirect = response.status >= 300 && response.status < 400 && location !== undefined;
  const next = isRedirect && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (redirects > 0 && next !== undefined && isBelow(next, folderOf(within))) {
    message.destroy();
    return reach(next, asked, { maxBytes, redirects: redirects - 1, within });
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

const UNSENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Was there no connection at all, so that nothing can have been sent? */
export function wasUnsent(error: unknown): boolean {
  return UNSENT.has((error as { readonly cause?: { readonly code?: unknown } } | null)?.cause?.code);
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
