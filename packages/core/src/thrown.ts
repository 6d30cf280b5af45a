/** Exceptions: those of the MCP SDKs, of fetch and Node, of validators and of HTTP clients. */
import type { Heard } from './dialects/dialect.ts';
import { errnoOf } from './errno.ts';
import type { Origin } from './fault.ts';
import { grpcStatusOf } from './grpc.ts';
import { member, own, ownArray, ownString, type Unknown } from './json.ts';
import type { Executed, Kind } from './kinds.ts';
import { messageOf, nameOf } from './wire/names.ts';
import { causesOf, isAnswer } from './wire/thrown.ts';
import type { Wire } from './wire/wire.ts';

/** What an exception means. */
export interface Meaning {
  readonly kind: Kind;
  readonly origin: Origin;
  /** Where it is something else than the kind implies. */
  readonly executed?: Executed;
  /** It is raised before anything is sent. */
  readonly unsent?: boolean;
  readonly subject?: string;
}

const local: Origin = 'local';
const transport: Origin = 'transport';

/** `SdkErrorCode` of SDK v2: local failures with string codes. */
// biome-ignore format: a table
export const SDK_CODES: { readonly [code: string]: Meaning } = {
  NOT_CONNECTED: { kind: 'disconnected', origin: local, unsent: true },
  ALREADY_CONNECTED: { kind: 'conflict', origin: local, unsent: true },
  NOT_INITIALIZED: { kind: 'not_ready', origin: local, unsent: true },
  CAPABILITY_NOT_SUPPORTED: { kind: 'unsupported', origin: local, subject: 'capability', unsent: true },
  REQUEST_TIMEOUT: { kind: 'timeout', origin: local },
  CONNECTION_CLOSED: { kind: 'disconnected', origin: transport },
  SEND_FAILED: { kind: 'disconnected', origin: transport },
  INVALID_RESULT: { kind: 'invalid_output', origin: local },
  UNSUPPORTED_RESULT_TYPE: { kind: 'invalid_output', origin: local },
  INPUT_REQUIRED_ROUNDS_EXCEEDED: { kind: 'input_required', origin: local },
  LIST_PAGINATION_EXCEEDED: { kind: 'too_large', origin: local },
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: { kind: 'unsupported', origin: local, subject: 'method', unsent: true },
  ERA_NEGOTIATION_FAILED: { kind: 'unsupported', origin: local, subject: 'protocol_version', unsent: true },
  CLIENT_HTTP_AUTHENTICATION: { kind: 'unauthenticated', origin: 'caller' },
  CLIENT_HTTP_FORBIDDEN: { kind: 'forbidden', origin: 'caller' },
  CLIENT_HTTP_UNEXPECTED_CONTENT: { kind: 'invalid_output', origin: 'server', executed: 'maybe' },
  CLIENT_HTTP_FAILED_TO_OPEN_STREAM: { kind: 'disconnected', origin: transport },
};

/** Classes whose name says it all. */
// biome-ignore format: a table
const NAMES: { readonly [name: string]: Meaning } = {
  AbortError: { kind: 'cancelled', origin: local },
  TimeoutError: { kind: 'timeout', origin: local },
  UnauthorizedError: { kind: 'unauthenticated', origin: 'caller' },
  InsufficientScopeError: { kind: 'forbidden', origin: 'caller' },
  OAuthError: { kind: 'unauthenticated', origin: 'caller' },
  ThrottlingException: { kind: 'rate_limited', origin: 'upstream' },
  TooManyRequestsException: { kind: 'rate_limited', origin: 'upstream' },
  ResourceNotFoundException: { kind: 'not_found', origin: 'upstream' },
  AccessDeniedException: { kind: 'forbidden', origin: 'upstream' },
  ValidationException: { kind: 'invalid_arguments', origin: 'upstream' },
  APIConnectionTimeoutError: { kind: 'timeout', origin: transport },
  APIConnectionError: { kind: 'disconnected', origin: transport },
  APIUserAbortError: { kind: 'cancelled', origin: local },
  StripeConnectionError: { kind: 'disconnected', origin: transport },
};

