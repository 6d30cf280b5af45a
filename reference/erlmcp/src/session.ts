/** What the server knows about one client, from its first message to its last. */
import { type Facts, membersOver, setOver } from '@mayday/reference-shared';
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

/** What a session has come to: known to every process that serves it, and after a restart. */
interface State {
  phase: 'pre_initialization' | 'awaiting_initialized' | 'ready';
  /** The protocol version that was agreed on. */
  version: string | undefined;
  clientCapabilities: Members;
  who: SignedIn;
  /** Somebody who is no guest has used it: it is kept before those of guests. */
  isKnown: boolean;
}

/** One client's session. */
export interface Session extends State {
  /** Who its tasks belong to until it signs in. */
  readonly id: string;
  readonly subscriptions: Pick<Set<string>, 'has' | 'add' | 'delete' | 'size'>;
  /** Of the requests that run here. */
  readonly progress: ProgressTokens;
  readonly client: Conversation;
}

/** Anybody who has not signed in. */
const GUEST: SignedIn = { user: { name: 'guest', role: 'guest', suspended: false } };

const BEGINNING: State = {
  phase: 'pre_initialization',
  version: undefined,
  clientCapabilities: {},
  who: GUEST,
  isKnown: false,
};

/** A session with a client, as it was left. */
export function openSession(app: App, id: string, client: Conversation, facts: Facts): Session {
  return Object.assign(membersOver(facts, BEGINNING), {
    id,
    subscriptions: setOver(facts, subscriptionTo('')),
    progress: createProgressTokens(app.clock, app.settings.progressTtlMs),
    client,
  });
}

/** The fact that a session has subscribed to a resource. */
export function subscriptionTo(uri: string): string {
  return `subscription ${uri}`;
}

/** Whose tasks these are. */
export function ownerOf({ who, id }: Caller): string {
  return who.user.role === 'guest' ? `session ${id}` : `user ${who.user.name}`;
}
