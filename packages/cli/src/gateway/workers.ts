/** A gateway of several processes: the one that was started holds the port, the workers answer. */
import { tmpdir } from 'node:os';
import process from 'node:process';
import type { Language } from '@mayday/core';
import {
  createLineWriter,
  type LineWriter,
  type Seat,
  type Settings,
  settingsReloaded,
  startWorkers,
  takeSeat,
  WorkerEnded,
  type Workers,
} from '@mayday/gateway';
import type { Arguments } from '../arguments.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Io } from '../io/io.ts';
import { UsageError } from '../usage-error.ts';
import { banner } from './banner.ts';
import { type Following, follow } from './follow.ts';
import { readAgain, type Source, sourceOf } from './source.ts';
import { notStarted, startOn, untilStopped } from './start.ts';
import { leave, leaveSoon } from './stdio.ts';

const MAX_WORKERS = 64;

/** The path of a Unix socket has 103 characters at most, and 35 of them are ours. */
const MAX_TMPDIR = 68;

/** The number of workers that was typed, checked. */
export function workersFrom(said: string | undefined): number | undefined {
  if (said === undefined) return undefined;
  if (/^\d{1,2}$/.test(said) && Number(said) >= 1 && Number(said) <= MAX_WORKERS) return Number(said);
  throw new UsageError(
    `--workers needs a number from 1 to ${MAX_WORKERS}, not ${JSON.stringify(said.slice(0, 40))}`,
  );
}

/** What a gateway with workers is started with. */
interface WorkersContext {
  /** What was typed after the name of the command. */
  readonly words: readonly string[];
  readonly count: number;
  readonly onLog: LineWriter['line'] | undefined;
  readonly log: LineWriter;
  readonly following: Following;
  readonly io: Io;
}

/** Holds the port, starts the workers, and starts those anew that die, until it is told to stop. */
export async function serveWithWorkers(source: Source, context: WorkersContext): Promise<ExitCode> {
  const { words, count, onLog, log, following, io } = context;
  checkPlace(source.settings);
  let workers: Workers;
  try {
    const { listen, admin } = source.settings;
    const { port } = admin === false ? { port: undefined } : admin.listen;
    workers = await startWorkers({
      count,
      listen,
      admin: admin === false || port === undefined ? undefined : { host: admin.listen.host, port },
      isSecure: listen.certificate !== undefined,
      program: process.argv[1] ?? '',
      args: ['gateway', ...words],
      text: source.file?.text,
      log: process.stderr,
      onLog,
    });
  } catch (error) {
    if (!(error instanceof WorkerEnded)) return notStarted(error, source.settings);
    return (error.code ?? EXIT.negative) as ExitCode; // it has said why
  }
  log.flush();
  await io.write(banner(workers, source, count));
  const reload = (next: Settings, text: string): void => {
    settingsReloaded(source.settings, next); // or none of them takes it
    workers.reload(text);
  };
  const watch = follow(source, reload, following);
  await untilStopped({ again: () => void workers.close(), kill: () => workers.kill() });
  watch?.close();
  await workers.close();
  log.flush();
  return leaveSoon(EXIT.done);
}

/** Where workers can share nothing, there cannot be several. */
function checkPlace({ store }: Settings): void {
  if (/^memory:/i.test(store.url ?? ''))
    throw new UsageError(
      'workers cannot share a store in memory; name a Redis or Valkey, or with Node 24.16 or newer a file (`store: file:./mayday.db`), or start the gateway without workers',
    );
  if (process.platform === 'win32')
    throw new UsageError('workers need Unix sockets, which Windows lacks; start the gateway without them');
  const long = Buffer.byteLength(tmpdir());
  if (long > MAX_TMPDIR)
    throw new UsageError(
      `the path of TMPDIR is too long for the sockets of workers (${long} characters, at most ${MAX_TMPDIR}); set a shorter one`,
    );
}

/** What a worker is started with. */
interface WorkerContext {
  readonly language: Language;
  /** Says where it is told what goes wrong outside of every call. */
  readonly tellStrays: (log: LineWriter['line'] | undefined) => void;
}

/** One of the workers: a gateway like any other, with its settings and its end from the one that holds the port. */
export async function serveAsWorker(
  parsed: Arguments,
  command: readonly string[],
  context: WorkerContext,
): Promise<ExitCode> {
  const seat = await takeSeat();
  try {
    return await serveFrom(seat, parsed, command, context);
  } catch (error) {
    process.channel?.unref(); // whoever cannot begin ends, though it could still be told something
    throw error;
  }
}

async function serveFrom(
  seat: Seat,
  parsed: Arguments,
  command: readonly string[],
  { language, tellStrays }: WorkerContext,
): Promise<ExitCode> {
  const { crew } = seat;
  const source = await sourceOf(parsed, command, language, seat.text);
  const { settings } = source;
  const log = createLineWriter(process.stderr, {
    stamp: () => new Date().toISOString(),
    format: settings.log.format,
    worker: crew.worker,
  });
  const onLog = parsed.values['quiet'] === true ? undefined : log.line;
  tellStrays(onLog);
  const gateway = await startOn(settings, { root: source.root, onLog, language, crew });
  const { upstreams, virtual } = gateway;
  seat.onSettings((text) => {
    const { file, override, parse } = source;
    if (file === undefined) return;
    try {
      gateway.reload(readAgain(text, file.path, { override, language, parse }).settings);
    } catch (error) {
      log.line(`not reloaded: ${(error as Error).message}`);
    }
  });
  seat.serving({ upstreams, virtual });
  await seat.stopped;
  void seat.hurried.then(() => gateway.close(0));
  await gateway.close();
  log.flush();
  return leave(EXIT.done);
}
