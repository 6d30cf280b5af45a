/** The store that a command works on: the one of a gateway's file, or one that is named. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import type { Language } from '@mayday/core';
import { readSettingsFile, type Settings } from '@mayday/gateway';
import { openStore, type Store, StoreError, storeFile } from '@mayday/store';
import { type Arguments, type Flags, stringFlag } from '../arguments.ts';
import { unusable } from '../gateway/no-settings.ts';
import { languageFlag } from '../language-flag.ts';
import { UsageError } from '../usage-error.ts';

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
  if (/^memory:/i.test(url))
    throw new UsageError('a store in memory is known to one process alone; name a file or a server');
  try {
    const file = storeFile(url);
    if (!isMade && file !== undefined && !existsSync(file))
      throw new UsageError(`there is no store at ${resolve(file)}; check the path`);
    const { maxAgeMs: faultAgeMs, maxEntries: maxFaults } = settings?.faults ?? {};
    const store = await openStore({ url, secret: secretFor(settings), faultAgeMs, maxFaults });
    return await work({ store, settings }).finally(() => store.close());
  } catch (error) {
    if (error instanceof StoreError) throw new UsageError(`the store cannot be used: ${error.message}`);
    throw error;
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

async function named(parsed: Arguments): Promise<{ url: string; settings: Settings | undefined }> {
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
    throw unusable(error, path);
  }
}
