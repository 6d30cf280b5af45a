/** One HTTP request at an endpoint, once it is clear who sent it. */
import type { Room } from '../links/room.ts';
import type { Caller, Hear, WireCall, WirePolicy } from './call.ts';
import type { Reply } from './reply.ts';
import type { RequestHead } from './request-head.ts';

/** A request, its caller, and the way to answer. */
export interface Visit {
  readonly request: RequestHead;
  readonly body: Buffer;
  readonly reply: Reply;
  readonly caller: Caller;
  /** Where what comes of the answer is counted; absent where nobody counts. */
  readonly room?: Room | undefined;
}

/** Something that answers MCP over HTTP. */
export interface Endpoint {
  /** Sessions that are open, where they are kept here. */
  readonly sessions?: number | undefined;
  handle(visit: Visit): void;
  /** Is this session open here, and this caller's? */
  holds(sessionId: string, caller: Caller): boolean;
  /** Serves its sessions to their end, or for `graceMs`, and closes then. */
  retire(graceMs: number): Promise<void>;
  /** Nobody reaches it any more: closes when everything is answered that it was asked, or after `graceMs`. */
  finish(graceMs: number): Promise<void>;
  /** Takes no more calls; those in flight are answered, or ended after `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

/** What stands between an endpoint's door and its server. */
export interface Path {
  /** Around everything, the endpoint's own refusals included. */
  readonly outer: readonly WirePolicy[];
  /** Around what is asked of the server. */
  readonly inner: readonly WirePolicy[];
  /** What the server's failures mean. */
  readonly hear: Hear;
  /** A message of the server that is no answer, as it may reach a caller. */
  readonly mend?: ((message: Buffer) => Buffer) | undefined;
  /** The same, where it is part of no call: as it may reach this visitor; `undefined` where it may not. */
  readonly mendFor?: ((visit: Visit, listener: () => Listening) => Mending) | undefined;
  /** Does a call go on when nobody waits for it? Then the server is not told that it was cancelled. */
  readonly goesOn?: ((call: WireCall) => boolean) | undefined;
}

/** Who hears what a server says by itself, as far as it is known now. */
export type Listening = Pick<WireCall, 'by' | 'session' | 'headers'>;

/** A message as it may reach somebody; `undefined` where it may not. */
export type Mending = (message: Buffer) => Buffer | undefined;

/** Messages of the server that are part of no call, as they may reach a visitor: whoever is the `listener` then. */
export function mendingFor(visit: Visit, { mend, mendFor }: Path, listener: () => Listening): Mending {
  return mendingAs(mend, mendFor?.(visit, listener));
}

/** Apart, so that it holds nothing of the visit: it lasts as long as the session that was opened by that. */
function mendingAs(mend: Path['mend'], further: Mending | undefined): Mending {
  return (message) => {
    const mended = mend?.(message) ?? message;
    return further === undefined ? mended : further(mended);
  };
}
