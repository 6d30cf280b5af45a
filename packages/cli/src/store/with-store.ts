/** The store that a command works on: the one of a gateway's file, or one that is named. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import type { Language } from '@mayday/core';
import { readSettingsFile, type Settings } from '@mayday/gateway';
import { openStore, type Store, StoreError, storeFile } from '@mayday/store';
import { type Arguments, type Flags, stringFlag } from '../arguments.ts';
import { UnusableFile, unusable } from '../gateway/no-settings.ts';
import { languageFlag } from '../language-flag.ts';
import { Unreachable, UsageError } from '../usage-error.ts';

/** The flags that say which store. */
export const STORE_FLAGS: Flags = {
  config: { type: 'string' },
  store: { type: 'string' },
  with: { type: 'string' },
};

/** What their help says. */
export const STORE_HELP = `  --config F   the store of this gateway file (mayday.yaml if it is there)
  --store URL  this store: file:./mayday.db or a path, redis://…, rediss://…, valkey://…, valkeys://…
  --with FILE  a JavaScript module that exports dialects of your own`;

/** A store that is open, and the settings that name it. */
export interface Opened {
  readonly store: Store;
  /** Absent where the store was named itself. */
  readonly settings: Settings | undefined;
}

/** Runs some work on the store, and ends it. One that is to be read must be there: a wrong path makes no new one. */
export async function withStore<T>(
  parsed: Arguments,
  { isMade }: { readonly isMade: boolean },
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const { url, settings } = await named(parsed);
  return tellingStore(async () => {
    const file = storeFile(url);
    if (!isMade && file !== undefined && !existsSync(file))
      throw new UsageError(`there is no store at ${resolve(file)}; check the path`);
    const { maxAgeMs: faultAgeMs, maxEntries: maxFaults } = settings?.faults ?? {};
    const store = await openStore({ url, secret: secretFor(settings), faultAgeMs, maxFaults });
    return work({ store, settings }).finally(() => store.close());
  });
}

/** The URL of the store that the flags name. */
export async function storeUrl(parsed: Arguments): Promise<string> {
  return (await named(parsed)).url;
}

/** Runs some work on a store; what is wrong with that is told as such. */
export async function tellingStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const message = `the store cannot be used: ${error.message}`;
    throw error.problem === 'down' || error.problem === 'slow'
      ? new Unreachable(message)
      : new UsageError(message);
  }
}

const MIN_SECRET = 16;

/** What credentials are sealed with; where no file says it, the environment may. */
function secretFor(settings: Settings | undefined): string | undefined {
  if (settings !== undefined) return settings.store.secret;
  const { MAYDAY_STORE_SECRET: secret = '' } = process.env;
  if (secret === '') return undefined;
  if (secret.length >= MIN_SECRET) return secret;
  throw new UsageError(`MAYDAY_STORE_SECRET needs ${MIN_SECRET} or more characters`);
}

interface Named {
  readonly url: string;
  readonly settings: Settings | undefined;
}

async function named(parsed: Arguments): Promise<Named> {
  const found = await find(parsed);
  if (/^memory:/i.test(found.url))
    throw new UsageError('a store in memory is known to one process alone; name a file or a server');
  return found;
}

async function find(parsed: Arguments): Promise<Named> {
  const [url, config] = [stringFlag(parsed, 'store'), stringFlag(parsed, 'config')];
  if (url !== undefined && config !== undefined)
    throw new UsageError('--store and --config exclude each other; keep one of them');
  if (url === '') throw new UsageError('--store needs a value; write `--store file:./mayday.db`');
  if (url !== undefined) return { url, settings: undefined };
  const path = config ?? 'mayday.yaml';
  if (config === undefined && !existsSync(path))
    throw new UsageError('which store? Give --store URL, or --config FILE');
  const { store, settings } = await read(path, await languageFlag(parsed));
  if (store !== undefined) return { url: store, settings };
  throw new UsageError(`${path} names no store; add \`store: file:./mayday.db\`, or give --store URL`);
}

async function read(
  path: string,
  language: Language,
): Promise<{ store: string | undefined; settings: Settings }> {
  try {
    const { settings } = await readSettingsFile(path, { language });
    return { store: settings.store.url, settings };
  } catch (error) {
    throw withWayOut(unusable(error, path));
  }
}

/** Whoever looks after a store need not have all that the gateway is given, such as its secrets. */
function withWayOut(error: unknown): unknown {
  if (!(error instanceof UnusableFile)) return error;
  const way = 'to use the store without this file, name it with --store URL';
  return new UnusableFile(error.problem, `${error.message}\n${way}`);
}
