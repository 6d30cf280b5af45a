/** An answer that may be kept back, until it is clear whether somebody else answers. */
import type { Reply, ReplyHeaders, Response } from '@mayday/relay';

/** What is kept back, and who is told. */
interface HeldResponseOptions {
  /** Asked when the answer is complete. */
  readonly isHeld: () => boolean;
  /** A whole answer is kept back: somebody else answers. */
  readonly onHeld: () => void;
}

/** Goes out through a reply; anything that is not kept back as it comes. */
export class HeldResponse implements Response {
  readonly #reply: Reply;
  readonly #options: HeldResponseOptions;
  #head: { readonly status: number; readonly headers: ReplyHeaders } | undefined;
  #isStream = false;
  writableFinished = false;

  constructor(reply: Reply, options: HeldResponseOptions) {
    this.#reply = reply;
    this.#options = options;
  }

  get destroyed(): boolean {
    return this.#reply.isDone;
  }

  get writableLength(): number {
    return 0;
  }

  writeHead(status: number, headers: ReplyHeaders): void {
    this.#head = { status, headers };
    this.#isStream = status === 200 && headers['content-type'] === 'text/event-stream';
    if (this.#isStream) this.#reply.stream(headers);
  }

  flushHeaders(): void {
    // A stream has them at once, and nothing else is sent before its end.
  }

  write(bytes: Buffer): boolean {
    return this.#reply.event(bytes);
  }

  end(body?: Buffer): void {
    this.writableFinished = true;
    const { status, headers } = this.#head ?? { status: 500, headers: {} };
    const { 'content-length': _counted, ...own } = headers;
    if (this.#isStream) this.#reply.end();
    else if (this.#options.isHeld()) this.#options.onHeld();
    else this.#reply.raw(status, own, body);
  }

  destroy(): void {
    this.#reply.abort();
  }

  setTimeout(): void {
    // The reply that it goes out through looks after its reader.
  }

  on(event: 'close' | 'drain' | 'error', listener: () => void): void {
    if (event === 'close') this.#reply.onClose(listener);
    else if (event === 'drain') this.#reply.onDrain(listener);
  }
}
