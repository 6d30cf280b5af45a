/**
 * Requests that a server has refused to take. What it says of its work before they are made again takes the refusal
 * back: whoever would make one again asks here first.
 */
import { setLast } from '@mayday/policy';
import { isObject, type RequestId } from './reply.ts';

/** A request that was refused. */
export interface Refusal {
  /** The server has answered since, or told of work: nobody can say any more that nothing was done. */
  readonly isTakenBack: boolean;
  /** The result that came all the same. */
  readonly late?: { readonly result: unknown } | undefined;
}

/** Those of one transport. */
export interface Refusals {
  /** The server says that it has not taken this request. */
  add(id: RequestId): Refusal;
  /** It tells of work, and not for whom. */
  told(): void;
  /** It answers this one, where nobody waits for that. */
  answered(id: RequestId, message: unknown): void;
  /** The conversation is over. */
  ended(): void;
}

/** Beyond these the oldest are forgotten. */
const MAX_REFUSED = 1000;

/** A conversation that ends within this time behind a refusal may have ended of the work. */
const ENDS_OF_IT_MS = 1000;

class OpenRefusal implements Refusal {
  readonly at: number = Date.now();
  #isTold = false;
  late: Refusal['late'];
  readonly #isSayingMore: () => boolean;

  constructor(isSayingMore: () => boolean) {
    this.#isSayingMore = isSayingMore;
  }

  get isTakenBack(): boolean {
    return this.#isTold || this.#isSayingMore();
  }

  told(): void {
    this.#isTold = true;
  }
}

/** None so far. `isSayingMore`: the server is in the middle of saying something, of whom is not known. */
export function createRefusals(isSayingMore: () => boolean): Refusals {
  const open = new Map<string, OpenRefusal>(); // some servers give a number back as text
  const told = (): void => {
    for (const refusal of open.values()) refusal.told();
  };
  return {
    add(id) {
      const refusal = new OpenRefusal(isSayingMore);
      setLast(open, String(id), refusal, MAX_REFUSED);
      return refusal;
    },
    told,
    answered(id, message) {
      const refusal = open.get(String(id));
      if (refusal === undefined) return told(); // of whom it tells is not known
      refusal.told();
      const result = isObject(message) ? message['result'] : undefined;
      if (isObject(result)) refusal.late ??= { result };
    },
    ended() {
      const since = Date.now() - ENDS_OF_IT_MS;
      for (const refusal of open.values()) if (refusal.at >= since) refusal.told();
    },
  };
}

const REFUSALS: unique symbol = Symbol.for('dev.mayday/refusals') as never;

/** All copies of this package share them: the `fetch` may be another one's. */
function everybodys(): Map<string, Refusal> {
  const host = globalThis as { [REFUSALS]?: Map<string, Refusal> };
  host[REFUSALS] ??= new Map();
  return host[REFUSALS];
}

/** Gives it a name, by which it is found where the error is that was made of it. */
export function nameFor(refusal: Refusal): string {
  const name = crypto.randomUUID();
  setLast(everybodys(), name, refusal, 10 * MAX_REFUSED);
  return name;
}

/** What has become of the refusal of this name by now, when its request is made again; asked once. */
export function takeRefusal(name: string | undefined): Refusal | undefined {
  if (name === undefined) return undefined;
  const refusal = everybodys().get(name);
  everybodys().delete(name);
  return refusal;
}
