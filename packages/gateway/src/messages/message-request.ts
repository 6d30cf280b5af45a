/** A message as the request over HTTP that an endpoint knows. */
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import {
  decode,
  encode,
  envelopeHeaders,
  type HttpHeaders,
  idOf,
  locate,
  type Peek,
  paramsOf,
  peek,
  type RequestHead,
  revisionOf,
} from '@mayday/relay';

/** A message, and what was seen of it. */
export interface DoorMessage {
  readonly body: Buffer;
  readonly peek: Peek;
  /** Stands for itself: no session is needed. */
  readonly isModern: boolean;
  /** What came along with it and is for whoever answers. */
  readonly headers: CarriedHeaders;
}

/** Headers that go along with a message. */
export interface CarriedHeaders {
  readonly [name: string]: string;
}

/** Looks at a message once. */
export function messageIn(body: Buffer, maxDepth: number, headers: CarriedHeaders = {}): DoorMessage {
  const seen = peek(body, { maxDepth });
  return { body, peek: seen, isModern: revisionOf({}, { body, peek: seen }) === '2026-07-28', headers };
}

/** What is said of a request whose client has gone. */
export function cancelling(requestId: string | number, headers: CarriedHeaders): DoorMessage {
  const params = { requestId, reason: 'The client has disconnected' };
  const body = encode({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  return { body, peek: peek(body), isModern: false, headers };
}

/** The request that a cancellation names. */
export function cancelledIn(body: Buffer): string | number | undefined {
  const { requestId } = paramsOf(decode(body)) ?? {};
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : undefined;
}

/** The id under which it is to be answered; none for what is no request. */
export function requestIdOf({ body, peek: seen }: DoorMessage): string | number | undefined {
  return seen.kind === 'request' ? idOf(body, seen) : undefined;
}

/** A call that has one goes on, whoever waits for it. */
export function hasKey({ body, peek: { paramsStart } }: DoorMessage): boolean {
  return locate(body, paramsStart, '_meta', IDEMPOTENCY_KEY) !== undefined;
}

/** Does it ask to be told of what happens, for as long as it stands? */
export function isListen({ peek: { kind, method }, isModern }: DoorMessage): boolean {
  return kind === 'request' && method === 'subscriptions/listen' && isModern;
}

/** The conversation that has been opened. */
export interface Conversation {
  readonly session: string | undefined;
  /** The revision that both sides have agreed on. */
  readonly version: string | undefined;
}

/** Where requests are sent. */
export const ROOT_PATH = '/mcp';

/** The head of the request that brings a message. */
export function headOf(message: DoorMessage, conversation: Conversation, path: string): RequestHead {
  const { body, peek: seen, isModern, headers } = message;
  const own = isModern ? envelopeHeaders({ body, peek: seen }) : headersOf(conversation, seen.method);
  return head('POST', path, {
    'content-type': 'application/json',
    ...headers,
    'content-length': String(body.length),
    ...own,
  });
}

/** The same for what is no message, and undefined for what is one. */
export function headOfInvalid(
  body: Buffer,
  { path, maxDepth, headers }: Listening & { readonly maxDepth: number },
): RequestHead | undefined {
  const message = messageIn(body, maxDepth, headers);
  return message.peek.kind === 'invalid' ? headOf(message, NO_CONVERSATION, path) : undefined;
}

/** Before one was opened. */
export const NO_CONVERSATION: Conversation = { session: undefined, version: undefined };

/** The head of the request that listens for what the server says unasked. */
export function listening(
  conversation: Conversation,
  { path, headers, lastEventId }: Listening,
): RequestHead {
  const own = { ...headers, ...headersOf(conversation, '') };
  return head('GET', path, lastEventId === undefined ? own : { ...own, 'last-event-id': lastEventId });
}

/** What is listened to, and by whom. */
export interface Listening {
  readonly path: string;
  readonly headers: CarriedHeaders;
  readonly lastEventId?: string | undefined;
}

/** The head of the request that ends a conversation. */
export function ending(conversation: Conversation, { path, headers }: Listening): RequestHead {
  return head('DELETE', path, { ...headers, ...headersOf(conversation, '') });
}

/** The head of a request that says nothing about itself. */
export const NOTHING_KNOWN: RequestHead = head('POST', ROOT_PATH, { 'content-type': 'application/json' });

/** What of the headers of a request is about that request alone: the one that is made of it has its own. */
const NOT_CARRIED: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
  'upgrade',
]);

/** The headers of a request that go along with the message in it. */
export function carried(headers: HttpHeaders): CarriedHeaders {
  const along: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !NOT_CARRIED.has(name))
      along[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return along;
}

function headersOf({ session, version }: Conversation, method: string): { [name: string]: string } {
  const headers: { [name: string]: string } = {};
  if (method === 'initialize') return headers;
  if (session !== undefined) headers['mcp-session-id'] = session;
  if (version !== undefined) headers['mcp-protocol-version'] = version;
  return headers;
}

function head(method: string, url: string, own: { readonly [name: string]: string }): RequestHead {
  const headers = { accept: 'application/json, text/event-stream', ...own };
  return { method, url, headers, rawHeaders: Object.entries(headers).flat() };
}
