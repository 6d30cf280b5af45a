/** How one call is answered over HTTP: as one body, or as a stream once the server has more to say. */
import { toEvent } from '../framing/events.ts';
import type { Answer, Back, Related } from './call.ts';
import type { SessionStream } from './event-store.ts';
import type { Reply, ReplyHeaders } from './reply.ts';
import type { Session } from './session.ts';

/** Answers one call, once. */
export interface Delivery extends Back {
  conclude(answer: Answer): void;
}

/** Answers straight over the connection of the request. */
export function directDelivery(reply: Reply, headers?: ReplyHeaders): Delivery {
  return {
    get committed() {
      return reply.isStream;
    },
    open: (own) => reply.stream({ ...headers, ...own }),
    related({ data, raw, id }) {
      reply.stream(headers);
      return reply.event(raw ?? toEvent(data, id));
    },
    onDrain: (listener) => reply.onDrain(listener),
    conclude({ body, status, headers: own, isStream, eventId }) {
      if (isStream || reply.isStream) {
        reply.stream({ ...headers, ...own });
        reply.event(isStream ? body : toEvent(body, eventId));
        reply.end();
      } else reply.raw(status, { ...headers, ...own }, body);
    },
  };
}

/** Answers into a stream of the session, which outlives the connection: what was missed can be asked for again. */
export function sessionDelivery(reply: Reply, session: Session): Delivery {
  const headers: ReplyHeaders = { 'mcp-session-id': session.id };
  let stream: SessionStream | undefined;
  const open = (): void => {
    stream ??= reply.isOpen ? session.stream(reply) : undefined;
  };
  return {
    get committed() {
      return stream !== undefined;
    },
    open,
    related({ data }: Related) {
      open();
      return stream?.send(data) ?? true;
    },
    onDrain: (listener) => reply.onDrain(listener),
    conclude({ body, status, headers: own }) {
      if (stream === undefined) reply.raw(status, { ...(session.isEnded ? {} : headers), ...own }, body);
      else {
        stream.send(body);
        session.finish(stream);
      }
    },
  };
}
