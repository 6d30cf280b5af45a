/** What a session is subscribed to: it is held for as long as the session lasts, so there is only so much of it. */
import type { FaultInit } from '@mayday/core';
import { locate, textAt } from '../framing/members.ts';
import type { Peek } from '../framing/peek.ts';
import { longer } from './refusals.ts';

const MAX_SUBSCRIPTIONS = 1000;
const MAX_URI = 4096;
const MAX_URIS = 1024 * 1024;

/** What becomes of a request about subscriptions. */
export interface Seen {
  /** Why it goes no further. */
  readonly refusal?: FaultInit | undefined;
  /** Takes back what was noted, for when the server says no. */
  readonly undo?: (() => void) | undefined;
}

/** The resources that one session hears about. */
export class Subscriptions {
  readonly #uris: Set<string> = new Set();
  readonly #fits: () => boolean;
  #length = 0;

  /** `fits`: is there room for what is noted now? */
  constructor(fits: () => boolean = () => true) {
    this.#fits = fits;
  }

  /** How much is noted. */
  get length(): number {
    return this.#length;
  }

  /** Takes note of a request, if it is about subscriptions. */
  see(body: Buffer, { method, paramsStart }: Peek): Seen {
    if (method !== 'resources/subscribe' && method !== 'resources/unsubscribe') return NOTHING;
    const uri = textAt(body, locate(body, paramsStart, 'uri'));
    if (uri === undefined) return NOTHING;
    if (method === 'resources/subscribe') return this.#subscribe(uri);
    if (!this.#remove(uri)) return NOTHING;
    return { undo: () => this.#add(uri) };
  }

  #subscribe(uri: string): Seen {
    if (this.#uris.has(uri)) return NOTHING;
    if (uri.length > MAX_URI) return { refusal: longer('The URI', `${MAX_URI} characters`) };
    const isFull = this.#uris.size >= MAX_SUBSCRIPTIONS || this.#length + uri.length > MAX_URIS;
    if (isFull) return { refusal: TOO_MANY };
    this.#add(uri);
    if (this.#fits()) return { undo: () => this.#remove(uri) };
    this.#remove(uri);
    return { refusal: TOO_MANY };
  }

  #add(uri: string): void {
    if (this.#uris.has(uri)) return;
    this.#uris.add(uri);
    this.#length += uri.length;
  }

  #remove(uri: string): boolean {
    if (!this.#uris.delete(uri)) return false;
    this.#length -= uri.length;
    this.#fits(); // less always does, and is to be known
    return true;
  }
}

const NOTHING: Seen = {};

const TOO_MANY: FaultInit = {
  kind: 'quota_exhausted', // waiting does not help
  origin: 'gateway',
  executed: 'no',
  subject: { type: 'session' },
  message: 'This session is subscribed to as many resources as it may be; unsubscribe from one first',
  advice: 'Unsubscribe from what is of no interest any more, then subscribe again.',
};
