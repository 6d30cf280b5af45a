/** Sends calls, and follows a server that has moved. */
import { isMoveAlone } from '@mayday/core/http';
import { boundedText } from './body.ts';
import type { Exchange } from './exchanges.ts';
import { hearingAround } from './heard-around.ts';
import type { FetchLike } from './mend-fetch.ts';
import { moved, movedTo } from './moves.ts';
import { takeOnce } from './once-bodies.ts';
import type { RequestId } from './reply.ts';
import type { Resent } from './resent.ts';
import { sentOnce } from './send-once.ts';

/** What became of a call that was sent. */
interface SentCall {
  readonly response: Response;
  /** Another address has had it before. */
  readonly wasMoved: boolean;
  /** Why a redirect is not followed, if it is not. */
  readonly astray?: string | undefined;
}

/** A call, and what is known of it. */
interface Sending {
  readonly base: FetchLike;
  readonly url: string | URL;
  readonly init: RequestInit;
  readonly id: RequestId;
  readonly exchange: Exchange;
  readonly resent: Resent;
}

/** Sends a call, and follows one redirect where nobody else does. */
export async function sendCall(sending: Sending): Promise<SentCall> {
  const { url, init, id, exchange, resent } = sending;
  const isOwn = sending.base === fetch;
  const base: FetchLike = (...given) => hearingAround(exchange, () => sending.base(...given));
  const isOnce = takeOnce(init.body);
  const before = resent.take(id, init.body);
  const wasMoved = before?.isMove === true;
  if (before?.refusal?.isTakenBack === true)
    return { response: new Response(null, { status: 409 }), wasMoved, astray: SINCE };
  // A page of the web is not shown where a redirect leads: it can only be followed or not.
  if ('document' in globalThis) {
    const sent: RequestInit = isOnce ? { ...init, redirect: 'error' } : init;
    return { response: await base(url, sentOnce(sent, isOwn)), wasMoved };
  }
  const response = await base(url, sentOnce({ ...init, redirect: 'manual' }, isOwn));
  const to = movedTo(url, response);
  if (to === undefined) return { response, wasMoved };
  if (wasMoved || to.href === new URL(url).href) return { response, wasMoved, astray: AGAIN };
  if (isOnce) return { response, wasMoved, astray: ONCE };
  const { headers, status, statusText } = response;
  const { text, whole } = await boundedText(response, MAX_MOVE_BYTES);
  const isTold = exchange.hasBegun || exchange.mayBeAnswered;
  if (isTold || !whole || !isMoveAlone({ headers, statusText, body: text, askedAt: String(url) }))
    return { response, wasMoved, astray: TELLING };
  const move: SentCall = { response: new Response(null, { status, headers }), wasMoved };
  if (init.redirect === 'error') return move;
  if (init.redirect === 'manual') {
    // Whoever asked for it follows, and sends it again.
    resent.note(id, { body: init.body, refusal: exchange.refused(), isMove: true });
    return move;
  }
  const again = sentOnce({ ...moved(init, url, to), redirect: 'manual' }, isOwn);
  const last = await base(to, again);
  return { response: last, wasMoved: true, astray: movedTo(to, last) === undefined ? undefined : AGAIN };
}

/** A page that says that something has moved is shorter. */
const MAX_MOVE_BYTES = 16_384;

const AGAIN = 'The server redirects the request again; it is not followed any further';
const SINCE = 'Not sent again: the server has told of its work since; it may have been executed';
const ONCE = 'The server redirects the request, and the call is to be sent once at most';
const TELLING = 'The server redirects the request and says more than where to; it may have been executed';
