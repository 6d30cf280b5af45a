/** What is different where a gateway is a plain command: standard output belongs to the protocol. */
import { Console } from 'node:console';
import process from 'node:process';
import { type Readable, Writable } from 'node:stream';
import type { Language } from '@mayday/core';
import { isOfHttp } from '@mayday/core/dialects';
import type { Settings } from '@mayday/gateway';
import type { ExitCode } from '../exit-code.ts';
import { UsageError } from '../usage-error.ts';

let claimed: Writable | undefined;

/**
 * Takes standard output for messages alone. Whatever else in this process writes to it, such as a module that was
 * brought along and uses `console.log`, writes to standard error from now on.
 */
export function claimStandardOutput(): Writable {
  claimed ??= claim();
  return claimed;
}

function claim(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  globalThis.console = new Console(stderr, stderr);
  const messages = new Writable({
    write(chunk: Buffer, _encoding, done) {
      write(chunk, (error) => done(error));
    },
  });
  // Nobody reads any more.
  stdout.on('error', (error) => messages.destroy(error));
  return messages;
}

/** The settings, unless what they ask for can only be said over HTTP. */
export function overLines(settings: Settings, language: Language): Settings {
  if (!isOfHttp(language.dialect(settings.dialect))) return settings;
  throw new UsageError(`the dialect "${settings.dialect}" is one of HTTP; choose another one for --stdio`);
}

const LOOK_MS = 1000;

/** The input of a process ends a moment before its parent is gone. */
const BEHIND_MS = 50;

/** Whoever has started the process is gone without a word: nobody will read an answer. */
export function orphaned(input: Readable): Promise<'orphaned'> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const look = (): void => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve('orphaned');
    };
    const timer = setInterval(look, LOOK_MS).unref();
    input.once('end', () => setTimeout(look, BEHIND_MS).unref());
  });
}

/** Ends the process at once, also where something waits to be written that nobody takes. */
export function leave(code: ExitCode): never {
  process.exit(code);
}

const LAST_LINES_MS = 2000;

/** Ends the process with the last lines of its log, or soon without them, where somebody holds the log and does not read it. */
export function leaveSoon(code: ExitCode): ExitCode {
  setTimeout(() => process.exit(code), LAST_LINES_MS).unref();
  return code;
}
