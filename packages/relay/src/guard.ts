/**
 * What stands between a relay and its callers: decides who may call, and what becomes of a failure. The relay
 * itself has no opinion about failures; a gateway translates them, a fault injector makes them.
 */
import type { FaultInit } from '@mayday/core';
import type { Peek } from './framing/peek.ts';
import type { Revision } from './protocol/revisions.ts';

/** One message of a caller. */
export interface Call {
  /** The message as it came. */
  readonly body: Buffer;
  readonly peek: Peek;
  readonly era: Revision;
  /** The HTTP headers it came with; names in lower case. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** 1 for the first attempt. */
  attempt: number;
  /** There can be no further attempt: part of the answer is out, or nothing was asked. */
  isLast?: boolean;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
}

/** A failure, in the form it was met. */
export type Failure =
  | { readonly type: 'message'; readonly message: unknown; readonly bytes: Buffer; readonly status?: number }
  | {
      readonly type: 'http';
      readonly status: number;
      readonly headers: { readonly [name: string]: string | string[] | undefined };
      readonly body: Buffer;
    }
  /** The relay's own words; `status` where the transport demands one. */
  | {
      readonly type: 'fault';
      readonly fault: FaultInit;
      readonly status?: number;
      /** What was said, where it was no message. */
      readonly original?: Buffer;
    };

/** What becomes of a failure. */
export type Decision =
  | { readonly retryAfterMs: number }
  | {
      readonly send: Buffer;
      readonly status: number;
      readonly headers?: { readonly [name: string]: string };
    };

/** Decides who may call, and what becomes of a failure. */
export interface Guard {
  /** A fault turns the call away. */
  admit(call: Call): FaultInit | undefined;
  /** A call succeeded. `answer` is the message where there is one; it is not to be changed. */
  succeeded(call: Call, answer?: Buffer): void;
  /** A call failed. */
  failed(call: Call, failure: Failure): Decision;
  /** The caller went away, or nothing was to be answered. */
  dropped(call: Call): void;
}
