/**
 * JSON-RPC pipes for MCP: what a gateway, a fault injector and a prober stand on. This file is the whole
 * public surface.
 */

// The door, and what stands behind it.
export { listen, type Listener, type ListenerOptions, type Refusal } from './listener.ts';
export { type Endpoint, LinkEndpoint, type LinkEndpointOptions } from './link-endpoint.ts';
export { ProxyEndpoint, type ProxyEndpointOptions } from './proxy-endpoint.ts';
export { Reply, type ReplyHeaders } from './reply.ts';
export type { Call, Decision, Failure, Guard } from './guard.ts';

// Conversations with servers.
export type { Cancel, Era, Link, LinkEvents, Outgoing, Sink } from './link.ts';
export { faultOfHttp, HttpLink, type HttpLinkOptions } from './http-link.ts';
export { StdioLink, type StdioLinkOptions } from './stdio-link.ts';
export { type ProcessExit, StdioProcess, type StdioProcessOptions } from './stdio-process.ts';
export {
  createHttpClient,
  type Flow,
  type HttpAnswer,
  type HttpClient,
  type HttpHeaders,
  type HttpRequest,
} from './http-client.ts';
export { transportFault } from './transport-fault.ts';

// Messages as bytes.
export { encode, idOf, type MessageKind, parse, type Peek, peek, withId } from './message.ts';
export { hasFailed, mayHaveFailed } from './may-have-failed.ts';
export { createLineSplitter, type LineSplitter } from './lines.ts';
export { createEventSplitter, type EventSplitter, splitEvents, type StreamEvent, toEvent } from './events.ts';
export { checkEnvelope, eraOf, VERSION_KEY } from './envelope.ts';
export { metaOf, paramsOf } from './handshake.ts';