/** What an exception means, judged by class, code and the chain of causes, never by its prose. */
export function readThrown(wire: Wire): Heard | undefined {
  return wire.thrown === undefined
    ? undefined
    : (readErrno(wire) ?? readGrpc(wire) ?? readLimiter(wire) ?? readName(wire));
}

function heard(wire: Wire, meaning: Meaning, by: string, says: string, certainty: number): Heard {
  const id = meaning.subject === 'method' ? ownString(own(wire.thrown, 'data'), 'method') : undefined;
  const subject =
    meaning.subject === undefined
      ? undefined
      : id === undefined
        ? { type: meaning.subject }
        : { type: meaning.subject, id };
  return {
    kind: meaning.kind,
    message: wire.text,
    origin: meaning.origin,
    executed: meaning.executed,
    unsent: meaning.unsent,
    subject,
    certainty,
    evidence: [{ by, says, kind: meaning.kind }],
  };
}

/** Failures that the SDK's client raises itself; they must not be mistaken for the peer's. */
export function readLocal(wire: Wire): Heard | undefined {
  const { thrown } = wire;
  if (thrown === undefined) return undefined;
  const code = own(thrown, 'code');
  const data = own(thrown, 'data');
  if (typeof code === 'string' && Object.hasOwn(SDK_CODES, code) && !isAnswer(thrown)) {
    const meaning = SDK_CODES[code] as Meaning;
    if (code === 'ERA_NEGOTIATION_FAILED') {
      const cause = readErrno(wire);
      if (cause !== undefined) return cause;
    }
    if (code === 'REQUEST_TIMEOUT' && own(data, 'timeout') === undefined) {
      // SDK 2.x reports a caller's abort as a timeout; only a real one says how long it waited.
      return heard(
        wire,
        { kind: 'cancelled', origin: local },
        'sdk',
        'REQUEST_TIMEOUT without a timeout is an abort',
        0.9,
      );
    }
    return heard(wire, meaning, 'sdk', `SDK error ${code}`, 0.95);
  }
  if (code === -32001 && (own(data, 'timeout') !== undefined || /^Request timed out/.test(wire.text))) {
    return heard(
      wire,
      { kind: 'timeout', origin: local },
      'sdk',
      'SDK v1 raises -32001 itself when a request times out',
      0.95,
    );
  }
  if (code === -32000 && /^Connection closed/.test(wire.text)) {
    return heard(
      wire,
      { kind: 'disconnected', origin: transport },
      'sdk',
      'SDK v1 raises -32000 itself when the connection closes',
      0.95,
    );
  }
  // v1 throws a bare error; with a number it is the peer's, about a connection of its own.
  if (code === undefined && data === undefined && messageOf(thrown) === 'Not connected') {
    return heard(
      wire,
      { kind: 'disconnected', origin: local, unsent: true },
      'sdk',
      'the SDK was not connected',
      0.9,
    );
  }
  if (code === undefined && data === undefined && OTHER_ID.test(messageOf(thrown))) {
    return heard(
      wire,
      { kind: 'invalid_output', origin: 'server', executed: 'maybe' },
      'sdk',
      'the client was answered under an id that it has not used',
      0.9,
    );
  }
  if ((code === -32602 || code === -32600) && /structured content|output schema/i.test(wire.text)) {
    return heard(
      wire,
      { kind: 'invalid_output', origin: local },
      'sdk',
      "the client's own check of the tool's output failed",
      0.9,
    );
  }
  return undefined;
}

/** What a client says of an answer that is to none of its requests: no caller has looked for that id. */
const OTHER_ID = /^(?:Protocol error: )?Received a response for an unknown message ID\b/;

