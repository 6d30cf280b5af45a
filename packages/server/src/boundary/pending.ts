import type { RequestId } from '../shapes.ts';
import { remember } from './remember.ts';
import type { RequestState } from './request-state.ts';

const NONE: readonly RequestState[] = [];

/**
 * The requests of a connection that are under way, by their ids. Mostly there is one at a time, which has a place of its
 * own: a map that each call fills and empties makes a new table for each.
 */
export class Pending {
  #only: RequestState | undefined;
  #others: Map<RequestId, RequestState> | undefined;
  /** Requests that are over, though the server has them: it must not begin them, nor answer them any more. */
  #gone: Set<RequestId> | undefined;

  get(id: RequestId): RequestState | undefined {
    if (this.#only !== undefined && this.#only.id === id) return this.#only;
    return this.#others?.get(id);
  }

  /** Of an id that none of them has. The place of its own is for one that is alone: so it is also the oldest. */
  add(state: RequestState): void {
    this.#gone?.delete(state.id);
    if (this.isEmpty) this.#only = state;
    else {
      this.#others ??= new Map();
      this.#others.set(state.id, state);
    }
  }

  /** Forgets a request. Its id may already belong to another one. */
  delete(state: RequestState): void {
    if (this.#only === state) this.#only = undefined;
    else if (this.#others?.get(state.id) === state) this.#others.delete(state.id);
  }

  /** The server is to hear no more of a request, nor to say anything to it. */
  giveUp({ id }: RequestState): void {
    this.#gone = remember(this.#gone, [id]);
  }

  /** Is the request over, for want of time or of interest, though the server has it? */
  isGone(id: RequestId): boolean {
    return this.#gone?.has(id) === true;
  }

  /** The server has answered one of those after all: true, once. */
  forgetGone(id: RequestId): boolean {
    return this.#gone?.delete(id) === true;
  }

  get isEmpty(): boolean {
    return this.#only === undefined && (this.#others === undefined || this.#others.size === 0);
  }

  /** All of them, as they are now, the oldest first. */
  all(): readonly RequestState[] {
    if (this.isEmpty) return NONE;
    const others = this.#others === undefined ? [] : [...this.#others.values()];
    return this.#only === undefined ? others : [this.#only, ...others];
  }
}
