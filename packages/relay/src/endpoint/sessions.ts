/** The sessions of one endpoint: bounded in all and for each caller, forgotten when nobody uses them. */
import type { Link } from '../links/link.ts';
import type { Caller } from './call.ts';
import { type Kept, Session } from './session.ts';

/** How many sessions there may be, and for how long. */
export interface SessionLimits {
  readonly max: number;
  readonly perCaller: number;
  readonly idleMs: number;
}

const HEARTBEAT_MS = 25_000;

/** Opens, finds and ends sessions. */
export class Sessions {
  readonly #now: () => number;
  readonly #open: Map<string, Session> = new Map();
  readonly #ending: Set<Promise<void>> = new Set();
  #limits: SessionLimits;
  #heartbeat: NodeJS.Timeout;

  constructor(limits: SessionLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#heartbeat = this.#beat();
  }

  /** Other limits from now on, also for those that are open. Of too many, none is ended that is in use. */
  limit(limits: SessionLimits): void {
    this.#limits = limits;
    clearInterval(this.#heartbeat);
    this.#heartbeat = this.#beat();
  }

  /** Those that are open. */
  all(): readonly Session[] {
    return [...this.#open.values()];
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** A new session; `undefined` when there are too many or they hold too much, and all that could make room are in use. */
  open(caller: Caller, connect: (session: Session) => Link, kept?: Kept): Session | undefined {
    while (!this.#hasRoom(caller)) if (!this.#makeRoom(caller)) return undefined;
    while (kept?.keeping.size(kept.opening) === false) {
      if (this.#endOldestOf(caller)) continue;
      kept.keeping.end();
      return undefined;
    }
    const session = new Session(caller, this.#now, kept);
    session.link = connect(session);
    this.#open.set(session.id, session);
    return session;
  }

  /** How long until this caller may open one more, as far as anybody can tell: one that nobody uses is ended then. */
  roomInMs(caller: Caller): number | undefined {
    const unused = this.all().filter((session) => session.isUnused);
    if (unused.length === 0 || this.#hasItsShare(caller)) return undefined;
    const first = Math.min(...unused.map(({ usedAt }) => usedAt)) + this.#limits.idleMs;
    return Math.max(1, first - this.#now());
  }

  /** The caller's session of this id. Somebody else's is as good as none, and so is one of a key that is no longer theirs. */
  find(id: string, caller: Caller): Session | undefined {
    const session = this.#open.get(id);
    if (session === undefined || !isSameCaller(session.caller, caller)) return undefined;
    session.usedAt = this.#now();
    session.caller = caller; // its scopes may be others than when it was opened
    return session;
  }

  /** Ends a session and what belongs to it. */
  async end(session: Session): Promise<void> {
    this.#open.delete(session.id);
    const ending = session.close();
    this.#ending.add(ending);
    await ending.finally(() => this.#ending.delete(ending));
  }

  /** Ends all of them, and waits for those that are about to. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    await Promise.all([...[...this.#open.values()].map((session) => this.end(session)), ...this.#ending]);
  }

  #hasRoom(caller: Caller): boolean {
    return this.#open.size < this.#limits.max && !this.#hasItsShare(caller);
  }

  #hasItsShare(caller: Caller): boolean {
    if (!caller.isKnown) return false;
    // Whatever the limits say, nobody takes the last one from all others.
    return this.#countOf(caller.id) >= Math.min(this.#limits.perCaller, Math.max(1, this.#limits.max - 1));
  }

  #countOf(caller: string): number {
    let count = 0;
    for (const session of this.#open.values()) if (session.caller.id === caller) count++;
    return count;
  }

  /**
   * Clients that go away seldom say so. Beyond its share, the caller's own session that nobody has used for longest makes
   * room. When all places are taken, that of a caller who has more does first, or those who reconnect keep a newcomer out.
   */
  #makeRoom(caller: Caller): boolean {
    const spare = this.#hasItsShare(caller) ? undefined : this.#spareOfLargest(this.#countOf(caller.id));
    if (spare === undefined) return this.#endOldestOf(caller);
    void this.end(spare);
    return true;
  }

  /** Ends the caller's own session that nobody has used for longest. */
  #endOldestOf(caller: Caller): boolean {
    const oldest = this.#longestUnused(({ caller: { id } }) => id === caller.id);
    if (oldest !== undefined) void this.end(oldest);
    return oldest !== undefined;
  }

  /** The longest unused session of the caller that has most, of those who have more than this and one to spare. */
  #spareOfLargest(own: number): Session | undefined {
    const counts = new Map<string, number>();
    for (const { caller } of this.#open.values()) counts.set(caller.id, (counts.get(caller.id) ?? 0) + 1);
    const countOf = ({ caller }: Session): number => counts.get(caller.id) ?? 0;
    let most = 0;
    for (const session of this.#open.values()) {
      if (session.isUnused && countOf(session) > own) most = Math.max(most, countOf(session));
    }
    return most === 0 ? undefined : this.#longestUnused((session) => countOf(session) === most);
  }

  #longestUnused(isMeant: (session: Session) => boolean): Session | undefined {
    let oldest: Session | undefined;
    for (const session of this.#open.values()) {
      if (!session.isUnused || !isMeant(session)) continue;
      if (oldest === undefined || session.usedAt < oldest.usedAt) oldest = session;
    }
    return oldest;
  }

  #beat(): NodeJS.Timeout {
    return setInterval(() => this.#sweep(), Math.min(HEARTBEAT_MS, this.#limits.idleMs)).unref();
  }

  #sweep(): void {
    const now = this.#now();
    const since = now - this.#limits.idleMs;
    for (const session of this.#open.values()) {
      const isOver = session.endsAt <= now && !session.isBusy;
      if (isOver || session.isIdle(since)) void this.end(session);
      else session.ping();
    }
  }
}

/** Are both the same, and with the same key? Where servers keep the sessions, the seal says the same. */
export function isSameCaller({ id, seal }: Caller, other: Caller): boolean {
  if (id !== other.id) return false;
  return seal === other.seal || (seal !== undefined && other.seal?.equals(seal) === true);
}
