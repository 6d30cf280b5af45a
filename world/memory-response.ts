/** The answering side of an HTTP request, without a socket. */
import { EventEmitter } from 'node:events';

/** What came back over HTTP. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** As much of a server's response as the gateway uses. */
export class MemoryResponse extends EventEmitter {
  destroyed = false;
  writableFinished = false;
  readonly writableLength = 0;
  onDone: ((answer: HttpAnswer) => void) | undefined;
  #status = 0;
  #headers: { readonly [name: string]: string } = {};
  #body = '';

  writeHead(status: number, headers: { readonly [name: string]: string }): void {
    this.#status = status;
    this.#headers = headers;
  }

  flushHeaders(): void {
    // Whole answers only: nothing in these worlds reads along.
  }

  setTimeout(): void {
    // Large answers have a timer of their own; none are large here.
  }

  write(chunk: Buffer): boolean {
    this.#body += chunk.toString('utf8');
    return true;
  }

  end(chunk?: Buffer): void {
    if (chunk !== undefined) this.write(chunk);
    this.writableFinished = true;
    const headers = Object.fromEntries(
      Object.entries(this.#headers).map(([name, value]) => [name, String(value)]),
    );
    this.onDone?.({ status: this.#status, headers, body: this.#body });
    this.emit('close');
  }

  destroy(): void {
    if (this.destroyed || this.writableFinished) return;
    this.destroyed = true;
    this.emit('close');
  }
}
