/** The provider of stock figures: somebody else's service, which can be slow, busy, broken or gone. */
import { fault } from '@mayday/core';
import { parseRetryAfter } from '@mayday/core/http';
import { type Answered, pageBelow, reach } from '@mayday/reference-shared';
import { z } from 'zod';

/** How many pieces there are of a product. */
export type StockOf = (sku: string, signal: AbortSignal) => Promise<number>;

/** How long the provider may take to answer, to the last byte. */
const PATIENCE_MS = 10_000;

/** A figure needs no more. */
const MAX_BYTES = 64 * 1024;

const STOCK = z.object({ pieces: z.int().min(0) });

/** A dependency is worth a second and a third attempt, with growing pauses: asking it changes nothing. */
const RETRY = { afterMs: 1000, maxAttempts: 2, backoff: 'exponential' } as const;

/** Asks the provider at a URL. What it says about its failures stays here. */
export function createProvider(base: URL | undefined): StockOf {
  return async (sku, signal) => {
    if (base === undefined) throw fault.misconfigured('Stock figures are not set up for this platform');
    const limit = AbortSignal.timeout(PATIENCE_MS);
    const url = pageBelow(base, encodeURIComponent(sku));
    // `.` and `..` lead to folders, and name no product.
    if (url === undefined || url.pathname.endsWith('/')) throw unknownProduct();
    const { answer, body } = await ask(url, AbortSignal.any([signal, limit]));
    if (answer.status === 404) throw unknownProduct();
    const afterMs = parseRetryAfter(answer.headers.get('retry-after') ?? '', Date.now()) ?? RETRY.afterMs;
    if (answer.status === 429) {
      // What is a limit is called one, and whose: the document's own client waits for these words.
      throw fault.rateLimited('The rate limit of the stock provider is reached', {
        executed: 'no',
        retry: { afterMs, maxAttempts: 1, backoff: 'fixed' },
      });
    }
    const stock = STOCK.safeParse(parseJson(body));
    if (answer.ok && stock.success) return stock.data.pieces;
    const cause = new Error(`${answer.status} ${body}`);
    const retry = { ...RETRY, afterMs };
    throw fault.upstreamFailed('The stock provider failed', { executed: 'no', retry, cause });
  };
}

const unknownProduct = (): Error => fault.notFound('The stock provider does not know this product');

/** The whole answer. One that stops in the middle is none: whatever is wrong with it is the provider's. */
async function ask(url: URL, signal: AbortSignal): Promise<{ answer: Answered; body: string }> {
  try {
    const { response, bytes } = await reach(url, { signal }, { maxBytes: MAX_BYTES });
    return { answer: response, body: bytes.toString() };
  } catch (cause) {
    throw fault.unavailable('The stock provider cannot be reached', { executed: 'no', retry: RETRY, cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no answer that could be used
  }
}
