/**
 * A link: one conversation with one MCP server, as messages in bytes. Processes, HTTP servers and documents all
 * look the same behind it.
 */
import type { FaultInit } from '@mayday/core';
import type { Peek } from './message.ts';

/** A revision of the protocol, as far as the transports differ. */
export type Era = '2025-11-25' | '2026-07-28';

/** A message on its way to the server. */
export interface Outgoing {
  /** The message on one line. */
  readonly body: Buffer;
  readonly peek: Peek;
  readonly era: Era;
  /** HTTP headers that came with it and concern the server. */
  readonly headers?: { readonly [name: string]: string };
}

/** Where the answer to a request goes. Exactly one of `answered` and `lost` is called, once. */
export interface Sink {
  /** The answer, with the request's own id. */
  answered(message: Buffer): void;
  /** A notification or a request of the server that belongs to this request. */
  related(message: Buffer): void;
  /** There will be no answer. `original` is what was said instead, for the operator. */
  lost(fault: FaultInit, original?: Buffer): void;
}

/** Stops waiting for an answer and tells the server. Nothing reaches the sink afterwards. */
export type Cancel = (reason?: string) => void;

/** One conversation with one server. */
export interface Link {
  request(message: Outgoing, sink: Sink): Cancel;
  /** A notification of the client, or its answer to a request of the server. */
  send(message: Outgoing): void;
  /** Ends the conversation; whatever is open is lost. */
  close(): Promise<void>;
}

/** What a link tells beside answers. */
export interface LinkEvents {
  /** A notification or a request of the server that belongs to no request. */
  readonly onMessage: (message: Buffer) => void;
  /** Something an operator should know. It may hold secrets. */
  readonly onNote?: (note: string) => void;
}
