/**
 * Places that outlive no holder: each is held on a lease that is renewed while its process lives. What is shared is who
 * holds and who waits; that somebody can be let in is found out by asking again.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Awaitable, Place, PlaceLedger, PlaceWish } from '@mayday/policy';

/** Somebody who holds a place or waits for one. */
export interface Seat {
  readonly key: string;
  readonly id: string;
}

/** Who holds and who waits, by key, as an engine keeps it. Each method is atomic; whoever is silent for a lease is gone. */
export interface Seats {
  /** Takes a place when there is one and nobody waits longer for it; else stands in line, if there is room. */
  enter(seat: Seat, bounds: Pick<PlaceWish, 'limit' | 'queue'>): Awaitable<'held' | 'waiting' | 'full'>;
  /** Takes all of these places, or none where one of them has none to give. */
  enterAll(seats: readonly (Seat & Pick<PlaceWish, 'limit'>)[]): Awaitable<boolean>;
  /** Gives up places, or waits for them. */
  leave(seats: readonly Seat[]): Awaitable<void>;
  renew(seats: readonly Seat[]): Awaitable<void>;
}

const FIRST_POLL_MS = 5;
const LONGEST_POLL_MS = 100;

/** Places on leases, and the end of them. */
export class LeasedPlaces implements PlaceLedger {
  readonly #seats: Seats;
  readonly #held = new Set<Seat>();
  /** Those of this process who wait, to be woken when one of this process leaves. */
  readonly #line = new Set<() => void>();
  readonly #longestPollMs: number;
  readonly #heart: NodeJS.Timeout;

  constructor(seats: Seats, leaseMs: number) {
    this.#seats = seats;
    this.#longestPollMs = Math.min(LONGEST_POLL_MS, leaseMs / 4);
    this.#heart = setInterval(() => void this.#beat(), leaseMs / 4).unref();
  }

  async acquire({ key, limit, queue, signal }: PlaceWish): Promise<Place | undefined> {
    const isOver = (): boolean => signal?.aborted === true;
    if (isOver()) return undefined;
    const seat: Seat = { key, id: randomUUID() };
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(this.#longestPollMs, pollMs * 2)) {
      const state = await this.#seats.enter(seat, { limit, queue });
      if (state === 'full') return undefined;
      if (isOver()) {
        await this.#leave([seat]);
        return undefined;
      }
      if (state === 'held') return this.#hold([seat]);
      await this.#turn(pollMs, signal);
    }
  }

  async acquireAll(wishes: readonly Pick<PlaceWish, 'key' | 'limit'>[]): Promise<Place | undefined> {
    const seats = wishes.map(({ key, limit }) => ({ key, limit, id: randomUUID() }));
    return (await this.#seats.enterAll(seats)) ? this.#hold(seats) : undefined;
  }

  /** Gives everything back. */
  async close(): Promise<void> {
    clearInterval(this.#heart);
    await this.#leave([...this.#held]).catch(() => undefined);
  }

  #hold(seats: readonly Seat[]): Place {
    for (const seat of seats) this.#held.add(seat);
    return { release: () => this.#leave(seats.filter((seat) => this.#held.has(seat))) };
  }

  async #leave(seats: readonly Seat[]): Promise<void> {
    if (seats.length === 0) return;
    for (const seat of seats) this.#held.delete(seat);
    await this.#seats.leave(seats);
    for (const wake of this.#line) wake();
  }

  async #turn(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    this.#line.add(wake);
    signal?.addEventListener('abort', wake, { once: true });
    await pause(ms, undefined, { signal: woken.signal }).catch(() => undefined);
    signal?.removeEventListener('abort', wake);
    this.#line.delete(wake);
  }

  async #beat(): Promise<void> {
    if (this.#held.size === 0) return;
    try {
      await this.#seats.renew([...this.#held]);
    } catch {
      // A beat that fails is followed by others; the lease lasts for four.
    }
  }
}
