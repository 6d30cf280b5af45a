/** Spans on their way out: a bounded line, sent in batches, one at a time. */
import type { Measures } from './measures.ts';
import { type Origin, type SpanData, spansMessage } from './otlp-messages.ts';
import type { OtlpSender } from './otlp-sender.ts';
import type { Outage } from './outage.ts';

/** How they are sent. */
export interface SpanQueueOptions {
  readonly queue: number;
  readonly batch: number;
  readonly delayMs: number;
  readonly sender: OtlpSender;
  readonly origin: Origin;
  readonly outage: Outage;
  readonly measures: Measures;
}

/** A batch that is not taken is tried so often, then lost: newer spans are worth more. */
const TRIES = 3;
const OUT_OF_TIME = { ok: false, why: 'the gateway stops', again: undefined } as const;

/** Takes spans. */
export class SpanQueue {
  readonly #options: SpanQueueOptions;
  readonly #waiting: SpanData[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  /** Set when the gateway stops: until then it is sent, by `performance.now()`. */
  #until = Number.POSITIVE_INFINITY;
  #wake: () => void = () => undefined;

  constructor(options: SpanQueueOptions) {
    this.#options = options;
  }

  /** Takes one more; where too many wait, it is lost. */
  add(span: SpanData): void {
    const { queue, batch, outage } = this.#options;
    if (this.#waiting.length >= queue) {
      this.#lose(1);
      outage.lost('traces', 1);
      return;
    }
    this.#waiting.push(span);
    if (this.#sending !== undefined || this.#isClosing) return;
    if (this.#waiting.length >= batch) this.#start(batch);
    else this.#schedule();
  }

  /** Sends what is left, until this time (`performance.now()`) at most. */
  async flush(until: number): Promise<void> {
    this.#until = until;
    this.#wake();
    await this.#sending;
    this.#start(1);
    await this.#sending;
    this.#lose(this.#waiting.length);
  }

  get #isClosing(): boolean {
    return this.#until !== Number.POSITIVE_INFINITY;
  }

  #lose(count: number): void {
    if (count > 0) this.#options.measures.lost.add(count, ['traces']);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#start(1), this.#options.delayMs).unref();
  }

  #start(atLeast: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll(atLeast)
      .catch(() => undefined) // a span that cannot be written is lost, like one that cannot be sent
      .finally(() => {
        this.#sending = undefined;
        if (this.#waiting.length > 0 && !this.#isClosing) this.#schedule();
      });
  }

  /** Until nothing waits, or until nobody takes anything. */
  async #sendAll(atLeast: number): Promise<void> {
    const { batch, origin } = this.#options;
    while (this.#waiting.length >= (this.#isClosing ? 1 : atLeast)) {
      const spans = this.#waiting.splice(0, batch);
      if (!(await this.#send(spansMessage(spans, origin), spans.length))) return;
    }
  }

  async #send(message: object, count: number): Promise<boolean> {
    const { sender, measures, outage } = this.#options;
    for (let tries = 1; ; tries++) {
      const left = this.#until - performance.now();
      const sent = left <= 0 ? OUT_OF_TIME : await sender.send(message, left);
      if (sent.ok) {
        measures.exported.add(count, ['traces']);
        outage.passed('traces');
        return true;
      }
      const { again } = sent;
      const isLast = again === undefined || tries >= TRIES || this.#until - performance.now() <= again;
      outage.failed('traces', sent.why, isLast ? count : 0);
      if (isLast) {
        this.#lose(count);
        return false;
      }
      await this.#pause(again);
    }
  }

  /** Ends early when the gateway stops. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waits = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(waits);
        resolve();
      };
    });
  }
}
