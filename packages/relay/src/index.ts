/**
 * JSON-RPC pipes for MCP: what a gateway, a fault injector and a prober stand on. This file is the whole
 * public surface.
 */

// The door, and what stands behind it.
export {
  type Entry,
  listen,
  type Listener,
  type ListenerOptions,
  type TurnedAway,
} from './endpoint/listener.ts';
export type { Endpoint, Path, Visit } from './endpoint/visit.ts';
export { LinkEndpoint, type LinkEndpointOptions } from './endpoint/link-endpoint.ts';
export { ProxyEndpoint, type ProxyEndpointOptions } from './endpoint/proxy-endpoint.ts';
export type { SessionLimits } from './endpoint/sessions.ts';
export { Reply, type ReplyHeaders } from './endpoint/reply.ts';

// One call on its way, and the bytes that become of it.
export {
  type Answer,
  ANYBODY,
  answered,
  type Back,
  CallEnded,
  type Caller,
  endOf,
  type Hear,
  type Heard,
  lost,
  type Related,
  refusedBy,
  type Said,
  type SaidHttp,
  type SaidMessage,
  type Understanding,
  type Wire,
  type WireCall,
  type WireHandler,
  type WireOutcome,
  type WirePolicy,
} from './endpoint/call.ts';
export { createHear } from './endpoint/hear.ts';
export { outcomeOf, overLink } from './endpoint/over-link.ts';

// Conversations with servers.
export type { Cancel, Link, LinkEvents, Outgoing, Sink } from './links/link.ts';
export { HttpLink, type HttpLinkOptions } from './links/http-link.ts';
export { StdioLink } from './links/stdio-link.ts';
export { StdioProcess, type StdioProcessOptions } from './links/stdio-process.ts';
export type { ProcessExit } from './links/process-exit.ts';
export {
  createHttpClient,
  type Flow,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
} from './links/http-client.ts';
export { transportFault } from './links/transport-fault.ts';

// Messages as bytes.
export { idOf, withId } from './framing/ids.ts';
export { decode, encode, isMembers, type Members, parse } from './framing/json.ts';
export { locate, type Range, splice, valuesOf } from './framing/members.ts';
export { type Invalid, type MessageKind, type Peek, peek } from './framing/peek.ts';
export { hasFailed, mayHaveFailed } from './framing/may-have-failed.ts';
export { createLineSplitter, type LineSplitter } from './framing/lines.ts';
export {
  createEventSplitter,
  type EventSplitter,
  splitEvents,
  type StreamEvent,
  toEvent,
} from './framing/events.ts';
export type { HttpHeaders } from './protocol/headers.ts';
export { checkEnvelope } from './protocol/envelope.ts';
export { VERSION_KEY } from './protocol/meta-keys.ts';
export { metaOf, paramsOf } from './protocol/params.ts';
export { type Revision, revisionOf } from './protocol/revisions.ts';
