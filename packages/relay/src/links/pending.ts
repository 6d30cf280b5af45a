/** Requests that wait for their answers. */
import type { FaultInit } from '@mayday/core';
import { addLast } from '@mayday/policy';
import { barrier } from './barrier.ts';
import { CallerCounts } from './caller-counts.ts';
import type { LinkFault, Outgoing, Sink } from './link.ts';
import type { Note } from './notes.ts';
import { WaitingRoom } from './waiting-room.ts';

/** One request that waits. */
export interface Pending {
  /** The id that the server knows it by. */
  readonly wireId: number;
  /** The caller's id, as the bytes that came. */
  readonly id: Buffer;
  readonly idValue: string | number | undefined;
  /** The caller's progress token, as the bytes that came. */
  readonly token: Buffer | undefined;
  readonly tokenValue: unknown;
  readonly caller: string | undefined;
  readonly session: string | undefined;
  readonly headers: Outgoing['headers'];
  readonly method: string;
  readonly isInitialize: boolean;
  /** What it asks for, in the words of the protocol and its own: a method, and the name that stands beside it. */
  readonly names: () => readonly string[];
  readonly sink: Sink;
  /** An error came while it waited that may have been its answer. */
  isInDoubt: boolean;
  /** The same, or the beginning of a message came that may be its answer: that it was not taken proves nothing then. */
  mayBeAnswered: boolean;
  /** The server may have read it. */
  written: boolean;
}

/** So many that were given up are remembered; the server may never answer one. */
const GIVEN_UP_AT_MOST = 1000;

/** All requests of one link that wait. */
export class PendingRequests {
  readonly #onTaken: (pending: Pending) => void;
  readonly #waiting: WaitingRoom<Pending> = new WaitingRoom(({ wireId }) => wireId);
  readonly #byCaller: CallerCounts = new CallerCounts();
  /** Those that nobody waits for any more, and that the server has not answered: it may still be at work on them. */
  readonly #givenUp: Set<number> = new Set();

  #issued = 0;

  /** `onTaken` is told of every request that no longer waits. */
  constructor(onTaken: (pending: Pending) => void = () => {}) {
    this.#onTaken = onTaken;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** An id for the next one. */
  nextId(): number {
    return ++this.#issued;
  }

  /** Was a request ever asked under this id? */
  wasAsked(wireId: number): boolean {
    return wireId > 0 && wireId <= this.#issued;
  }

  /** How many of them are this caller's. */
  countOf(caller: string | undefined): number {
    return this.#byCaller.of(caller);
  }

  add(pending: Pending): void {
    this.#waiting.add(pending);
    this.#byCaller.add(pending.caller);
  }

  get(wireId: number): Pending | undefined {
    return this.#waiting.get(wireId);
  }

  /** Takes a request out: whatever comes for it now comes late. */
  take(wireId: number): Pending | undefined {
    const pending = this.#waiting.take(wireId);
    if (pending === undefined) return undefined;
    this.#byCaller.remove(pending.caller);
    this.#onTaken(pending);
    return pending;
  }

  /** Nobody waits for it any more; the server has read it, and may not stop for that. */
  giveUp(wireId: number): void {
    addLast(this.#givenUp, wireId, GIVEN_UP_AT_MOST);
  }

  /** The server has answered it after all. */
  answeredLate(wireId: number): void {
    this.#givenUp.delete(wireId);
  }

  /** Another process knows nothing of them. */
  forgetGivenUp(): void {
    this.#givenUp.clear();
  }

  /** What the server says may be about one that nobody waits for any more. */
  get hasGivenUp(): boolean {
    return this.#givenUp.size > 0;
  }

  takeAll(): readonly Pending[] {
    const all = this.#waiting.all();
    for (const { wireId } of all) this.take(wireId);
    return all;
  }

  /** Those for which this holds, in the order in which they came. */
  filter(matches: (pending: Pending) => boolean): readonly Pending[] {
    return this.#waiting.all().filter(matches);
  }

  /** The one that waits, when only one does. */
  only(): Pending | undefined {
    return this.#waiting.size === 1 ? this.newest() : undefined;
  }

  /** The one that was asked last. */
  newest(): Pending | undefined {
    return this.#waiting.get(this.#issued) ?? this.#waiting.all().at(-1);
  }

  find(matches: (pending: Pending) => boolean): Pending | undefined {
    return this.#waiting.all().find(matches);
  }
}

/** Tells whoever asked that there will be no answer. */
export function lose(pending: Pending, fault: LinkFault, note: Note): void {
  loseAs(pending, [fault], note);
}

/** The same, with what was said in place of an answer. */
export function loseAs({ sink }: Pending, why: Parameters<Sink['lost']>, note: Note): void {
  barrier(
    () => sink.lost(...why),
    (what) => note(`a failure could not be told (${what})`),
  );
}

/** What is said about an answer that cannot be passed on. It is not worth another attempt. */
export function brokenAnswer(message: string): FaultInit {
  return { kind: 'invalid_output', origin: 'upstream', executed: 'maybe', message };
}
