/** A message at the door becomes a call. */
import { setMaxListeners } from 'node:events';
import { readCallMeta } from '@mayday/core/plan';
import { startCall } from '@mayday/policy';
import { decode, isMembers, type Members } from '../framing/json.ts';
import type { Room } from '../links/room.ts';
import type { Caller, Related, WireCall } from './call.ts';
import type { Delivery } from './delivery.ts';
import type { Incoming } from './incoming.ts';
import { WatchedBack } from './watched-back.ts';

/** What makes a message a call. */
export interface CallContext {
  readonly caller: Caller;
  readonly upstream: string;
  readonly now: number;
  readonly signal: AbortSignal;
  readonly delivery: Delivery;
  readonly withheld?: WireCall['withheld'];
  readonly isPassedOn?: boolean | undefined;
  readonly cannotResume?: boolean | undefined;
  readonly room: Room | undefined;
  /** What the server says beside its answer goes to the caller as this gives it. */
  readonly mend: ((message: Buffer) => Buffer) | undefined;
}

/** The signal of a call that nobody can end, because it ends at once. */
export const NEVER: AbortSignal = new AbortController().signal;
setMaxListeners(0, NEVER); // as many as there are calls; each takes its own away

/** The call of a message. */
export function callOf(incoming: Incoming, context: CallContext): WireCall {
  const { delivery, mend } = context;
  return startCall<WireCall>({
    body: incoming.body,
    peek: incoming.peek,
    method: incoming.peek.method,
    params: paramsOnce(incoming),
    meta: incoming.meta,
    target: incoming.target,
    revision: incoming.revision,
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    query: incoming.query,
    by: context.caller,
    caller: context.caller.isKnown ? context.caller.id : undefined,
    session: sessionOf(incoming),
    upstream: context.upstream,
    above: readCallMeta(incoming.meta),
    withheld: context.withheld,
    isPassedOn: context.isPassedOn,
    cannotResume: context.cannotResume,
    room: context.room,
    startedAt: context.now,
    patienceMs: 0, // nobody waits at a door of ours
    signal: context.signal,
    back:
      mend === undefined
        ? delivery
        : new WatchedBack(delivery, (message) => delivery.related(mended(message, mend))),
  });
}

function sessionOf({ headers }: Incoming): string | undefined {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' ? id : undefined;
}

/** `params` are opened when somebody asks for them, and once. */
function paramsOnce({ body, peek }: Incoming): () => Members | undefined {
  let opened: { readonly params: Members | undefined } | undefined;
  return () => {
    if (opened === undefined) {
      const params =
        peek.paramsStart < 0 ? undefined : decode(body.subarray(peek.paramsStart, peek.paramsEnd));
      opened = { params: isMembers(params) ? params : undefined };
    }
    return opened.params;
  };
}

/** The bytes as they came, unless they had to be changed. */
function mended(message: Related, mend: (data: Buffer) => Buffer): Related {
  const data = mend(message.data);
  return data === message.data ? message : { ...message, data, raw: undefined };
}
