/** Notices that the file has changed. */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type ReadSettingsOptions, readSettings, readText } from './read-settings.ts';
import type { CheckedSettings } from './resolve.ts';

/** A file that is watched. */
export interface SettingsWatch {
  /** Reads the file now, whether anybody noticed a change or not: what it names may have changed. */
  readAgain(): void;
  close(): void;
}

/** What follows a change. */
export interface WatchOptions extends Omit<ReadSettingsOptions, 'file' | 'baseDir'> {
  /** The text that holds now. */
  readonly text: string;
  /** `isAwaited`: whether it says anything new or not, because somebody has asked for it, or was told last that it cannot be used. */
  readonly onSettings: (read: CheckedSettings, text: string, isAwaited: boolean) => void;
  /** The file cannot be read or has mistakes; nothing has changed. */
  readonly onError: (error: unknown) => void;
}

/** Editors write in several steps: this long after the last one, the file is read. */
const SETTLE_MS = 100;

/**
 * Reads the file again whenever it changes. The folder is watched, because editors replace files instead of
 * writing to them, and because a mounted file may be a link that is turned to another place.
 */
export function watchSettings(file: string, options: WatchOptions): SettingsWatch {
  let timer: NodeJS.Timeout | undefined;
  let last = options.text;
  /** Why it could not be read: what is told makes a line in a log, which may lie in the same folder. */
  let failed: string | undefined;
  /** It could not be read last: what it says then is looked at, be it the same as before. */
  let isGone = false;
  /** Whoever was told that it cannot be used is told when it can. */
  let isRefused = false;
  const refuse = (error: unknown): void => {
    isRefused = true;
    options.onError(error);
  };
  async function load(isAsked = false): Promise<void> {
    timer = undefined;
    try {
      const text = await read();
      const isAwaited = isAsked || isRefused;
      if (text === undefined || (text === last && !isAsked && !isGone)) return;
      [last, isGone] = [text, false];
      options.onSettings(readSettings(text, { ...options, file, baseDir: dirname(file) }), text, isAwaited);
      isRefused = false;
    } catch (error) {
      refuse(error);
    }
  }
  /** What the file says. That it cannot be read is told once. */
  async function read(): Promise<string | undefined> {
    try {
      const text = await readText(file);
      failed = undefined;
      return text;
    } catch (error) {
      const why = unreadable(file, error);
      if (why.message !== failed) refuse(why);
      failed = why.message;
      isGone = true;
      return undefined;
    }
  }
  const watcher: FSWatcher = watch(dirname(file), (_event, name) => {
    // What else happens in the folder must not put the reading off for ever.
    if (name !== null && name !== basename(file) && timer !== undefined) return;
    clearTimeout(timer);
    timer = setTimeout(() => void load(), SETTLE_MS);
  });
  watcher.on('error', options.onError);
  timer = setTimeout(() => void load(), SETTLE_MS); // it may have changed since it was read
  return {
    readAgain() {
      clearTimeout(timer);
      failed = undefined;
      void load(true);
    },
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}

function unreadable(file: string, cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException;
  const why = code === 'ENOENT' ? 'the file is gone' : `the file cannot be read (${code ?? message})`;
  return new Error(`${file}: ${why}; what it said before still holds`, { cause });
}
