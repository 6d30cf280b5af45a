/** Takes up a response stream again that ended before its answer, or answers in its place where that cannot be done. */
import { streamLost } from './answer.ts';
import { discard } from './body.ts';
import { mendStream } from './event-stream.ts';
import type { Exchanges } from './exchanges.ts';
import { type Interrupted, lostForGood, type Taken } from './interrupted.ts';
import type { FetchLike } from './mend-fetch.ts';
import { errorReply, type RequestId } from './reply.ts';
import { isEvents, withBody } from './responses.ts';

/** What a stream is taken up with. */
export interface TakingUp {
  readonly base: FetchLike;
  readonly exchanges: Exchanges;
  readonly interrupted: Interrupted;
  readonly maxBytes: number;
}

/** Sends the GET; `taken` is the stream that it asks for. */
export async function takeUp(
  url: string | URL,
  init: RequestInit | undefined,
  taken: Taken,
  { base, exchanges, interrupted, maxBytes }: TakingUp,
): Promise<Response> {
  const { id } = taken;
  const exchange = exchanges.open(id, init?.signal);
  const lost = (): Response => {
    exchange.close();
    taken.settle();
    return lostStream(id);
  };
  let response: Response;
  try {
    response = await base(url, { ...init, signal: exchange.signal });
  } catch (error) {
    if (!exchange.signal.aborted && taken.failed()) return lost();
    exchange.close();
    throw error;
  }
  if (response.ok && isEvents(response)) {
    taken.settle();
    const stream = mendStream(response.body, {
      id,
      maxBytes,
      exchange,
      resumed: taken,
      began: exchanges.begin,
      beside: exchanges.beside,
      isEverResumed: interrupted.isEverResumed,
      interrupted: (event, hasBegun) => interrupted.note(event, id, hasBegun),
    });
    return withBody(response, stream);
  }
  if (!isPassing(response.status) || taken.failed()) {
    await discard(response.body);
    return lost();
  }
  exchange.close();
  return response;
}

/** A stream of one event. */
function lostStream(id: RequestId): Response {
  const headers = { 'content-type': 'text/event-stream' };
  return new Response(lostForGood(errorReply(id, streamLost())), { headers });
}

/**
 * May a server that says so take the stream up a moment later? Not after a 401: the SDKs sign in, and then ask for
 * another stream than this.
 */
function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429;
}
