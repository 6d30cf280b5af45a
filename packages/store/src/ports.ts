/** What a store keeps, one port for each kind of state. Engines differ in where, never in what. */
import type {
  ApprovalStore,
  Awaitable,
  IdempotencyStore,
  KeyRecord,
  PlaceLedger,
  RateLedger,
  WaitingApproval,
} from '@mayday/policy';

/** All state of a gateway, on one node or many. Times are the store's own: what a caller's clock says counts for nothing. */
export interface Store {
  readonly engine: 'memory' | 'sqlite' | 'redis';
  readonly rates: RateLedger;
  readonly places: PlaceLedger;
  readonly approvals: Approvals;
  readonly idempotency: IdempotencyStore;
  readonly keys: Keys;
  readonly credentials: Credentials;
  readonly faults: Faults;
  readonly sessions: Sessions;
  readonly audit: Audit;
  /** Can it be reached and written to right now? Never throws. */
  health(): Promise<Health>;
  /** Ends it. Whatever is asked afterwards is refused. */
  close(): Promise<void>;
}

/** How a store is. */
export interface Health {
  readonly ok: boolean;
  /** Why it is not, in one sentence. */
  readonly problem?: string | undefined;
  /** What works now and will do harm some day. */
  readonly warnings: readonly string[];
}

/** Approvals, and what decides them. */
export interface Approvals extends ApprovalStore {
  /** The calls that wait, the oldest first. */
  waiting(): Awaitable<readonly WaitingApproval[]>;
  /** Consents; `false` when nothing waits under this id any more. */
  approve(id: string): Awaitable<boolean>;
  reject(id: string): Awaitable<boolean>;
  /** What digests of secrets are keyed with where a call is shown without them. Random, made once, the same for all nodes. */
  digestKey(): Awaitable<string>;
}

/** A key that is to be made. */
export interface NewKey {
  /** What it is to be called, twelve hexadecimal digits; random, if absent. */
  readonly id?: string | undefined;
  /** Who it belongs to. */
  readonly principal: string;
  readonly tenant?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** Good for so long; without an end, if absent. */
  readonly ttlMs?: number | undefined;
}

/** What is kept of a key: never its secret. Times are Unix time in milliseconds. */
export interface StoredKey extends KeyRecord {
  /** Public: part of the key, and its name in lists and logs. */
  readonly id: string;
  readonly tenant?: string | undefined;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly revoked: boolean;
  /** By the time of the store, when it was asked. */
  readonly expired: boolean;
  /** To the minute. */
  readonly lastUsedAt?: number | undefined;
}

/** A key in plain text: shown once, kept nowhere. */
export interface IssuedKey {
  readonly key: string;
  readonly record: StoredKey;
}

/** How a secret is exchanged. */
export interface Rotation {
  /** The old secrets are good for so long more, and never longer than they were without it. */
  readonly overlapMs: number;
  /** The key is good for so long from now on; for as long as it was made for, if absent. */
  readonly ttlMs?: number | undefined;
}

/** Keys of callers. */
export interface Keys {
  create(wanted: NewKey): Promise<IssuedKey>;
  /** The same, unless a good key of this principal is there: `undefined`. Of those who ask at the same time, one gets it. */
  createOnly(wanted: NewKey): Promise<IssuedKey | undefined>;
  /** The key with this SHA-256 digest, if it is good now. Fits `lookup` of policy's `keys`. */
  lookup(digest: string): Promise<StoredKey | undefined>;
  /** A new secret under the same id. `undefined` when there is no such good key. */
  rotate(id: string, options: Rotation): Promise<IssuedKey | undefined>;
  /** Ends all secrets of a key at once; `false` when it is unknown or was revoked before. */
  revoke(id: string): Promise<boolean>;
  /** Every key, the oldest first, revoked and expired ones too. */
  list(): Promise<readonly StoredKey[]>;
  /** Was ever one made here? Whoever knows that there was tells so (`isKnown`), and it is kept: the store may have been emptied since. */
  wereMade(isKnown: boolean): Promise<boolean>;
}

/** Whose credential it is, and for which server. */
export interface CredentialName {
  /** The name of a caller. */
  readonly caller: string;
  readonly upstream: string;
}

/** What is told of a credential: never its secret. Times are Unix time in milliseconds. */
export interface StoredCredential extends CredentialName {
  readonly createdAt: number;
  /** When the secret that holds now was set. */
  readonly changedAt: number;
}

/**
 * Credentials of callers toward servers: sealed with the secret that the store was opened with, each for its caller and
 * its server alone. What was sealed with another secret, or stands in another's place, is refused.
 */
