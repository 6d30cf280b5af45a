import type { ServerLike } from '../shapes.ts';
import type { Listing } from './listing.ts';
import type { RequestState } from './request-state.ts';

const NONE: readonly string[] = [];

/** What the guard knows of a server's methods. Lists: they are short, and stateless servers are made for each request. */
export class Methods {
  /** List methods whose handler is the SDK's, which has no pages. */
  unpaged: readonly string[] = NONE;
  /** Methods whose handlers were set through the guard. */
  wrapped: readonly string[] = NONE;
  /** Methods that the SDK itself answers, and of which every handler behind it was registered through the guard. */
  seen: readonly string[] = NONE;
  /** Methods of which the guard sees when the SDK's own handler is entered. */
  noted: readonly string[] = NONE;
  /** The list of tools, where the author answers `tools/list` and not the SDK. */
  listing: Listing | undefined;
  readonly #low: ServerLike;

  constructor(low: ServerLike) {
    this.#low = low;
  }

  /** Does the server answer a method? What neither SDK version would say of itself counts as a yes. */
  answers(method: string): boolean {
    if (this.#low.fallbackRequestHandler !== undefined) return true;
    try {
      this.#low.assertCanSetRequestHandler(method);
      return false;
    } catch {
      return true; // it says so by throwing
    }
  }

  /** Would the guard have seen the handler of this request begin? */
  isWrapped(state: RequestState): boolean {
    return state.tool !== undefined || this.wrapped.includes(state.method);
  }

  /** May a handler of the author's have begun? It has not where the guard would have seen it, or where there is none. */
  mayHaveBegun(state: RequestState): boolean {
    if (state.entered) return true;
    const { method } = state;
    if (this.isWrapped(state) || this.seen.includes(method)) return false;
    if (this.noted.includes(method) && !state.reached) return false;
    return this.answers(method);
  }
}
