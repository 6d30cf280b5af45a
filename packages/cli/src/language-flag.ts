/** `--with FILE`: dialects of your own, beside those that come with the language. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Dialect, type Language, language } from '@mayday/core';
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
    return (await import(pathToFileURL(file).href)) as object;
  } catch (error) {
    throw new UsageError(`--with cannot load ${path}: ${whyNot(error)}`);
  }
}

/** What keeps a module from being loaded; one that it imports is named as it is written there. */
function whyNot(error: unknown): string {
  const { code, message = String(error) } = error as NodeJS.ErrnoException;
  const [first = ''] = message.split('\n');
  if (code !== 'ERR_MODULE_NOT_FOUND') return first;
  const missing = /^Cannot find (?:package|module) '([^']+)'/.exec(first)?.[1];
  if (missing === undefined) return first;
  return `it imports ${missing}, which cannot be found from there; install it where the file lies`;
}

/** Whatever tries to be one is taken for one, so that the language can say what is wrong with it. */
function isDialect(value: unknown): value is Dialect {
  return typeof value === 'object' && value !== null && 'id' in value && 'codes' in value;
}
