/** A line as the request over HTTP that an endpoint knows. */
import { envelopeHeaders, type Peek, peek, type RequestHead, revisionOf } from '@mayday/relay';

/** A message, and what was seen of it. */
export interface LineMessage {
  readonly body: Buffer;
  readonly peek: Peek;
  /** Stands for itself: no session is needed. */
  readonly isModern: boolean;
}

/** Looks at a line once. */
export function messageIn(body: Buffer, maxDepth: number): LineMessage {
  const seen = peek(body, { maxDepth });
  return { body, peek: seen, isModern: revisionOf({}, { body, peek: seen }) === '2026-07-28' };
}

/** The conversation that has been opened. */
export interface Conversation {
  readonly session: string | undefined;
  /** The revision that both sides have agreed on. */
  readonly version: string | undefined;
}

/** Where everything is sent. */
const PATH = '/mcp';

/** The head of the request that brings a message. */
export function headOf({ body, peek: seen, isModern }: LineMessage, conversation: Conversation): RequestHead {
  const own = isModern ? envelopeHeaders({ body, peek: seen }) : headersOf(conversation, seen.method);
  return head('POST', {
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...own,
  });
}

/** The head of the request that listens for what the server says unasked. */
export function listening(conversation: Conversation, lastEventId: string | undefined): RequestHead {
  const headers = headersOf(conversation, '');
  return head('GET', lastEventId === undefined ? headers : { ...headers, 'last-event-id': lastEventId });
}

/** The head of a request that says nothing about itself. */
export const NOTHING_KNOWN: RequestHead = head('POST', { 'content-type': 'application/json' });

function headersOf({ session, version }: Conversation, method: string): { [name: string]: string } {
  const headers: { [name: string]: string } = {};
  if (method === 'initialize') return headers;
  if (session !== undefined) headers['mcp-session-id'] = session;
  if (version !== undefined) headers['mcp-protocol-version'] = version;
  return headers;
}

function head(method: string, own: { readonly [name: string]: string }): RequestHead {
  const headers = { accept: 'application/json, text/event-stream', ...own };
  return { method, url: PATH, headers, rawHeaders: Object.entries(headers).flat() };
}
