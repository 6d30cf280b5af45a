/**
 * How much of the gateway's memory callers hold: requests that are not answered yet, answers that come in, answers that
 * they do not read, and what their sessions keep.
 */
import type { Keeping, Receiving, Room } from '@mayday/relay';

/** What one request holds. */
export interface Holding extends Room {
  /** It turned out to be this large. */
  resize(bytes: number): void;
  /** So much of its answer waits for its reader. */
  unread(bytes: number): void;
  /** Its caller waits for it no longer: what is held of it is free as soon as nobody works on it. */
  release(): void;
}

/** What callers hold, by their id. */
export interface Holdings {
  /**
   * Takes room for a request; `undefined` when its caller holds too much already. Answers of servers that can be held back
   * are held back. Those that come all the same are given, and the one that has waited longest for its reader is cut in
   * their place.
   */
  take(caller: string, bytes: number, limit: number, cut: () => void): Holding | undefined;
}

/** Beside its body, a request that waits costs about this much. */
const OVERHEAD = 16 * 1024;

type Flow = Parameters<Room['receive']>[0];

/** What one caller holds. */
class Share {
  bytes = 0;
  /** How much of it waits for a reader. */
  unread = 0;
  limit = 0;
  /** How much of it stays beyond requests. */
  kept = 0;
  /** What may stay, be it empty, and how each of it lets go of what can be done without. */
  readonly keepers: Map<object, () => void> = new Map();
  /** Answers that wait for their reader, the oldest first. */
  readonly behind: Map<object, () => void> = new Map();
  /** Answers that come in, the oldest first. */
  readonly coming: Map<object, Flow> = new Map();
  #holdsBack = false;
  #makesRoom = false;

  add(bytes: number): void {
    this.bytes += bytes;
    if (bytes < 0 && this.#holdsBack) this.#letCome();
  }

  /** More of an answer has come: it is held back where there is no room. */
  came(receiving: object, flow: Flow): void {
    if (this.bytes <= this.limit || receiving === this.#next) return;
    this.#holdsBack = true;
    flow.pause();
  }

  /** What stays leaves half of the limit to requests. The first is let in, whatever the limit. */
  keep(more: number, keeper: object): boolean {
    if (!this.#hasRoom(more)) this.#makeRoom(keeper);
    if (!this.#hasRoom(more)) return false;
    this.kept += more;
    this.add(more);
    return true;
  }

  /** Others let go of what they can do without; who is asked may ask for no room in turn. */
  #makeRoom(keeper: object): void {
    if (this.#makesRoom) return;
    this.#makesRoom = true;
    for (const [other, letGo] of this.keepers) if (other !== keeper) letGo();
    this.#makesRoom = false;
  }

  #hasRoom(more: number): boolean {
    return more <= 0 || this.kept <= 0 || this.kept + more <= this.limit / 2;
  }

  /** Does it hold nothing? */
  get isEmpty(): boolean {
    return this.bytes === 0 && this.keepers.size === 0;
  }

  #letCome(): void {
    this.#holdsBack = this.bytes > this.limit;
    const next = this.#next;
    for (const [receiving, flow] of this.coming) if (!this.#holdsBack || receiving === next) flow.resume();
  }

  /** Where there is no room, one answer comes in all the same as soon as nothing waits for its reader: the oldest. */
  get #next(): object | undefined {
    return this.behind.size === 0 ? this.coming.keys().next().value : undefined;
  }
}

/** Nobody holds anything yet. */
export function createHoldings(): Holdings {
  const shares = new Map<string, Share>();
  return {
    take(caller, bytes, limit, cut) {
      const share = shares.get(caller) ?? new Share();
      // A single request that is allowed at all is let in, whatever the limit.
      if (share.bytes > share.kept && share.bytes + bytes + OVERHEAD > limit) return undefined;
      shares.set(caller, share);
      share.limit = limit;
      return holdIn(share, bytes, cut, () => {
        if (share.isEmpty) shares.delete(caller);
      });
    },
  };
}

function holdIn(share: Share, bytes: number, cut: () => void, onReleased: () => void): Holding {
  // Most answers come in one piece: nothing is made for what they do not need.
  let received: Set<Receiving> | undefined;
  let asked = bytes + OVERHEAD;
  let waiting = 0;
  let workers = 0;
  let isReleased = false;
  let isFree = false;
  const free = (): void => {
    isFree = true;
    if (received !== undefined) for (const receiving of [...received]) receiving.end();
    share.add(-asked);
    onReleased();
  };
  const holding: Holding = {
    hold() {
      if (isFree) return ignore;
      workers += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        workers -= 1;
        if (workers === 0 && isReleased) free();
      };
    },
    resize(size) {
      if (isFree) return;
      const more = size + OVERHEAD - asked;
      asked += more;
      share.add(more);
    },
    receive(flow) {
      received ??= new Set();
      const receiving = receiveIn(share, flow, received);
      if (isFree) receiving.end();
      return receiving;
    },
    keep: (letGo) => keepIn(share, onReleased, letGo),
    unread(size) {
      if (isReleased) return;
      const isBehind = size > OVERHEAD;
      if (!isBehind) share.behind.delete(holding);
      else if (!share.behind.has(holding)) share.behind.set(holding, giveUp);
      const more = (isBehind ? size : 0) - waiting;
      waiting += more;
      share.unread += more;
      share.add(more);
      // A single answer that is allowed at all is given, whatever the limit.
      while (share.unread > share.limit && share.behind.size > 1) share.behind.values().next().value?.();
    },
    release() {
      if (isReleased) return;
      isReleased = true;
      share.behind.delete(holding);
      share.unread -= waiting;
      share.add(-waiting);
      if (workers === 0) free();
    },
  };
  const giveUp = (): void => {
    holding.release();
    cut();
  };
  share.add(asked);
  return holding;
}

function ignore(): void {}

function receiveIn(share: Share, flow: Flow, received: Set<Receiving>): Receiving {
  let held = 0;
  const receiving: Receiving = {
    size(bytes) {
      if (!received.has(receiving)) return;
      const more = bytes - held;
      held = bytes;
      share.add(more);
      share.came(receiving, flow);
    },
    end() {
      if (!received.delete(receiving)) return;
      share.coming.delete(receiving);
      share.add(-held);
    },
  };
  received.add(receiving);
  share.coming.set(receiving, flow);
  return receiving;
}

function keepIn(share: Share, onReleased: () => void, letGo: () => void = ignore): Keeping {
  let kept = 0;
  let isOver = false;
  const keeping: Keeping = {
    size(bytes) {
      if (isOver) return true;
      if (!share.keep(bytes - kept, keeping)) return false;
      kept = bytes;
      return true;
    },
    end() {
      if (isOver) return;
      isOver = true;
      share.keepers.delete(keeping);
      share.keep(-kept, keeping);
      onReleased();
    },
  };
  share.keepers.set(keeping, letGo);
  return keeping;
}
