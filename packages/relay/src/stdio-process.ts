/** One server process that speaks JSON-RPC over its standard input and output. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createLineSplitter } from './lines.ts';
import { unwatch, watch } from './reaper.ts';

/** What to start, and who listens. */
export interface StdioProcessOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to a small safe part of this process's own environment. */
  readonly env?: { readonly [name: string]: string };
  readonly cwd?: string;
  /** A longer line ends the process. */
  readonly maxMessageBytes: number;
  readonly onMessage: (line: Buffer) => void;
  /** One line of standard error. It may hold secrets. */
  readonly onStderr?: (line: string) => void;
  readonly onExit: (exit: ProcessExit) => void;
}

/** How a process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It could not be started, or it broke the framing. */
  readonly reason?: string;
}

const INHERITED: readonly string[] = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
];
const INHERITED_WINDOWS: readonly string[] = [
  'APPDATA',
  'COMSPEC',
  'LOCALAPPDATA',
  'PATHEXT',
  'SYSTEMROOT',
  'TEMP',
  'USERPROFILE',
];
const NEWLINE = Buffer.from('\n');
const STDERR_LINE = 8 * 1024;

/** A running server process. */
export class StdioProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  #exited = false;
  #reason: string | undefined;
  readonly #ended: Promise<void>;

  constructor(options: StdioProcessOptions) {
    this.#child = spawn(options.command, options.args ?? [], {
      cwd: options.cwd,
      env: { ...inherited(), ...options.env },
      detached: process.platform !== 'win32', // its own group: `npx` and shells leave nobody behind
      stdio: 'pipe',
      windowsHide: true,
    });
    const { pid, stdin, stdout, stderr } = this.#child;
    if (pid !== undefined) watch(pid);
    const lines = createLineSplitter(options.maxMessageBytes, options.onMessage, () =>
      this.#break(`it wrote a message of more than ${options.maxMessageBytes} bytes`),
    );
    stdout.on('data', lines.push);
    const errors = createLineSplitter(
      STDERR_LINE * 8,
      (line) => options.onStderr?.(line.subarray(0, STDERR_LINE).toString('utf8')),
      () => options.onStderr?.('(a line of standard error was too long; the rest is not shown)'),
    );
    stderr.on('data', errors.push);
    stdin.on('error', () => {
      // A process that stopped reading is about to exit, and `onExit` reports that.
    });
    this.#ended = new Promise((resolve) => {
      const done = (exit: ProcessExit): void => {
        if (this.#exited) return;
        this.#exited = true;
        if (pid !== undefined) {
          this.#signal('SIGKILL'); // what the process itself started and left behind
          unwatch(pid);
        }
        options.onExit(this.#reason === undefined ? exit : { ...exit, reason: this.#reason });
        resolve();
      };
      this.#child.on('error', (error) => done({ code: null, signal: null, reason: startError(error) }));
      this.#child.on('exit', (code, signal) => {
        // Answers that are still in the pipe come first; a grandchild that holds the pipe open must not delay.
        const late = setTimeout(() => done({ code, signal }), 200);
        this.#child.on('close', () => {
          clearTimeout(late);
          done({ code, signal });
        });
      });
    });
  }

  /** The process id, while there is one. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Has it ended? */
  get exited(): boolean {
    return this.#exited;
  }

  /** Bytes that the process has not read yet. */
  get backlog(): number {
    return this.#child.stdin.writableLength;
  }

  /** Writes one message. It must not hold a line break. */
  send(message: Buffer): void {
    if (this.#exited || !this.#child.stdin.writable) return;
    if (message.length > 4096) {
      this.#child.stdin.cork();
      this.#child.stdin.write(message);
      this.#child.stdin.write(NEWLINE);
      this.#child.stdin.uncork();
      return;
    }
    const line = Buffer.allocUnsafe(message.length + 1);
    message.copy(line);
    line[message.length] = 0x0a;
    this.#child.stdin.write(line);
  }

  /** Stops reading, so that the process feels the pressure. */
  pause(): void {
    this.#child.stdout.pause();
  }

  /** Reads on. */
  resume(): void {
    this.#child.stdout.resume();
  }

  /** Closes its input, then asks, then insists. Settles when it has ended. */
  async stop(graceMs = 2000): Promise<void> {
    if (this.#exited) return;
    this.#child.stdin.end();
    const ask = setTimeout(() => this.#signal('SIGTERM'), graceMs / 4);
    const insist = setTimeout(() => this.#signal('SIGKILL'), graceMs);
    await this.#ended;
    clearTimeout(ask);
    clearTimeout(insist);
  }

  #break(reason: string): void {
    this.#reason = reason;
    this.#signal('SIGKILL');
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // The group is gone, which is what was wanted.
    }
  }
}

/** The environment that a server may see without being given it: no secrets of the relay's own. */
function inherited(): { [name: string]: string } {
  const names = process.platform === 'win32' ? [...INHERITED, ...INHERITED_WINDOWS] : INHERITED;
  const env: { [name: string]: string } = {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

function startError(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'the command was not found';
  if (error.code === 'EACCES') return 'the command may not be executed';
  return `it could not be started (${error.code ?? error.name})`;
}
