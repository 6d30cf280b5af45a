/**
 * Response streams that ended before their answer, and that the SDK takes up again by the id of their last event. It
 * tells nobody when that fails: whoever waits for the answer would wait until the deadline.
 */
import { setLast } from '@mayday/policy';
import type { RequestId } from './reply.ts';

/** The streams of one transport that may be taken up again. */
export interface Interrupted {
  /** Does the SDK take up streams at all? */
  readonly isEverResumed: boolean;
  /** The stream of this request ended after this event; had the server told of its work? */
  note(event: string, id: RequestId, hasBegun: boolean): void;
  /** The request whose stream a GET takes up again. */
  takenUpBy(init: RequestInit | undefined): Taken | undefined;
  /** A GET asks for what comes after an answer of ours; there is nothing. */
  isOver(init: RequestInit | undefined): boolean;
}

/** A stream that is being taken up again. */
export interface Taken {
  readonly id: RequestId;
  readonly hasBegun: boolean;
  /** It goes on, or it never will. */
  settle(): void;
  /** It has failed once more; is that the last time that the SDK tries? */
  failed(): boolean;
}

/** Beyond these the oldest are forgotten. */
const MAX_INTERRUPTED = 1000;

/** What stands after an answer that we give in a server's place: v1 of the SDK takes a stream up again after an error. */
const OVER = 'mayday-over';

interface Stream {
  readonly id: RequestId;
  readonly hasBegun: boolean;
  failures: number;
}

/** None so far. `tries` is how often the SDK tries to take up a stream. */
export function createInterrupted(tries: number): Interrupted {
  const streams = new Map<string, Stream>();
  return {
    isEverResumed: tries > 0,
    note(event, id, hasBegun) {
      setLast(streams, event, { id, hasBegun, failures: 0 }, MAX_INTERRUPTED);
    },
    takenUpBy(init) {
      const event = lastEvent(init);
      const stream = event === undefined ? undefined : streams.get(event);
      if (event === undefined || stream === undefined) return undefined;
      return {
        id: stream.id,
        hasBegun: stream.hasBegun,
        settle: () => void streams.delete(event),
        failed() {
          stream.failures += 1;
          return stream.failures >= tries;
        },
      };
    },
    isOver: (init) => lastEvent(init) === OVER,
  };
}

/** The event in an answer's place, for a stream that the SDK would take up again behind it. */
export function lostForGood(answer: unknown): string {
  return `id: ${OVER}\ndata: ${JSON.stringify(answer)}\n\n`;
}

function lastEvent(init: RequestInit | undefined): string | undefined {
  return new Headers(init?.headers).get('last-event-id') ?? undefined;
}
