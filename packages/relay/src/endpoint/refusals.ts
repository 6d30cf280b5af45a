/** What an endpoint says to messages that go no further. Nothing of them was executed. */
import type { FaultInit } from '@mayday/core';
import { REVISIONS, STATELESS_REVISION } from '@mayday/core/protocol';
import type { Invalid } from '../framing/peek.ts';

/** Why a body goes no further. */
export function refusalOf(why: Invalid): FaultInit {
  return { origin: 'caller', executed: 'no', ...WHY[why] };
}

const NO_MESSAGE = { kind: 'invalid_request', subject: { type: 'message' } } as const;

const WHY: { readonly [why in Invalid]: FaultInit } = {
  not_utf8: { kind: 'parse_error', message: 'The body is not UTF-8' },
  not_json: { kind: 'parse_error', message: 'The body is not valid JSON' },
  too_deep: { ...NO_MESSAGE, message: 'The body is nested too deeply' },
  batch: {
    ...NO_MESSAGE,
    message: 'Batches are not part of MCP since revision 2025-06-18; send one message in a request',
  },
  not_a_message: { ...NO_MESSAGE, message: 'The body is not a JSON-RPC message' },
  ambiguous: {
    ...NO_MESSAGE,
    message: 'The body could be read in two ways; send each member once, spelt as JSON-RPC has it',
  },
  bad_id: { ...NO_MESSAGE, message: 'The id is neither a string nor an integer below 2^53' },
};

/** A call that nobody could be told the end of: it would pass by everything that stands around calls. */
export function withoutId(method: string): FaultInit {
  const message = `${method} is sent as a request; give it an id`;
  return { ...NO_MESSAGE, origin: 'caller', executed: 'no', message };
}

/** A session that is not there, or somebody else's: the two are not told apart. */
export const NO_SESSION: FaultInit = {
  kind: 'expired',
  origin: 'caller',
  executed: 'no',
  subject: { type: 'session' },
  message: 'The session is unknown or has ended; initialize a new one',
};
/** The event after which a stream is to go on is not there, or somebody else's: the two are not told apart. */
export const NO_EVENT: FaultInit = {
  kind: 'invalid_request',
  origin: 'caller',
  executed: 'no',
  subject: { type: 'event' },
  message: 'Last-Event-ID names no event that was sent in this session',
  advice: 'Listen without Last-Event-ID.',
};
/** Something was asked before the handshake. */
export const NOT_INITIALIZED: FaultInit = {
  kind: 'not_ready',
  origin: 'caller',
  executed: 'no',
  message: 'Server not initialized',
  advice: 'Send initialize first.',
  details: { phase: 'pre_initialization' },
};
/** Streams are for those who have a session. */
export const STREAM_OF_NONE: FaultInit = {
  kind: 'unsupported',
  origin: 'caller',
  executed: 'no',
  subject: { type: 'session' },
  message: 'Without Mcp-Session-Id there is nothing here to listen to; send messages with POST',
};

/** Whoever ends a session says which. */
export const END_OF_NONE: FaultInit = {
  kind: 'invalid_request',
  origin: 'caller',
  executed: 'no',
  subject: { type: 'session' },
  message: 'Mcp-Session-Id is missing: it names the session that is to end',
};

/** Nothing is done here with this method of HTTP. */
export function notByThisMethod(
  method: string | undefined,
  instead: 'POST' | 'POST, GET or DELETE' = 'POST, GET or DELETE',
): FaultInit {
  return {
    kind: 'unsupported',
    origin: 'caller',
    executed: 'no',
    message: `Nothing is served by ${method ?? 'this method'}; use ${instead}`,
  };
}

/** A session too many, while all that could make room are in use. */
export function tooManySessions(afterMs: number | undefined): FaultInit {
  return {
    kind: 'overloaded',
    origin: 'gateway',
    executed: 'no',
    subject: { type: 'session' },
    message:
      'Too many sessions are open, and those that could make room are in use; end one, or try again later',
    retry: afterMs === undefined ? undefined : { afterMs },
  };
}

/** A conversation is opened by a session, and a stateless caller has none. */
export const NO_OPENING: FaultInit = {
  kind: 'unsupported',
  origin: 'caller',
  executed: 'no',
  subject: { type: 'method', id: 'initialize' },
  message: 'Method not found: initialize is not part of revision 2026-07-28',
};
/** What ends a call whose caller is gone. Nobody reads it but the log. */
export const CALLER_LEFT: FaultInit = {
  kind: 'cancelled',
  origin: 'caller',
  message: 'The caller went away',
};

/** JSON-RPC of no version, or of another. */
export const OTHER_VERSION: FaultInit = {
  ...NO_MESSAGE,
  origin: 'caller',
  executed: 'no',
  message: 'The field jsonrpc must be "2.0"',
};

/** MCP has params by name only. */
export const PARAMS_ARE_NO_OBJECT: FaultInit = {
  kind: 'invalid_arguments',
  origin: 'caller',
  executed: 'no',
  subject: { type: 'message' },
  message: 'The field params must be an object',
};

/** A param that must be text is something else. */
export function notText(param: string): FaultInit {
  return {
    kind: 'invalid_arguments',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'message' },
    message: `params.${param} is not a text`,
    issues: [{ path: [param], message: 'Expected a text', code: 'invalid_type' }],
  };
}

/** A revision that is not spoken here. */
export function unspoken(
  version: string | undefined,
  speaks: readonly string[] | undefined,
): FaultInit | undefined {
  if (version === undefined || speaks === undefined || speaks.includes(version)) return undefined;
  return {
    kind: 'unsupported',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'protocol_version', id: version },
    message: 'Unsupported protocol version',
    details: { supported: [...speaks], requested: version },
  };
}

/** What a session can have agreed on; drafts between them have dates too. */
const SESSIONFUL: readonly string[] = REVISIONS.filter((one) => one !== STATELESS_REVISION).toReversed();

/** The same of a header that no handshake can have led to. */
export function unspokenSession(version: string | string[] | undefined): FaultInit | undefined {
  if (typeof version !== 'string') return undefined;
  const isOne = /^\d{4}-\d\d-\d\d$/.test(version) && version >= '2024-10-07';
  return isOne ? undefined : unspoken(version.slice(0, 64), SESSIONFUL);
}

/** Something is longer than it may be. */
export function longer(what: string, limit: string): FaultInit {
  return {
    kind: 'too_large',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'message' },
    message: `${what} is longer than ${limit}`,
  };
}
