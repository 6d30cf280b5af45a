/** What an attempt at a call over HTTP needs to know. */
import type { StreamEvent } from '../framing/events.ts';
import type { Peek } from '../framing/peek.ts';
import type { HttpClient } from '../links/http-client.ts';
import type { HttpHead } from '../links/link.ts';
import type { Note } from '../links/notes.ts';
import type { Hear, WireCall } from './call.ts';
import type { LostSessions } from './lost-sessions.ts';
import type { ReplyHeaders } from './reply.ts';
import type { Tellings } from './tellings.ts';

/** Which server, and how much of an answer is taken. */
export interface HttpExchangeOptions {
  readonly client: HttpClient;
  readonly path: string;
  readonly maxMessageBytes: number;
  readonly hear: Hear;
  /** The call's headers as they go to the server: names and values in turn. */
  readonly headersFor: (call: WireCall) => string[];
  /** The session that the call names, as the server knows it. */
  readonly sessionOf: (call: WireCall) => string | undefined;
  /** The server's headers as they go to the caller. */
  readonly headersBack: (call: WireCall, headers: ReplyHeaders) => ReplyHeaders;
  /** An event of the server's, without an id that may not be said. */
  readonly sayable: (event: StreamEvent) => StreamEvent;
  /** The same, under the id that the caller may come back with. */
  readonly eventBack: (call: WireCall, event: StreamEvent, head: HttpHead) => StreamEvent;
  /** Told about what is dropped. */
  readonly note: Note;
  /** Sessions that the server does not know any more, found out by asking. */
  readonly lostSessions: LostSessions;
  /** The stream of a call has ended before its answer, and its caller may come for the rest of it. */
  readonly onLeft: (call: WireCall, session: string, event: string) => void;
  /** Who hears what the server tells elsewhere. */
  readonly tellings: Tellings;
}

/** The session that a call is made in, and that its server may have forgotten. */
export function sessionFor(
  call: WireCall,
  { sessionOf }: Pick<HttpExchangeOptions, 'sessionOf'>,
): string | undefined {
  const isOfOne = call.method !== 'initialize' && call.revision === '2025-11-25';
  return isOfOne ? sessionOf(call) : undefined;
}

/** A refusal in a stream, until all was heard that follows it. */
export interface StreamedRefusal {
  readonly event: StreamEvent;
  readonly seen: Peek;
  readonly saysMore: boolean;
  /** It says that the session is not known, in the server's own bytes. */
  readonly denial: Buffer | undefined;
}
