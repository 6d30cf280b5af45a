/** The network between an agent and the gateway: a `fetch` to which anything may happen. */
import type { GatewayHost } from './gateway.ts';
import { count, type Ledger } from './ledger.ts';
import type { HttpAnswer } from './memory-response.ts';
import { type Message, orderIn } from './message.ts';
import type { Parts } from './parts.ts';
import type { DoorFate } from './story.ts';
import type { Time } from './time.ts';

/** The part of `fetch` that transports use. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** What a network is made of. */
export interface NetworkOptions {
  readonly gateway: GatewayHost;
  readonly ledger: Ledger;
  readonly time: Time;
  readonly parts: Parts;
}

const HOP_MS = 1;
const LATE_MS = 25_000;

/** A request on its way. */
interface Outgoing {
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  readonly signal?: AbortSignal | null | undefined;
}

/** What arrived, or half of it. */
interface Arrived extends HttpAnswer {
  readonly isCut: boolean;
}

/** Sends a request; settles as the network wants it. */
export type Send = (request: Outgoing) => Promise<Arrived>;

/** Makes a network. */
export function createNetwork({ gateway, ledger, time, parts }: NetworkOptions): Send {
  return ({ method, headers, body, signal }) =>
    new Promise<Arrived>((resolve, reject) => {
      const message = body === '' ? undefined : (JSON.parse(body) as Message);
      const order = message?.method === 'tools/call' ? orderIn(message) : undefined;
      const fate = order === undefined ? 'passes' : ledger.nextDoor(order);
      const giveUp = (): void => reject(signal?.reason ?? new DOMException('Aborted', 'AbortError'));
      if (signal?.aborted === true) return giveUp();
      signal?.addEventListener('abort', giveUp, { once: true });
      time.after(HOP_MS, () => {
        if (signal?.aborted === true) return;
        const early = beforeArrival(fate, gateway.isUp);
        if (early === 'silence') return;
        if (early instanceof Error) return reject(early);
        if (early !== undefined) return resolve(early);
        if (order !== undefined) count(ledger.asked, order);
        const exchange = gateway.ask(method, headers, body, () => reject(broken('ECONNRESET')));
        if (fate === 'reset after') {
          time.after(HOP_MS, () => {
            exchange.leave();
            reject(broken('ECONNRESET'));
          });
        }
        signal?.addEventListener('abort', () => exchange.leave(), { once: true });
        void exchange.answer.then((answer) => {
          const { toClient } = parts;
          const arrived = onArrival(fate, toClient === undefined ? answer : changed(answer, toClient));
          if (arrived === undefined) return;
          time.after(fate === 'answer late' ? LATE_MS : HOP_MS, () => resolve(arrived));
        });
      });
    });
}

/** The same network, as transports use one. */
export function asFetch(send: Send): Fetch {
  return async (_, init = {}) => {
    const { method = 'GET', signal } = init;
    // A server that has no standing stream says so.
    if (method === 'GET') return new Response(null, { status: 405 });
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = typeof init.body === 'string' ? init.body : '';
    const arrived = await send({ method, headers, body, signal });
    const { status, body: text } = arrived;
    const whole = text === '' || status === 204 ? null : text;
    return new Response(arrived.isCut ? cutOff(text) : whole, {
      status,
      headers: withoutLength(arrived.headers),
    });
  };
}

/** What happens to a request that does not reach the gateway. */
function beforeArrival(fate: DoorFate, isUp: boolean): Arrived | Error | 'silence' | undefined {
  if (fate === 'request lost') return 'silence';
  if (fate === 'refused' || !isUp) return broken('ECONNREFUSED');
  if (fate === 'reset before') return broken('ECONNRESET');
  if (fate === '429 before')
    return { status: 429, headers: { 'retry-after': '1' }, body: 'slow down', isCut: false };
  return undefined;
}

/** What becomes of the answer; `undefined` when it never arrives. */
function onArrival(fate: DoorFate, answer: HttpAnswer): Arrived | undefined {
  switch (fate) {
    case 'answer lost':
    case 'reset after':
      return undefined;
    case '503 instead':
      return instead(503, 'upstream connect error or disconnect/reset before headers');
    case '502 instead':
      return instead(502, '<html>Bad Gateway</html>');
    default:
      return { ...answer, isCut: fate === 'answer cut' };
  }
}

function instead(status: number, body: string): Arrived {
  return { status, headers: {}, body, isCut: false };
}

function withoutLength(headers: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-length'));
}

function cutOff(body: string): ReadableStream<Uint8Array> {
  let isFirst = true;
  return new ReadableStream({
    pull(controller) {
      if (isFirst) controller.enqueue(new TextEncoder().encode(body.slice(0, body.length / 2)));
      else
        controller.error(
          new TypeError('terminated', { cause: coded('other side closed', 'UND_ERR_SOCKET') }),
        );
      isFirst = false;
    },
  });
}

/** What `fetch` says when a connection is not made, or breaks. */
export function broken(code: string): Error {
  return new TypeError('fetch failed', { cause: coded(code === 'ECONNREFUSED' ? 'connect' : 'read', code) });
}

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

function changed(answer: HttpAnswer, change: (message: Message) => Message): HttpAnswer {
  if (!answer.body.startsWith('{')) return answer;
  return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body) as Message)) };
}
