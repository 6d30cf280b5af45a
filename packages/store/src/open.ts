/** One URL says where state is kept. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Clock, type OptionNames, onlyKnown } from '@mayday/policy';
import { checked } from './checked.ts';
import { openMemory } from './memory/memory.ts';
import type { Store } from './ports.ts';
import { openRedis } from './redis/redis.ts';
import type { Bounds } from './settings.ts';
import { backUpFile, restoreFile } from './sqlite/back-up.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import { StoreError } from './store-error.ts';

/** How a store is opened. */
export interface StoreOptions extends Bounds {
  /** `memory:`, `file:./mayday.db` or a path, `redis://…`, `rediss://…`, `valkey://…`, `valkeys://…`. */
  readonly url: string;
  /**
   * While Redis cannot be asked: `closed` (the default) refuses, `open` lets rates and concurrency through. Consent, keys
   * and what happens exactly once are never let through.
   */
  readonly onDown?: 'open' | 'closed' | undefined;
  /** How long Redis may take to answer. Default 1 s. */
  readonly timeoutMs?: number | undefined;
  /** What the names of all keys in Redis begin with. Default `mayday`. */
  readonly prefix?: string | undefined;
  /**
   * A Redis that throws keys away when it is full, or writes nothing to its disk, is refused; `true` says that this is
   * known, and that consent, keys and audit may be lost. `?volatile=1` in the URL says the same.
   */
  readonly volatile?: boolean | undefined;
  /**
   * What credentials of callers are sealed with: 16 characters or more that nobody can guess. Without it none can be set or
   * found; whoever loses it loses them.
   */
  readonly secret?: string | undefined;
  /** The time, for a store in memory or in a file; Redis has its own. */
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

const KNOWN: OptionNames<StoreOptions> = {
  url: true,
  onDown: true,
  timeoutMs: true,
  prefix: true,
  volatile: true,
  secret: true,
  clock: true,
  maxFaults: true,
  faultAgeMs: true,
  maxApprovals: true,
  maxApprovalsPerCaller: true,
  approvalLeaseMs: true,
  maxKeysPerOwner: true,
  maxAnswersPerOwner: true,
  placeLeaseMs: true,
};

const POSSIBLE =
  '`memory:`, `redis://…`, `rediss://…`, `valkey://…`, `valkeys://…`, `file:./mayday.db` and a path';

const REDIS: ReadonlySet<string> = new Set(['redis', 'rediss', 'valkey', 'valkeys']);

/**
 * Opens the store behind a URL. Rejects with a `StoreError` where it would not be safe, and says why.
 *
 * @example
 * const store = await openStore('file:./mayday.db');
 */
export async function openStore(where: string | StoreOptions): Promise<Store> {
  const options = typeof where === 'string' ? { url: where } : where;
  onlyKnown('`openStore`', options, KNOWN);
  return checked(await opened(options));
}

async function opened(options: StoreOptions): Promise<Store> {
  const { url } = options;
  if (typeof url !== 'string' || url === '') throw new TypeError(`Expected \`url\` to be one of ${POSSIBLE}`);
  if (url.includes('\0')) throw new TypeError('Expected `url` to be without NUL');
  const scheme = schemeOf(url);
  if (scheme === 'memory') return openMemory(sharedOf(options));
  if (scheme !== undefined && REDIS.has(scheme)) {
    const { clock: _, ...rest } = options;
    return openRedis(rest);
  }
  return openSqlite({ ...sharedOf(options), path: fileOf(url) });
}

/** The file that state is kept in behind a URL, if it is one. Throws a `StoreError` where no store is known for it. */
export function storeFile(url: string): string | undefined {
  const scheme = schemeOf(url) ?? '';
  return scheme === 'memory' || REDIS.has(scheme) ? undefined : fileOf(url);
}

/** Copies a store in a file into a new file, while it is used. Rejects where state is behind a server: that backs itself up. */
export async function backUpStore(url: string, to: string): Promise<void> {
  backUpFile(ownFile(url), to);
}

/** Brings a copy back into the file of a store, which nobody may have open; says where what was there before is kept. */
export async function restoreStore(
  url: string,
  from: string,
): Promise<{ readonly kept: string | undefined }> {
  return restoreFile(ownFile(url), from);
}

function ownFile(url: string): string {
  const file = storeFile(url);
  if (file !== undefined) return resolve(file);
  throw new StoreError(
    'unsupported',
    'Only a store in a file is copied here; a Redis or Valkey backs itself up, with its append-only file or BGSAVE',
  );
}

function schemeOf(url: string): string | undefined {
  return /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
}

/** From the root, or without `:` and `@`: whatever else has them was meant to be a URL, and may hold a password. */
const PATH = /^(?:\/(?!\/|.*\/\/)|[a-z]:[\\/][^:@]*$|[^:@]*$)/is;

function fileOf(url: string): string {
  if (/^file:\/\//i.test(url)) return pathOf(url);
  const path = url.replace(/^file:/i, '');
  if (PATH.test(path)) return path;
  throw new StoreError(
    'unsupported',
    `No store is known for this URL; possible are ${POSSIBLE} (from the root, if it has : or @)`,
  );
}

function sharedOf(options: StoreOptions): Bounds & Pick<StoreOptions, 'clock' | 'secret'> {
  const { url: _, onDown: _o, timeoutMs: _t, prefix: _p, volatile: _v, ...shared } = options;
  return shared;
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new StoreError(
      'unsupported',
      'A file: URL names a file of this machine: `file:./mayday.db` or `file:///var/lib/mayday.db`',
    );
  }
}
