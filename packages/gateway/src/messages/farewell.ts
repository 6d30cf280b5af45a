/** The end of a conversation: its server is told, and not waited for. */
import { type CarriedHeaders, type Conversation, ending } from './message-request.ts';
import type { Visits } from './visits.ts';

/** A server that does not take leave is left. */
const FAREWELL_MS = 1000;

/** Ends the session at its server; settles when that has answered, or does not. */
export function sayFarewell(
  visits: Visits,
  conversation: Conversation,
  about: { readonly path: string; readonly headers: CarriedHeaders },
): Promise<void> {
  return new Promise((resolve) => {
    const response = visits.respond({ onHead: () => {}, onMessage: () => true, onEnd: resolve });
    setTimeout(() => response.destroy(), FAREWELL_MS).unref();
    visits.knock(ending(conversation, about), EMPTY, response);
  });
}

const EMPTY: Buffer = Buffer.alloc(0);
