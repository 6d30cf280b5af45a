/** Passes a stream of events on, as the bytes that came, and looks for failing answers in it. */
import { createEventSplitter, splitEvents, toEvent } from './framing/events.ts';
import { decode } from './framing/json.ts';
import { hasFailed, mayHaveFailed } from './framing/may-have-failed.ts';
import { peek } from './framing/peek.ts';

/** What became of the bytes that arrived. */
export interface EventRelay {
  /** The bytes to pass on now, if any. */
  push(chunk: Buffer): Buffer | undefined;
  /** The answer that has passed, if one has. */
  readonly answer: Buffer | undefined;
  /** The stream names its events, so that it can be taken up again elsewhere. */
  readonly resumable: boolean;
  /** Bytes of an event that has not ended. */
  readonly held: number;
}

/** `onFailure` gets a failing answer and gives the bytes to send in its place; `undefined` takes it out. */
export function createEventRelay(
  onFailure: (message: unknown, bytes: Buffer) => Buffer | undefined,
): EventRelay {
  const splitter = createEventSplitter();
  let answer: Buffer | undefined;
  let resumable = false;
  return {
    get answer(): Buffer | undefined {
      return answer;
    },
    get resumable(): boolean {
      return resumable;
    },
    get held(): number {
      return splitter.held;
    },
    push(chunk) {
      const run = splitter.push(chunk);
      if (run === undefined) return undefined;
      const suspicious = mayHaveFailed(run);
      let out: Buffer[] | undefined;
      const events = splitEvents(run);
      for (let i = 0; i < events.length; i++) {
        const event = events[i];
        if (event === undefined) continue;
        if (event.id !== undefined) resumable = true;
        if (peek(event.data).kind === 'response') {
          answer = event.data;
          const message = suspicious ? decode(event.data) : undefined;
          if (hasFailed(message)) {
            out ??= events.slice(0, i).map((before) => before.raw);
            const instead = onFailure(message, event.data);
            if (instead !== undefined) out.push(toEvent(instead, event.id));
            continue;
          }
        }
        out?.push(event.raw);
      }
      return out === undefined ? run : Buffer.concat(out);
    },
  };
}
