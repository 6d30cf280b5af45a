/**
 * Requests under way on other connections of this process. A stateless 2025-era server gets a request and
 * its cancellation on two connections, with a fresh server for each; where the operator says who sends, they are
 * brought together.
 */
import { quietly } from '../report/hooks.ts';
import type { Extra, RequestId } from '../shapes.ts';
import { homeOf, type Identity } from './home.ts';
import type { RequestState } from './request-state.ts';
import { type Identify, namedSender } from './sender.ts';

/** Whoever can take a request back. */
interface Holder {
  readonly identity: Identity;
  readonly settings: { readonly identify?: Identify | undefined };
  takeBack(state: RequestState): void;
}

const holders = new Map<string, Map<RequestState, Holder>>();
const keys = new WeakMap<RequestState, string>();

/** Remembers a request that its sender may cancel on another connection. */
export function noteElsewhere(holder: Holder, state: RequestState): void {
  const key = state.revision === '2025-11-25' ? keyOf(holder, state.id, state.extra) : undefined;
  if (key === undefined) return;
  const entry = holders.get(key) ?? new Map<RequestState, Holder>();
  holders.set(key, entry.set(state, holder));
  keys.set(state, key);
}

/** Forgets a request that is over. */
export function forgetElsewhere(state: RequestState): void {
  const key = keys.get(state);
  const entry = key === undefined ? undefined : holders.get(key);
  if (entry?.delete(state) && entry.size === 0) holders.delete(key as string);
}

/** Cancels the request of this id that the same sender has under way at the same server. */
export function cancelElsewhere(by: Holder, id: RequestId, extra: Extra): void {
  let key: string | undefined;
  quietly('identify', () => {
    key = keyOf(by, id, extra);
  });
  const entry = key === undefined ? undefined : holders.get(key);
  // Two requests of one sender under one id: which one is meant cannot be known.
  if (entry === undefined || entry.size !== 1) return;
  for (const [state, holder] of entry) holder.takeBack(state);
}

/** Ids are counted from 0 by every client: who is not known for certain would cancel what another has sent. */
function keyOf({ identity, settings }: Holder, id: RequestId, extra: Extra | undefined): string | undefined {
  const sender = namedSender(extra, settings.identify);
  return sender === undefined ? undefined : JSON.stringify([homeOf(identity, extra), sender, id]);
}
