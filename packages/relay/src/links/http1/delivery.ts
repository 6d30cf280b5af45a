/** One answer on its way to whoever waits for it. */
import type { Flow, HttpAnswer } from '../http-client.ts';
import type { HttpHead } from '../link.ts';

/** Tells an answer in order and once. Whoever takes it in and throws loses this answer and nothing else. */
export class Delivery {
  readonly #answer: HttpAnswer;
  #isOver = false;

  constructor(answer: HttpAnswer) {
    this.#answer = answer;
  }

  /** Nothing is told any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  start(head: HttpHead, flow: Flow): void {
    if (this.#isOver) return;
    try {
      this.#answer.onStart(head, flow);
    } catch (error) {
      this.fail(toError(error), true);
    }
  }

  data(chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      this.#answer.onData(chunk);
    } catch (error) {
      this.fail(toError(error), true);
    }
  }

  end(): void {
    if (this.#isOver) return;
    try {
      this.#answer.onEnd();
      this.#isOver = true;
    } catch (error) {
      this.fail(toError(error), true);
    }
  }

  /** `sent`: bytes of the request may have reached the server. */
  fail(error: Error, sent: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    try {
      this.#answer.onError(error, sent);
    } catch {
      // Who cannot even be told is not waited for.
    }
  }

  /** Nobody wants to be told any more. */
  letGo(): void {
    this.#isOver = true;
  }
}

/** Whatever was thrown, as an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('something that is no error was thrown');
}
