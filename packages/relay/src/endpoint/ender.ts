/** Ends a call from outside. */

type Listener = Parameters<AbortSignal['addEventListener']>[1];
type Options = Parameters<AbortSignal['addEventListener']>[2];

interface Heeded {
  readonly listener: Listener;
  readonly isOnce: boolean;
}

/**
 * What `AbortController` and its signal do, in one object and without the machinery of events: every call has two of them,
 * each is listened to and left again, and next to none is ever used. Nothing of Node's own takes it for a signal
 * (`AbortSignal.any`, `fetch`): `either` of `@mayday/policy` does.
 */
export class Ender implements AbortSignal {
  aborted = false;
  reason: unknown = undefined;
  onabort: AbortSignal['onabort'] = null;
  /** Nearly always there is one. */
  #first: Heeded | undefined;
  #others: Heeded[] | undefined;

  get signal(): AbortSignal {
    return this;
  }

  /** Ends it, once. */
  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.dispatchEvent(new Event('abort'));
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(type: string, listener: Listener | null, options?: Options): void {
    if (type !== 'abort' || listener === null) return;
    if (this.#first !== undefined && this.#all().some((one) => one.listener === listener)) return;
    const heeded = { listener, isOnce: typeof options === 'object' && options?.once === true };
    if (this.#first === undefined) this.#first = heeded;
    else this.#others = [...(this.#others ?? []), heeded];
  }

  removeEventListener(type: string, listener: Listener | null): void {
    if (type !== 'abort') return;
    if (this.#first?.listener === listener) this.#first = this.#others?.shift();
    else if (this.#others !== undefined)
      this.#others = this.#others.filter((one) => one.listener !== listener);
  }

  /** Who throws keeps nobody else from hearing of it. */
  dispatchEvent(event: Event): boolean {
    if (event.type !== 'abort') return true;
    this.onabort?.call(this, event);
    for (const heeded of this.#all()) {
      const { listener, isOnce } = heeded;
      if (!this.#all().includes(heeded)) continue;
      if (isOnce) this.removeEventListener('abort', listener);
      try {
        if (typeof listener === 'function') listener.call(this, event);
        else listener.handleEvent(event);
      } catch (error) {
        process.nextTick(() => {
          throw error;
        });
      }
    }
    return true;
  }

  #all(): readonly Heeded[] {
    if (this.#first === undefined) return NONE;
    return [this.#first, ...(this.#others ?? [])];
  }
}

const NONE: readonly Heeded[] = [];
