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

/** Makes a network. */
export function createFetch({ gateway, ledger, time, parts }: NetworkOptions): Fetch {
  return (_, init = {}) =>
    new Promise<Response>((resolve, reject) => {
      const { method = 'GET', signal } = init;
      // A server that has no standing stream says so.
      if (method === 'GET') return resolve(new Response(null, { status: 405 }));
      const body = typeof init.body === 'string' ? init.body : '';
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
        const exchange = gateway.ask(method, lowerCased(init.headers), body, () =>
          reject(broken('ECONNRESET')),
        );
        if (fate === 'reset after') {
          time.after(HOP_MS, () => {
            exchange.leave();
            reject(broken('ECONNRESET'));
          });
        }
        signal?.addEventListener('abort', () => exchange.leave(), { once: true });
        void exchange.answer.then((answer) => {
          const response = onArrival(
            fate,
            parts.toClient === undefined ? answer : changed(answer, parts.toClient),
          );
          if (response === undefined) return;
          time.after(fate === 'answer late' ? LATE_MS : HOP_MS, () => resolve(response));
        });
      });
    });
}

/** What happens to a request that does not reach the gateway. */
function beforeArrival(fate: DoorFate, isUp: boolean): Response | Error | 'silence' | undefined {
  if (fate === 'request lost') return 'silence';
  if (fate === 'refused' || !isUp) return broken('ECONNREFUSED');
  if (fate === 'reset before') return broken('ECONNRESET');
  if (fate === '429 before')
    return new Response('slow down', { status: 429, headers: { 'retry-after': '1' } });
  return undefined;
}

/** What becomes of the answer; `undefined` when it never arrives. */
function onArrival(fate: DoorFate, { status, headers, body }: HttpAnswer): Response | undefined {
  switch (fate) {
    case 'answer lost':
    case 'reset after':
      return undefined;
    case '503 instead':
      return new Response('upstream connect error or disconnect/reset before headers', { status: 503 });
    case '502 instead':
      return new Response('<html>Bad Gateway</html>', { status: 502 });
    case 'answer cut':
      return new Response(cutOff(body), { status, headers: withoutLength(headers) });
    default:
      return new Response(status === 204 || body === '' ? null : body, {
        status,
        headers: withoutLength(headers),
      });
  }
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

function broken(code: string): Error {
  return new TypeError('fetch failed', { cause: coded(code === 'ECONNREFUSED' ? 'connect' : 'read', code) });
}

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

function lowerCased(headers: RequestInit['headers']): { [name: string]: string } {
  return Object.fromEntries(new Headers(headers));
}

function changed(answer: HttpAnswer, change: (message: Message) => Message): HttpAnswer {
  if (!answer.body.startsWith('{')) return answer;
  return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body) as Message)) };
}
