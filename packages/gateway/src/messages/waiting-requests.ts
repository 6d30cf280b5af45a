/** Messages that wait: until others are answered, because a server is not asked everything at once, or until it listens. */
import { idOf } from '@mayday/relay';
import type { DoorMessage } from './message-request.ts';

/** Beside its body, a message that waits costs at most about this much: its headers. */
const OVERHEAD = 16 * 1024;

/** First come, first served. */
export class WaitingRequests {
  readonly #requests: DoorMessage[] = [];
  readonly #onChange: () => void;
  #bytes = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#requests.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** How much memory they take. */
  get held(): number {
    return this.#bytes + this.#requests.length * OVERHEAD;
  }

  add(request: DoorMessage): void {
    this.#requests.push(request);
    this.#bytes += request.body.length;
    this.#onChange();
  }

  next(): DoorMessage | undefined {
    return this.#without(0);
  }

  /** Forgets all of them. */
  clear(): void {
    this.#requests.length = 0;
    this.#bytes = 0;
    this.#onChange();
  }

  /** Forgets one that was not asked yet. False: it is none of these. */
  cancel(id: string | number): boolean {
    const at = this.#requests.findIndex(({ body, peek }) => idOf(body, peek) === id);
    return at >= 0 && this.#without(at) !== undefined;
  }

  #without(at: number): DoorMessage | undefined {
    const [request] = this.#requests.splice(at, 1);
    this.#bytes -= request?.body.length ?? 0;
    this.#onChange();
    return request;
  }
}
