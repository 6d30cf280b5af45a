/** What goes wrong outside of every call: promises that nobody waits for, exceptions that nobody catches. */
import { writeSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../exit-code.ts';

type Log = ((line: string) => void) | undefined;

/** A timer or a socket can fail again and again, and with every call: the same is told so often. */
const PAUSE_MS = 60_000;
const MAX_TOLD = 100;
/** Of what comes before anybody logs, so much is kept. */
const MAX_EARLY = 20;

/**
 * Code that an operator brings along, such as a dialect, ends no gateway with what it leaves behind: the operator is told
 * where it was, and not what it says, which may hold anything. An exception in code of ours ends the process all the same:
 * nobody knows what it has left undone. Heard from now on; told to the log that is given, once it is there.
 */
export function hearStrays(): (log: Log) => void {
  const early: string[] = [];
  let log: Log = (line) => void (early.length < MAX_EARLY && early.push(line));
  const tell = onceInAWhile((line) => log?.(line));
  process.on('unhandledRejection', (reason) =>
    tell(`bug: a promise that nobody waits for was rejected, at ${placeOf(stackOf(reason))}`),
  );
  process.on('uncaughtException', (error) => {
    const stack = stackOf(error);
    const line = `bug: an exception that nobody caught (${codeOf(error)}), at ${placeOf(stack)}`;
    if (isOurs(stack)) end(line);
    else tell(line);
  });
  return (given) => {
    log = given;
    for (const line of early.splice(0)) given?.(line);
  };
}

function onceInAWhile(log: (line: string) => void): (line: string) => void {
  const toldAt = new Map<string, number>();
  return (line) => {
    const now = performance.now();
    if (now - (toldAt.get(line) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return;
    if (toldAt.size >= MAX_TOLD) toldAt.clear();
    toldAt.set(line, now);
    log(line);
  };
}

function end(line: string): never {
  try {
    writeSync(process.stderr.fd, `mayday: ${line}\n`);
  } catch {
    // Nobody reads it.
  }
  process.exit(EXIT.bug);
}

/** Anything can be thrown, and be made to throw when it is looked at. */
function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack) : '';
  } catch {
    return '';
  }
}

function codeOf(error: unknown): string {
  try {
    const { code, name } = error as NodeJS.ErrnoException;
    return [code, name].find((said) => typeof said === 'string' && /^\w{1,40}$/.test(said)) ?? typeof error;
  } catch {
    return typeof error;
  }
}

function placeOf(stack: string): string {
  return /at .*?([^/\\]+\.\w+:\d+)/.exec(stack)?.[1] ?? 'an unknown place';
}

/** Is nobody else's code in it? Where there is none at all, it is the error of a socket that nobody listens to. */
export function isOurs(stack: string): boolean {
  const frames = stack.split('\n').filter((line) => FRAME.test(line) && !NODES.test(line));
  return frames.length > 0 && frames.every((frame) => OWN.some((place) => frame.includes(place)));
}

const FRAME = /^\s+at .*:\d+:\d+\)?$/;
const NODES = /[( ]node:/;

/** Where the packages of this one lie: beside it, or under their name. */
const BESIDE: string = import.meta.url.slice(0, import.meta.url.lastIndexOf('/cli/') + 1);
const OWN: readonly string[] = [BESIDE, fileURLToPath(BESIDE), '/@mayday/', '\\@mayday\\'];
