/** One server process that speaks JSON-RPC over its standard input and output. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { createLineSplitter, type LineSplitter } from '../framing/lines.ts';
import { OPEN_OBJECT } from '../framing/scan.ts';
import { barrier } from './barrier.ts';
import { childEnvironment } from './child-environment.ts';
import { LineWriter } from './line-writer.ts';
import type { HttpHead, LinkFault, Outgoing } from './link.ts';
import { type ProcessExit, type StartFailure, startFailure } from './process-exit.ts';
import { unwatch, watch } from './reaper.ts';
import { Turns } from './turns.ts';

/** What to start, and who listens. */
export interface StdioProcessOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to a small safe part of this process's own environment. */
  readonly env?: { readonly [name: string]: string } | undefined;
  readonly cwd?: string | undefined;
  /** What comes along with the message that it is started for, where that is a matter of headers. */
  readonly first?: Sent | undefined;
  /** A longer line is skipped. */
  readonly maxMessageBytes: number | (() => number);
  readonly onMessage: (line: Buffer) => void;
  /** The beginning of a message whose end has not come; told by those who can say that a request was not taken. */
  readonly onBegun?: ((start: Buffer) => void) | undefined;
  /** It has told of work in what is no message, and not for whom; told where there is anything but messages. */
  readonly onTold?: (() => void) | undefined;
  /** A line was longer than allowed: its first bytes. */
  readonly onTooLong: (start: Buffer) => void;
  /** It writes a line without end: nothing that it says is heard any more. */
  readonly onEndless?: (() => void) | undefined;
  /** One line of standard error as it came: it may hold secrets, and what moves a cursor. */
  readonly onStderr?: ((line: string) => void) | undefined;
  /** It is no more, or has closed its output; what it has written may still come. */
  readonly onGone?: (() => void) | undefined;
  /** Called once, last, and never before the constructor has returned. */
  readonly onExit: (exit: ProcessExit) => void;
}

/** Told why there will be no answer to a message; `head`: what was said came under this. */
export type OnLost = (fault: LinkFault, original?: Buffer, head?: HttpHead) => void;

/** What is known of a message on its way; a process needs none of it. */
export interface Sent {
  readonly headers?: Outgoing['headers'];
  /** It was not taken, or nobody knows. */
  readonly onLost?: OnLost | undefined;
  /** What follows waits until it is taken. */
  readonly goesFirst?: boolean | undefined;
  /** What it can be taken back by. */
  readonly id?: number | undefined;
  /** Nothing of it is held here any more: it was handed on, or never will be. */
  readonly onHandedOn?: (() => void) | undefined;
}

/** A server process, as a link uses it. */
export interface ServerProcess {
  /** The process id, while there is one. */
  readonly pid: number | undefined;
  /** Has it ended? */
  readonly exited: boolean;
  /** Bytes that the process has not read yet. */
  readonly backlog: number;
  /** How the line begins that it has not ended yet. Absent where everything that comes is whole. */
  unfinished?(): Buffer | undefined;
  /** Writes one message. It must not hold a line break. */
  send(message: Buffer, sent?: Sent): void;
  /** Takes a message back that nothing was sent of. False: it was sent. Absent where what is said goes out at once. */
  takeBack?(id: number): boolean;
  /** Stops reading, so that the process feels the pressure. */
  pause(): void;
  /** Reads on. */
  resume(): void;
  /** Closes its input, then asks, then insists. Settles when it has ended. */
  stop(): Promise<void>;
  /** Ends it without asking, because of this. */
  kill(why: string): void;
}

/** Starts a server process. It throws nothing: a process that cannot be started has ended at once. */
export type StartProcess = (options: StdioProcessOptions) => ServerProcess;

/** A line of this many bytes may still end, however little of it would be read. */
const ENDLESS_BYTES = 64 * 1024 * 1024;
const STDERR_LINE = 8 * 1024;
/** A stack and the members of an exception stand behind what it says. */
const STDERR_TAIL = 40;
/** After the end of a process, this long for what is still in the pipe. */
const LAST_WORDS_MS = 200;
/** A process that has closed its output will not answer any more: it has this long to end by itself. */
const SPEECHLESS_MS = 1000;

/** Without pipes where none could be made. Node's types know of `null` alone. */
type Started = {
  readonly [P in 'stdin' | 'stdout' | 'stderr']: ChildProcess[P] | undefined;
} & Pick<ChildProcess, 'pid'>;

/** A running server process. Nothing here throws: a process that cannot be started has ended at once. */
export class StdioProcess implements ServerProcess {
  readonly #options: StdioProcessOptions;
  readonly #child: ChildProcess | undefined;
  readonly #input: LineWriter | undefined;
  readonly #tail: string[] = [];
  #lines: LineSplitter | undefined;
  /** What it says, and what it complains about, a turn at a time. */
  #said: Turns | undefined;
  #complained: Turns | undefined;
  readonly #ended: Promise<void>;
  #resolveEnded: () => void = () => {};
  #exited = false;
  #endedFor: string | undefined;

