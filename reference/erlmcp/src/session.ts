/** What the server knows about one client, from its first message to its last. */
import type { App } from './app.ts';
import { createPeer, type Peer, type Send } from './peer.ts';
import { createProgressTokens, type ProgressTokens } from './progress.ts';
import type { User } from './store/users.ts';
import type { Members, RequestId } from './wire/message.ts';

/** Who is behind a session. */
export interface SignedIn {
  readonly user: User;
  /** When the token that it signed in with ends; never, for guests. */
  readonly expiresAt: number;
}

/** On whose behalf a request is made: by its own bearer token, else by whoever has signed the session in. */
export interface Caller {
  /** The session's id. */
  readonly id: string;
  readonly who: SignedIn;
}

/** One client's session. */
export interface Session {
  /** Who its limits and tasks belong to until it signs in. */
  readonly id: string;
  phase: 'pre_initialization' | 'awaiting_initialized' | 'ready';
  /** The protocol version that was agreed on. */
  version: string | undefined;
  clientCapabilities: Members;
  who: SignedIn;
  readonly subscriptions: Set<string>;
  /** Requests under way, and how to stop them. */
  readonly running: Map<RequestId, AbortController>;
  readonly progress: ProgressTokens;
  readonly peer: Peer;
}

/** Anybody who has not signed in. */
const GUEST: SignedIn = {
  user: { name: 'guest', role: 'guest', suspended: false },
  expiresAt: Number.POSITIVE_INFINITY,
};

/** A new session over some way to send. */
export function openSession({ clock, settings }: App, id: string, send: Send): Session {
  return {
    id,
    phase: 'pre_initialization',
    version: undefined,
    clientCapabilities: {},
    who: GUEST,
    subscriptions: new Set(),
    running: new Map(),
    progress: createProgressTokens(clock, settings.progressTtlMs),
    peer: createPeer(send, clock),
  };
}

/** Whose limits and tasks these are. */
export function ownerOf({ who, id }: Caller): string {
  return who.user.role === 'guest' ? `session ${id}` : `user ${who.user.name}`;
}

/** Stops everything that runs for a session. */
export function cancelAll(session: Session, reason: string): void {
  for (const controller of session.running.values()) controller.abort(new Cancelled(reason));
}

/** Why a request was stopped, in a word that may be sent. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
