/** The body of an HTTP/1.1 answer, out of the bytes of its connection. */
import type { BodyEnd } from './head.ts';
import { NotHttpError } from './not-http.ts';

/** Takes the bytes of a connection, gives those of the body. */
export interface BodyReader {
  /**
   * Takes the bytes from a position on. Returns the position after the body's last byte, or -1 while it goes on.
   * Throws `NotHttpError`.
   */
  push(bytes: Buffer, from: number): number;
  /** What came after its last chunk, as lines of a head. */
  readonly trailers?: string;
  /** Was something said beside the size of a chunk? */
  readonly hasExtensions?: boolean;
}

type OnData = (chunk: Buffer) => void;

/** A reader for a body that ends like this. A body that ends with its connection never ends here. */
export function createBodyReader(end: BodyEnd, onData: OnData): BodyReader {
  if (end === 'chunked') return new ChunkedReader(onData);
  return new PlainReader(end === 'close' ? Infinity : end, onData);
}

class PlainReader implements BodyReader {
  readonly #onData: OnData;
  #left: number;

  constructor(left: number, onData: OnData) {
    this.#left = left;
    this.#onData = onData;
  }

  push(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#left);
    this.#left -= end - from;
    if (end > from) this.#onData(bytes.subarray(from, end));
    return this.#left === 0 ? end : -1;
  }
}

const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;
/** What may follow the size of a chunk on its line, and all trailers together. */
const MAX_EXTRA_BYTES = 4096;

type State =
  | 'size'
  | 'extension'
  | 'size_end'
  | 'data'
  | 'data_cr'
  | 'data_lf'
  | 'trailer'
  | 'trailer_line'
  | 'end';

/** Reads chunks. What stands beside the data is bounded; what is no trailer is dropped. */
class ChunkedReader implements BodyReader {
  readonly #onData: OnData;
  #state: State = 'size';
  #size = 0;
  #digits = 0;
  #extra = 0;
  #previous = 0;
  trailers = '';
  hasExtensions = false;

  constructor(onData: OnData) {
    this.#onData = onData;
  }

  push(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length) {
      if (this.#state === 'data') at = this.#data(bytes, at);
      else if (this.#step(bytes[at++] ?? 0)) return at;
    }
    return -1;
  }

  #data(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#size);
    this.#size -= end - from;
    if (this.#size === 0) this.#state = 'data_cr';
    this.#onData(bytes.subarray(from, end));
    return end;
  }

  /** One byte beside the data. True: it was the last of the body. */
  #step(byte: number): boolean {
    switch (this.#state) {
      case 'size':
        this.#sizeDigit(byte);
        return false;
      case 'extension':
        this.#inExtension(byte);
        return false;
      case 'size_end':
        this.#expect(byte, LF, this.#size === 0 ? 'trailer' : 'data');
        this.#digits = 0;
        return false;
      case 'data_cr':
        this.#expect(byte, CR, 'data_lf');
        return false;
      case 'data_lf':
        this.#expect(byte, LF, 'size');
        return false;
      case 'trailer':
        this.#state = byte === CR ? 'end' : 'trailer_line';
        this.#previous = byte;
        if (byte !== CR) this.trailers += String.fromCharCode(byte);
        this.#spend();
        return false;
      case 'trailer_line':
        this.#inTrailer(byte);
        return false;
      default:
        this.#expect(byte, LF, 'end');
        return true;
    }
  }

  #sizeDigit(byte: number): void {
    const digit = hexDigit(byte);
    if (digit >= 0 && this.#digits < 12) {
      this.#size = this.#size * 16 + digit;
      this.#digits++;
    } else if (this.#digits === 0) throw new NotHttpError('the size of a chunk is malformed');
    else if (byte === CR) this.#state = 'size_end';
    else if (byte === SEMICOLON) this.#state = 'extension';
    else throw new NotHttpError('the size of a chunk is malformed');
  }

  #inExtension(byte: number): void {
    this.#spend();
    this.hasExtensions = true;
    if (byte === CR) this.#state = 'size_end';
    else if (byte < 0x20 && byte !== 0x09) throw new NotHttpError('a chunk is malformed');
  }

  #inTrailer(byte: number): void {
    this.#spend();
    this.trailers += String.fromCharCode(byte);
    if (byte === LF) {
      if (this.#previous !== CR) throw new NotHttpError('a trailer is malformed');
      this.#state = 'trailer';
    } else if (this.#previous === CR) throw new NotHttpError('a trailer is malformed');
    this.#previous = byte;
  }

  #expect(byte: number, wanted: number, next: State): void {
    if (byte !== wanted) throw new NotHttpError('a chunk is malformed');
    this.#state = next;
  }

  #spend(): void {
    if (++this.#extra > MAX_EXTRA_BYTES) throw new NotHttpError('there is too much beside the body');
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
