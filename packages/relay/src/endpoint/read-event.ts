/** An event of a server's stream, as a caller may read it. */
import { type StreamEvent, toEvent } from '../framing/events.ts';
import { type Peek, peek } from '../framing/peek.ts';
import { toUtf8 } from '../framing/utf8.ts';

/** An event, and the outside of the message in it. */
export interface ReadEvent {
  readonly event: StreamEvent;
  readonly seen: Peek;
}

/** The event as it came; where its message was no UTF-8, or the event is not named as one, one that is. */
export function readEvent(event: StreamEvent): ReadEvent {
  const seen = peek(event.data);
  const data = seen.kind === 'invalid' ? toUtf8(event.data) : event.data;
  if (data === event.data && isMessage(event)) return { event, seen };
  const raw = toEvent(data, event.id);
  return { event: { ...event, name: undefined, raw, data }, seen: data === event.data ? seen : peek(data) };
}

/** Clients read messages alone: they drop what comes under any other name, and wait. */
function isMessage({ name }: StreamEvent): boolean {
  return name === undefined || name === '' || name === 'message';
}
