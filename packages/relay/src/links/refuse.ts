/** Requests that a link does not even send. */
import type { FaultInit } from '@mayday/core';
import { type Limit, limitDetails, spelt } from './limit.ts';
import type { Cancel, Link, LinkFault, Sink } from './link.ts';
import { withSilence } from './silent-start.ts';

/** Loses a request after whoever asked has got hold of its `Cancel`, unless that is used first. */
export function refuse(sink: Sink, fault: LinkFault): Cancel {
  let cancelled = false;
  queueMicrotask(() => {
    if (!cancelled) sink.lost(fault);
  });
  return () => {
    cancelled = true;
  };
}

/** Nothing can be asked any more. */
export const LINK_CLOSED: FaultInit = {
  kind: 'unavailable',
  origin: 'gateway',
  executed: 'no',
  message: 'The conversation with the server was closed',
};

/** What cannot be answered is not asked. */
export const NOT_A_REQUEST: FaultInit = {
  kind: 'invalid_request',
  origin: 'caller',
  executed: 'no',
  subject: { type: 'message' },
  message: 'The message is not a JSON-RPC request',
};

/** What was open when the link was closed. Another attempt finds another link. */
export const CLOSED_EARLY: FaultInit = {
  kind: 'disconnected',
  origin: 'gateway',
  executed: 'maybe',
  message: 'The conversation with the server was closed before it answered',
};

/** Too much is open already. */
export const TOO_MANY: FaultInit = {
  kind: 'overloaded',
  origin: 'gateway',
  executed: 'no',
  message: 'Too many calls wait for this server',
};

/** Too much of one caller's is open already. */
export const TOO_MANY_OF_ONE: FaultInit = {
  kind: 'overloaded',
  origin: 'gateway',
  executed: 'no',
  message: 'Too many calls of this caller wait for this server',
};

/** The server is there but does not listen. */
export const NOT_READING: FaultInit = {
  kind: 'overloaded',
  origin: 'upstream',
  executed: 'no',
  message: 'The server does not read what it is sent',
};

/** A server that was to open a conversation, and did not in time; `silence`: and has never answered anything. */
export function notOpened(silence: Link['silence'], waitedMs?: number, name = 'The server'): FaultInit {
  const fault = { kind: 'timeout', origin: 'gateway', executed: 'no' } as const;
  const message = `${name} did not answer when it was opened`;
  if (waitedMs === undefined) return withSilence({ ...fault, message }, silence);
  const limit: Limit = { setting: 'open_timeout_ms', ms: waitedMs };
  const told = { message: `${message}, within ${spelt(limit)}`, details: limitDetails(limit) };
  return withSilence({ ...fault, ...told }, silence);
}

/** The caller itself does not want the answer any more. */
export const CANCELLED: FaultInit = {
  kind: 'cancelled',
  origin: 'caller',
  message: 'The caller cancelled the request',
};

/** The server ended too often lately; `start`: before it had answered anything, for this reason. */
export function restartsLater(
  afterMs: number,
  lastEnd: string,
  start: LinkFault | undefined,
  again: 'started' | 'tried' = 'started',
): LinkFault {
  if (start !== undefined) {
    return {
      ...start,
      executed: 'no',
      retry: { afterMs },
      message: `${start.message}; it is not ${again} again yet`,
    };
  }
  return {
    kind: 'unavailable',
    origin: 'gateway',
    executed: 'no',
    retry: { afterMs },
    message: `The server keeps ending (${lastEnd}) and is not started again yet`,
  };
}
