/** Requests that wait until others are answered: a server is not asked everything at once. */
import { idOf } from '@mayday/relay';
import type { LineMessage } from './line-request.ts';

/** With so much waiting, nothing more is read. */
const MAX_BYTES = 64 * 1024 * 1024;

/** First come, first served. */
export class WaitingRequests {
  readonly #requests: LineMessage[] = [];
  #bytes = 0;

  get size(): number {
    return this.#requests.length;
  }

  get isFull(): boolean {
    return this.#bytes > MAX_BYTES;
  }

  add(request: LineMessage): void {
    this.#requests.push(request);
    this.#bytes += request.body.length;
  }

  next(): LineMessage | undefined {
    return this.#without(0);
  }

  /** Forgets one that was not asked yet. False: it is none of these. */
  cancel(id: string | number): boolean {
    const at = this.#requests.findIndex(({ body, peek }) => idOf(body, peek) === id);
    return at >= 0 && this.#without(at) !== undefined;
  }

  #without(at: number): LineMessage | undefined {
    const [request] = this.#requests.splice(at, 1);
    this.#bytes -= request?.body.length ?? 0;
    return request;
  }
}
