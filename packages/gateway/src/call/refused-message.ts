/**
 * A message that was sent as it should be, and that a server's HTTP turns away all the same. What the status says of a
 * request is said of the gateway's: whoever called has done nothing wrong. What a server of MCP answers to the request
 * that it has read, and words about what the caller sent, keep their meaning.
 */
import { type DialectId, type Fault, type FaultInit, makeFault } from '@mayday/core';
import { deniesSession, endpointGone } from '@mayday/core/http';
import { isOfNoRequest, STATELESS_REVISION } from '@mayday/core/protocol';
import {
  checkEnvelope,
  decode,
  type Heard,
  hasRightTypes,
  http,
  isMembers,
  type Members,
  type SaidHttp,
  type WireCall,
  wholeHead,
} from '@mayday/relay';
import { wordsByStatus } from './by-status.ts';
import { misshapen } from './malformed.ts';

/** What was heard, said of whose request it was. */
export function ofWhoseRequest(call: WireCall, said: SaidHttp, heard: Heard, from?: DialectId): Heard {
  const message = messageIn(said.body);
  const gone = goneIn(said, heard, from);
  if (gone !== undefined) return gone;
  const whose = attributed(call, said, heard, message);
  return message === undefined ? wordsByStatus(said, whose) : whose;
}

function attributed(call: WireCall, said: SaidHttp, heard: Heard, message: Members | undefined): Heard {
  const isOfOurs = message !== undefined && isOfConversation(said, heard);
  const isUnread = isOfOurs || (message !== undefined && isOfTransport(message, said, heard));
  if (message === undefined ? !isOfNobody(heard) : !isUnread) return heard;
  const { fault } = heard;
  // A call that the transport alone has looked at fails like one that it turned away without a message.
  const placement = call.method === 'tools/call' ? 'tool' : heard.placement;
  if (call.revision === STATELESS_REVISION && isOfHandshake(heard))
    return { ...heard, placement, fault: makeFault(speaksEarlier(call, fault)) };
  if (fault.kind === 'unauthenticated' && said.status === 401) return { ...heard, placement };
  if (fault.kind === 'too_large')
    return { ...heard, placement, fault: { ...fault, subject: { type: 'message' } } };
  if (!isOfOurs && (!isOfSending(sentIn(call, said), said, heard, isUnread) || isWrong(call))) return heard;
  const { correlationId } = fault;
  const executed =
    isOfOurs && deniesSession({ ...wholeHead(said.head), body: said.body.toString('utf8') })
      ? 'no'
      : fault.executed;
  const words = saysWhy(said, fault)
    ? fault.message
    : `The server refused the request without saying why (HTTP ${said.status})`;
  return {
    ...heard,
    placement,
    fault: makeFault({
      kind: isOfPlace(sentIn(call, said), fault) ? 'misconfigured' : 'internal',
      origin: 'server',
      message: words,
      executed,
      correlationId,
    }),
  };
}

/** What its status says of the whole endpoint. */
function goneIn(said: SaidHttp, heard: Heard, from: DialectId | undefined): Heard | undefined {
  const { fault, dialect } = heard;
  const body = said.body.toString('utf8');
  const isNamed = dialect !== null && dialect === from;
  const gone = endpointGone({ ...wholeHead(said.head), body, fault, dialect, isNamed, origin: 'upstream' });
  return gone && { ...heard, dialect: null, fault: gone };
}

/** Is it in no document's form, or no more than what the status says of the gateway's own headers? */
function isOfNobody({ dialect, fault }: Heard): boolean {
  return dialect === null || fault.kind === 'unsupported_media';
}

/** The headers of the request that was refused: in a conversation of the gateway's own they are nobody else's. */
function sentIn({ headers }: WireCall, { isOurs }: SaidHttp): Sent {
  return isOurs === true
    ? { isRight: true, origin: undefined }
    : { isRight: hasRightTypes(headers), origin: headers['origin'] };
}

interface Sent {
  /** The types are all that the specification demands. */
  readonly isRight: boolean;
  readonly origin: WireCall['headers'][string];
}

/** Does the server not want to be reached as the gateway reaches it? Its list of hosts and origins is its operator's. */
function isOfPlace({ origin }: Sent, { kind, message }: Fault): boolean {
  const [, what] = (kind === 'forbidden' && /^Invalid (Host|Origin)\b/i.exec(message)) || [];
  return what !== undefined && (what.toLowerCase() === 'host' || origin === undefined);
}