export interface Credentials {
  /** Keeps a secret, in place of the one before. */
  set(name: CredentialName, secret: string): Promise<StoredCredential>;
  /** The secret itself: for the server, and for nobody else. */
  find(name: CredentialName): Promise<string | undefined>;
  /** `false` when there is none. */
  remove(name: CredentialName): Promise<boolean>;
  /** By caller and server. */
  list(): Promise<readonly StoredCredential[]>;
  /** Rejects where nothing can be sealed, or what is kept cannot be opened. */
  check(): Promise<void>;
}

/** A fault as it is journalled, redacted by whoever hands it in. */
export interface JournalFault {
  /** What groups it. */
  readonly fingerprint: string;
  readonly kind: string;
  readonly origin: string;
  readonly upstream?: string | undefined;
  readonly message: string;
  /** Anything else, as JSON. */
  readonly details?: unknown;
  /** How long ago it happened, in milliseconds; right now, if absent. */
  readonly agoMs?: number | undefined;
}

/** One fault that happened. */
export interface JournalEntry extends Omit<JournalFault, 'agoMs'> {
  /** Opaque; a place in the journal to go on from. */
  readonly id: string;
  readonly at: number;
}

/** All faults with one fingerprint. What they say is what the last one said. */
export interface FaultGroup extends Omit<JournalFault, 'details' | 'agoMs'> {
  readonly count: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

/** Where to look in the journal. */
export interface JournalQuery {
  readonly fingerprint?: string | undefined;
  /** Only entries after this id, the oldest first; without it the newest, the newest first. */
  readonly after?: string | undefined;
  /** Only entries before this id. */
  readonly before?: string | undefined;
  /** Default 100. */
  readonly limit?: number | undefined;
}

/** Which groups of the journal are wanted. */
export interface GroupsQuery {
  readonly fingerprint?: string | undefined;
  /** Default 100. */
  readonly limit?: number | undefined;
}

/** A span of the past. */
export interface CountsQuery {
  readonly fingerprint: string;
  /** Unix time in milliseconds; both rounded down to the minute, both within. */
  readonly from: number;
  readonly to: number;
}

/** The journal of faults. Kept for `faultAgeMs`, at most `maxFaults` entries and as many groups, the last seen; counts outlive their entries. */
export interface Faults {
  /** After a rejection, the same faults may be handed in again under the same name: each is kept once. */
  append(faults: readonly JournalFault[], batch?: string): Promise<void>;
  list(query?: JournalQuery): Promise<readonly JournalEntry[]>;
  /** The last seen first; the one with this fingerprint alone, if one is named. */
  groups(query?: GroupsQuery): Promise<readonly FaultGroup[]>;
  /** How many there were in each minute that had any. */
  counts(query: CountsQuery): Promise<readonly { readonly at: number; readonly count: number }[]>;
}

/** A conversation, whose it is, and where it lives. */
export interface Session {
  readonly id: string;
  readonly owner: string;
  /** The gateway that holds it. */
  readonly node: string;
  readonly expiresAt: number;
}

/** Sessions of callers. */
export interface Sessions {
  /** `false` when the id is in use. */
  open(session: Omit<Session, 'expiresAt'> & { readonly ttlMs: number }): Promise<boolean>;
  find(id: string): Promise<Session | undefined>;
  /** Keeps it for so long from now on; `false` when it is over. */
  renew(id: string, ttlMs: number): Promise<boolean>;
  end(id: string): Promise<void>;
}

/** Something that somebody did. */
export interface Deed {
  readonly actor: string;
  readonly action: string;
  readonly target?: string | undefined;
  /** Anything else, as JSON. */
  readonly details?: unknown;
}

/** A row of the audit log. */
export interface AuditRow extends Deed {
  /** From 1, without gaps. */
  readonly seq: number;
  readonly at: number;
  /** SHA-256 over this row and the hash of the one before. */
  readonly hash: string;
}

/** Is the log as it was written? */
export type Verdict =
  | { readonly ok: true; readonly rows: number; readonly head: string }
  | { readonly ok: false; readonly brokenAt: number };

/** The audit log: rows are added, and never changed or removed. */
export interface Audit {
  append(deed: Deed): Promise<AuditRow>;
  /** The oldest first. */
  list(query?: {
    readonly after?: number | undefined;
    readonly limit?: number | undefined;
  }): Promise<readonly AuditRow[]>;
  /**
   * Goes through all rows: the first that is not as it was written, or is missing. A row that was noted elsewhere
   * also shows whether all of it was written anew, and the count of rows with it.
   */
  verify(known?: Pick<AuditRow, 'seq' | 'hash'>): Promise<Verdict>;
}
