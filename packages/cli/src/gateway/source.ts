/** Where the settings of a gateway come from: a URL, a command, or a file. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import type { Language } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import {
  type ReadSettingsOptions,
  readSettings,
  readSettingsFile,
  resolveSettings,
  type Settings,
  SettingsError,
  type SettingsOverride,
  type SettingsProblem,
  type SettingsSource,
  type UpstreamFile,
} from '@mayday/gateway';
import { type Arguments, type Flags, parseArguments, stringFlag } from '../arguments.ts';
import { dialectFlag } from '../dialect-flag.ts';
import { parseClientSettings } from '../import/client-settings.ts';
import { didYouMean } from '../nearest.ts';
import { UsageError } from '../usage-error.ts';
import { NothingNamed, unusable } from './no-settings.ts';
import { portFrom } from './start.ts';

/** Settings, and where they came from. */
export interface Source {
  readonly settings: Settings;
  /** What an operator should know about them. */
  readonly warnings: readonly SettingsProblem[];
  /** The file they came from. */
  readonly file?: { readonly path: string; readonly text: string };
  /** How the file is taken apart; it may be a client’s. */
  readonly parse?: ReadSettingsOptions['parse'];
  /** Whether what one server lacks is a mistake of the whole file. */
  readonly keepsUnset?: boolean;
  /** The one upstream or virtual server that `/mcp` serves. */
  readonly root?: string;
  /** What was typed, which wins over the file. */
  readonly override: SettingsOverride;
}

const DEFAULT_FILE = 'mayday.yaml';

/** Finds the settings that the words on the command line ask for. `text`: the file that they name, where it was read before. */
export async function sourceOf(
  parsed: Arguments,
  command: readonly string[],
  language: Language,
  text?: string,
): Promise<Source> {
  const [url, extra] = parsed.positionals;
  const named = stringFlag(parsed, 'config');
  if (url !== undefined && extra !== undefined && !isHttp(url)) throw notHttp(url);
  if (extra !== undefined)
    throw new UsageError('one URL is enough; put several servers in a file and name it with --config');
  if ([url !== undefined, named !== undefined, command.length > 0].filter(Boolean).length > 1)
    throw new UsageError('a URL, --config and a command exclude each other; put several servers in a file');
  const override = overrideFrom(parsed, language);
  const serve = stringFlag(parsed, 'serve');
  if (serve !== undefined && (url !== undefined || command.length > 0))
    throw new UsageError('--serve chooses from a file; leave it out with a URL or a command');
  const [first, ...args] = command;
  // In place of the server it gets what the server would have got: the variables that a client sets are meant for it.
  const isStdio = parsed.values['stdio'] === true;
  const env = isStdio ? environment() : undefined;
  if (first !== undefined) return oneServer({ command: first, args, env }, override, language);
  // A client shows nobody what is wrong with a file, and its other servers work.
  const reading = { override, language, keepsUnset: isStdio };
  if (url === undefined) return serving(serve, await fromFile(named, reading, text));
  if (!isHttp(url)) throw notHttp(url);
  return oneServer({ url }, override, language);
}

/**
 * The same as `parseArguments` for commands that may have another one behind `--`. Where that was forgotten, what is told is
 * not that its flags are none of ours.
 */
export function parseServed(name: string, words: readonly string[], flags: Flags): Arguments {
  const at = words.findIndex((word, i) => !word.startsWith('-') && !isValueOf(words[i - 1], flags));
  const [first, ...rest] = at < 0 ? [] : words.slice(at);
  const isOurs = (word: string): boolean => Object.hasOwn(flags, word.replace(/^--|=.*$/g, ''));
  const isForeign = (word: string): boolean => /^-\D/.test(word) && !isOurs(word);
  const isCommand = rest.some(isForeign) && !words.slice(0, at).some(isForeign);
  if (first !== undefined && isCommand && !isHttp(first)) throw notHttp(first);
  return parseArguments(name, words, flags);
}

/** Does what follows this word belong to it? */
function isValueOf(word: string | undefined, flags: Flags): boolean {
  const flag = word?.startsWith('--') === true ? word.slice(2) : undefined;
  return flag !== undefined && Object.hasOwn(flags, flag) && flags[flag]?.type === 'string';
}

/** Clients keep what is said here in their logs: an address is quoted without what it lets in with. */
function notHttp(url: string): UsageError {
  const { value } = redact(url, { level: 'secrets' });
  return new UsageError(`${JSON.stringify(value)} is no http URL; write a command after --`);
}

/** One of what a file has is served in place of all of it. */
function serving(name: string | undefined, source: Source): Source {
  if (name === undefined) return source;
  const { upstreams, virtual } = source.settings;
  const known = [...upstreams.keys(), ...virtual.keys()];
  if (known.includes(name)) return { ...source, root: name };
  const hint = didYouMean(name, known);
  throw new UsageError(
    `--serve ${JSON.stringify(name.slice(0, 40))}: the file has no such upstream or virtual server; ${hint}`,
  );
}

function environment(): { [name: string]: string } {
  const set = Object.entries(process.env).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [name: string]: string };
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol.startsWith('http');
}

function overrideFrom(parsed: Arguments, language: Language): SettingsOverride {
  const dialect = stringFlag(parsed, 'dialect');
  return {
    port: portFrom(stringFlag(parsed, 'port')),
    dialect: dialect === undefined ? undefined : dialectFlag('--dialect', dialect, language),
  };
}

function oneServer(server: UpstreamFile, override: SettingsOverride, language: Language): Source {
  const written = {
    listen: { port: override.port },
    dialect: override.dialect,
    upstreams: { server },
    joined: { enabled: false },
  };
  try {
    return { ...resolveSettings(written, { language }), override, root: 'server' };
  } catch (error) {
    throw error instanceof SettingsError ? unusable(error, 'the command line') : error;
  }
}

type Reading = Pick<Source, 'override'> &
  Required<Pick<Source, 'keepsUnset'>> & { readonly language: Language };

async function fromFile(
  named: string | undefined,
  reading: Reading,
  known: string | undefined,
): Promise<Source> {
  const path = named ?? DEFAULT_FILE; // as it was typed: that is how messages name it
  if (named === undefined && known === undefined && !existsSync(path))
    throw new NothingNamed('nothing to stand in front of; give a URL, a command after --, or --config FILE');
  try {
    const parse = parseClientSettings(path);
    const options = { ...reading, parse };
    const { text, ...read } =
      known === undefined ? await readSettingsFile(path, options) : readAgain(known, path, options);
    const { override, keepsUnset } = reading;
    return { ...read, override, file: { path, text }, parse, keepsUnset };
  } catch (error) {
    throw unusable(error, path);
  }
}

/** What a file says that was read before, as it is or as it has become. */
export function readAgain(text: string, path: string, options: ReadSettingsOptions): SettingsSource {
  return { text, ...readSettings(text, { ...options, file: path, baseDir: dirname(path) }) };
}
