/**
 * What a fetch of ours has heard on streams that belong to no request. A transport passes on messages only, and over the
 * transport of 2024-11-05 refusals come on such a stream too: whoever would make a call again asks here what came behind.
 */
import { doubted } from './answer.ts';
import type { Exchanges } from './exchanges.ts';
import type { FetchLike, MendedFetch } from './mend-fetch.ts';
import { isObject } from './reply.ts';

/** What was heard so far. */
export interface Heard {
  /** How often the server has told of its work. */
  readonly tellings: number;
  /** Has it begun to say something whose end has not come? */
  readonly isSayingMore: boolean;
  /** Asks for a stream with another `fetch`, and hears what is said on it. */
  read(fetch: FetchLike, url: string | URL, init?: RequestInit): Promise<Response>;
}

/** A conversation that ends within this time behind a refusal may have ended of the work. */
const ENDS_OF_IT_MS = 1000;

/** Keeps what is heard on the streams of one fetch. */
export class Hearing {
  tellings = 0;
  isSayingMore = false;
  #refusedAt = Number.NEGATIVE_INFINITY;

  /** The same exchanges; what they are told on a stream of no request is kept here too. */
  of(exchanges: Exchanges): Exchanges {
    return {
      ...exchanges,
      begin: () => {
        this.tellings += 1;
        exchanges.begin();
      },
      answered: (id, message) => {
        if (doubted(message, id) !== undefined) this.#refusedAt = Date.now();
        return exchanges.answered(id, message);
      },
      ended: () => {
        if (Date.now() - this.#refusedAt <= ENDS_OF_IT_MS) this.tellings += 1;
        this.isSayingMore = false;
        exchanges.ended();
      },
    };
  }
}

/** Where a fetch has it. All copies of this package share the name: the `fetch` may be another one's. */
const HEARD: unique symbol = Symbol.for('dev.mayday/heard') as never;

/** The fetch, with what it hears, and what asks for the streams that it hears. */
export function withHeard(fetch: MendedFetch, hearing: Hearing, read: Heard['read']): MendedFetch {
  return Object.assign(fetch, { [HEARD]: Object.assign(hearing, { read }) });
}

/** The transport, with what the fetch hears that it was made with: one that is not loaded yet does not show it. */
export function hearingBy<T extends object>(transport: T, fetch: MendedFetch): T {
  return Object.assign(transport, { [HEARD]: heardIn(fetch) });
}

/** What the fetch of a transport has heard; `undefined` where it is none of ours. Both SDKs keep it under this name. */
export function heardBy(transport: unknown): Heard | undefined {
  const parts = transport as { _fetch?: unknown; _eventSourceInit?: unknown; [HEARD]?: Heard };
  const { _fetch: own, _eventSourceInit: init } = parts;
  const heard = parts[HEARD] ?? heardIn(own);
  const ofStream = isObject(init) ? init['fetch'] : undefined;
  if (typeof ofStream !== 'function' || ofStream === own) return heard;
  if (heard === undefined) return heardIn(ofStream);
  // Who judges the refusals has to know what is said on a stream that another fetch reads.
  const heardToo: FetchLike = (url, own) => heard.read(ofStream as FetchLike, url, own);
  parts._eventSourceInit = { ...(init as object), fetch: heardToo };
  return heard;
}

function heardIn(fetch: unknown): Heard | undefined {
  return typeof fetch === 'function' ? (fetch as { [HEARD]?: Heard })[HEARD] : undefined;
}
