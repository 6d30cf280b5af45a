/** One request to a backend, within limits. */

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
  init: RequestInit,
  { maxBytes = MAX_BYTES, redirects = 0 }: ReachOptions = {},
): Promise<{ readonly response: Response; readonly bytes: Buffer }> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const location = response.headers.get('location') ?? undefined;
  const isRedirect = response.status >= 300 && response.status < 400 && location !== undefined;
  const next = isRedirect && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (redirects > 0 && next?.origin === url.origin) {
    await response.body?.cancel();
    return reach(next, init, { maxBytes, redirects: redirects - 1 });
  }
  return { response, bytes: await bytesOf(response, maxBytes) };
}

async function bytesOf(response: Response, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > maxBytes) throw new RangeError(`The backend answered with more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
