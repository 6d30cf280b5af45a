/** Those whose streams stand: they are asked to leave when they may not be here any more. */
import type { Places, Reply, RequestHead } from '@mayday/relay';
import type { AdminVisit } from '../admin/over-http.ts';
import type { KnownCaller } from '../identity/keys.ts';
import type { Setup } from '../setup.ts';

/** Somebody who listens. */
export interface Guest {
  readonly caller: KnownCaller;
  /** May it, if this is what it is now? */
  readonly mayStay: (now: KnownCaller) => boolean;
  readonly reply: Reply;
}

/** Whoever may not be here any more leaves. */
export function turnOut(guests: readonly Guest[], { callers }: Setup): void {
  for (const { caller, mayStay, reply } of guests) {
    const now = callers.again(caller);
    if (now === undefined || !mayStay(now)) reply.abort();
  }
}

/** An operator at the admin API. */
export function adminVisit(
  request: RequestHead,
  reply: Reply,
  caller: KnownCaller,
  refused: AdminVisit['refused'],
  inside: Places<Guest>,
): AdminVisit {
  const mayStay = (now: KnownCaller): boolean => now.role === 'operator';
  return {
    request,
    reply,
    caller,
    refused,
    stays: () => reply.onClose(inside.add({ caller, mayStay, reply })),
  };
}
