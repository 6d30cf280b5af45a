/** What one server of many may say to the client: nothing about what the client asked of another. */
import { decode, encode, locate, peek, splice } from '@mayday/relay';
import { tag, tagOf } from './tags.ts';

/** Tokens that are remembered. The progress of a task is told long after its call was answered. */
const MAX_TOKENS = 1000;

/** Longer ones cannot be guessed, and are not remembered. */
const MAX_TOKEN = 100;

/** The words of one server. */
export class OwnWords {
  readonly #mark: string;
  readonly #note: (text: string) => void;
  readonly #tokens: Set<unknown> = new Set();

  constructor(mark: string, note: (text: string) => void) {
    this.#mark = mark;
    this.#note = note;
  }

  /** The server is given this token, to tell of its progress. */
  give(token: unknown): void {
    if (token === undefined || isLong(token)) return;
    this.#tokens.delete(token);
    this.#tokens.add(token);
    const [oldest] = this.#tokens;
    if (this.#tokens.size > MAX_TOKENS) this.#tokens.delete(oldest);
  }

  /** A message of the server as the client may hear it, its ids marked as its own; `undefined` when it may not. */
  own(message: Buffer): Buffer | undefined {
    const { method, kind, paramsStart } = peek(message);
    if (kind !== 'notification') return tag(this.#mark, message);
    if (method === 'notifications/cancelled') return this.#cancelled(message, paramsStart);
    if (method !== 'notifications/progress') return message;
    const range = locate(message, paramsStart, 'progressToken');
    const token = range && decode(message.subarray(range.start, range.end));
    if (this.#tokens.has(token) || isLong(token)) return message;
    this.#note('told of progress that it was not asked for');
    return undefined;
  }

  /** It takes back a request of its own, which the client knows by another id. */
  #cancelled(message: Buffer, paramsStart: number): Buffer {
    const range = locate(message, paramsStart, 'requestId');
    if (range === undefined) return message;
    const id = encode(tagOf(this.#mark, decode(message.subarray(range.start, range.end))));
    return splice(message, [range], id);
  }
}

function isLong(token: unknown): boolean {
  return typeof token === 'string' && token.length > MAX_TOKEN;
}
