/** Requests that wait until others are answered: a server is not asked everything at once. */
import { idOf } from '@mayday/relay';
import type { DoorMessage } from './message-request.ts';

/** With so much waiting, nothing more is read. */
const MAX_BYTES = 64 * 1024 * 1024;

/** First come, first served. */
export class WaitingRequests {
  readonly #requests: DoorMessage[] = [];
  #bytes = 0;

  get size(): number {
    return this.#requests.length;
  }

  get isFull(): boolean {
    return this.#bytes > MAX_BYTES;
  }

  add(request: DoorMessage): void {
    this.#requests.push(request);
    this.#bytes += request.body.length;
  }

  next(): DoorMessage | undefined {
    return this.#without(0);
  }

  /** Forgets all of them. */
  clear(): void {
    this.#requests.length = 0;
    this.#bytes = 0;
  }

  /** Forgets one that was not asked yet. False: it is none of these. */
  cancel(id: string | number): boolean {
    const at = this.#requests.findIndex(({ body, peek }) => idOf(body, peek) === id);
    return at >= 0 && this.#without(at) !== undefined;
  }

  #without(at: number): DoorMessage | undefined {
    const [request] = this.#requests.splice(at, 1);
    this.#bytes -= request?.body.length ?? 0;
    return request;
  }
}
