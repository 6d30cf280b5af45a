/** What opened a conversation of 2025-11-25, so that it can be opened again with a new process. */
import { idBytes, idOf, withId } from '../framing/ids.ts';
import { oneLine } from '../framing/lines.ts';
import { type Peek, peek } from '../framing/peek.ts';

/** Messages under this id are the relay's own; a server never sees two of them open at once. */
export const REPLAY_ID: Buffer = Buffer.from('"mayday-replay"');

/** How a conversation is opened: the request, and the notification that follows its answer. */
export interface Opening {
  readonly initialize: Buffer;
  readonly initialized: Buffer;
}

/** Remembers the opening of a conversation. */
export class Handshake {
  #initialize: Buffer | undefined;
  #initialized: Buffer | undefined;

  constructor(opening?: Opening) {
    if (opening === undefined) return;
    this.see(opening.initialize, peek(opening.initialize));
    this.see(opening.initialized, peek(opening.initialized));
  }

  /** Takes note of a message of the client. Returns how to forget an opening, for when the server refuses it. */
  see(body: Buffer, seen: Peek): (() => void) | undefined {
    if (seen.method === 'notifications/initialized') this.#initialized = Buffer.from(oneLine(body)); // not all that was read with it
    if (seen.method !== 'initialize' || seen.kind !== 'request') return undefined;
    const opening = oneLine(withId(body, seen, REPLAY_ID));
    this.#initialize = opening;
    this.#initialized = undefined;
    return () => {
      if (this.#initialize === opening) this.#initialize = undefined;
    };
  }

  /** How to open the conversation again: the request, and the notification that follows its answer where the client sent one. */
  get replay(): { readonly opening: Buffer; readonly closing: Buffer | undefined } | undefined {
    if (this.#initialize === undefined) return undefined;
    return { opening: this.#initialize, closing: this.#initialized };
  }
}

/** Is this the answer to a replayed opening? */
export function isReplayAnswer(line: Buffer, seen: Peek): boolean {
  return idBytes(line, seen).equals(REPLAY_ID);
}

/** The same, while nothing else was asked: an error that names no request is about the opening, too. */
export function answersOpening(line: Buffer, seen: Peek): boolean {
  return isReplayAnswer(line, seen) || (seen.hasError && idOf(line, seen) === undefined);
}
