/** `mayday doctor`: looks at all that a gateway needs, and says what is wrong before callers find out. */
import type { Language } from '@mayday/core';
import { formatProblem } from '@mayday/gateway';
import { type Arguments, type Flags, stringFlag } from '../arguments.ts';
import { askServer } from '../doctor/ask-server.ts';
import { checkCallers } from '../doctor/callers.ts';
import type { Check } from '../doctor/check.ts';
import { checkNode, checkPorts, checkStore } from '../doctor/surroundings.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { NothingNamed, UnusableFile } from '../gateway/no-settings.ts';
import { parseServed, type Source, sourceOf } from '../gateway/source.ts';
import type { Io } from '../io/io.ts';
import { toJsonText } from '../io/json-text.ts';
import { languageFlag } from '../language-flag.ts';
import { createStyle, harmless, wrap } from '../style.ts';
import { UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday doctor [--config FILE] [--timeout SECONDS] [--json] [URL | -- command…]

Looks at what a gateway needs: Node, the configuration, the port, the store, who can come in, and every server, which
is started or reached and asked for its tools. Says what is wrong and what to do. Nothing is changed, and no tool is
called.

  URL          one server over HTTP
  -- command…  one server over standard input and output
  --config F   the servers of this file (mayday.yaml if it is there); a client's JSON too
  --timeout S  how long a server may take, in seconds; 60 if absent
  --with FILE  a JavaScript module that exports dialects of your own
  --json       one JSON object a line
  -h, --help   this text

Exit status: 0 when nothing failed, 1 when something did.

Example:
  $ mayday doctor -- npx -y @modelcontextprotocol/server-everything
`;

const FLAGS: Flags = {
  config: { type: 'string' },
  timeout: { type: 'string' },
  with: { type: 'string' },
  json: { type: 'boolean' },
};

/** As long as clients wait for a server. */
const TIMEOUT_S = 60;

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const split = words.indexOf('--');
  const parsed = parseServed('doctor', split < 0 ? words : words.slice(0, split), FLAGS);
  const timeoutMs = timeoutFlag(parsed);
  const language = await languageFlag(parsed);
  const print = printer(io, parsed.values['json'] === true);
  let hasFailed = false;
  for await (const check of checks(parsed, split < 0 ? [] : words.slice(split + 1), {
    language,
    timeoutMs,
  })) {
    hasFailed ||= check.result === 'failed';
    await print(check);
  }
  return hasFailed ? EXIT.negative : EXIT.done;
}

interface Context {
  readonly language: Language;
  readonly timeoutMs: number;
}

async function* checks(
  parsed: Arguments,
  command: readonly string[],
  { language, timeoutMs }: Context,
): AsyncGenerator<Check> {
  yield checkNode();
  const source = await sourceOf(parsed, command, language).catch(unusable);
  if ('result' in source) return yield source;
  const { settings, file, root } = source;
  if (file !== undefined) yield* ofFile(source, file.path);
  if (root === undefined) yield* checkPorts(settings);
  const store = await checkStore(settings);
  if (store !== undefined) yield store;
  const callers = await checkCallers(settings);
  if (root === undefined && callers !== undefined) yield callers;
  for (const name of settings.upstreams.keys())
    yield await askServer(settings, name, { language, timeoutMs });
}

/** A file with mistakes is what one calls a doctor for; words that make no sense are not. */
function unusable(error: unknown): Check {
  if (error instanceof NothingNamed)
    return {
      what: 'file',
      result: 'warning',
      says: 'There is no mayday.yaml here; give --config FILE, a URL, or a command after --',
    };
  if (error instanceof UnusableFile) return { what: 'file', result: 'failed', says: error.problem };
  throw error;
}

function* ofFile({ warnings, settings }: Source, path: string): Generator<Check> {
  for (const warning of warnings)
    yield { what: 'file', result: 'warning', says: formatProblem(warning, path) };
  const { size } = settings.upstreams;
  if (warnings.length === 0)
    yield { what: 'file', result: 'ok', says: `${path}: ${size === 1 ? '1 server' : `${size} servers`}` };
}

function timeoutFlag(parsed: Arguments): number {
  const said = stringFlag(parsed, 'timeout');
  if (said === undefined) return TIMEOUT_S * 1000;
  if (/^\d{1,4}$/.test(said) && Number(said) > 0) return Number(said) * 1000;
  throw new UsageError(`--timeout needs seconds from 1 to 9999, not ${JSON.stringify(said.slice(0, 40))}`);
}

const MARKS: { readonly [result in Check['result']]: string } = {
  ok: 'ok',
  warning: 'note',
  failed: 'FAILS',
};
const MARK_WIDTH = 7;

/** Each as soon as it is known: a server may take its time. */
function printer(io: Io, isJson: boolean): (check: Check) => Promise<void> {
  const style = createStyle(io.colours);
  return async (check) => {
    if (isJson) return io.write(`${toJsonText(check)}\n`);
    const mark = MARKS[check.result];
    const lines = check.says
      .split('\n')
      .flatMap((line) => wrap(harmless(line).trim(), io.columns - MARK_WIDTH));
    const head = `${check.result === 'ok' ? style.quiet(mark) : style.warn(mark)}${' '.repeat(MARK_WIDTH - mark.length)}`;
    const body = lines.map((line) => `${' '.repeat(MARK_WIDTH)}${line}\n`).join('');
    await io.write(`${head}${style.strong(harmless(check.what))}\n${body}`);
  };
}
