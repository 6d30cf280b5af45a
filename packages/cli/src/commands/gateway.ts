/** `mayday gateway`: stands in front of MCP servers and gives their callers one kind of failure. */
import process from 'node:process';
import type { Writable } from 'node:stream';
import type { Language } from '@mayday/core';
import { createLineWriter, isWorker, type LineWriter } from '@mayday/gateway';
import { type Flags, stringFlag } from '../arguments.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { banner } from '../gateway/banner.ts';
import { follow, warn } from '../gateway/follow.ts';
import { parseServed, type Source, sourceOf } from '../gateway/source.ts';
import { hearHangUps, startOn, startOverLines, untilStopped } from '../gateway/start.ts';
import { leave, leaveSoon, orphaned, overLines } from '../gateway/stdio.ts';
import { hearStrays } from '../gateway/strays.ts';
import { asCommand } from '../gateway/tell-client.ts';
import { serveAsWorker, serveWithWorkers, workersFrom } from '../gateway/workers.ts';
import type { Io } from '../io/io.ts';
import { languageFlag } from '../language-flag.ts';
import { UsageError } from '../usage-error.ts';

export const help: string = `mayday gateway [--config FILE] [--port N | --stdio] [--workers N] [--serve NAME] [--dialect D] [--with FILE] [--quiet] [URL | -- command…]

Stands in front of MCP servers that already exist. Their failures are read, stripped of secrets, retried where
that is safe, and passed on in the dialect that the caller asks for (header Mayday-Dialect).

  URL          one server over HTTP, served at /mcp
  -- command…  one server over standard input and output, served at /mcp
  --config F   servers from a YAML file (mayday.yaml if it is there), or from the JSON file of a client;
               it is read again when it changes, and on SIGHUP
  --port N     listen on this port instead of 7350; 0 takes any that is free
  --stdio      serve whoever starts it over standard input and output, and listen on no port
  --workers N  so many processes behind the port, from 1 to 64; 1 if neither this nor the file says
  --serve NAME one upstream or virtual server of the file, at /mcp or over --stdio, in place of all joined
  --dialect D  the dialect of callers who ask for none; mayday if absent
  --with FILE  a JavaScript module that exports dialects of your own
  --quiet      log nothing on standard error but what is wrong with the file
  -h, --help   this text

Example:
  $ mayday gateway -- npx -y @modelcontextprotocol/server-everything
`;

const FLAGS: Flags = {
  config: { type: 'string' },
  port: { type: 'string' },
  stdio: { type: 'boolean' },
  workers: { type: 'string' },
  serve: { type: 'string' },
  dialect: { type: 'string' },
  with: { type: 'string' },
  quiet: { type: 'boolean' },
};

/** Runs the command until it is told to stop. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const split = words.indexOf('--');
  const options = split < 0 ? words : words.slice(0, split);
  // Before anybody else's module is loaded: it may print.
  if (options.includes('--stdio')) return asCommand(io, (output) => serve(words, io, output));
  return serve(words, io);
}

async function serve(words: readonly string[], io: Io, output?: Writable): Promise<ExitCode> {
  const split = words.indexOf('--');
  const parsed = parseServed('gateway', split < 0 ? words : words.slice(0, split), FLAGS);
  if (output !== undefined && parsed.values['port'] !== undefined)
    throw new UsageError('--port and --stdio exclude each other: with --stdio nothing is listened to');
  const workers = workersFrom(stringFlag(parsed, 'workers'));
  if (output !== undefined && workers !== undefined)
    throw new UsageError('--workers and --stdio exclude each other: with --stdio there is one caller');
  io.serve();
  const tellStrays = hearStrays(); // before anybody else's module is loaded
  const language = await languageFlag(parsed);
  const command = split < 0 ? [] : words.slice(split + 1);
  if (isWorker()) return serveAsWorker(parsed, command, { language, tellStrays });
  const source = await sourceOf(parsed, command, language);
  const log = createLineWriter(process.stderr, {
    stamp: () => new Date().toISOString(),
    format: source.settings.log.format,
  });
  const onLog = parsed.values['quiet'] === true ? undefined : log.line;
  // What is wrong with a file is said in any case; words that were typed are no file, and a client is answered.
  const tell = source.file === undefined ? onLog : log.line;
  if (tell !== undefined) warn(source.warnings, source, tell);
  tellStrays(onLog);
  if (output !== undefined) return serveStdio(source, { output, onLog, log, language });
  const hangUps = hearHangUps();
  const following = { language, hangUps, log: log.line };
  const count = workers ?? source.settings.workers;
  if (count > 1) return serveWithWorkers(source, { words, count, onLog, log, following, io });
  const gateway = await startOn(source.settings, { root: source.root, onLog, language });
  log.flush();
  await io.write(banner(gateway, source));
  const watch = follow(source, gateway.reload, following);
  await untilStopped({ again: () => void gateway.close(0) });
  watch?.close();
  await gateway.close();
  log.flush();
  return leaveSoon(EXIT.done);
}

interface StdioContext {
  readonly output: Writable;
  readonly onLog: LineWriter['line'] | undefined;
  readonly log: LineWriter;
  readonly language: Language;
}

/** One caller, who has started the process; it ends when that one has nothing more to say. */
async function serveStdio(source: Source, { output, onLog, log, language }: StdioContext): Promise<ExitCode> {
  const { root } = source;
  // Without a file there is nothing to read again: whose terminal or client is gone, is gone.
  const hangUps = source.file === undefined ? undefined : hearHangUps();
  const gateway = await startOverLines(overLines(source.settings, language), {
    root,
    onLog,
    language,
    input: process.stdin,
    output,
  });
  const watch = hangUps && follow(source, gateway.reload, { language, hangUps, log: log.line });
  const why = await Promise.race([
    untilStopped({ also: hangUps === undefined ? ['SIGHUP'] : [], again: () => void gateway.close(0) }),
    gateway.ended,
    orphaned(process.stdin),
  ]);
  watch?.close();
  if (why === 'orphaned') onLog?.('whoever has started it is gone: it ends');
  await gateway.close(why === 'orphaned' ? 0 : undefined);
  log.flush();
  return leave(EXIT.done);
}
