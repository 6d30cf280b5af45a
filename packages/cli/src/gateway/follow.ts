/** The file of a gateway that runs, taken again when it changes and when it is asked to by signal. */
import { statSync } from 'node:fs';
import type { Language } from '@mayday/core';
import {
  formatProblem,
  type Settings,
  type SettingsProblem,
  type SettingsWatch,
  settingsChanged,
  watchSettings,
} from '@mayday/gateway';
import type { Source } from './source.ts';
import type { HangUps } from './start.ts';

/** How it is followed. */
export interface Following {
  readonly language: Language;
  readonly hangUps: HangUps;
  readonly log: (line: string) => void;
}

/** Takes new settings, and the text that they are from. */
type Apply = (settings: Settings, text: string) => void;

/** Tells what an operator should know about settings. */
export function warn(
  warnings: readonly SettingsProblem[],
  { file }: Source,
  log: (line: string) => void,
): void {
  for (const warning of warnings) log(`warning: ${formatProblem(warning, file?.path)}`);
}

/** Follows the file from now on. */
export function follow(
  source: Source,
  apply: Apply,
  { language, hangUps, log }: Following,
): SettingsWatch | undefined {
  const watch = watchFile(source, apply, language, log);
  hangUps(() => {
    if (watch === undefined) log('SIGHUP: there is no file to read again');
    else watch.readAgain();
  });
  return watch;
}

/** A file with mistakes changes nothing, and a pipe is read once. */
function watchFile(
  source: Source,
  apply: Apply,
  language: Language,
  log: (line: string) => void,
): SettingsWatch | undefined {
  const { file, override, parse, keepsUnset } = source;
  if (file === undefined || !statSync(file.path, { throwIfNoEntry: false })?.isFile()) return undefined;
  let { settings } = source;
  return watchSettings(file.path, {
    text: file.text,
    override,
    language,
    parse,
    keepsUnset,
    onSettings(read, text, isAwaited) {
      const { now, restart } = settingsChanged(settings, read.settings);
      settings = read.settings;
      warn(read.warnings, source, log);
      if (isAwaited || now.length + restart.length > 0) apply(read.settings, text);
    },
    onError: (error) => {
      const said = error instanceof Error ? error.message : String(error);
      for (const line of said.split('\n')) log(`not reloaded: ${line}`);
    },
  });
}
