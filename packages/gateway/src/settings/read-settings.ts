/** A file → settings, or every mistake in it with its line. */
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expandEnv, notSet } from './env.ts';
import { SettingsError, type SettingsProblem } from './problems.ts';
import { type CheckedSettings, type ResolveOptions, resolveWith } from './resolve.ts';
import { setAside } from './unset.ts';
import { type ParsedSettings, parseYaml } from './yaml.ts';

/** How a file is read. */
export interface ReadSettingsOptions extends ResolveOptions {
  /** Its name, for the messages. */
  readonly file?: string | undefined;
  /** Takes texts apart that are none of ours; `undefined` leaves a text to be read as YAML. */
  readonly parse?: ((text: string) => ParsedSettings | undefined) | undefined;
  /**
   * An upstream whose settings name a variable that is not set is kept as one that cannot be used, and is a warning: the
   * others are served. A mistake, if absent.
   */
  readonly keepsUnset?: boolean | undefined;
}

/** Reads the text of a file. Throws a {@link SettingsError} with all mistakes. */
export function readSettings(text: string, options: ReadSettingsOptions = {}): CheckedSettings {
  const { file, parse } = options;
  const { value, lineOf, problems, warnings = [] } = parse?.(text) ?? parseYaml(text);
  if (problems.length > 0) throw new SettingsError(problems, file);
  const read =
    (options.keepsUnset === true ? readWithoutUnset(value, lineOf, options) : undefined) ??
    readWhole(value, lineOf, options);
  return { ...read, warnings: [...warnings, ...read.warnings] };
}

function readWhole(
  value: unknown,
  lineOf: ParsedSettings['lineOf'],
  options: ReadSettingsOptions,
): CheckedSettings {
  const { file, env = process.env } = options;
  const unset: SettingsProblem[] = [];
  const expanded = expandEnv(value, env, (path, message) =>
    unset.push({ line: lineOf(path), path: path.join('.'), message }),
  );
  return resolveWith(expanded, options, lineOf, file, unset);
}

/** Reads the rest of what a file says; `undefined` where that has mistakes too, or nothing is unset. */
function readWithoutUnset(
  value: unknown,
  lineOf: ParsedSettings['lineOf'],
  options: ReadSettingsOptions,
): CheckedSettings | undefined {
  const { written, unset } = setAside(value, options.env ?? process.env);
  if (unset.length === 0) return undefined;
  try {
    const { settings, warnings } = readWhole(written, lineOf, options);
    const upstreams = new Map(settings.upstreams);
    for (const [name, upstream] of upstreams) {
      const missing = unset.filter((one) => one.upstream === name).map((one) => one.name);
      if (missing.length > 0) upstreams.set(name, { ...upstream, unset: [...new Set(missing)] });
    }
    const told = unset.map(({ upstream, path, name }) => ({
      line: lineOf(path),
      path: path.join('.'),
      message: `${notSet(name)}; ${upstream} cannot be used`,
    }));
    // What stands in for it is nothing to be warned of.
    const others = warnings.filter(
      ({ path }) => upstreams.get(path.split('.')[1] ?? '')?.unset === undefined,
    );
    return { settings: { ...settings, upstreams }, warnings: [...told, ...others] };
  } catch (error) {
    if (error instanceof SettingsError) return undefined;
    throw error;
  }
}

/** A file that was read. */
export interface SettingsSource extends CheckedSettings {
  readonly text: string;
}

/** Reads a file. Throws a {@link SettingsError}, or what the file system says. */
export async function readSettingsFile(
  file: string,
  options: Omit<ReadSettingsOptions, 'file' | 'baseDir'> = {},
): Promise<SettingsSource> {
  const text = await readText(file);
  return { text, ...readSettings(text, { ...options, file, baseDir: dirname(file) }) };
}

/** Files that are none of ours may be this long: a client keeps much else in the file that holds its servers. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

const PIECE_BYTES = 64 * 1024;

/** The text of a file, as far as one can go: some files never end. */
export async function readText(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const pieces: Buffer[] = [];
    let left = MAX_TEXT_BYTES + 1;
    for (let read = -1; read !== 0 && left > 0; left -= read) {
      const piece = Buffer.allocUnsafe(Math.min(left, PIECE_BYTES));
      ({ bytesRead: read } = await handle.read(piece, 0, piece.length, null));
      pieces.push(piece.subarray(0, read));
    }
    return Buffer.concat(pieces).toString('utf8');
  } finally {
    await handle.close();
  }
}
