/**
 * JSON-RPC pipes for MCP: what a gateway, a fault injector and a prober stand on. This file is the whole
 * public surface.
 */

// The door, and what stands behind it.
export type { Unread, UnreadAnswer } from './endpoint/answer-first.ts';
export {
  type Entry,
  listen,
  type Certificate,
  type Listener,
  type ListenerOptions,
  type TurnedAway,
  receive,
} from './endpoint/listener.ts';
export type { Endpoint, Listening, Mending, Path, Visit } from './endpoint/visit.ts';
export { http } from './node-http.ts';
export { LinkEndpoint, type LinkEndpointOptions } from './endpoint/link-endpoint.ts';
export { ProxyEndpoint, type ProxyEndpointOptions } from './endpoint/proxy-endpoint.ts';
export { isSameCaller, type SessionLimits } from './endpoint/sessions.ts';
export { Reply, type ReplyHeaders, type Response } from './endpoint/reply.ts';
export type { RequestHead } from './endpoint/request-head.ts';

// One call on its way, and the bytes that become of it.
export {
  type Answer,
  ANYBODY,
  answered,
  type Back,
  CallEnded,
  type Caller,
  type CallTrace,
  CANNOT_GO_ON,
  endOf,
  type Hear,
  type Heard,
  inDoubt,
  type KnownTool,
  lost,
  nameOf,
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
export { createHear, type HearOptions } from './endpoint/hear.ts';
export { outcomeOf, outcomeUnder, overLink } from './endpoint/over-link.ts';
export { goesOnFrom, type Refusal, refusalOf } from './endpoint/taken-back.ts';
export { overheardBy } from './endpoint/overheard.ts';
export { isStarting, noteStart } from './endpoint/starting.ts';
export { isBusy, runsTask } from './endpoint/busy.ts';
export { LONGEST_MS, namesTask, taskIn } from './endpoint/running-tasks.ts';
export { Ender } from './endpoint/ender.ts';
export { OUTDATED } from './endpoint/in-flight.ts';
export { untilIdle } from './endpoint/until-idle.ts';

// Conversations with servers.
export { wholeHead } from './links/whole-head.ts';
export { MUCH, othersFirst } from './links/others-first.ts';
export {
  type Cancel,
  type HowAnswered,
  type HttpHead,
  type Link,
  type LinkEvents,
  type LinkFault,
  NO_HEAD,
  type Outgoing,
  type Sink,
} from './links/link.ts';
export { countIds } from './links/asked-as.ts';
export { HttpLink, type HttpLinkOptions } from './links/http-link.ts';
export { asksForStreams, hasRightTypes, wrongMedia } from './endpoint/media-types.ts';
export { faultOfHttp } from './links/http-answer.ts';
export type { Opening } from './links/handshake.ts';
export { Lasting } from './links/lasting.ts';
export { OWN_OPENING, OWN_QUESTION } from './links/own-opening.ts';
export { BridgeLink, type BridgeLinkOptions } from './links/bridge/bridge-link.ts';
export { SseLink, type SseLinkOptions } from './links/sse/sse-link.ts';
export { speaksSse, type SpeaksSseOptions } from './links/sse/speaks-sse.ts';
export { StdioLink } from './links/stdio-link.ts';
export type { StdioLinkOptions } from './links/stdio-options.ts';
export {
  type ServerProcess,
  type StartProcess,
  StdioProcess,
  type StdioProcessOptions,
} from './links/stdio-process.ts';
export { describeExit, type ProcessExit, type StartFailure } from './links/process-exit.ts';
export type { Flow, HttpAnswer, HttpClient, HttpRequest } from './links/http-client.ts';
export type { Keeping, Receiving, Room } from './links/room.ts';
export { createHttpClient, type HttpClientOptions } from './links/http1/client.ts';
export type { Give, Given } from './links/giving-client.ts';
export { isPlace } from './links/place.ts';
export { type Limit, limitDetails, spelt } from './links/limit.ts';
export { CLOSED_EARLY, notOpened, refuse } from './links/refuse.ts';
export { type Silence, withSilence } from './links/silent-start.ts';
export { transportFault } from './links/transport-fault.ts';

// The protocol: revisions, the envelope, headers.
export { type Revision, revisionOf } from './protocol/revisions.ts';
export { checkEnvelope, envelopeHeaders, nameIn } from './protocol/envelope.ts';
export {
  decodeHeader,
  encodeHeader,
  type HttpHeaders,
  isEventStream,
  namedBy,
  requestHeaders,
  responseHeaders,
} from './protocol/headers.ts';
export { wrongProtocol } from './protocol/opening-answer.ts';
export { metaOf, paramsOf, resultOf } from './protocol/params.ts';

// Messages as bytes.
export {
  type Invalid,
  type MessageKind,
  movedBy,
  type Peek,
  type PeekOptions,
  hasMethod,
  peek,
} from './framing/peek.ts';
export { idBytes, idOf, withId } from './framing/ids.ts';
export { skipSpace } from './framing/scan.ts';
export { eachMember, elementsOf, locate, type Range, splice, textAt, valuesOf } from './framing/members.ts';
export { decodeInTurns } from './framing/in-turns.ts';
export { decodeExact, encodeExact, parseExact, stringifyExact, withNumbersOf } from './framing/numbers.ts';
export { withFewTexts } from './framing/few-texts.ts';
export { decode, encode, isMembers, type Members, type Parsed, parse } from './framing/json.ts';
export { createLineSplitter, type LineEvents, type LineSplitter, oneLine } from './framing/lines.ts';
export {
  createEventSplitter,
  type EventSplitter,
  splitEvents,
  type StreamEvent,
  toEvent,
  toSign,
} from './framing/events.ts';
export { createPile, type Pile } from './framing/pile.ts';
export { printable, withoutEscapes } from './framing/printable.ts';
export { toUtf8 } from './framing/utf8.ts';
export { WatchedBack } from './endpoint/watched-back.ts';
export { createPlaces, type Places } from './endpoint/places.ts';
export { type Answered, type Asked, Questions } from './endpoint/questions.ts';
export { isQuestion, type OpenQuestion, OpenQuestions } from './endpoint/open-questions.ts';
export { answerOfNobody } from './links/shared-link.ts';

// What is remembered, within bounds.
