/** Lines of requests: of each, so many are asked at a time, and what is beyond waits in its line. */
import type { DoorMessage } from './message-request.ts';
import { WaitingRequests } from './waiting-requests.ts';

interface Line {
  asked: number;
  readonly waiting: WaitingRequests;
}

/** With so much waiting in all of them, nothing more is read. */
const MAX_BYTES = 64 * 1024 * 1024;

/** All lines before one door. */
export class Lines {
  readonly #lines: Map<string, Line> = new Map();
  readonly #atOnce: number;
  readonly #onChange: () => void;

  constructor(atOnce: number, onChange: () => void) {
    this.#atOnce = atOnce;
    this.#onChange = onChange;
  }

  /** May it be asked now? Otherwise it waits here. */
  enter(request: DoorMessage, name: string): boolean {
    const line = this.#lines.get(name) ?? this.#open(name);
    if (line.asked < this.#atOnce) {
      line.asked++;
      return true;
    }
    line.waiting.add(request);
    return false;
  }

  /** One is answered; the next of its line, which is asked from now on. */
  leave(name: string): DoorMessage | undefined {
    const line = this.#lines.get(name);
    const next = line?.waiting.next();
    if (line === undefined || next !== undefined) return next;
    line.asked--;
    if (line.asked === 0) this.#lines.delete(name);
    return undefined;
  }

  get size(): number {
    return this.#sum(({ size }) => size);
  }

  get held(): number {
    return this.#sum(({ held }) => held);
  }

  get isFull(): boolean {
    return this.#sum(({ bytes }) => bytes) > MAX_BYTES;
  }

  /** Forgets one that was not asked yet. False: it is none of these. */
  cancel(id: string | number): boolean {
    return [...this.#lines.values()].some(({ waiting }) => waiting.cancel(id));
  }

  /** Forgets all that wait. */
  clear(): void {
    for (const { waiting } of this.#lines.values()) waiting.clear();
  }

  #open(name: string): Line {
    const line = { asked: 0, waiting: new WaitingRequests(this.#onChange) };
    this.#lines.set(name, line);
    return line;
  }

  #sum(of: (waiting: WaitingRequests) => number): number {
    let sum = 0;
    for (const { waiting } of this.#lines.values()) sum += of(waiting);
    return sum;
  }
}
