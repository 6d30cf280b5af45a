/** Mayday as a client starts it: a plain command with three pipes, driven line by line. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '../../../../test/compile-cache.ts';
import type { Message } from '../../../gateway/acceptance/support/http.ts';
import type { PuppetOptions } from '../../../gateway/acceptance/support/puppet.ts';

/** The built program. */
export const BIN: string = fileURLToPath(new URL('../../bin/mayday.js', import.meta.url));
const PUPPET = fileURLToPath(new URL('../../../gateway/acceptance/support/stdio-puppet.ts', import.meta.url));
const SERVERS = new URL('../../../../node_modules/@modelcontextprotocol/', import.meta.url);

/** A running command. */
export interface Plain {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  /** Resolves with the exit code or the signal. */
  readonly gone: Promise<number | string>;
  /** Writes text or bytes as they are. */
  write(bytes: string | Buffer): void;
  /** Writes one message a line. */
  send(...messages: readonly object[]): void;
  /** Sends a request and resolves with its answer. */
  ask(method: string, params?: object, within?: number): Promise<Message>;
  /** The first message for which this holds, waited for. */
  find(which: (message: Message) => boolean, within?: number): Promise<Message>;
  /** The answer to this id. */
  answer(id: unknown, within?: number): Promise<Message>;
  /** All answers to this id so far. */
  answers(id: unknown): readonly Message[];
  /** `initialize` and `notifications/initialized` of 2025-11-25. */
  open(capabilities?: object): Promise<Message>;
  /** Standard output so far, as text and as messages. */
  output(): string;
  messages(): readonly Message[];
  log(): string;
  /** Closes its input and waits for its end. */
  end(within?: number): Promise<number | string>;
}

const running = new Set<Plain>();

/** Starts `mayday` with these arguments. */
export function mayday(args: readonly string[], options: { cwd?: string; env?: object } = {}): Plain {
  return follow(
    spawn(process.execPath, [BIN, ...args], {
      cwd: options.cwd,
      env: { ...process.env, NODE_OPTIONS: '', ...options.env },
      stdio: 'pipe',
    }),
  );
}

/** Follows a process that is or contains the program. */
export function follow(child: ChildProcessWithoutNullStreams): Plain {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const seen: Message[] = [];
  let rest = '';
  let tell: () => void = () => undefined;
  child.stdin.on('error', () => undefined);
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout.push(text);
    rest += text;
    if (!text.includes('\n')) return;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) seen.push(taken(line));
    tell();
  });
  const gone = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  );
  let last = 0;
  const plain: Plain = {
    child,
    pid: child.pid ?? 0,
    gone,
    write: (bytes) => void child.stdin.write(bytes),
    send: (...messages) =>
      void child.stdin.write(
        messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
      ),
    ask: (method, params = {}, within) => {
      last += 1;
      const id = `ask-${last}`;
      plain.send({ id, method, params });
      return plain.answer(id, within);
    },
    find: async (which, within = 12_000) => {
      const until = Date.now() + within;
      for (;;) {
        const found = seen.find(which);
        if (found !== undefined) return found;
        const left = until - Date.now();
        if (left <= 0) throw new Error(`nothing within ${within} ms\n${stderr.join('').slice(-2000)}`);
        await new Promise<void>((resolve) => {
          const late = setTimeout(resolve, left);
          tell = () => {
            clearTimeout(late);
            resolve();
          };
        });
      }
    },
    answer: (id, within) => plain.find((message) => isAnswer(message, id), within),
    answers: (id) => seen.filter((message) => isAnswer(message, id)),
    open: async (capabilities = {}) => {
      const clientInfo = { name: 'acceptance', version: '1' };
      const opened = await plain.ask('initialize', {
        protocolVersion: '2025-11-25',
        capabilities,
        clientInfo,
      });
      plain.send({ method: 'notifications/initialized' });
      return opened;
    },
    output: () => stdout.join(''),
    messages: () => seen,
    log: () => stderr.join(''),
    end: async (within = 12_000) => {
      child.stdin.end();
      return soon(gone, within);
    },
  };
  running.add(plain);
  void gone.then(() => running.delete(plain));
  return plain;
}

/** Ends what a failed test has left running. */
export async function endAll(): Promise<void> {
  const left = [...running];
  for (const plain of left) plain.child.kill('SIGTERM');
  await Promise.all(left.map((plain) => soon(plain.gone, 3000).catch(() => plain.child.kill('SIGKILL'))));
}

/** The value, or an error when it takes too long. */
export function soon<T>(value: Promise<T>, within: number): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const timer = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`not within ${within} ms`)), within);
  });
  return Promise.race([value, timer]).finally(() => clearTimeout(late));
}

/** `wrap` around a puppet. */
export function wrapped(puppet: PuppetOptions = {}, flags: readonly string[] = [], mark = ''): Plain {
  return mayday(['wrap', ...flags, '--', ...puppetCommand(puppet, mark)]);
}

/** A puppet's command line; its options ride in an argument, because a command has no place for them. */
export function puppetCommand(puppet: PuppetOptions = {}, mark = ''): string[] {
  const cache = `module.enableCompileCache(${JSON.stringify(COMPILE_CACHE.NODE_COMPILE_CACHE)})`;
  const options = `process.env.PUPPET=${JSON.stringify(JSON.stringify(puppet))}`;
  const start = `import * as module from 'node:module';${cache};${options};import(${JSON.stringify(PUPPET)})`;
  return [process.execPath, '--input-type=module', '-e', start, '--', `mark${mark}`];
}

/** A published server's command line. */
export function published(name: string, ...args: readonly string[]): string[] {
  return [process.execPath, fileURLToPath(new URL(`server-${name}/dist/index.js`, SERVERS)), ...args];
}

/** A call of a tool that does what the steps say. */
export function calling(id: unknown, steps: readonly object[], more: object = {}, name = 'echo'): object {
  return { id, method: 'tools/call', params: { name, arguments: { script: steps }, ...more } };
}

/** Every process below this one. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = proc(name, 'stat');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (stat !== '') parents.set(Number(name), Number(fields[1]));
  }
  const found = [pid];
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found.slice(1);
}

/** Those of these processes that are still there after this long. */
export async function left(pids: readonly number[], within = 30_000): Promise<number[]> {
  const until = Date.now() + within;
  for (;;) {
    const alive = pids.filter(isAlive);
    if (alive.length === 0 || Date.now() > until) return alive;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function isAlive(pid: number): boolean {
  const stat = proc(String(pid), 'stat');
  return stat !== '' && !/\) [ZX] /.test(stat);
}

function proc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function isAnswer(message: Message, id: unknown): boolean {
  return message['method'] === undefined && message['id'] === id && 'jsonrpc' in message;
}

/** A line as a message; one that is none is kept where tests see it. */
function taken(line: string): Message {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && (value as Message)['jsonrpc'] === '2.0') return value;
  } catch {
    // Said below.
  }
  return { nonsense: line };
}
