/** The sessions of one endpoint: bounded in all and for each caller, forgotten when nobody uses them. */
import type { Link } from '../links/link.ts';
import type { Caller } from './call.ts';
import { Session } from './session.ts';

/** How many sessions there may be, and for how long. */
export interface SessionLimits {
  readonly max: number;
  readonly perCaller: number;
  readonly idleMs: number;
}

const HEARTBEAT_MS = 25_000;

/** Unused for this long, a session makes room for a new one of the same caller. */
const REPLACEABLE_MS = 60_000;

/** Opens, finds and ends sessions. */
export class Sessions {
  readonly #now: () => number;
  readonly #open: Map<string, Session> = new Map();
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

  /** A new session; `undefined` when there are too many. */
  open(caller: Caller, connect: (session: Session) => Link): Session | undefined {
    if (!this.#hasRoom(caller) && !this.#makeRoom(caller)) return undefined;
    const session = new Session(caller, this.#now());
    session.link = connect(session);
    this.#open.set(session.id, session);
    return session;
  }

  /** The caller's session of this id. Somebody else's is as good as none, and so is one of a key that is no longer theirs. */
  find(id: string, caller: Caller): Session | undefined {
    const session = this.#open.get(id);
    if (session === undefined || !isOf(session, caller)) return undefined;
    session.usedAt = this.#now();
    return session;
  }

  /** Ends a session and what belongs to it. */
  async end(session: Session): Promise<void> {
    this.#open.delete(session.id);
    await session.close();
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    await Promise.all([...this.#open.values()].map((session) => this.end(session)));
  }

  #hasRoom(caller: Caller): boolean {
    if (this.#open.size >= this.#limits.max) return false;
    if (!caller.isKnown) return true;
    let own = 0;
    for (const session of this.#open.values()) if (session.caller.id === caller.id) own++;
    // Whatever the limits say, nobody takes the last one from all others.
    return own < Math.min(this.#limits.perCaller, Math.max(1, this.#limits.max - 1));
  }

  #makeRoom(caller: Caller): boolean {
    const since = this.#now() - REPLACEABLE_MS;
    let oldest: Session | undefined;
    for (const session of this.#open.values()) {
      const isReplaceable = session.isIdle(isOf(session, caller) ? since : Infinity);
      if (session.caller.id !== caller.id || !isReplaceable) continue;
      if (oldest === undefined || session.usedAt < oldest.usedAt) oldest = session;
    }
    if (oldest === undefined) return false;
    void this.end(oldest);
    return this.#hasRoom(caller);
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

/** Was it opened by this caller, with the key that it has? Where servers keep the sessions, the seal says the same. */
function isOf({ caller: { id, seal } }: Session, caller: Caller): boolean {
  if (id !== caller.id) return false;
  return seal === caller.seal || (seal !== undefined && caller.seal?.equals(seal) === true);
}
