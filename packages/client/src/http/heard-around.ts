/**
 * What HTTP says around an answer where `fetch` shows it to nobody: heads that only announce one, and trailers. Node tells
 * of them on channels of its own; where there are none, or another `fetch` sends, nothing is heard.
 */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Exchange } from './exchanges.ts';
import { isToldAround } from './told-around.ts';

type Hearing = Pick<Exchange, 'told'>;

/** Who is sending; `null` where nobody tells of it. */
let sending: AsyncLocalStorage<Hearing> | null | undefined;

/** Sends, and tells the exchange where more is said than any door says. */
export function hearingAround<T>(exchange: Hearing, send: () => Promise<T>): Promise<T> {
  sending ??= listening();
  return sending?.run(exchange, send) ?? send();
}

/** A request of Node's, as its channels show it. */
interface Told {
  readonly request: object;
  readonly response?: { readonly statusCode: number; readonly statusText: string; readonly headers: Raw };
  readonly trailers?: Raw;
}

/** Names and values in turn. */
type Raw = readonly (Uint8Array | string)[];

function listening(): AsyncLocalStorage<Hearing> | null {
  const builtin = globalThis.process?.getBuiltinModule;
  const channels = builtin?.('node:diagnostics_channel');
  const hooks = builtin?.('node:async_hooks');
  if (channels === undefined || hooks === undefined) return null;
  const storage = new hooks.AsyncLocalStorage<Hearing>();
  const sent = new WeakMap<object, Hearing>();
  const on = (name: string, hear: (told: Told) => void): void =>
    channels.subscribe(`undici:request:${name}`, (told) => hear(told as Told));
  on('create', ({ request }) => {
    const exchange = storage.getStore();
    if (exchange !== undefined) sent.set(request, exchange);
  });
  on('headers', ({ request, response }) => {
    if (response !== undefined && response.statusCode < 200 && announcesMore(response))
      sent.get(request)?.told();
  });
  on('trailers', ({ request, trailers = [] }) => {
    if (tells(trailers)) sent.get(request)?.told();
  });
  return storage;
}

/** What heads say that announce an answer. That somebody works on it (102) is no word of a door's. */
const OWN_WORDS: ReadonlyMap<number, string> = new Map([
  [100, 'continue'],
  [103, 'early hints'],
]);

function announcesMore({ statusCode, statusText, headers }: NonNullable<Told['response']>): boolean {
  const own = OWN_WORDS.get(statusCode);
  const said = statusText.trim().toLowerCase();
  return own === undefined || (said !== '' && said !== own) || tells(headers);
}

function tells(raw: Raw): boolean {
  const pairs = raw.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[String(name), String(raw[at + 1] ?? '')]] : [],
  );
  return pairs.length > 0 && isToldAround({ status: 200, statusText: '', headers: pairs });
}
