/** What a relay says to messages it does not relay. */
import type { FaultInit } from '@mayday/core';

/** Not JSON-RPC. */
export const NOT_A_MESSAGE: FaultInit = {
  kind: 'parse_error',
  origin: 'caller',
  message: 'The body is not a JSON-RPC message',
};
/** More than one message. */
export const NO_BATCHES: FaultInit = {
  kind: 'invalid_request',
  origin: 'caller',
  subject: { type: 'message' },
  message: 'Batches are not part of MCP since revision 2025-06-18; send one message in a request',
};
/** A session that is not there. */
export const NO_SESSION: FaultInit = {
  kind: 'expired',
  origin: 'caller',
  subject: { type: 'session' },
  message: 'The session is unknown or has ended; initialize a new one',
};
/** A session too many. */
export const TOO_MANY_SESSIONS: FaultInit = {
  kind: 'overloaded',
  origin: 'gateway',
  subject: { type: 'session' },
  message: 'Too many sessions are open',
};
