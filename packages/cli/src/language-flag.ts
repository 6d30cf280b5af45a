/** `--with FILE`: dialects of your own, beside those that come with the language. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Dialect, type Language, language } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { type Arguments, stringFlag } from './arguments.ts';
import { UsageError } from './usage-error.ts';

/** The default language, larger by every dialect that the module in `--with` exports. */
export async function languageFlag(parsed: Arguments): Promise<Language> {
  const path = stringFlag(parsed, 'with');
  if (path === undefined) return language;
  const dialects = Object.values(await load(path)).filter(isDialect);
  if (dialects.length === 0)
    throw new UsageError(
      `${path} exports no dialect; export an object with id, codes, recognise, read and write`,
    );
  try {
    return language.with(...dialects);
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`);
  }
}

async function load(path: string): Promise<object> {
  const file = resolve(path);
  if (!existsSync(file)) throw new UsageError(`--with cannot load ${path}: there is no such file`);
  try {
    return await unlessEndless(import(pathToFileURL(file).href) as Promise<object>);
  } catch (error) {
    throw new UsageError(`--with cannot load ${path}: ${whyNot(error)}`);
  }
}

/** A module may wait for something while it is loaded. When nothing else is left to be done, it waits in vain. */
async function unlessEndless(loading: Promise<object>): Promise<object> {
  let inVain = (): void => {};
  const endless = new Promise<never>((_, reject) => {
    inVain = () => reject(new Error('it waits for something that never comes'));
  });
  process.once('beforeExit', inVain);
  try {
    return await Promise.race([loading, endless]);
  } finally {
    process.off('beforeExit', inVain);
  }
}

/** What keeps a module from being loaded; one that it imports is named as it is written there. What it says itself may hold secrets. */
function whyNot(error: unknown): string {
  if (!(error instanceof Error))
    return `it threw ${error === null ? 'null' : `a value of type ${typeof error}`}`;
  const { code, message } = error as NodeJS.ErrnoException;
  const [first = ''] = redact(String(message), { level: 'secrets' }).value.split('\n');
  if (code !== 'ERR_MODULE_NOT_FOUND') return first;
  const missing = /^Cannot find (?:package|module) '([^']+)'/.exec(first)?.[1];
  if (missing === undefined) return first;
  return `it imports ${missing}, which cannot be found from there; install it where the file lies`;
}

/** Whatever tries to be one is taken for one, so that the language can say what is wrong with it. */
function isDialect(value: unknown): value is Dialect {
  return typeof value === 'object' && value !== null && 'id' in value && 'codes' in value;
}
