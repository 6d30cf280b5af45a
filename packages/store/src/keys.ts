/** Keys: how they are made, found, rotated and revoked, over any engine that keeps their rows. */
import { randomBytes } from 'node:crypto';
import { lifetime, milliseconds, sha256 } from '@mayday/policy';
import type { IssuedKey, Keys, NewKey, Rotation, StoredKey } from './ports.ts';
import { StoreError } from './store-error.ts';

/** A key as it is kept. */
export interface KeyRow extends Omit<StoredKey, 'lastUsedAt' | 'expired'> {
  /** How long it is good from each new secret on; of keys without it, the time they were made for. */
  readonly ttlMs?: number | undefined;
  /** The digests of its secrets, and until when each is good. */
  readonly secrets: readonly { readonly digest: string; readonly until?: number | undefined }[];
}

/** A row as it was read. */
export interface ReadKey {
  readonly row: KeyRow;
  /** Changes with every write. */
  readonly version: number;
  readonly lastUsedAt?: number | undefined;
}

/** Where rows of keys are kept. */
export interface KeyRows {
  /** The engine's own time. */
  now(): Promise<number>;
  byDigest(digest: string): Promise<ReadKey | undefined>;
  byId(id: string): Promise<ReadKey | undefined>;
  all(): Promise<readonly ReadKey[]>;
  /** How many rows there are. None is ever removed: as long as it is the same, none was added. */
  count(): Promise<number>;
  /** Writes a row and the index of its digests, if it is still at this version (0: not there yet), and one of so many, if that is said. */
  write(row: KeyRow, version: number, among?: number): Promise<boolean>;
  touch(id: string, at: number): Promise<void>;
  /** Is there a row, or a mark that there was one? Leaves the mark, if it should and there is neither. */
  wereMade(isKnown: boolean): Promise<boolean>;
}

/** How exactly the last use of a key is known. */
const TOUCH_MS = 60_000;
const REST_MS = 1000;

/** Secrets of one key that are good at a time: whoever rotates more often has lost them anyway. */
const MAX_SECRETS = 5;

/** How often somebody else may be faster. */
const MAX_TRIES = 100;

/** Keys over rows. */
export function keysOver(rows: KeyRows): Keys {
  return new KeyDesk(rows);
}

class KeyDesk implements Keys {
  readonly #rows: KeyRows;
  #restsUntil = 0;

  constructor(rows: KeyRows) {
    this.#rows = rows;
  }

  async create(wanted: NewKey): Promise<IssuedKey> {
    const made = await this.#add(wanted);
    if (made === undefined)
      throw new StoreError('lying', 'The store says that a new id is in use; check what is behind its URL');
    return made;
  }

  async createOnly(wanted: NewKey): Promise<IssuedKey | undefined> {
    for (let i = 0; i < MAX_TRIES; i++) {
      const among = await this.#rows.count();
      const isTwin = ({ principal, revoked, expired }: StoredKey): boolean =>
        principal === wanted.principal && !revoked && !expired;
      if ((await this.list()).some(isTwin)) return undefined;
      const made = await this.#add(wanted, among);
      if (made !== undefined) return made; // else somebody else has added one meanwhile
    }
    throw new StoreError('slow', 'Too many make keys at the same time; try again');
  }

  async #add({ principal, tenant, scopes = [], ttlMs, ...wanted }: NewKey, among?: number) {
    const now = await this.#rows.now();
    const expiresAt = ttlMs === undefined ? undefined : now + lifetime('ttlMs', ttlMs, ttlMs);
    const { id = randomBytes(6).toString('hex') } = wanted;
    const key = newSecret(id);
    const secrets = [{ digest: sha256(key) }];
    const row = { id, principal, tenant, scopes, createdAt: now, expiresAt, ttlMs, revoked: false, secrets };
    if (!(await this.#rows.write(row, 0, among))) return undefined;
    return { key, record: recordOf({ row, version: 1 }, now) };
  }

  async lookup(digest: string): Promise<StoredKey | undefined> {
    const [found, now] = await Promise.all([this.#rows.byDigest(digest), this.#rows.now()]);
    const until = found?.row.secrets.find((secret) => secret.digest === digest)?.until;
    if (found === undefined || !isGood(found.row, now) || (until ?? now + 1) <= now) return undefined;
    if (now - (found.lastUsedAt ?? 0) >= TOUCH_MS) this.#touch(found.row.id, now);
    return recordOf(found, now);
  }

  /** A courtesy: nobody waits for it, and where it fails it rests. */
  #touch(id: string, now: number): void {
    if (performance.now() < this.#restsUntil) return;
    this.#rows.touch(id, now).catch(() => {
      this.#restsUntil = performance.now() + REST_MS;
    });
  }

  /** The end is the new secret's: an old one that was to end with the key ends when it would have. */
  async rotate(id: string, options: Rotation): Promise<IssuedKey | undefined> {
    const overlapMs = milliseconds('overlapMs', options.overlapMs, 0);
    const key = newSecret(id);
    const changed = await this.#change(id, (row, now) => {
      if (!isGood(row, now)) return undefined;
      const end = Math.min(now + overlapMs, row.expiresAt ?? Number.POSITIVE_INFINITY);
      const ending = row.secrets
        .map(({ digest, until = end }) => ({ digest, until: Math.min(until, end) }))
        .filter(({ until }) => until > now);
      const ttlMs = options.ttlMs ?? row.ttlMs ?? lifetimeOf(row);
      const expiresAt = ttlMs === undefined ? undefined : now + ttlMs;
      const secrets = [{ digest: sha256(key) }, ...ending].slice(0, MAX_SECRETS);
      return { ...row, expiresAt, ttlMs, secrets };
    });
    return changed === undefined ? undefined : { key, record: recordOf(changed, 0) };
  }

  async revoke(id: string): Promise<boolean> {
    const changed = await this.#change(id, (row) =>
      row.revoked ? undefined : { ...row, revoked: true, secrets: [] },
    );
    return changed !== undefined;
  }

  async list(): Promise<readonly StoredKey[]> {
    const [all, now] = await Promise.all([this.#rows.all(), this.#rows.now()]);
    return all
      .map((read) => recordOf(read, now))
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  }

  wereMade(isKnown: boolean): Promise<boolean> {
    return this.#rows.wereMade(isKnown);
  }

  /** Again when somebody else was faster. */
  async #change(
    id: string,
    to: (row: KeyRow, now: number) => KeyRow | undefined,
  ): Promise<ReadKey | undefined> {
    for (;;) {
      const [found, now] = await Promise.all([this.#rows.byId(id), this.#rows.now()]);
      const row = found === undefined ? undefined : to(found.row, now);
      if (found === undefined || row === undefined) return undefined;
      if (await this.#rows.write(row, found.version)) return { ...found, row };
    }
  }
}

function isGood({ revoked, expiresAt }: KeyRow, now: number): boolean {
  return !revoked && (expiresAt ?? now + 1) > now;
}

function lifetimeOf({ createdAt, expiresAt }: KeyRow): number | undefined {
  return expiresAt === undefined ? undefined : expiresAt - createdAt;
}

function newSecret(id: string): string {
  return `mdy_${id}_${randomBytes(32).toString('base64url')}`;
}

function recordOf({ row: { secrets: _, ttlMs: __, ...rest }, lastUsedAt }: ReadKey, now: number): StoredKey {
  return { ...rest, lastUsedAt, expired: (rest.expiresAt ?? now + 1) <= now };
}
