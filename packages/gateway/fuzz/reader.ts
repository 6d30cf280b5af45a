/** Takes HTTP responses out of a socket's bytes as they come. */

/** One response, whole. */
export interface Response {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
}

/** Reads responses one after the other; a response without a length lasts until the end. */
export class ResponseReader {
  #buffer: Buffer = Buffer.alloc(0);
  #head: string | undefined;
  #parts: Buffer[] = [];
  /** Bytes of the body still to come, or how it ends. */
  #rest: number | 'chunks' | 'end' = 0;

  /** Whether a head has been read whose body is still open. */
  get open(): boolean {
    return this.#head !== undefined;
  }

  /** Whether anything came that is not yet part of a whole response. */
  get begun(): boolean {
    return this.#head !== undefined || this.#buffer.length > 0;
  }

  /** Adds bytes and returns the responses that they complete. */
  feed(bytes: Buffer): Response[] {
    this.#buffer = this.#buffer.length === 0 ? bytes : Buffer.concat([this.#buffer, bytes]);
    const done: Response[] = [];
    for (let one = this.#next(); one !== undefined; one = this.#next()) done.push(one);
    return done;
  }

  /** Says that no more bytes come; returns the response that ends so, if one does. */
  finish(): Response | undefined {
    return this.#rest === 'end' && this.#head !== undefined ? this.#complete() : undefined;
  }

  #next(): Response | undefined {
    if (this.#head === undefined && !this.#readHead()) return undefined;
    if (this.#rest === 'end') {
      this.#take(this.#buffer.length);
      return undefined;
    }
    return this.#rest === 'chunks' ? this.#readChunks() : this.#readSized(this.#rest);
  }

  #readHead(): boolean {
    const end = this.#buffer.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const head = this.#buffer.toString('latin1', 0, end);
    this.#buffer = this.#buffer.subarray(end + 4);
    const status = statusOf(head);
    if (status < 200) return this.#readHead();
    this.#head = head;
    this.#parts = [];
    this.#rest = lengthOf(head, status);
    return true;
  }

  #readSized(size: number): Response | undefined {
    if (this.#buffer.length < size) return undefined;
    this.#take(size);
    return this.#complete();
  }

  #readChunks(): Response | undefined {
    for (;;) {
      const line = this.#buffer.indexOf('\r\n');
      if (line < 0) return undefined;
      const size = Number.parseInt(this.#buffer.toString('latin1', 0, line), 16);
      if (this.#buffer.length < line + 4 + size) return undefined;
      this.#parts.push(this.#buffer.subarray(line + 2, line + 2 + size));
      this.#buffer = this.#buffer.subarray(line + 4 + size);
      if (!(size > 0)) return this.#complete();
    }
  }

  #take(size: number): void {
    this.#parts.push(this.#buffer.subarray(0, size));
    this.#buffer = this.#buffer.subarray(size);
  }

  #complete(): Response {
    const head = this.#head ?? '';
    const body = this.#parts.length === 1 ? (this.#parts[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#parts);
    this.#head = undefined;
    this.#parts = [];
    return { status: statusOf(head), head, body };
  }
}

function statusOf(head: string): number {
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
}

function lengthOf(head: string, status: number): number | 'chunks' | 'end' {
  if (status === 204 || status === 304) return 0;
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return 'chunks';
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return length === undefined ? 'end' : Number(length);
}