  constructor(options: StdioProcessOptions) {
    this.#options = options;
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#child = this.#spawn();
    if (this.#child === undefined) return;
    this.#awaitExit(this.#child); // before anything else: where there are no files left, it has ended already
    const { pid, stdin, stdout, stderr } = this.#child as Started;
    if (pid !== undefined) watch(pid);
    if (stdout) this.#hear(stdout);
    if (stderr) this.#hearErrors(stderr);
    if (stdin) {
      this.#input = new LineWriter(stdin);
      stdin.on('error', () => {
        // A process that stopped reading is about to exit, and `onExit` reports that.
      });
    }
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get exited(): boolean {
    return this.#exited;
  }

  get backlog(): number {
    return this.#input?.backlog ?? 0;
  }

  unfinished(): Buffer | undefined {
    return this.#lines?.unfinished();
  }

  send(message: Buffer, { onHandedOn }: Sent = {}): void {
    if (this.#exited || this.#input === undefined) onHandedOn?.();
    else this.#input.write(message, onHandedOn);
  }

  pause(): void {
    this.#said?.pause();
  }

  resume(): void {
    this.#said?.resume();
  }

  async stop(graceMs = 2000): Promise<void> {
    if (this.#exited) return;
    this.resume(); // the end of a pipe that nobody reads is never seen
    this.#input?.end();
    const ask = setTimeout(() => this.#signal('SIGTERM'), graceMs / 4);
    const insist = setTimeout(() => this.#signal('SIGKILL'), graceMs);
    await this.#ended;
    clearTimeout(ask);
    clearTimeout(insist);
  }

  kill(why: string): void {
    if (!this.#exited) this.#endedFor ??= why;
    this.#signal('SIGKILL');
  }

  #spawn(): ChildProcess | undefined {
    const { command, args, cwd, env } = this.#options;
    try {
      return spawn(command, args ?? [], {
        cwd,
        env: { ...childEnvironment(), ...env },
        detached: process.platform !== 'win32', // its own group: `npx` and shells leave nobody behind
        stdio: 'pipe',
        windowsHide: true,
      });
    } catch (error) {
      // Some mistakes are thrown at once: an argument with a zero byte, too many arguments.
      const reason = startFailure(error, command, cwd);
      queueMicrotask(() => this.#done({ code: null, signal: null, reason }));
      return undefined;
    }
  }

  #hear(stdout: Readable): void {
    const { maxMessageBytes: limit, onMessage, onBegun, onTooLong, onEndless } = this.#options;
    /** Bytes that were skipped since a line began like a message: the answer to another call may end a line without end. */
    let unread = 0;
    const begins = (line: Buffer): void => {
      if (line[0] === OPEN_OBJECT) unread = 0;
    };
    const lines = createLineSplitter(limit, {
      onLine: (line) => {
        begins(line);
        onMessage(line);
      },
      onTooLong: (start) => {
        begins(start);
        onTooLong(start);
      },
      onSkip: (bytes) => {
        unread += bytes;
        if (unread <= Math.max(ENDLESS_BYTES, 2 * bytesOf(limit))) return;
        unread = 0;
        onEndless?.();
      },
    });
    this.#lines = lines;
    this.#said = inTurns(stdout, {
      push(chunk) {
        lines.push(chunk);
        const start = onBegun && lines.begun();
        if (start !== undefined) onBegun?.(start);
      },
    });
    stdout.on('error', () => {
      // A pipe that broke ends like one that was closed.
    });
    stdout.on('close', () => {
      this.#said?.flush();
      this.#options.onGone?.();
      setTimeout(() => {
        if (!this.#exited) this.kill('it had closed its standard output');
      }, SPEECHLESS_MS).unref();
    });
  }

  #hearErrors(stderr: Readable): void {
    const hear = (line: string): void => {
      this.#tail.push(line);
      if (this.#tail.length > STDERR_TAIL) this.#tail.shift();
      barrier(
        () => this.#options.onStderr?.(line),
        () => {
          // The line is in the tail; a log that cannot be written ends nothing.
        },
      );
    };
    const lines = createLineSplitter(STDERR_LINE, {
      onLine: (line) => hear(line.toString('utf8')),
      onTooLong: (start) => hear(start.toString('utf8')),
    });
    this.#complained = inTurns(stderr, lines);
    stderr.on('error', () => {
      // As above.
    });
  }

  #awaitExit(child: ChildProcess): void {
    child.on('error', (error) => {
      if (child.pid !== undefined) return; // it runs; a signal could not be delivered
      const reason = startFailure(error, this.#options.command, this.#options.cwd);
      this.#done({ code: null, signal: null, reason });
    });
    child.on('exit', (code, signal) => {
      this.#options.onGone?.();
      // Answers that are still in the pipe come first; a grandchild that holds the pipe open must not delay.
      const late = setTimeout(() => this.#done({ code, signal }), LAST_WORDS_MS);
      this.resume();
      child.on('close', () => {
        clearTimeout(late);
        this.#done({ code, signal });
      });
    });
  }

  #done(how: { code: number | null; signal: NodeJS.Signals | null; reason?: StartFailure }): void {
    if (this.#exited) return;
    this.#said?.flush();
    this.#complained?.flush();
    this.#exited = true;
    const pid = this.#child?.pid;
    if (pid !== undefined) {
      this.#signal('SIGKILL'); // what the process itself started and left behind
      unwatch(pid);
    }
    this.#resolveEnded();
    const { code, signal, reason } = how;
    const endedFor = this.#endedFor;
    this.#options.onExit({ code, signal, reason, endedFor, stderrTail: [...this.#tail] });
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child?.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // The group is gone, which is what was wanted.
    }
  }
}

/** The limit that holds now. */
export function bytesOf(limit: number | (() => number)): number {
  return typeof limit === 'number' ? limit : limit();
}

/** As many of the shortest lines as this are taken in a few milliseconds. */
const PIECE = 16 * 1024;

/** Lines of a pipe, which are many in few bytes: a process that says much leaves others their turn. */
function inTurns(pipe: Readable, lines: Pick<LineSplitter, 'push'>): Turns {
  const turns = new Turns({
    source: pipe,
    take(bytes, from) {
      const to = Math.min(bytes.length, from + PIECE);
      lines.push(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
      return to;
    },
  });
  pipe.on('data', (chunk: Buffer) => turns.push(chunk));
  return turns;
}
