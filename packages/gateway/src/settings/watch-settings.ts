/** Notices that the configuration file has changed. */
import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { GatewayConfig } from './config.ts';
import { readConfig } from './read-config.ts';

/** A file that is watched. */
export interface ConfigWatch {
  close(): void;
}

/** Editors write in several steps: this long after the last one, the file is read. */
const SETTLE_MS = 100;

/**
 * Reads the file again whenever it changes. A file with mistakes is reported and changes nothing. The folder is
 * watched, because editors replace files instead of writing to them.
 */
export function watchConfig(
  file: string,
  onConfig: (config: GatewayConfig) => void,
  onError: (error: unknown) => void,
  env: { readonly [name: string]: string | undefined } = process.env,
): ConfigWatch {
  let timer: NodeJS.Timeout | undefined;
  let last: string | undefined;
  async function load(): Promise<void> {
    try {
      const text = await readFile(file, 'utf8');
      if (text === last) return;
      last = text;
      onConfig(readConfig(text, { file, env }));
    } catch (error) {
      onError(error);
    }
  }
  const watcher: FSWatcher = watch(dirname(file), (_event, name) => {
    if (name !== null && name !== basename(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void load(), SETTLE_MS);
  });
  watcher.on('error', onError);
  return {
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
