/**
 * Requests under way on other connections of this process. A stateless 2025-era server gets a request and
 * its cancellation on two connections, with a fresh server for each; without this, nothing is ever cancelled.
 */
import { headerOf } from '../call.ts';
import { answered, quietly } from '../report/hooks.ts';
import type { Extra, RequestId } from '../shapes.ts';
import type { RequestState } from './request-state.ts';

/** Whoever can take a request back. */
interface Holder {
  takeBack(state: RequestState): void;
}

type Identify = (header: (name: string) => string | undefined) => string | undefined;

/** The requests of one way to identify their senders. */
export interface Elsewhere {
  add(holder: Holder, state: RequestState): void;
  delete(state: RequestState): void;
  cancel(id: RequestId, extra: Extra): void;
}

const byAuthorization: Identify = (header) => header('authorization');
const registries = new WeakMap<Identify, Elsewhere>();

/** Every connection that identifies senders the same way shares one registry. */
export function elsewhereFor(identify: Identify = byAuthorization): Elsewhere {
  const known = registries.get(identify);
  if (known !== undefined) return known;
  const created = createElsewhere(identify);
  registries.set(identify, created);
  return created;
}

function createElsewhere(identify: Identify): Elsewhere {
  const holders = new Map<string, Map<RequestState, Holder>>();
  const keys = new WeakMap<RequestState, string>();
  const keyOf = (id: RequestId, extra: Extra | undefined): string | undefined => {
    const sender = answered('identify', () => identify((name) => headerOf(extra, name)));
    return sender === undefined ? undefined : `${sender}\n${typeof id}\n${id}`;
  };
  return {
    add(holder, state) {
      const key = state.revision === '2025-11-25' ? keyOf(state.id, state.extra) : undefined;
      if (key === undefined) return;
      const entry = holders.get(key) ?? new Map<RequestState, Holder>();
      holders.set(key, entry.set(state, holder));
      keys.set(state, key);
    },
    delete(state) {
      const key = keys.get(state);
      const entry = key === undefined ? undefined : holders.get(key);
      if (entry?.delete(state) && entry.size === 0) holders.delete(key as string);
    },
    cancel(id, extra) {
      let key: string | undefined;
      quietly('identify', () => {
        key = keyOf(id, extra);
      });
      const entry = key === undefined ? undefined : holders.get(key);
      // Two requests of one sender under one id: which one is meant cannot be known.
      if (entry === undefined || entry.size !== 1) return;
      for (const [state, holder] of entry) holder.takeBack(state);
    },
  };
}
