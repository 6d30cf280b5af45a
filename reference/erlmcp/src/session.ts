/** What the server knows about one client, from its first message to its last. */
import type { Conversation, Members } from '@mayday/server/rpc';
import type { App } from './app.ts';
import { createProgressTokens, type ProgressTokens } from './progress.ts';
import type { User } from './store/users.ts';

/** Who is behind a session, by the token that they signed in with; guests have none. */
export interface SignedIn {
  readonly user: User;
  readonly id?: string;
}

/** On whose behalf a request is made: by its own bearer token, else by whoever has signed the session in. */
export interface Caller {
  /** The session's id. */
  readonly id: string;
  readonly who: SignedIn;
}

/** One client's session. */
export interface Session {
  /** Who its tasks belong to until it signs in. */
  readonly id: string;
  phase: 'pre_initialization' | 'awaiting_initialized' | 'ready';
  /** The protocol version that was agreed on. */
  version: string | undefined;
  clientCapabilities: Members;
  who: SignedIn;
  readonly subscriptions: Set<string>;
  readonly progress: ProgressTokens;
  readonly client: Conversation;
}

/** Anybody who has not signed in. */
const GUEST: SignedIn = {
  user: { name: 'guest', role: 'guest', suspended: false },
};

/** A new session with a client. */
export function openSession({ clock, settings }: App, id: string, client: Conversation): Session {
  return {
    id,
    phase: 'pre_initialization',
    version: undefined,
    clientCapabilities: {},
    who: GUEST,
    subscriptions: new Set(),
    progress: createProgressTokens(clock, settings.progressTtlMs),
    client,
  };
}

/** Whose tasks these are. */
export function ownerOf({ who, id }: Caller): string {
  return who.user.role === 'guest' ? `session ${id}` : `user ${who.user.name}`;
}
