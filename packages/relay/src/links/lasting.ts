/**
 * Requests whose effect lasts as long as the conversation: the level of the log, and what is subscribed to. A server
 * that was started again knows nothing of them, and the client does not know that it was.
 */
import { withId } from '../framing/ids.ts';
import { oneLine } from '../framing/lines.ts';
import { locate, textAt } from '../framing/members.ts';
import { type Peek, peek } from '../framing/peek.ts';
import type { Sink } from './link.ts';

/** What is remembered of one conversation; a client with more has to subscribe again itself. */
const MAX_SUBSCRIPTIONS = 1000;
const MAX_BYTES = 4096;

/** Under ids like this the requests are made again. */
const AGAIN = /^"mayday-again-\d+"$/;

/** Is this the answer to a request that was made again? */
export function isAnswerAgain(line: Buffer, { idStart, idEnd }: Peek): boolean {
  return idStart >= 0 && AGAIN.test(line.toString('latin1', idStart, idEnd));
}

/** The same sink; `forget` is called when the answer is that the server will not do it. */
export function unlessRefused(sink: Sink, forget: (() => void) | undefined): Sink {
  if (forget === undefined) return sink;
  return {
    answered(answer, head, how) {
      if (peek(answer).hasError) forget();
      sink.answered(answer, head, how);
    },
    related: (message) => sink.related(message),
    lost: (fault, original, head) => sink.lost(fault, original, head),
    told: () => sink.told?.(),
    late: () => sink.late?.(),
    overheard: (words) => sink.overheard?.(words),
    drained: () => sink.drained?.(),
  };
}

/** Remembers what lasts. */
export class Lasting {
  readonly #subscribed: Map<string, Buffer> = new Map();
  #level: Buffer | undefined;
  #bytes = 0;

  /** `level`: the request for the level of the log that holds already. */
  constructor(level?: Buffer) {
    this.#level = level;
  }

  /** The request for the level of the log, where there was one. */
  get level(): Buffer | undefined {
    return this.#level;
  }

  /** How much memory it takes. */
  get held(): number {
    return this.#bytes + (this.#level?.length ?? 0);
  }

  /** Does the client wait for what the server says by itself? */
  get isListening(): boolean {
    return this.#subscribed.size > 0;
  }

  /** Takes note of a request. Returns how to forget it, for when the server refuses it. */
  see(body: Buffer, seen: Peek): (() => void) | undefined {
    if (seen.kind !== 'request') return undefined;
    if (seen.method === 'initialize') this.#clear();
    if (seen.method === 'logging/setLevel') return this.#setLevel(body);
    if (seen.method !== 'resources/subscribe' && seen.method !== 'resources/unsubscribe') return undefined;
    const uri = textAt(body, locate(body, seen.paramsStart, 'uri'));
    if (uri === undefined) return undefined;
    return seen.method === 'resources/subscribe' ? this.#subscribe(uri, body) : this.#unsubscribe(uri);
  }

  /** Everything that was asked for and still holds, as requests of the link's own. */
  get again(): readonly Buffer[] {
    const bodies = [...(this.#level === undefined ? [] : [this.#level]), ...this.#subscribed.values()];
    return bodies.map((body, i) => oneLine(withId(body, peek(body), Buffer.from(`"mayday-again-${i + 1}"`))));
  }

  /** A conversation that the client begins anew has nothing of the one before. */
  #clear(): void {
    this.#level = undefined;
    this.#subscribed.clear();
    this.#bytes = 0;
  }

  #setLevel(body: Buffer): (() => void) | undefined {
    const before = this.#level;
    if (body.length > MAX_BYTES) return undefined;
    this.#level = body;
    return () => {
      if (this.#level === body) this.#level = before;
    };
  }

  #subscribe(uri: string, body: Buffer): (() => void) | undefined {
    const isKnown = this.#subscribed.has(uri);
    if (isKnown || body.length > MAX_BYTES || this.#subscribed.size >= MAX_SUBSCRIPTIONS) return undefined;
    this.#add(uri, body);
    return () => this.#remove(uri);
  }

  #unsubscribe(uri: string): (() => void) | undefined {
    const body = this.#subscribed.get(uri);
    this.#remove(uri);
    return body === undefined ? undefined : () => this.#add(uri, body);
  }

  #add(uri: string, body: Buffer): void {
    this.#remove(uri);
    this.#subscribed.set(uri, body);
    this.#bytes += body.length;
  }

  #remove(uri: string): void {
    this.#bytes -= this.#subscribed.get(uri)?.length ?? 0;
    this.#subscribed.delete(uri);
  }
}