/**
 * Is it about a handshake, a session or a revision of the gateway's own, in the words of an SDK's transport? In such a
 * conversation what came without an id has been given that of the call.
 */
function isOfConversation({ isOurs }: SaidHttp, heard: Heard): boolean {
  return isOurs === true && isOfHandshake(heard);
}

function isOfHandshake({ dialect, fault }: Heard): boolean {
  const { kind, subject, message } = fault;
  if (dialect !== null || !BAD_REQUEST.test(message)) return false;
  return kind === 'not_ready' || subject?.type === 'session' || BAD_VERSION.test(message);
}

/** To a client that knows no handshake and no session: the server wants both, and knows nothing else. */
function speaksEarlier({ upstream }: WireCall, { message, correlationId }: Fault): FaultInit {
  return {
    kind: 'unsupported',
    origin: 'caller',
    executed: 'no',
    correlationId,
    subject: { type: 'upstream', id: upstream },
    message: `${message}; the server speaks 2025-11-25, this client 2026-07-28`,
    advice: 'Open a session of 2025-11-25 with `initialize`.',
  };
}

function messageIn(body: Buffer): Members | undefined {
  const said = decode(body);
  return isMembers(said) && said['jsonrpc'] === '2.0' ? said : undefined;
}

/**
 * Is it a refusal of the transport, which the SDKs word as a message too? Whoever has read a request answers under its
 * id, or has a code for what is wrong with it; types alone are refused under one that says nothing of them. What the SDKs say to
 * the letter is of it under any id.
 */
function isOfTransport({ id }: Members, { isNameless }: SaidHttp, { dialect, fault }: Heard): boolean {
  if (isNameless !== true && !isOfNoRequest(id) && !OF_SENDING.test(fault.message)) return false;
  return dialect === null || fault.kind === 'unsupported_media';
}

/** Is there something in what the caller sent that a server may refuse? */
function isWrong(call: WireCall): boolean {
  const isStateless = call.revision === STATELESS_REVISION;
  return (
    misshapen(call.method, call.params()) !== undefined ||
    (isStateless && checkEnvelope(call.headers, call) !== undefined)
  );
}

/** Is it about how the message was sent, rather than about what the caller said in it? */
function isOfSending(sent: Sent, said: SaidHttp, { fault, byStatus }: Heard, isUnread: boolean): boolean {
  if (NO_JSON.test(fault.message)) return sent.isRight;
  if (fault.issues.length > 0) return false;
  switch (fault.kind) {
    case 'forbidden':
      return isOfPlace(sent, fault);
    case 'parse_error':
    case 'invalid_request':
      return true;
    case 'invalid_arguments':
      return byStatus === true || !saysWhy(said, fault) || (isUnread && BAD_REQUEST.test(fault.message));
    case 'unsupported_media':
      return sent.isRight;
    default:
      return false;
  }
}

/** How the transports of the SDKs say that what they were sent is not of the type that it has to be. */
const NO_JSON = /^(?:Bad Request: )?(?:Invalid Content-Type header|body must be JSON)\W*$/i;

/** All that the transports of the SDKs have against how a message is sent: its types, and the host and origin that it names. */
const OF_SENDING =
  /^(?:Not Acceptable: Client must accept (?:both )?(?:application\/json|text\/event-stream)|Unsupported Media Type: Content-Type must be application\/json|Invalid (?:Host|Origin)(?: header)?(?:: \S+)?$|(?:Bad Request: )?(?:Invalid Content-Type header|body must be JSON)\W*$)/;

/** How the transports of the SDKs begin what they say under HTTP 400. */
const BAD_REQUEST = /^Bad Request: /;

const BAD_VERSION = /^Bad Request: Unsupported protocol version\b/;

/** Are there words, and more of them than the name of the status? */
function saysWhy({ status, body }: SaidHttp, { message }: Fault): boolean {
  if (body.length === 0) return false;
  const words = message.replace(/^(?:HTTP )?\d{3}\b\W*/i, '').replace(/\W+$/, '');
  return words !== '' && words.toLowerCase() !== http.STATUS_CODES[status]?.toLowerCase();
}