function readErrno(wire: Wire): Heard | undefined {
  const thrown = wire.thrown as Unknown;
  for (const cause of causesOf(thrown)) {
    const name = own(cause, 'code');
    const errno = errnoOf(name);
    if (errno === undefined) continue;
    const kind = isTimer(cause) ? 'timeout' : errno.kind;
    const meaning = { kind, origin: originOf(kind), unsent: isUnsent(thrown, MAX_DEPTH) };
    return heard(wire, meaning, 'errno', String(name), 0.9);
  }
  return undefined;
}

/** The status that another service answered with over gRPC. */
function readGrpc(wire: Wire): Heard | undefined {
  for (const cause of causesOf(wire.thrown as Unknown)) {
    const status = grpcStatusOf(cause);
    if (status === undefined) continue;
    return heard(wire, { kind: status.kind, origin: 'upstream' }, 'grpc', `gRPC status ${status.name}`, 0.9);
  }
  return undefined;
}

/** axios says with the same name that a connection was cut and that its own timer ran out. */
function isTimer(cause: Unknown): boolean {
  return own(cause, 'code') === 'ECONNABORTED' && /\btime(?:d )?out\b/i.test(messageOf(cause));
}

/** An abort whose signal gives a timer as its reason is a timeout; gaxios keeps the signal. */
function wasTimer(cause: Unknown, thrown: Unknown): boolean {
  const reasons = [cause, thrown].map((one) => member(member(member(one, 'config'), 'signal'), 'reason'));
  return reasons.some((reason) => member(reason, 'name') === 'TimeoutError');
}

function originOf(kind: Kind): Origin {
  if (kind === 'unavailable') return 'upstream';
  return kind === 'disconnected' || kind === 'timeout' ? transport : 'server';
}

const MAX_DEPTH = 5;
const MAX_ERRORS = 16;

/**
 * Was nothing sent? A name that only connecting raises proves it, and so does the system call that failed. Of
 * several errors each one has to: the first attempt may have been refused and the second one cut off.
 */
function isUnsent(thrown: unknown, depth: number): boolean {
  const errors = ownArray(thrown, 'errors');
  if (depth === 0 || (errors !== undefined && errors.length > MAX_ERRORS)) return false;
  if (errors !== undefined && errors.length > 0) return errors.every((error) => isUnsent(error, depth - 1));
  const errno = errnoOf(own(thrown, 'code'));
  if (errno === undefined) return isUnsent(own(thrown, 'cause'), depth - 1);
  return errno.unsent === true || OPENING.test(String(own(thrown, 'syscall')));
}

/** System calls without which there is nobody to send anything to. */
const OPENING = /^(?:connect|getaddrinfo|spawn(?: .*)?)$/s;

/** What rate-limiter-flexible rejects with: no exception, only how it stands. */
function readLimiter(wire: Wire): Heard | undefined {
  const { thrown } = wire;
  if (typeof member(thrown, 'msBeforeNext') !== 'number' || member(thrown, 'remainingPoints') !== 0)
    return undefined;
  return heard(
    wire,
    { kind: 'rate_limited', origin: 'server' },
    'class',
    'a limiter has no points left',
    0.85,
  );
}

function readName(wire: Wire): Heard | undefined {
  for (const cause of causesOf(wire.thrown as Unknown)) {
    const name = nameOf(cause);
    if (name === 'AbortError' && wasTimer(cause, wire.thrown as Unknown))
      return heard(wire, NAMES['TimeoutError'] as Meaning, 'class', 'aborted by a timer', 0.85);
    if (Object.hasOwn(NAMES, name)) return heard(wire, NAMES[name] as Meaning, 'class', name, 0.85);
    if (name === 'SyntaxError' && /JSON/.test(messageOf(cause))) {
      // Whoever sees this exception was reading somebody's answer.
      return heard(
        wire,
        { kind: 'upstream_failed', origin: 'upstream' },
        'class',
        'the answer was not JSON',
        0.8,
      );
    }
    if (name === 'TypeError' && messageOf(cause) === 'fetch failed') {
      return heard(
        wire,
        { kind: 'disconnected', origin: transport },
        'class',
        'fetch failed without saying why',
        0.6,
      );
    }
  }
  return undefined;
}
